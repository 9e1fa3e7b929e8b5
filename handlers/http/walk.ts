/**
 * The one way through what a caller sent, from its parsing to all that looks at it: generated validators, the
 * fingerprint of a key, handlers. What is parsed has so few values and levels (`json-body.ts`) that it takes no time
 * worth sharing.
 */
import type { WalkedValue } from '../../generated/validators.js';
import { failField, MAX_VIOLATIONS, type Violation } from '../answers/errors.ts';
import { InexactNumber } from './exact-number.ts';

/** An answer shows less of a name. */
const SHOWN_CHARACTERS = 100;

/** Whether the store cannot keep a text. In UTF-8 and JSON, only an escape can bring such a character in. */
const isUnstorable = (text: string) => text.includes('\0') || !text.isWellFormed();

/**
 * Goes through a parsed body.
 * @param exact the fields in which parsing may change no number (D-17); a changed one becomes an ordinary number
 * @param wrong gets the changed numbers of these fields, until an answer is full
 * @throws ApiError INVALID_ARGUMENT on `body` for a NUL or a lone surrogate in a text or name (D-6a)
 */
export function walk(value: unknown, exact: readonly string[], wrong: Violation[]): WalkedValue {
  /** @param place how callers name the holder @param isJudged whether it is within one of the fields */
  const visit = (holder: object, place: string, isJudged?: boolean) => {
    for (const [name, part] of Object.entries(holder)) {
      const shown = name.slice(0, SHOWN_CHARACTERS);
      const field = Array.isArray(holder) ? `${place}[${shown}]` : `${place}.${shown}`;
      const judges = isJudged ?? exact.includes(name);
      for (const text of [name, part]) {
        if (typeof text === 'string' && isUnstorable(text)) failField('body', UNSTORABLE);
      }
      if (part instanceof InexactNumber) {
        Object.assign(holder, { [name]: part.value });
        if (judges && wrong.length < MAX_VIOLATIONS) wrong.push({ field: field.slice(1), description: INEXACT });
      } else if (typeof part === 'object' && part !== null) visit(part, field, judges);
    }
  };
  if (typeof value === 'object' && value !== null) visit(value, '');
  return value as WalkedValue;
}

const INEXACT = 'must be a number that a 64-bit float holds as it is written';
const UNSTORABLE = 'contains a NUL character or a lone surrogate';

/** The parameters of a request: a few texts and numbers, which a head of 16 KiB bounds. */
export const parametersOf = (parameters: Readonly<Record<'path' | 'query' | 'header', object>>) =>
  parameters as unknown as WalkedValue;
