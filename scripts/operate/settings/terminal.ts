/** The command line of the settings tool, made from its commands. */
import { writeFileSync } from 'node:fs';
import { Argument, type Command, Option } from 'commander';
import type { TenantRow } from '../../../handlers/data/collections/tenants.ts';
import { ChangeRefused, textProblem } from '../../../handlers/employees/write/fields.ts';
import { aligned, commandLine, EXIT, Failure, invalid, misuse, type Output, refuse } from '../../kit/command-line.ts';
import { databaseNote } from '../start/notes.ts';
import { audited, entryOf, outcomeOfCommand } from './audit-log.ts';
import type { Answer, CommandContext, Group, NewFile, Parameter, SettingsCommand } from './command.ts';
import { connect, databaseFailure } from './connect.ts';
import { findTenant } from './lookup.ts';
import { readingStore } from './reading-store.ts';
import { jsonText, type Shape, shaped } from './shape.ts';
import { cut, plain, tableText } from './table.ts';

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
  readonly as?: string;
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
The database is MONGODB_URI, or what the file MONGODB_URI_FILE holds; unset, the one that a running npm start uses; else
the embedded one of --data, which is started for the one command. The tenant is --tenant (name or id), else the environment variable TENANT, else the only one there is.
Of an id, the first 8 characters are enough if no other one begins so; lists on a narrow terminal show no more.
Exit codes: 0 done, 1 refused or not found, 2 wrong usage, 3 database unreachable.`;

export function settingsProgram(groups: Readonly<Record<string, Group>>, surroundings: Surroundings): Command {
  const program = commandLine('settings', ABOUT, surroundings)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help for what is possible, with examples.')
    .option('--tenant <name or id>', 'the tenant (default: TENANT, or the only one there is)')
    .option('--json', 'print only JSON on standard output')
    .option('--as <name>', 'who gives the command, for the audit log (default: your user of this machine)', operator)
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
  const { about, json, takes, examples, note, form } = command;
  const made = group.command(name).description(about);
  for (const [key, parameter] of Object.entries(takes)) {
    const { is, type, about, otherwise, isRequired } = parameter;
    const read = type.read?.bind(type);
    if (is === 'argument') {
      const added = new Argument(isRequired ? `<${type.placeholder}>` : `[${type.placeholder}]`, about);
      if (type.choices) added.choices(type.choices);
      made.addArgument(read ? added.argParser(read) : added);
      continue;
    }
    const option = optionOf(key, parameter);
    if (read) option.argParser(read);
    if (type.choices) option.choices(type.choices);
    made.addOption(is === 'flag' ? option : option.default(otherwise));
  }
  if (note !== undefined) made.addHelpText('after', note);
  made.addHelpText('after', `\nFields of --json: ${Object.keys(json).join(', ')}.`);
  addExamples(made, examples);
  return form === undefined ? made : made.addHelpText('after', form);
}

/** @param words what commander gives to actions: the arguments, the options, the command itself */
async function perform(command: SettingsCommand, words: readonly unknown[], surroundings: Surroundings): Promise<void> {
  const { env, now, stderr, untilStopped = () => new AbortController().signal } = surroundings;
  const line = words.at(-1) as Command;
  const global = line.optsWithGlobals<GlobalOptions>();
  const values = valuesOf(command, words);
  const dataDir = dataDirOf(command, values, global.data);
  const { store, close } = await connect({ env, dataDir, patient: command.isLong ?? false });
  try {
    const tenant = command.isForAllTenants ? undefined : await findTenant(store, global.tenant ?? env.TENANT);
    const at = {
      store: command.reads ? readingStore(store) : store,
      now: now(),
      clock: now,
      env,
      dataDir,
      progress: global.json ? undefined : { write: stderr, isTTY: surroundings.width !== undefined },
      untilStopped,
      namedTenant: global.tenant,
      // A command for all tenants does not know that it could have one.
      tenant: tenant as TenantRow,
    };
    for (const [name, { type }] of Object.entries(command.takes)) {
      if (type.resolve && values[name] !== undefined) values[name] = await type.resolve(at, values[name] as string);
    }
    const run = () => command.run(at, values);
    const name = `${line.parent?.name()} ${line.name()}`;
    // What a command for all tenants is about may be one of them.
    const about = tenant ?? (values.tenant as TenantRow | undefined);
    const given = { command, name, values, tenantId: about?._id ?? '', operator: global.as };
    const answer = command.reads
      ? await run()
      : await audited(store, entryOf(given, now()), now, run, (result) => outcomeOfCommand(command, result));
    await show(command.json, answer, global.json ?? false, surroundings);
  } catch (error) {
    throw explained(error);
  } finally {
    await close();
  }
}

/** The name of an operator: short, and on one line of the log. */
function operator(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 100 || textProblem(name)) invalid('It must be a name of at most 100 characters.');
  return name;
}

/** The folder that notes which database to use: the one that the command names, if it notes one. */
function dataDirOf({ databaseFolder }: SettingsCommand, values: Record<string, unknown>, otherwise: string): string {
  const named = databaseFolder === undefined ? undefined : (values[databaseFolder] as string | undefined);
  return named !== undefined && databaseNote.read(named) !== undefined ? named : otherwise;
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
  shape: Shape<unknown>,
  answer: Answer | AsyncIterable<Answer>,
  json: boolean,
  { stdout, width }: Surroundings,
): Promise<void> {
  if (Symbol.asyncIterator in answer) {
    for await (const one of answer) stdout(`${json ? answerJson(shape, one) : cut(textOf(one, width), width)}\n`);
    return;
  }
  if (answer.file) writeNewFile(answer.file);
  stdout(`${json ? answerJson(shape, answer, 2) : textOf(answer, width)}\n`);
  if (answer.failure) throw answer.failure;
}

function answerJson(shape: Shape<unknown>, { of }: Answer, indent?: number): string {
  const json = Array.isArray(of) ? of.map((one) => shaped(shape, one)) : shaped(shape, of);
  return jsonText(json, indent);
}

function textOf({ text }: Answer, width: number | undefined): string {
  if (typeof text === 'string') return text;
  const parts = text.map((part) => {
    if (typeof part === 'string') return part;
    if (!('facts' in part)) return tableText(part, width);
    return aligned(part.facts.map(([name, value]) => [name, plain(value)])).join('\n');
  });
  return parts.join('\n\n');
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
