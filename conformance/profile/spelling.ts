/**
 * How a target spells the values of enumerations. The source spells only a few of them; the others are the target's own
 * choice, so rules take them from the profile. Rules name a value by its word, which is our spelling without the
 * leading name of the enumeration.
 */
import { enumerationPlaces, enumerations, type OperationId } from '../../generated/contract.ts';
import { remembered } from '../remembered.ts';

type Enumerations = typeof enumerations;
type Words = Readonly<Record<string, string>>;

/**
 * Enumerations whose values the source spells, each with the place. Placeholders (`…_UNSPECIFIED`) are spelled for all.
 */
const SPELLED_BY_SOURCE = {
  employee_status: 'States and transitions: Employee status',
  webhook_event_type: 'Events: Event types',
  reserve_file_request_content_type: 'Endpoints: POST /files',
  ingest_records_response_status: 'Endpoints: POST /ingest/{source_type}',
  scalar_variable_type: 'words of JSON Schema, which are nobody’s choice',
} as const satisfies Partial<Record<keyof Enumerations, string>>;

const PLACEHOLDER = 'UNSPECIFIED';

/** An enumeration with values that the source does not spell. */
type OpenEnumeration = Exclude<keyof Enumerations, keyof typeof SPELLED_BY_SOURCE>;
type Word<Name extends keyof Enumerations> = keyof Enumerations[Name] & string;

/** Every word of the open enumerations with the target's value. */
export type Spelling = { readonly [Name in OpenEnumeration]: Readonly<Record<Word<Name>, string>> };

/** The spelling in a profile. Values that it leaves out are spelled as ours. */
export type OwnSpelling = {
  [Name in OpenEnumeration as `spelling_${Name}`]?: Partial<Record<Exclude<Word<Name>, typeof PLACEHOLDER>, string>>;
};

const isOpen = (name: string): name is OpenEnumeration => !Object.hasOwn(SPELLED_BY_SOURCE, name);

/** Our own spelling of the open values, in the form of a profile. */
export const ourSpelling: Readonly<Record<string, Words>> = Object.fromEntries(
  Object.entries(enumerations).flatMap(([name, values]) => {
    const open = Object.entries(values).filter(([word]) => word !== PLACEHOLDER);
    return isOpen(name) ? [[`spelling_${name}`, Object.fromEntries(open)]] : [];
  }),
);

/** The target's spelling. @param values of a profile */
export const spellingOf = remembered((values: OwnSpelling): Spelling => {
  const own = values as Readonly<Record<string, object | undefined>>;
  const open = Object.entries(enumerations).filter(([name]) => isOpen(name));
  return Object.fromEntries(
    open.map(([name, ours]) => [name, { ...ours, ...own[`spelling_${name}`] }]),
  ) as unknown as Spelling;
});

/**
 * Values of an enumeration that have the same spelling, which could not be distinguished. @returns sentences for the profile's
 * author
 */
export function ambiguousSpellings(values: OwnSpelling): string[] {
  return Object.entries(spellingOf(values)).flatMap(([name, words]) => {
    const spelled = Object.values(words);
    const twice = spelled.filter((value, at) => spelled.indexOf(value) !== at);
    return twice.map(
      (value) => `values.spelling_${name}: two values are spelled ${value}; give each its own spelling.`,
    );
  });
}

/** The word for a value in the target's spelling; the value itself if it has none. */
export function wordOf(spelled: Words, value: string): string {
  return Object.keys(spelled).find((word) => spelled[word] === value) ?? value;
}

/** What a value of an enumeration, as the target spells it, may be in our spelling. */
export function ourValues(value: string, values: OwnSpelling): readonly string[] {
  const ours: Readonly<Record<string, Words>> = enumerations;
  const meant = Object.entries(spellingOf(values)).map(([name, spelled]) => ours[name]?.[wordOf(spelled, value)]);
  const found = meant.filter((each) => each !== undefined);
  return found.length > 0 ? found : [value];
}

/**
 * An answer with the target's values in the contract's spelling, so that it can be judged by the contract. A value that
 * is not in the target's spelling becomes one that the contract does not know.
 * @returns the answer itself if the target spells as we do
 */
export function asWeSpell(operationId: OperationId, answer: unknown, values: OwnSpelling): unknown {
  const spelling: Readonly<Record<string, Words>> = spellingOf(values);
  const ours: Readonly<Record<string, Words>> = enumerations;
  const places = (enumerationPlaces[operationId] ?? []).filter((place) => {
    const name = place.at(-1) ?? '';
    return Object.entries(spelling[name] ?? {}).some(([word, value]) => ours[name]?.[word] !== value);
  });
  if (places.length === 0) return answer;
  const copy = structuredClone(answer);
  for (const place of places) {
    const name = place.at(-1) ?? '';
    respell(copy, place.slice(0, -1), (value) =>
      value === '' ? value : (ours[name]?.[wordOf(spelling[name] ?? {}, value)] ?? `${value} (not spelled so)`),
    );
  }
  return copy;
}

/** Changes every text at a place, such as `['steps', '*', 'rule']`. */
export function respell(holder: unknown, [step, ...rest]: readonly string[], to: (value: string) => string): void {
  if (typeof holder !== 'object' || holder === null || step === undefined) return;
  const fields = holder as Record<string, unknown>;
  for (const name of step === '*' ? Object.keys(fields) : [step]) {
    const value = fields[name];
    if (rest.length > 0) respell(value, rest, to);
    else if (typeof value === 'string') fields[name] = to(value);
  }
}
