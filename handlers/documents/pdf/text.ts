/** Text as it may be printed. */
import type { ContentText, Content as Node } from 'pdfmake/interfaces.js';

/** Longer words are handed to the layout in pieces: it measures the rest of a word anew for every line that it fills. */
const LONGEST_WORD = 200;
/** Longer texts become several nodes, as the layout's time grows with the square of the words in one. */
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

/** Lets the layout break words that are too long; a space without width stands where it may. */
function breakable(text: string): string {
  const found: string[] = [];
  let start = 0;
  let word = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x20 || unit === 0x0a) word = at + 1;
    if (at - word >= LONGEST_WORD && !isLowSurrogate(unit)) {
      found.push(text.slice(start, at));
      start = at;
      word = at;
    }
  }
  found.push(text.slice(start));
  return found.join('\u200b');
}

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
  if (shown.length <= LONGEST_NODE) return { ...style, text: breakable(shown) };
  const { leadingIndent = 0, ...rest } = style;
  const stack: Node[] = [];
  for (let start = 0; start < shown.length; ) {
    const end = endOfPart(shown, start);
    // The line ends with the node, so a line feed at its end would make an empty one.
    const part = shown.slice(start, end).replace(/\n$/, '');
    stack.push({ text: breakable(part), leadingIndent: start === 0 ? leadingIndent : 0 });
    start = end;
  }
  return { ...rest, stack } as Node;
}

/** At most so many characters, on one line. */
export function cut(text: string, most: number): string {
  const characters = Array.from(printable(text).replace(/\s+/g, ' '));
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}
