/**
 * Reads what a person types: instants, limits, lists, texts. Wrong input is a usage error whose message says what is
 * right.
 */
import { InvalidArgumentError } from 'commander';
import type { CatalogueStatus } from '../../handlers/data/store.ts';
import { textProblem } from '../../handlers/employees/write/fields.ts';

function invalid(message: string): never {
  throw new InvalidArgumentError(message);
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** An instant with its zone, or `now`, which is the time when the option is parsed. */
export function instant(text: string): Date {
  if (text === 'now') return new Date();
  const day = INSTANT.exec(text)?.[1];
  const time = Date.parse(text);
  const real = day !== undefined && !Number.isNaN(time) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  if (!real) invalid('It must be "now" or an instant with its zone, such as 2026-12-31T23:59:00+05:00.');
  return new Date(time);
}

export function limit(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 100_000) invalid('It must be a whole number from 1 to 100000.');
  return value;
}

export function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') invalid('It must be on or off.');
  return text === 'on';
}

/** `a,b,c` as a list, without empty parts and duplicates. */
export function commaList(text: string): string[] {
  return [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== '');
}

/** A title or a label: not empty, at most `most` characters. */
export function titleOf(most = 500) {
  return (text: string): string => {
    const value = text.trim();
    const problem = textProblem(value);
    if (value === '') invalid('It must not be empty.');
    if (problem) invalid(`It ${problem}.`);
    if (value.length > most) invalid(`It must have at most ${most} characters.`);
    return value;
  };
}

/** A time zone of the IANA database, such as Asia/Almaty. */
export function timeZone(text: string): string {
  try {
    // Intl accepts bare offsets such as +05:00, but they are not zones.
    if (/^[A-Za-z]/.test(text))
      return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone && text;
  } catch {
    // Reported below, like everything else that is not a zone.
  }
  return invalid('It must be a time zone of the IANA database, such as Asia/Almaty or UTC.');
}

export function catalogueStatus(text: string): CatalogueStatus {
  if (text !== 'ACTIVE' && text !== 'ARCHIVED') invalid('It must be ACTIVE or ARCHIVED.');
  return text;
}

/** How an instant is shown to a person; `''` if there is none. */
export function shown(time: Date | null): string {
  return time === null ? '' : `${time.toISOString().slice(0, 19).replace('T', ' ')}Z`;
}
