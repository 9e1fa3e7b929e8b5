/** The command line of the settings tool, made from its commands. */
import { writeFileSync } from 'node:fs';
import { Argument, type Command, Option } from 'commander';
import { commandLine, EXIT, Failure, misuse, type Output, refuse } from '../../../conformance/command-line.ts';
import { ChangeRefused } from '../../../handlers/employees/write/fields.ts';
import type {
  Answer,
  CommandContext,
  Facts,
  Group,
  NewFile,
  Parameter,
  SettingsCommand,
  Table,
  TenantContext,
} from './command.ts';
import { connect, databaseFailure } from './connect.ts';
import { findTenant } from './lookup.ts';

/** The input and output of a run of the tool; tests replace them. */
export interface Surroundings extends Output, Pick<CommandContext, 'env'> {
  /** The terminal's width in columns; undefined if the output is not a terminal. */
  readonly width?: number | undefined;
  readonly now: () => Date;
  /** If absent, nothing stops the commands that run until a user stops them. */
  readonly untilStopped?: CommandContext['untilStopped'] | undefined;
}

interface GlobalOptions {
  readonly json?: boolean;
  readonly tenant?: string;
  readonly data: string;
}

const ABOUT = 'The settings of the application: tenants, users, keys, and what the interface reads.';

const EXAMPLES = [
  'tenants list',
  'keys create --owner Administrator --name Trial --scopes employees:read',
  'users update "HR robot" --hide persons.iin',
  'employees list --status ACTIVE --limit 20 --json',
  'keys create --help',
];

const NOTES = `
The database is MONGODB_URI; unset, the one that a running npm start uses; else the embedded one of --data, which is
started for the one command. The tenant is --tenant (name or id), else the environment variable TENANT, else the only one there is.
Exit codes: 0 done, 1 refused or not found, 2 wrong usage, 3 database unreachable.`;

export function settingsProgram(groups: Readonly<Record<string, Group>>, surroundings: Surroundings): Command {
  const program = commandLine('settings', ABOUT, surroundings)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help for what is possible, with examples.')
    .option('--tenant <name or id>', 'the tenant (default: TENANT, or the only one there is)')
    .option('--json', 'print only JSON on standard output')
    .option('--data <folder>', 'folder of the embedded database', '.data');
  for (const [name, { about, examples, commands }] of Object.entries(groups)) {
    const group = program.command(name).description(about);
    addExamples(group, examples);
    for (const [name, command] of Object.entries(commands)) {
      const made = addCommand(group, name, command);
      made.action((...given: unknown[]) => perform(command, given, surroundings));
    }
  }
  addExamples(program, EXAMPLES);
  return program.addHelpText('after', NOTES);
}

function addExamples(command: Command, examples: readonly string[] = []): void {
  if (examples.length === 0) return;
  const lines = examples.map((example) => (example.includes('npm run') ? example : `npm run settings -- ${example}`));
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/** The name of an option: `--job-title` for `job_title_id` and for `jobTitle`. */
function wordOf(name: string, { word }: Parameter<unknown>): string {
  const words = name.replace(/_id$/, '').replaceAll('_', '-');
  return `--${word ?? words.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function optionOf(name: string, parameter: Parameter<unknown>): Option {
  const { is, type, about, isRequired } = parameter;
  const value = is === 'flag' ? '' : ` <${type.placeholder}>`;
  return new Option(`${wordOf(name, parameter)}${value}`, about).makeOptionMandatory(isRequired);
}

function addCommand(group: Command, name: string, command: SettingsCommand): Command {
  const { about, takes, examples, note, form } = command;
  const made = group.command(name).description(about);
  for (const [key, parameter] of Object.entries(takes)) {
    const { is, type, about, otherwise } = parameter;
    const read = type.read?.bind(type);
    if (is === 'argument') {
      const added = new Argument(`<${type.placeholder}>`, about);
      made.addArgument(read ? added.argParser(read) : added);
      continue;
    }
    const option = optionOf(key, parameter);
    if (read) option.argParser(read);
    if (type.choices) option.choices(type.choices);
    made.addOption(is === 'flag' ? option : option.default(otherwise));
  }
  if (note !== undefined) made.addHelpText('after', note);
  addExamples(made, examples);
  return form === undefined ? made : made.addHelpText('after', form);
}

/** @param given what commander gives to actions: the arguments, the options, the command itself */
async function perform(command: SettingsCommand, given: readonly unknown[], surroundings: Surroundings): Promise<void> {
  const { env, now, untilStopped = () => new AbortController().signal } = surroundings;
  const global = (given.at(-1) as Command).optsWithGlobals<GlobalOptions>();
  const values = valuesOf(command, given);
  const { store, close } = await connect({ env, dataDir: global.data });
  try {
    const context = { store, now: now(), clock: now, env, untilStopped };
    const at = command.isForAllTenants
      ? (context as CommandContext as TenantContext)
      : { ...context, tenant: await findTenant(store, global.tenant ?? env.TENANT) };
    for (const [name, { type }] of Object.entries(command.takes)) {
      if (type.resolve && values[name] !== undefined) values[name] = await type.resolve(at, values[name] as string);
    }
    await show(await command.run(at, values), global.json ?? false, surroundings);
  } catch (error) {
    throw explained(error);
  } finally {
    await close();
  }
}

/** The values by the names of their parameters, not resolved yet. @throws Failure if none is given and one is needed */
function valuesOf({ takes, lacking }: SettingsCommand, given: readonly unknown[]): Record<string, unknown> {
  const options = given.at(-2) as Record<string, unknown>;
  const values: Record<string, unknown> = {};
  let place = 0;
  let isLacking = lacking !== undefined;
  for (const [name, parameter] of Object.entries(takes)) {
    const { is, otherwise } = parameter;
    values[name] =
      is === 'argument' ? given[place++] : (options[optionOf(name, parameter).attributeName()] ?? otherwise);
    if (is !== 'argument' && values[name] !== undefined) isLacking = false;
  }
  if (isLacking) misuse(lacking ?? '');
  return values;
}

/** Turns a refused change and errors of the database into a sentence for a person. */
function explained(error: unknown): unknown {
  if (!(error instanceof ChangeRefused)) return databaseFailure(error);
  const problems = error.violations.map(({ field, description }) => `  ${field} ${description}`).join('\n');
  return new Failure(EXIT.refused, `Nothing was changed:\n${problems}`);
}

/** Prints an answer; of several answers each as one line, as soon as it comes. */
async function show(
  answer: Answer | AsyncIterable<Answer>,
  json: boolean,
  { stdout, width }: Surroundings,
): Promise<void> {
  if (Symbol.asyncIterator in answer) {
    for await (const one of answer) stdout(`${json ? JSON.stringify(one.json) : textOf(one, width)}\n`);
    return;
  }
  if (answer.file) writeNewFile(answer.file);
  stdout(`${json ? JSON.stringify(answer.json, null, 2) : textOf(answer, width)}\n`);
  if (answer.failure) throw answer.failure;
}

function textOf({ text }: Answer, width: number | undefined): string {
  if (typeof text === 'string') return text;
  const parts = text.map((part) => {
    if (typeof part === 'string') return part;
    return 'facts' in part ? factsText(part) : tableText(part, width);
  });
  return parts.join('\n\n');
}

const GAP = '  ';
const NARROWEST = 8;

/** The widths of the columns: each as wide as its widest cell. The widest columns are then narrowed until a line fits. */
function widthsOf(lines: readonly (readonly string[])[], most: number): number[] {
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  let over = widths.reduce((a, b) => a + b + GAP.length, -GAP.length) - most;
  for (; over > 0; over--) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** @param width the terminal's width in columns, or undefined if nothing may be cut (the output is not a terminal) */
export function tableText({ heads, rows }: Table, width = Number.POSITIVE_INFINITY): string {
  if (rows.length === 0) return 'None.';
  const lines = [heads, ...rows].map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')));
  const widths = widthsOf(lines, width);
  const cut = (text: string, to: number) => (text.length > to ? `${text.slice(0, to - 1)}…` : text).padEnd(to);
  const texts = lines.map((line) => line.map((cell, i) => cut(cell, widths[i] ?? 0)).join(GAP));
  return texts.map((text) => text.trimEnd()).join('\n');
}

/** One line for each fact, with the values below each other. */
function factsText({ title, nameWidth = 0, facts }: Facts): string {
  const width = Math.max(nameWidth, ...facts.map(([name]) => name.length + GAP.length));
  const lines = facts.map(([name, value]) => `${name.padEnd(width)}${value}`.trimEnd());
  return (title === undefined ? lines : [title, ...lines]).join('\n');
}

/** @throws Failure (refused) if the file already exists, or cannot be written */
function writeNewFile({ path, text, isForced, isPrivate = false }: NewFile): void {
  try {
    writeFileSync(path, text, { flag: isForced ? 'w' : 'wx', mode: isPrivate ? 0o600 : 0o666 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') refuse(`The file ${path} exists. Add --force to replace it.`);
    refuse(`The file ${path} cannot be written: ${message}`);
  }
}
