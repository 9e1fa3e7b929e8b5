/**
 * The life of the fields of a row, said once, beside its type: who meets a field, and what the erasure of a person leaves
 * of it (D-35). Erasures, copies and answers are made from these maps, and a field that its map lacks does not compile.
 */
import type { RedactionKey } from '../../generated/contract.ts';

/** What stands in a text where something of a person stood. */
export const ERASED = '[erased]';

/**
 * Who meets a field of rows that the contract shows as `Answer`. A field that it has is one of
 *
 * - `shown`: in answers, and in the copy for the person
 * - `filtered`: a filter of a list compares it, too
 * - `searched`: the search of a list looks in it, too
 * - `hideable`: shown, unless the permission profile hides it; logs mask it, and no filter compares it
 * - `of_others`: in answers, but in no copy: it is about somebody else
 *
 * and any other
 *
 * - `copied`: in the copy for the person
 * - `internal`: only in the store, and in the export of the tenant, which has whole rows
 */
type Audience<Field, Answer> = Field extends keyof Answer
  ? Extract<RedactionKey, `${string}.${Field & string}`> extends never
    ? 'shown' | 'filtered' | 'searched' | 'of_others'
    : 'hideable'
  : 'copied' | 'internal';

/**
 * Who meets a field, and what becomes of it: an erasure keeps it, removes the whole row, or leaves a value. `redacted`: in
 * a row that stays as evidence, its texts lose what is the person's instead. One word is enough for a field of which no
 * copy for a person has anything, and which holds at most ids and digests of persons, or goes with its row.
 */
type FieldLife<Met extends string, Value> =
  | `${'' | `${Met}, `}${'kept' | 'removed'}`
  | readonly [Met, Value, 'redacted'?];

/**
 * The life of every field but two that all rows have: the id stays, and is in each copy; which tenant it is of, only the
 * store needs.
 */
export type RowLife<Row, Answer = object> = {
  readonly [Field in Exclude<keyof Row, '_id' | 'tenant_id'>]-?: FieldLife<Audience<Field, Answer>, Row[Field]>;
};

type FieldLives = Readonly<Record<string, FieldLife<string, unknown>>>;

/** The fields whose lives are as given. */
export type FieldLiving<Lives, As> = { [Field in keyof Lives]: Lives[Field] extends As ? Field : never }[keyof Lives] &
  string;

/** The fields with one of some audiences. */
export type FieldMet<Lives, Words extends string> = FieldLiving<
  Lives,
  `${Words}, ${string}` | readonly [Words, ...unknown[]]
>;

/** The names of the fields with one of some audiences, in the order of the map. */
export function fieldsMet<Lives extends FieldLives, Words extends string>(lives: Lives, ...audiences: Words[]) {
  const words: readonly unknown[] = audiences;
  // The text of an array has commas between its items, too.
  return Object.keys(lives).filter((field) => words.includes(`${lives[field]}`.split(',')[0])) as FieldMet<
    Lives,
    Words
  >[];
}

/** The values that an erasure leaves, by their fields. */
export function emptiedFields<Lives extends FieldLives>(lives: Lives) {
  const left = Object.entries(lives).flatMap(([field, life]) => (typeof life === 'string' ? [] : [[field, life[1]]]));
  return Object.fromEntries(left) as {
    [Field in keyof Lives as Lives[Field] extends string ? never : Field]: Lives[Field][1 & keyof Lives[Field]];
  };
}
