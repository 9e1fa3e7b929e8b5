/** Characters that steer a terminal, or the direction of writing. */
const CONTROLS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** Text of others with escapes, as in JSON, for what would steer a terminal. */
export const escaped = (text: string): string =>
  text.replaceAll(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

const LONGEST_SHOWN = 500;

/** The beginning of such text, for a message. */
export const shownText = (text: string): string => escaped(text.slice(0, LONGEST_SHOWN));
