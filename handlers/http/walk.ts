/**
 * The one way through what a caller sent, from its parsing to all that looks at it: generated validators, the
 * fingerprint of a key, handlers. What is parsed has a bounded number of values (`json-body.ts`); they are gone through
 * one after the other, with rests, and nothing is copied for a level or kept for a value.
 */
import { setImmediate } from 'node:timers/promises';
import type { WalkedValue } from '../../generated/validators.js';
import { failField, MAX_VIOLATIONS, type Violation } from '../answers/errors.ts';
import type { Rest } from '../fairness/work-in-turn.ts';
import { InexactNumber } from './exact-number.ts';

/** How many values are looked at before other requests get their turn. */
const PORTION_VALUES = 1_000;
/** An answer shows less of a name. */
const SHOWN_CHARACTERS = 100;

/** Whether the store cannot keep a text. In UTF-8 and JSON, only an escape can bring such a character in. */
const isUnstorable = (text: string) => text.includes('\0') || !text.isWellFormed();

/** An array or object on the way to the present value. */
interface Level {
  readonly holder: Record<string, unknown>;
  readonly names: readonly string[];
  /** How many of its values have been looked at; the present one is the last of these. */
  done: number;
}

const levelOf = (holder: object): Level => ({ holder: holder as Level['holder'], names: Object.keys(holder), done: 0 });
const nameAt = ({ names, done }: Level) => (names[done - 1] as string).slice(0, SHOWN_CHARACTERS);

/** How callers name the present value. */
const fieldAt = (levels: readonly Level[]) =>
  levels
    .map((level) => (Array.isArray(level.holder) ? `[${nameAt(level)}]` : `.${nameAt(level)}`))
    .join('')
    .slice(1);

/**
 * Goes through a parsed body.
 * @param exact the fields in which parsing may change no number (D-17); a changed one becomes an ordinary number
 * @param wrong gets the changed numbers of these fields, until an answer is full
 * @throws ApiError INVALID_ARGUMENT on `body` for a NUL or a lone surrogate in a text or name (D-6a)
 */
export async function walk(
  value: unknown,
  exact: readonly string[],
  wrong: Violation[],
  rest: Rest = setImmediate,
): Promise<WalkedValue> {
  const levels: Level[] = typeof value === 'object' && value !== null ? [levelOf(value)] : [];
  let steps = 0;
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { holder, names } = level;
    const name = names[level.done];
    if (name === undefined) {
      levels.pop();
      continue;
    }
    const part = holder[name];
    level.done++;
    if (typeof part === 'object' && part !== null) {
      if (!(part instanceof InexactNumber)) levels.push(levelOf(part));
      else {
        holder[name] = part.value;
        const isJudged = exact.includes(nameAt(levels[0] as Level));
        if (isJudged && wrong.length < MAX_VIOLATIONS) wrong.push({ field: fieldAt(levels), description: INEXACT });
      }
    }
    for (const text of [name, part]) {
      if (typeof text === 'string' && isUnstorable(text)) failField('body', UNSTORABLE);
    }
    if (++steps % PORTION_VALUES === 0) await rest();
  }
  return value as WalkedValue;
}

const INEXACT = 'must be a number that a 64-bit float holds as it is written';
const UNSTORABLE = 'contains a NUL character or a lone surrogate';

/** The parameters of a request: a few texts and numbers, which a head of 16 KiB bounds. */
export const parametersOf = (parameters: Readonly<Record<'path' | 'query' | 'header', object>>) =>
  parameters as unknown as WalkedValue;
