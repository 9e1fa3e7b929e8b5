/** The kinds of values that a person types. Wrong input is a usage error whose message says what is right. */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { instantOf } from '../../../generated/validators.js';
import { textProblem } from '../../../handlers/employees/write/fields.ts';
import { invalid, misuse, refuse, wholeNumber } from '../../kit/command-line.ts';
import { take, type ValueType } from './command.ts';

/** What an instant has before its zone if it goes to the minute only. */
const TO_THE_MINUTE = /^(.{10}T\d{2}:\d{2})(?=Z$|[+-])/;

export const text = (placeholder = 'text'): ValueType<string> => ({ placeholder });

/** An instant with its zone, or `now`, which is the time when the option is read. */
export const instant: ValueType<Date> = {
  placeholder: 'instant',
  read(given) {
    if (given === 'now') return new Date();
    const { ms } =
      instantOf(given.replace(TO_THE_MINUTE, '$1:00')) ??
      invalid('It must be "now" or an instant with its zone, such as 2026-12-31T23:59:00+05:00.');
    return new Date(ms);
  },
};

export const count = (placeholder = 'N'): ValueType<number> => ({ placeholder, read: wholeNumber(1, 100_000) });

/** How many rows a list shows. */
export const limitOf = (usual: number) => take.defaulting(count(), 'the maximum number', usual);

export const onOrOff: ValueType<boolean> = {
  placeholder: 'on|off',
  read(given) {
    if (given !== 'on' && given !== 'off') invalid('It must be on or off.');
    return given === 'on';
  },
};

/** A title or a label: not empty, at most `most` characters. */
export const title = (placeholder = 'title', most = 500): ValueType<string> => ({
  placeholder,
  read(given) {
    const value = given.trim();
    const problem = textProblem(value);
    if (value === '') invalid('It must not be empty.');
    if (problem) invalid(`It ${problem}.`);
    if (value.length > most) invalid(`It must have at most ${most} characters.`);
    return value;
  },
});

/** A time zone of the IANA database, such as Asia/Almaty. */
export const timeZone: ValueType<string> = {
  placeholder: 'zone',
  read(given) {
    try {
      // Intl accepts bare offsets such as +05:00, but they are not zones.
      if (/^[A-Za-z]/.test(given))
        return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone && given;
    } catch {
      // Reported below, like everything else that is not a zone.
    }
    return invalid('It must be a time zone of the IANA database, such as Asia/Almaty or UTC.');
  },
};

/** One of these statuses, with or without its prefix. @param short the status without its prefix */
export function statusOf<Status extends string>(
  known: readonly Status[],
  short: (status: string) => string,
): ValueType<Status> {
  const about = known.map(short).join(', ');
  return {
    placeholder: 'status',
    about,
    resolve(_, text) {
      const found = known.find((status) => status === text || short(status) === text);
      return found ?? misuse(`"${text}" is no status. These are: ${about}.`);
    },
  };
}

export interface GivenFile {
  readonly path: string;
  readonly text: string;
}

/** A file that is read. `-` is standard input, read as a stream to its end, since a pipe may not have any data yet. */
export const inputFile = (placeholder: string): ValueType<GivenFile> => ({
  placeholder,
  resolve: async (_, path) => ({ path, text: (await bytesOf(path)).toString() }),
});

/** The bytes of a file, or of standard input. @throws Failure */
export async function bytesOf(path: string): Promise<Buffer> {
  try {
    return path === '-' ? await buffer(process.stdin) : await readFile(path);
  } catch (error) {
    return refuse(`The file ${path} cannot be read: ${(error as Error).message}`);
  }
}

export function withoutUndefined<Fields extends object>(fields: Fields) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}
