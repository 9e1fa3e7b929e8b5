/** What all commands of the settings tool share: the database, the tenant that is meant, and the form of answers. */
import { Command, Option } from 'commander';
import type { Store, TenantRow } from '../../handlers/data/store.ts';
import { ChangeRefused } from '../../handlers/employees/write/fields.ts';
import { connect } from './connect.ts';
import { EXIT, Failure, misuse, refuse } from './failure.ts';
import { table } from './table.ts';

/** The input and output of a run of the tool; tests replace them. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** The terminal's width in columns; undefined if the output is not a terminal. */
  readonly width?: number | undefined;
  readonly now: () => Date;
  /** Used by commands that run until a user stops them; if absent, nothing stops them. */
  readonly untilStopped?: (() => AbortSignal) | undefined;
}

/** The answer of a command: `json` for scripts, text for people. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** If given, the command ends with this failure, after the answer was printed. */
  readonly failure?: Failure;
}

export interface GlobalOptions {
  readonly json?: boolean;
  readonly tenant?: string;
  readonly data: string;
}

/** A column of a list: its heading and its cell. */
export type Column<Row> = readonly [head: string, cell: (row: Row) => string];

/** How a command is run: with the store, the time and, if it works inside one tenant, that tenant. */
export interface Context {
  readonly surroundings: Surroundings;
  /** For commands that concern all tenants. */
  all<Args extends unknown[]>(work: (at: { store: Store; now: Date }, ...args: Args) => Promise<Answer>): Action;
  /** For commands inside one tenant; they return null if they have printed everything themselves. */
  inTenant<Args extends unknown[]>(work: (at: At, ...args: Args) => Promise<Answer | null>): Action;
  list<Row>(rows: readonly Row[], columns: readonly Column<Row>[], json: readonly object[]): Answer;
}

export interface At {
  readonly store: Store;
  readonly tenant: TenantRow;
  readonly now: Date;
  /** Whether to print JSON, for commands that print by themselves. */
  readonly json: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: commander passes arguments and options untyped
export type Action = (...args: any[]) => Promise<void>;

/** The tenant that `--tenant` names (by id or exact name); without `--tenant`, the only tenant that exists. */
export async function findTenant(store: Store, wanted: string | undefined): Promise<TenantRow> {
  const found = await store.tenants
    .find(wanted ? { $or: [{ _id: wanted }, { name: wanted }] } : {})
    .limit(50)
    .toArray();
  const [tenant, ...others] = found;
  if (tenant && others.length === 0) return tenant;
  const known = (tenant ? found : await store.tenants.find({}).limit(50).toArray()).map(
    ({ _id, name }) => `${name} (${_id})`,
  );
  if (known.length === 0) refuse('There is no tenant yet. Create one: settings tenants create NAME');
  const names = `  ${known.join('\n  ')}`;
  if (tenant && wanted) refuse(`More than one tenant has the name "${wanted}". Take the id:\n${names}`);
  if (wanted) refuse(`There is no tenant "${wanted}". These exist:\n${names}`);
  misuse(
    `There is more than one tenant. Say which: --tenant NAME_OR_ID, or the environment variable TENANT.\n${names}`,
  );
}

/** Turns a refused change into a sentence for a person. */
function explained(error: unknown): unknown {
  if (!(error instanceof ChangeRefused)) return error;
  const problems = error.violations.map(({ field, description }) => `  ${field} ${description}`).join('\n');
  return new Failure(EXIT.refused, `Nothing was changed:\n${problems}`);
}

/** @param surroundings the input and output of the commands */
export function contextOf(surroundings: Surroundings): Context {
  function run<Args extends unknown[]>(
    work: (options: GlobalOptions, store: Store, args: Args) => Promise<Answer | null>,
  ): Action {
    return async (...given: unknown[]) => {
      // Commander appends the options and the command itself to the positional arguments.
      const command = given.at(-1) as Command;
      const args = given.slice(0, -1) as Args;
      const options = command.optsWithGlobals<GlobalOptions>();
      const { store, close } = await connect({ env: surroundings.env, dataDir: options.data });
      try {
        const answer = await work(options, store, args);
        if (answer === null) return;
        surroundings.stdout(options.json ? `${JSON.stringify(answer.json, null, 2)}\n` : `${answer.text}\n`);
        if (answer.failure) throw answer.failure;
      } catch (error) {
        throw explained(error);
      } finally {
        await close();
      }
    };
  }
  return {
    surroundings,
    all: (work) => run((_, store, args) => work({ store, now: surroundings.now() }, ...(args as never))),
    inTenant: (work) =>
      run(async (options, store, args) => {
        const tenant = await findTenant(store, options.tenant ?? surroundings.env.TENANT);
        return work({ store, tenant, now: surroundings.now(), json: options.json ?? false }, ...(args as never));
      }),
    list: (rows, columns, json) => ({
      json,
      text:
        rows.length === 0
          ? 'None.'
          : table(
              columns.map(([head]) => head),
              rows.map((row) => columns.map(([, cell]) => cell(row))),
              surroundings.width,
            ),
    }),
  };
}

/** A group of commands about one kind of thing, with examples in its help. */
export function group(name: string, description: string, examples: readonly string[]): Command {
  return withExamples(new Command(name).description(description), examples);
}

/** Adds examples to a command's help. Each is the part after `npm run settings --`. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  npm run settings -- ${example}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/**
 * Adds the options that every command has: the tenant, the form of the output and the database. Each command's `--help`
 * shows them.
 */
export function addGlobalOptions(program: Command): Command {
  return program
    .addOption(new Option('--tenant <name or id>', 'the tenant (default: TENANT, or the only one there is)'))
    .addOption(new Option('--json', 'print JSON and nothing else on standard output'))
    .addOption(new Option('--data <folder>', 'folder of the embedded database').default('.data'));
}
