/** Text as it may be printed. */

/** Longer words are handed to the layout in pieces: it measures the rest of a word anew for every line that it fills. */
const LONGEST_WORD = 200;

/** `Cf` holds what turns the direction of text and what hides in it; a page shows neither. */
const INVISIBLE = /\p{Cf}/gu;
const CONTROL = /[^\P{Cc}\n]/gu;
const UNKNOWN = /[\p{Co}\p{Cn}]/gu;
const HEAP_OF_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Any text without what a page cannot show: control characters, turns of direction, heaps of combining marks. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(CONTROL, ' ')
    .replace(INVISIBLE, '')
    .replace(UNKNOWN, '\ufffd')
    .replace(HEAP_OF_MARKS, '$1');
}

/** {@link printable} text in pieces that the layout can break between and within; never an empty list. */
export function pieces(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  let word = 0;
  const shown = printable(text);
  for (let at = 0; at < shown.length; at++) {
    const unit = shown.charCodeAt(at);
    if (unit === 0x20 || unit === 0x0a) word = at + 1;
    // Never between the halves of a surrogate pair.
    if (at - word >= LONGEST_WORD && (unit < 0xdc00 || unit > 0xdfff)) {
      found.push(shown.slice(start, at));
      start = at;
      word = at;
    }
  }
  found.push(shown.slice(start));
  return found;
}

/** At most so many characters, on one line. */
export function cut(text: string, most: number): string {
  const characters = Array.from(printable(text).replace(/\s+/g, ' '));
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}
