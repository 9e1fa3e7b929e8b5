/** How the commands of the package read their words, and how they fail. */
import { parseArgs } from 'node:util';

export const EXIT = { ok: 0, refused: 1, usage: 2, unreachable: 3 } as const;

/** Ends a command with a sentence for a person. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Where a command runs: its output, its environment, and how it is stopped. */
export interface CommandContext {
  /** How a person calls the program, such as `npx developer-api-client`. */
  readonly name: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the command is to end. */
  readonly untilStopped: () => AbortSignal;
}

/** An option with a value: its placeholder in help, and what it is. */
type OptionTexts<Option extends string> = Readonly<Record<Option, readonly [placeholder: string, about: string]>>;
type FlagTexts<Flag extends string> = Readonly<Record<Flag, string>>;

export interface CommandWords<Option extends string, Flag extends string> {
  /** The words that follow the command, in help; '' if it takes none. */
  readonly takes: string;
  readonly about: string;
  readonly options: OptionTexts<Option>;
  readonly flags: FlagTexts<Flag>;
  /** Notes and examples, below the options. @param name how the program is called */
  readonly notes: (name: string) => string;
}

export interface GivenWords<Option extends string, Flag extends string> {
  readonly options: Partial<Record<Option, string>>;
  readonly flags: ReadonlySet<Flag>;
  readonly words: readonly string[];
}

/** @throws CommandError for what the command does not take */
export function parsed<Option extends string, Flag extends string>(
  argv: readonly string[],
  { takes, options, flags }: CommandWords<Option, Flag>,
): GivenWords<Option, Flag> {
  const known = [
    ...Object.keys(options).map((name) => [name, { type: 'string' }] as const),
    ...Object.keys(flags).map((name) => [name, { type: 'boolean' }] as const),
  ];
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: Object.fromEntries(known),
      allowPositionals: takes !== '',
    });
    const given = Object.entries(values);
    return {
      options: Object.fromEntries(given.filter(([name]) => name in options)) as Partial<Record<Option, string>>,
      flags: new Set(given.filter(([name]) => name in flags).map(([name]) => name as Flag)),
      words: positionals,
    };
  } catch (error) {
    throw new CommandError(EXIT.usage, `${(error as Error).message}\nAdd --help for what is possible.`);
  }
}

/** @param command its name */
export function helpOf(name: string, command: string, words: CommandWords<string, string>): string {
  const rows = [
    ...Object.entries(words.options).map(([option, [placeholder, about]]) => [`--${option} <${placeholder}>`, about]),
    ...Object.entries(words.flags).map(([flag, about]) => [`--${flag}`, about]),
    ['--help', 'show this'],
  ] as const;
  const width = Math.max(...rows.map(([option = '']) => option.length));
  const lines = rows.map(([option = '', about]) => `  ${option.padEnd(width)}  ${about}`);
  const usage = [name, command, '[options]', words.takes].filter(Boolean).join(' ');
  return `Usage: ${usage}\n\n${words.about}\n\nOptions:\n${lines.join('\n')}\n${words.notes(name)}\n`;
}

/** @throws CommandError unless it is a whole number in these limits */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new CommandError(EXIT.usage, `--${option} must be a whole number from ${least} to ${most}.`);
}

/** @throws CommandError unless it is a URL with one of these protocols */
export function urlOf(option: string, text: string, ...protocols: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && protocols.includes(url.protocol)) return url;
  throw new CommandError(EXIT.usage, `--${option} must be a URL that begins with ${protocols.join('// or ')}//.`);
}
