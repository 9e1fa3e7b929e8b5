/**
 * How the project's programs read their command line: with commander, with one sentence for what is wrong, and with exit
 * code 2 for a command line that cannot be used.
 */
import { Command, CommanderError, InvalidArgumentError } from 'commander';

export const EXIT = { ok: 0, refused: 1, usage: 2, unreachable: 3 } as const;

/** A failure whose message is for a person: what went wrong, where, and what to do. */
export class Failure extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Ends the program because the requested thing does not exist or is not allowed. */
export function refuse(message: string): never {
  throw new Failure(EXIT.refused, message);
}

/** Ends the program because its command line is invalid. */
export function misuse(message: string): never {
  throw new Failure(EXIT.usage, message);
}

/** A sentence, and below it what it is about, a line each. */
export const withProblems = (sentence: string, problems: readonly string[]): string =>
  [sentence, ...problems.map((problem) => `  - ${problem}`)].join('\n');

/** Names with their values below each other, a line each. */
export function aligned(pairs: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd());
}

/** What is wrong, as far as an error says it. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Ends the reading of an option or argument because its value is wrong. */
export function invalid(message: string): never {
  throw new InvalidArgumentError(message);
}

/** A whole number; `1_000` is written for 1000, too. */
export function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text.replaceAll('_', ''));
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    return invalid(`It must be a whole number from ${least} to ${most}.`);
  };
}

export const portNumber = wholeNumber(0, 65_535);

const UNIT_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** A duration of at most a week in seconds: `90s`, `10m`, `8h` or plain seconds. */
export function seconds(text: string): number {
  const [, number = '', unit = 's'] = /^(\d+)([smh])?$/.exec(text) ?? [];
  const value = Number(number) * (UNIT_S[unit] ?? 1);
  return value >= 1 && value <= 7 * 86_400 ? value : invalid('Give 30s, 10m or 8h, at most a week.');
}

/** The address of a page, without an anchor. */
export function pageUrl(text: string): string {
  return /^https?:\/\/[^#\s<>"]+$/.test(text) ? text : invalid('Give an http or https address without #.');
}

/** `a,b,c` as a list, without empty parts and duplicates. */
export function commaList(text: string): string[] {
  return [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== '');
}

/** The same for an option that may be repeated. */
export function listAdded(text: string, before: readonly string[]): string[] {
  return [...before, ...commaList(text)];
}

/** Where a program writes; tests replace it. */
export interface Output {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** Characters that steer a terminal, or the direction of writing; an end of line and a tabulator do no harm. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Text that may hold what others have sent, with escapes for what would steer a terminal: as in JSON, so JSON stays JSON. */
export const printable = (text: string): string =>
  text.replaceAll(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const standardOutput: Output = {
  stdout: (text) => process.stdout.write(printable(text)),
  stderr: (text) => process.stderr.write(text),
};

/** An output that keeps what is written. @param heard called with each piece of standard output, too */
export function keptOutput(heard: Output['stdout'] = () => {}) {
  const written = { out: '', err: '' };
  return {
    written,
    stdout(text: string) {
      written.out += text;
      heard(text);
    },
    stderr(text: string) {
      written.err += text;
    },
  };
}

/** A command line without options yet. The commands that its `.command()` makes write to the same output. */
export function commandLine(name: string, about: string, { stdout, stderr } = standardOutput): Command {
  return new Command(name).description(about).exitOverride().configureOutput({ writeOut: stdout, writeErr: stderr });
}

/** Makes an action of work that returns the program's exit code. */
export function exitingWith<Given extends unknown[]>(work: (...given: Given) => number | Promise<number>) {
  return async (...given: Given): Promise<void> => {
    const code = await work(...given);
    // The work has said itself what is wrong.
    if (code !== EXIT.ok) throw new Failure(code, '');
  };
}

/**
 * Reads a command line and runs its action.
 * @param argv without the program's own name
 * @param codeOf the exit code for an error whose message is enough for a person, if the error is no Failure or has
 * another exit code here
 * @returns the exit code; the reason for a failure has been written
 */
export async function runProgram(
  program: Command,
  argv: readonly string[],
  codeOf: (error: unknown) => number | undefined = () => undefined,
): Promise<number> {
  try {
    await program.parseAsync(argv, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    // Commander has already written what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const code = codeOf(error) ?? (error instanceof Failure ? error.exitCode : undefined);
    if (code === undefined) throw error;
    const { message } = error as Error;
    if (message !== '') program.configureOutput().writeErr?.(`${printable(message)}\n`);
    return code;
  }
}
