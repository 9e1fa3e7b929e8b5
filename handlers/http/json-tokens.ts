/** The tokens of JSON (RFC 8259), byte by byte, so that a scan can stop and go on anywhere in a long one. */

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

const SHORT_ESCAPES = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));
const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word));
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;

const isDigit = (byte: number) => byte >= ZERO && byte <= 0x39;
const isHex = (byte: number) => isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);

/** @param start offset of the backslash @returns the offset after the escape; undefined if there is no such escape */
export function escapeEnd(bytes: Uint8Array, start: number): number | undefined {
  const kind = bytes[start + 1] ?? 0;
  if (SHORT_ESCAPES.has(kind)) return start + 2;
  const end = start + 6;
  if (kind !== 0x75 || end > bytes.length) return undefined;
  for (let i = start + 2; i < end; i++) if (!isHex(bytes[i] as number)) return undefined;
  return end;
}

/** @returns the offset after `true`, `false` or `null`; undefined if none of them stands there */
export function wordEnd(bytes: Uint8Array, start: number): number | undefined {
  const word = WORDS.find((each) => each.every((byte, index) => bytes[start + index] === byte));
  return word && start + word.length;
}

/** What of a number was read last. */
export type NumberState = 'none' | 'minus' | 'zero' | 'whole' | 'point' | 'fraction' | 'e' | 'sign' | 'exponent';

export const NOT_IN_NUMBER: NumberState = 'none';

/** The state after the first byte of a value. */
export function startOfNumber(byte: number): NumberState {
  if (byte === MINUS) return 'minus';
  if (!isDigit(byte)) return NOT_IN_NUMBER;
  return byte === ZERO ? 'zero' : 'whole';
}

/** The state after the next byte; {@link NOT_IN_NUMBER} if the byte does not belong to the number. */
export function afterInNumber(state: NumberState, byte: number): NumberState {
  if (isDigit(byte)) {
    if (state === 'whole' || state === 'fraction' || state === 'exponent') return state;
    return AFTER_DIGIT[state] ?? (byte === ZERO ? 'zero' : 'whole');
  }
  if (byte === DOT) return state === 'zero' || state === 'whole' ? 'point' : NOT_IN_NUMBER;
  if (byte === 0x65 || byte === 0x45) {
    return state === 'zero' || state === 'whole' || state === 'fraction' ? 'e' : NOT_IN_NUMBER;
  }
  return state === 'e' && (byte === PLUS || byte === MINUS) ? 'sign' : NOT_IN_NUMBER;
}

/** After a minus it depends on the digit. */
const AFTER_DIGIT: Readonly<Partial<Record<NumberState, NumberState>>> = {
  zero: NOT_IN_NUMBER,
  point: 'fraction',
  e: 'exponent',
  sign: 'exponent',
};

/** Whether the number may end there. */
export function isCompleteNumber(state: NumberState): boolean {
  return state === 'zero' || state === 'whole' || state === 'fraction' || state === 'exponent';
}
