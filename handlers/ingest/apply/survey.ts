/**
 * What must be known of a whole batch before its first record is applied: which records others replace, and what records
 * of LEDGER say together about who is who (D-29).
 */
import type { MappedRecord, SkippedRecord } from '../record-columns.ts';
import { compare, isSamePerson, type Witnesses, witnessesOf } from './who-is-who.ts';

/** What the records of a batch say together. Of KEDO and of departments only `given` has anything. */
export interface BatchFacts {
  /** The `external_id`s in its records of LEDGER. */
  readonly given: ReadonlySet<string>;
  /** How many natural ids of its records have a personnel number. */
  readonly numbers: ReadonlyMap<string, number>;
  /** The IIN that a record gives, by each id of its employee. */
  readonly iins: ReadonlyMap<string, string>;
  /** By natural id that its records have for several persons: the persons. */
  readonly rivals: ReadonlyMap<string, readonly Witnesses[]>;
}

/** A record that counts so far. */
interface LiveRecord {
  readonly index: number;
  /** External id of the person, as it was sent; `''` for none. */
  readonly personId: string;
  readonly person: Witnesses;
}

/** Where both persons have external ids, those decide. */
const areOnePerson = (one: Omit<LiveRecord, 'index'>, other: Omit<LiveRecord, 'index'>): boolean =>
  one.personId !== '' && other.personId !== ''
    ? one.personId === other.personId
    : isSamePerson(compare(one.person, other.person));

/** For more persons of one natural id in a batch nobody looks. */
const MAX_RIVALS = 10;
const CROWDED = `More than ${MAX_RIVALS} persons of the batch have the same natural id.`;
const SUPERSEDED = 'A later record of the batch has the same external id.';

/** Takes the records of a batch in their order. */
export class BatchSurvey {
  /** Why records are not applied, by their place. */
  readonly dropped = new Map<number, string>();
  readonly #live = new Map<string, LiveRecord[]>();
  readonly #given = new Set<string>();
  readonly #naturals = new Map<string, Set<string>>();
  readonly #iins = new Map<string, string>();
  readonly #persons = new Map<string, Witnesses[]>();

  /** A skipped record replaces none. */
  add(index: number, mapped: MappedRecord | SkippedRecord): void {
    if ('skipped' in mapped) return;
    const { externalId, isGiven, kind, number = '', natural = '', naturals = [] } = mapped;
    const person = witnessesOf(mapped);
    const record = { index, personId: mapped.person?.externalId ?? '', person };
    const live = this.#live.get(externalId) ?? [];
    // An external id that was sent names one object, whatever else the records say.
    const isOne = isGiven || kind !== 'EMPLOYEE' || naturals.length === 0;
    const replaced = live.findLast((each) => isOne || areOnePerson(record, each));
    if (replaced !== undefined) this.dropped.set(replaced.index, SUPERSEDED);
    const others = live.filter((each) => each !== replaced);
    if (others.length >= MAX_RIVALS) {
      this.dropped.set(index, CROWDED);
      return;
    }
    this.#live.set(externalId, [...others, record]);
    if (isGiven) this.#given.add(externalId);
    if (kind !== 'EMPLOYEE') return;
    if (natural !== '') this.#naturals.set(number, (this.#naturals.get(number) ?? new Set()).add(natural));
    for (const id of new Set([externalId, ...naturals])) {
      if (person.iin) this.#iins.set(id, person.iin);
    }
    if (natural !== '') this.#addPerson(natural, person);
  }

  #addPerson(natural: string, person: Witnesses): void {
    const persons = this.#persons.get(natural) ?? [];
    if (persons.length >= MAX_RIVALS || persons.some((each) => isSamePerson(compare(person, each)))) return;
    this.#persons.set(natural, [...persons, person]);
  }

  facts(): BatchFacts {
    return {
      given: this.#given,
      numbers: new Map([...this.#naturals].map(([number, naturals]) => [number, naturals.size])),
      iins: this.#iins,
      rivals: new Map([...this.#persons].filter(([, persons]) => persons.length > 1)),
    };
  }
}
