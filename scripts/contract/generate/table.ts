/**
 * The table of the contract: what code that serves, calls or judges it needs to know, as data with types. Its types stand
 * in the generated file because the service, the suite and the load may import nothing else that they share.
 */
import { rateLimitOf } from '../rate-limit.ts';
import {
  type Contract,
  ContractError,
  catalogueOf,
  componentName,
  entriesOf,
  type Json,
  operationsOf,
  propertiesOf,
  reachableSchemas,
  resolve,
  type Schema,
} from '../read.ts';
import { patternsOf } from '../rules-patterns.ts';
import { heading, literal } from './literal.ts';
import { operationRow, PREFIX, scopeOf } from './operations.ts';

/** The text of generated/contract.ts. */
export function contractModule(contract: Contract): string {
  const operations = operationsOf(contract);
  const scopes = operations.map(scopeOf).filter((scope) => scope !== null);
  const enumerations = enumerationsOf(contract);
  const { fields, redactionKeys, secrets } = personalDataOf(contract);
  return `${heading('What code needs to know of the contract')}
import type { CallTypes } from './client/calls.ts';

/** Every path of the interface begins with this. */
export const prefix = ${literal(PREFIX)};

${rateLimitText(contract)}
/** The decisions that complete the description, as the docs show them. */
export type DecisionId = ${Object.keys(contract['x-decisions'] ?? {})
    .map((id) => literal(id))
    .join(' | ')};

/** By pattern: the end of a sentence that begins with the name of the field. */
export const patternWords: Readonly<Record<string, string>> = ${literal(patternWordsOf(contract))};

/** Enumeration → word → value. The word is the value without the enumeration's name before it. */
export const enumerations = ${literal(Object.fromEntries(Array.from(enumerations, wordsOf)))} as const;

/** Where answers of operations hold such values: names of properties, \`*\` for every element of a list, and last the enumeration. */
export const enumerationPlaces: Readonly<Record<string, readonly (readonly string[])[]>> = ${literal(enumerationPlacesOf(contract, enumerations))};

/** All keys that redacted_fields may contain, sorted. */
export const redactionKeys = ${literal(redactionKeys)} as const;
export type RedactionKey = (typeof redactionKeys)[number];

/** Property name → key of what it holds. Properties of requests are among them, with keys that no answer ever lists. */
export const personalDataFields: Readonly<Record<string, string>> = ${literal(fields)};

/** Names of the properties that hold secrets. */
export const secretFields: readonly string[] = ${literal(secrets)};

const catalogue = ${literal(errorRows(contract))} as const;

${ERROR_TYPES}
/** What operations require of a key. */
export const scopes = ${literal([...new Set(scopes)].sort())} as const;
export type Scope = (typeof scopes)[number];

const table = ${literal(Object.fromEntries(operations.map((each) => [each.operationId, operationRow(contract, each)])))} as const;

${OPERATION_TYPES}`;
}

/** The limit of a key, as a declaration. */
export const rateLimitText = (contract: Contract): string =>
  `/** A bucket of \`burst\` tokens, refilled continuously by \`perSecond\` tokens a second; each request takes one. */
export const rateLimit = ${literal({ ...rateLimitOf(contract) })} as const;
`;

/**
 * What each pattern demands, in words. The validators report the pattern of a single demand where a pattern has several
 * (`withDemands`).
 */
function patternWordsOf(contract: Contract): Record<string, string> {
  const words: Record<string, string> = {};
  for (const { pattern, demands } of patternsOf(contract)) {
    for (const demand of demands) words[demand.pattern] = demand.words;
    words[pattern] ??= demands.map((demand) => demand.words).join(' and ');
  }
  return words;
}

const errorRows = (contract: Contract): Record<string, Json> =>
  Object.fromEntries(
    catalogueOf(contract).map(({ name, reason, code: rpcCode, status: httpStatus, message, page }) => [
      name,
      { name, reason, rpcCode, httpStatus, message, page },
    ]),
  );

/** The values of each enumeration, by its name. */
type Enumerations = ReadonlyMap<string, readonly string[]>;

/** `DocumentStatus` → `document_status`. */
const snake = (name: string): string => name.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();

/** The texts of an enumeration, without `''`, which means that there is no value. */
const textsOf = ({ enum: values = [] }: Schema): string[] =>
  values.filter((value) => typeof value === 'string').filter((value) => value !== '');

/**
 * The enumerations of strings by name: component schemas that are enumerations, and properties that list values which
 * no component has. The latter are named after the schema and the property.
 */
function enumerationsOf(contract: Contract): Enumerations {
  const own = entriesOf(contract.components.schemas).map(([name, schema]) => [snake(name), textsOf(schema)] as const);
  const components = own.filter(([, values]) => values.length > 0);
  const isKnown = (values: readonly string[]) =>
    components.some(([, all]) => values.every((value) => all.includes(value)));
  const others = propertiesOf(contract)
    .map(({ component, name, property }) => [`${snake(component)}_${name}`, textsOf(property)] as const)
    .filter(([, values]) => !isKnown(values));
  return new Map([...components, ...others]);
}

/** The values of an enumeration by their words. */
function wordsOf([name, values]: readonly [string, readonly string[]]): [string, Json] {
  const prefix = `${name.toUpperCase()}_`;
  const cut = values.every((value) => value.startsWith(prefix)) ? prefix.length : 0;
  return [name, Object.fromEntries(values.map((value) => [value.slice(cut), value]))];
}

function enumerationPlacesOf(contract: Contract, enumerations: Enumerations): Record<string, Json> {
  const placesIn = (schema: Schema, path: readonly string[]): string[][] => {
    const node = resolve(contract, schema);
    const component = componentName(schema, 'schemas');
    const values = String(textsOf(node));
    const name = [...enumerations.keys()].find((each) =>
      component === undefined ? String(enumerations.get(each)) === values : each === snake(component),
    );
    return [
      ...(name === undefined ? [] : [[...path, name]]),
      ...entriesOf(node.properties).flatMap(([property, part]) => placesIn(part, [...path, property])),
      ...(node.items === undefined ? [] : placesIn(node.items, [...path, '*'])),
    ];
  };
  const places = operationsOf(contract).map(
    ({ operationId, answer = {} }) => [operationId, placesIn(answer, [])] as const,
  );
  return Object.fromEntries(places.filter(([, found]) => found.length > 0));
}

/**
 * The marks `x-personal-data` and `x-secret` of all component schemas: keys by the names of properties, those of them that
 * redacted_fields can hold because their properties are part of answers, and the names of secrets.
 * @throws ContractError if one property name has two keys: masking looks at the property name alone.
 */
function personalDataOf(contract: Contract) {
  const answers = operationsOf(contract).map(({ answer }) => answer);
  const answered = reachableSchemas(contract, answers);
  const fields: Record<string, string> = {};
  const redactionKeys = new Set<string>();
  const secrets = new Set<string>();
  for (const { component, name, property } of propertiesOf(contract)) {
    const { 'x-personal-data': mark, 'x-secret': isSecret } = property;
    if (isSecret === true) secrets.add(name);
    if (mark === undefined) continue;
    fields[name] ??= mark;
    if (fields[name] !== mark) {
      throw new ContractError(
        `${component}.${name} is marked ${mark}, and ${fields[name]} elsewhere. One property name can have one key only, as masking goes by the name.`,
      );
    }
    if (answered.includes(component)) redactionKeys.add(mark);
  }
  return { fields, redactionKeys: [...redactionKeys].sort(), secrets: [...secrets].sort() };
}

const ERROR_TYPES = `export type ErrorName = keyof typeof catalogue;

export interface CatalogueError {
  readonly name: ErrorName;
  /** The textual code, \`details[0].reason\` of the body. Two errors may share one. */
  readonly reason: string;
  /** Canonical gRPC number, \`code\` of the body. */
  readonly rpcCode: number;
  readonly httpStatus: number;
  readonly message: string;
  /** The name of its page in the docs. */
  readonly page: string;
}

export const errors: Readonly<Record<ErrorName, CatalogueError>> = catalogue;
`;

const OPERATION_TYPES = `export type OperationId = keyof typeof table;

export interface Parameter {
  /** As in the contract; a header's own spelling, whatever case it is sent in. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  /** Type of the value, or of each value where it may be repeated. */
  readonly kind: 'string' | 'integer' | 'boolean';
  readonly repeated: boolean;
  readonly required: boolean;
  /** Whether it is an id: upper case means the same as lower case (D-14). */
  readonly isId: boolean;
  /** What an absent parameter stands for. */
  readonly default?: string | number | boolean;
}

export interface Operation {
  readonly operationId: OperationId;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Full path with {parameters}, as in the contract. */
  readonly path: string;
  /** Express' path below the prefix. */
  readonly route: string;
  readonly tag: string;
  /** Release in which the operation came. */
  readonly since: string;
  /** null: any accepted key will do. */
  readonly scope: Scope | null;
  /** Whether an Idempotency-Key is taken; null: the header is ignored. */
  readonly idempotency: 'required' | 'optional' | null;
  /** 'optional': no body counts as \`{}\`. */
  readonly body: 'none' | 'optional' | 'required';
  readonly bodyLimitBytes: number;
  /** Names of the fields that a body may have, at any depth. */
  readonly bodyFields: readonly string[];
  /** Fields of a body that take an object with any members. Its numbers must be exact (D-17). */
  readonly openFields: readonly string[];
  /**
   * Where a body may have ids: upper case means the same as lower case (D-14). Each path is a list of field names, with \`*\` for every item
   * of an array.
   */
  readonly bodyIds: readonly (readonly string[])[];
  /** Where a body may have \`null\` for a field that is absent (D-6a), as paths of the same form. */
  readonly bodyOptionals: readonly (readonly string[])[];
  readonly parameters: readonly Parameter[];
  /** Everything but success that the operation may answer. */
  readonly errors: readonly ErrorName[];
}

/** The table with what stands in it, for types that are made from it. */
export type OperationTable = typeof table;

export const operations: Readonly<Record<OperationId, Operation>> = table;

/** An operation without parameters at that place. */
export type None = Record<string, never>;

/** What is given at a place, or what stands for an operation that takes nothing there. */
type InputPart<Part, Nothing> = [NonNullable<Part>] extends [never] ? Nothing : NonNullable<Part>;

/** The parameters of the query that have a default. */
type DefaultName<Id extends OperationId> = Extract<
  OperationTable[Id]['parameters'][number],
  { readonly in: 'query'; readonly default: unknown }
>['name'];

/** T in which the parameters K were filled in. */
type WithDefaults<T, K> = [K] extends [never] ? T : Omit<T, K & keyof T> & Required<Pick<T, K & keyof T>>;

/**
 * What was read and judged valid, by operationId. Parameters with a default are always there; of a body nothing was filled in, and \`null\`
 * stands for an operation that takes none.
 */
export type Inputs = {
  [Id in OperationId]: {
    path: InputPart<CallTypes[Id]['input']['path'], None>;
    query: WithDefaults<InputPart<CallTypes[Id]['input']['query'], None>, DefaultName<Id>>;
    body: InputPart<CallTypes[Id]['input']['body'], null>;
  };
};

/** The operations that take an Idempotency-Key, each with whether it must be sent. */
export type KeyedOperations = {
  [Id in OperationId as OperationTable[Id]['idempotency'] extends string ? Id : never]: OperationTable[Id]['idempotency'];
};

/** The body of the answer 200, by operationId. */
export type Answers = { [Id in OperationId]: CallTypes[Id]['answer'] };
`;
