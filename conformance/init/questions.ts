/** The questions of `init`, in order. Each is answered by an option, else by a person, else by its default. */
import { extname } from 'node:path';
import { messageOf } from '../../scripts/kit/command-line.ts';
import type { Callbacks } from '../profile/profile.ts';
import { type Answers, noProfile } from './answers.ts';
import { adminCommands } from './profile-text.ts';
import * as read from './readers.ts';
import type { Terminal } from './terminal.ts';

type Name = keyof Answers;
type KnownAnswers = Partial<Answers>;

interface Question<N extends Name = Name> {
  name: N;
  text: string | ((known: KnownAnswers) => string);
  /** The default answer; without one the question must be answered. */
  otherwise?: string | ((known: KnownAnswers) => string);
  /** Whether the question applies. If it does not, it is not asked, and an option for it is an error. */
  when?: (known: KnownAnswers) => boolean;
  read: (text: string, known: KnownAnswers) => unknown;
  /** Repeated until the answer is empty. */
  many?: true;
  /** Shown to a person once, before the question. */
  hint?: string;
}

const hasMode =
  (...modes: Callbacks['mode'][]) =>
  ({ callbacks }: KnownAnswers) =>
    callbacks !== undefined && modes.includes(callbacks);
const hostOf = ({ base_url = '' }: KnownAnswers) => read.hostOf(base_url);
const optional = (one: (text: string) => unknown) => (text: string) =>
  text === '' || text === 'none' ? '' : one(text);

const questions: readonly Question[] = [
  { name: 'base_url', text: 'Base URL of the target', read: read.baseUrl },
  {
    name: 'name',
    text: 'Its name in reports',
    otherwise: hostOf,
    when: ({ base_url }) => base_url !== undefined,
    read: read.someText,
  },
  { name: 'tenant', text: 'Name of the tenant in reports', read: read.someText },
  {
    name: 'writes',
    text: 'There is no sandbox. May the suite write to that tenant? Otherwise most rules are UNTESTED (y/n)',
    read: read.yesOrNo,
  },
  {
    name: 'max_writes',
    text: 'Maximum number of writes of a run; a whole run makes about 3,000, and documents and uploads are not deleted',
    otherwise: '5000',
    when: ({ writes }) => writes === true,
    read: read.wholeNumber(1, 1_000_000),
  },
  {
    name: 'large_bodies',
    text: 'May it send bodies of 32 MiB (y/n)',
    otherwise: 'n',
    when: ({ writes }) => writes === true,
    read: read.yesOrNo,
  },
  {
    name: 'load_consent',
    text: (known) => `May the load scenarios send load to it? To consent, type the name of the host, ${hostOf(known)}`,
    otherwise: 'none',
    when: ({ base_url }) => base_url !== undefined && !read.isLoopback(base_url),
    read: (text, known) => {
      if (text === '' || text === 'none' || text === hostOf(known)) return text === 'none' ? '' : text;
      throw new Error(`consent is given by the name of the host, ${hostOf(known)}, or not at all.`);
    },
  },
  {
    name: 'capabilities',
    text: 'Which additions does it claim? A claimed addition that is absent is a failure',
    otherwise: read.additions.join(','),
    read: read.capabilities,
  },
  {
    name: 'keys',
    text: 'Which keys may exist in addition to full? Empty lines in the env file do no harm',
    otherwise: 'all',
    read: read.keyNames,
  },
  {
    name: 'full_keys',
    text: 'How many equivalent keys may full have? More make a run shorter, and load faster',
    otherwise: '4',
    read: read.wholeNumber(1, 32),
  },
  {
    name: 'callbacks',
    hint: 'Deliveries of events reach the suite by loopback (the target allows this machine as a test network), public (it\nreaches this machine at an address), command (a tunnel), or not at all (none).',
    text: 'How do deliveries arrive',
    otherwise: 'none',
    read: read.callbackMode,
  },
  {
    name: 'callbacks_listen',
    text: 'Where the suite listens for them',
    otherwise: ({ callbacks }) => (callbacks === 'public' ? '0.0.0.0:8443' : '127.0.0.1:8443'),
    when: hasMode('loopback', 'public'),
    read: read.listenAddress,
  },
  {
    name: 'callbacks_url',
    text: 'The https address at which the target reaches it',
    when: hasMode('public'),
    read: read.httpsUrl,
  },
  {
    name: 'callbacks_command',
    text: 'Command that opens a tunnel to {port} and prints an https address',
    when: hasMode('command'),
    read: read.commandWords,
  },
  {
    name: 'callbacks_certificate',
    text: 'PEM file with the certificate that the suite presents; the target must trust it',
    when: hasMode('loopback'),
    read: read.existingFile,
  },
  { name: 'callbacks_key', text: 'PEM file with its key', when: hasMode('loopback'), read: read.existingFile },
  {
    name: 'clock',
    text: 'URL of the target’s control clock for tests, if it has one',
    otherwise: 'none',
    read: optional(read.httpUrl),
  },
  {
    name: 'replicas',
    text: 'Base URLs of further processes of the same deployment',
    otherwise: 'none',
    read: read.baseUrls,
  },
  {
    name: 'admin',
    hint: `Commands of yours can do what only the application's settings can do:\n${[...adminCommands]
      .map(([name, holes]) => `  ${name}=… ${holes.join(' … ')}`.trimEnd())
      .join('\n')}`,
    text: 'A command as NAME=COMMAND; Enter ends',
    read: read.adminCommand,
    many: true,
  },
  {
    name: 'value',
    hint: 'The source does not decide everything: conformance/profile.example.yaml lists the open values with the decisions of our service.',
    text: 'A different decision of the target, as NAME=VALUE; Enter ends',
    read: read.openValue,
    many: true,
  },
  { name: 'out', text: 'File to write', otherwise: 'conformance.yaml', read: read.plain },
  {
    name: 'env_file',
    text: 'File for the keys, a name in the same folder or a path from here',
    otherwise: ({ out = '' }) => out.slice(0, out.length - extname(out).length).concat('.env'),
    read: read.plain,
  },
];

const flagOf = (name: Name) => `--${name.replaceAll('_', '-')}`;
const given = <T>(value: T | ((known: KnownAnswers) => T), known: KnownAnswers): T =>
  typeof value === 'function' ? (value as (known: KnownAnswers) => T)(known) : value;

/** The given options, by the names of questions; a list for an option that may be repeated. */
export type GivenOptions = Partial<Record<Name, string | readonly string[]>>;

/**
 * @param terminal asks what no option answers; without a terminal such questions take their defaults
 * @param mayWrite throws an Error if the file may not be written, so that the person can name another one
 * @throws Failure
 */
export async function answersOf(
  options: GivenOptions,
  terminal: Terminal | undefined,
  mayWrite: (out: string) => void,
): Promise<Answers> {
  const known: KnownAnswers = {};
  const problems: string[] = [];
  const set = (name: Name, value: unknown) => Object.assign(known, { [name]: value });
  const understand = ({ name, read: one }: Question, text: string) => {
    const value = one(text, known);
    if (name === 'out') mayWrite(text);
    return value;
  };

  const take = (question: Question, texts: readonly string[]) => {
    try {
      const values = texts.map((text) => understand(question, text.trim()));
      set(question.name, question.many ? values : values[0]);
    } catch (error) {
      problems.push(`${flagOf(question.name)}: ${messageOf(error)}`);
    }
  };

  // Options are checked first: a person should not answer twenty questions before an option is refused.
  for (const question of questions) {
    const option = options[question.name];
    if (option === undefined) continue;
    take(question, [option].flat());
  }
  if (problems.length > 0) noProfile(problems);

  for (const question of questions) {
    const { name, when, many } = question;
    const isAsked = when?.(known) ?? true;
    if (known[name] !== undefined) {
      if (!isAsked) problems.push(`${flagOf(name)}: does not fit the other answers; omit it.`);
      continue;
    }
    const otherwise = given(question.otherwise, known);
    if (!isAsked) continue;
    if (question.hint !== undefined) terminal?.say(question.hint);
    const readOne = (text: string) => understand(question, text);
    if (many) set(name, terminal ? await askSeveral(terminal, given(question.text, known), readOne) : []);
    else if (terminal) set(name, await askOne(terminal, given(question.text, known), otherwise, readOne));
    else if (otherwise === undefined) problems.push(`${flagOf(name)} is missing: ${given(question.text, known)}.`);
    else take(question, [otherwise]);
  }
  if (problems.length > 0) noProfile(problems);
  return known as Answers;
}

/** Asks until the answer can be read. @returns undefined for an empty answer without a default */
async function askOne(
  at: Terminal,
  question: string,
  otherwise: string | undefined,
  readOne: (text: string) => unknown,
  isOptional = false,
): Promise<unknown> {
  for (;;) {
    const text = await at.ask(`${question}${otherwise ? ` [${otherwise}]` : ''}: `);
    if (isOptional && text.trim() === '') return undefined;
    try {
      return readOne(text.trim() || (otherwise ?? ''));
    } catch (error) {
      at.say(`  ${messageOf(error)}`);
    }
  }
}

/** Asks until the answer is empty. */
async function askSeveral(at: Terminal, question: string, readOne: (text: string) => unknown): Promise<unknown[]> {
  const all: unknown[] = [];
  for (;;) {
    const one = await askOne(at, question, undefined, readOne, true);
    if (one === undefined) return all;
    all.push(one);
  }
}
