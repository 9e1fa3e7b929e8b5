/** What a command of the settings tool takes, does and answers; `terminal.ts` makes the command line of it. */

import type { TenantRow } from '../../../handlers/data/collections/tenants.ts';
import type { Store } from '../../../handlers/data/store.ts';
import type { Failure } from '../../kit/command-line.ts';
import type { Output as ProgressOutput } from '../seed/progress.ts';
import { type Shape, type ShapeSource, shaped, shown } from './shape.ts';

/** What every command is given. A command for all tenants is given nothing else. */
export interface CommandContext {
  readonly store: Store;
  readonly now: Date;
  readonly clock: () => Date;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder by which the database was found. */
  readonly dataDir: string;
  /** Where a long command says how far it is; absent where only its answer is wanted. */
  readonly progress?: ProgressOutput | undefined;
  /** What `--tenant` names, for commands about all tenants that can be about one. */
  readonly namedTenant?: string | undefined;
  /** For commands that run until a user stops them. */
  readonly untilStopped: () => AbortSignal;
}

export interface TenantContext extends CommandContext {
  readonly tenant: TenantRow;
}

export interface ValueType<T> {
  /** The placeholder of the value in help. */
  readonly placeholder: string;
  /** Which values are possible; help shows this if the parameter has no text of its own. */
  readonly about?: string;
  readonly choices?: readonly string[];
  /** Makes the value from its text. @param before the value of the texts before it @throws InvalidArgumentError */
  read?(text: string, before: T | undefined): T;
  /** Makes the value from its text with what only the store or the file system knows. @throws Failure */
  resolve?(at: TenantContext, text: string): T | Promise<T>;
}

/** An argument is given by its place. An option and a flag are given by name; a flag has no value. */
export interface Parameter<T> {
  readonly is: 'argument' | 'option' | 'flag';
  readonly type: ValueType<T>;
  readonly about: string;
  readonly isRequired: boolean;
  /** The name of an option, if it does not follow from the name of its value, such as that of the field that it sets. */
  readonly word?: string | undefined;
  /** The value if none is given: read, but not yet resolved. */
  readonly otherwise?: T | string | undefined;
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type Values<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

/** Makes parameters that are given in one way; `Absent` is the value of one that may be left out. */
const taking =
  <Absent = never>(is: Parameter<unknown>['is'], isRequired: boolean) =>
  <T>(type: ValueType<T>, about = type.about ?? '', word?: string): Parameter<T | Absent> => ({
    is,
    type,
    about,
    isRequired,
    word,
  });

export const take = {
  argument: taking('argument', true),
  /** An argument that may be left out, where an option says the same in another way. */
  optionalArgument: taking<undefined>('argument', false),
  required: taking('option', true),
  optional: taking<undefined>('option', false),
  defaulting: <T>(type: ValueType<T>, about: string, otherwise: T | string): Parameter<T> => ({
    is: 'option',
    type,
    about,
    isRequired: false,
    otherwise,
  }),
  flag: (about: string): Parameter<boolean> => ({
    is: 'flag',
    type: { placeholder: '' },
    about,
    isRequired: false,
    otherwise: false,
  }),
};

/** Names with their values, one a line. */
export interface Facts {
  readonly facts: readonly (readonly [name: string, value: string])[];
}

export interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Whether a column holds ids, of which so much must stay that the next command understands it. */
  readonly areIds?: readonly boolean[];
}

/** A column shows a field of each row, or what is made of the row. */
export type Column<Row> = readonly [head: string, cell: (keyof Row & string) | ((row: Row) => string), is?: 'id'];

/** A file that an answer brings, such as an export. */
export interface NewFile {
  readonly path: string;
  readonly text: string | Uint8Array;
  readonly isForced: boolean;
  readonly isPrivate?: boolean;
}

/** The answer of a command: `of`, in the shape of the command, for scripts; `text` for people. */
export interface Answer<Of = unknown> {
  readonly of: Of | readonly Of[];
  readonly text: string | readonly (string | Facts | Table)[];
  readonly file?: NewFile;
  /** If given, the command ends with this failure, after the answer was shown. */
  readonly failure?: Failure;
}

interface Definition<P extends Parameters, Context, Json extends Shape<never>> {
  readonly about: string;
  /** True if it changes nothing: its store refuses writes. Every other command has an entry in the audit log. */
  readonly reads?: true;
  /** True if it works for long with many rows: then a database that is busy with them does not count as away. */
  readonly isLong?: true;
  /** What scripts get of what the command answers. */
  readonly json: Json;
  readonly takes?: P;
  /** What to say if no option is given, for commands that need at least one. */
  readonly lacking?: string;
  /** Command lines, each without `npm run settings --`. */
  readonly examples?: readonly string[];
  readonly note?: string;
  /** The form of the file that the command reads. */
  readonly form?: string;
  /** The parameter that names a folder; if that notes a database, it takes the place of `--data`. */
  readonly databaseFolder?: keyof P & string;
  /** @returns the answer, or answers that come one after the other until the user stops the command */
  run(at: Context, values: Values<P>): Promise<Answer<ShapeSource<Json>> | AsyncIterable<Answer<ShapeSource<Json>>>>;
}

export interface SettingsCommand extends Definition<Parameters, TenantContext, Shape<unknown>> {
  readonly takes: Parameters;
  readonly isForAllTenants: boolean;
}

const making =
  <Context>(isForAllTenants: boolean) =>
  <Json extends Shape<never>, const P extends Parameters = Record<never, never>>(
    given: Definition<P, Context, Json>,
  ): SettingsCommand =>
    ({ takes: {}, ...given, isForAllTenants }) as unknown as SettingsCommand;

export const command = making<TenantContext>(false);

/** A command that concerns all tenants. */
export const commandForAllTenants = making<CommandContext>(true);

/** Commands about one kind of thing, by their names. */
export interface Group {
  readonly about: string;
  readonly examples: readonly string[];
  readonly commands: Readonly<Record<string, SettingsCommand>>;
}

/** A field as people read it: an instant in UTC, `yes` or nothing, the words of a list, each name with its value. */
function fieldText(value: unknown): string {
  if (value instanceof Date) return shown(value);
  if (typeof value === 'boolean') return value ? 'yes' : '';
  if (Array.isArray(value)) return value.join(' ');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.entries(value)
    .map(([name, each]) => `${name} ${fieldText(each)}`)
    .join(', ');
}

/** What the columns show of a row. */
export const cellsOf = <Row>(row: Row, columns: readonly Column<Row>[]): string[] =>
  columns.map(([, cell]) => (typeof cell === 'function' ? cell(row) : fieldText(row[cell])));

/** What scripts get of a row, with each field as a line. */
export const factsOfShape = <Row>(shape: Shape<Row>, row: Row): Facts => ({
  facts: Object.entries(shaped(shape, row)).map(([name, value]) => [name, fieldText(value)]),
});

export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Table {
  return {
    heads: columns.map(([head]) => head),
    rows: rows.map((row) => cellsOf(row, columns)),
    areIds: columns.map(([, , is]) => is === 'id'),
  };
}

export function listing<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Answer<Row> {
  return { of: rows, text: [tableOf(rows, columns)] };
}
