/** Text as it may be printed. */
import type { ContentText, Content as Node } from 'pdfmake/interfaces.js';

/** Longer texts become several nodes, as the layout's time grows with the square of what is in one. */
const LONGEST_NODE = 2_000;

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

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** Where a part that begins at `start` ends: after a line or a word if it can, never within a character. */
function endOfPart(text: string, start: number): number {
  const most = start + LONGEST_NODE;
  if (most >= text.length) return text.length;
  for (const space of ['\n', ' ']) {
    const at = text.lastIndexOf(space, most - 1);
    if (at > start + LONGEST_NODE / 2) return at + 1;
  }
  return isLowSurrogate(text.charCodeAt(most)) ? most + 1 : most;
}

type Style = Omit<ContentText, 'text'> & { fillColor?: string };

/** A node that shows any text, {@link printable}, in a style. */
export function textNode(text: string, style: Style = {}): Node {
  const shown = printable(text);
  if (shown.length <= LONGEST_NODE) return { ...style, text: shown };
  const { leadingIndent = 0, ...rest } = style;
  const stack: Node[] = [];
  for (let start = 0; start < shown.length; ) {
    const end = endOfPart(shown, start);
    // The line ends with the node, so a line feed at its end would make an empty one.
    const part = shown.slice(start, end).replace(/\n$/, '');
    stack.push({ text: part, leadingIndent: start === 0 ? leadingIndent : 0 });
    start = end;
  }
  return { ...rest, stack } as Node;
}

/** At most so many characters, on one line. */
export function cut(text: string, most: number): string {
  const characters = Array.from(printable(text).replace(/\s+/g, ' '));
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}
