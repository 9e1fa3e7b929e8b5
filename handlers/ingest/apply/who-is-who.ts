/**
 * Whether a record of LEDGER and a known person are one person (D-29). Each is a witness set: IIN, date of birth and name;
 * `''` is a witness that a side lacks.
 */
import { onceForEach } from '../../data/batched-reads.ts';
import type { PersonRow } from '../../data/collections/persons.ts';
import { digest } from '../bindings.ts';
import type { MappedRecord } from '../record-columns.ts';
import { isFiller } from '../scalars.ts';

export const WITNESSES = ['iin', 'birth_date', 'last_name', 'first_name'] as const;

/** The fields of a person by which it is told from others. */
type Witness = (typeof WITNESSES)[number];
export type Witnesses = Readonly<Partial<Pick<PersonRow, Witness>>>;

/** The witnesses in a record. */
export const witnessesOf = ({ person }: Pick<MappedRecord, 'person'>): Witnesses => person?.fields ?? {};

type Likeness = 'same' | 'other' | 'absent';

/** How two sets of witnesses compare. */
export interface PersonComparison {
  readonly iin: Likeness;
  readonly birthDate: Likeness;
  /** `near`: one of last and first name is equal. */
  readonly name: Likeness | 'near';
}

/** Names are compared without regard to case and to the Unicode form. */
const folded = (text = ''): string => text.normalize('NFC').trim().toUpperCase().toLowerCase();
const iinOf = ({ iin = '' }: Witnesses): string => (isFiller(iin) ? '' : iin);

function likeness(one: string, other: string): Likeness {
  if (one === '' || other === '') return 'absent';
  return one === other ? 'same' : 'other';
}

/** Last and first name, folded once for each side: a record is compared with every holder of its number. */
const namesOf = onceForEach((side: Witnesses) => [folded(side.last_name), folded(side.first_name)] as const);

function nameLikeness(one: Witnesses, other: Witnesses): PersonComparison['name'] {
  const [last, first] = namesOf(one);
  const [knownLast, knownFirst] = namesOf(other);
  if (last + first === '' || knownLast + knownFirst === '') return 'absent';
  const isEqual = last === knownLast && first === knownFirst;
  if (isEqual || (last === knownFirst && first === knownLast)) return 'same';
  const isNear = [last, first].some((name) => name !== '' && (name === knownLast || name === knownFirst));
  if (isNear) return 'near';
  return [last, first, knownLast, knownFirst].includes('') ? 'absent' : 'other';
}

/** Compares what a record says with what is known of a person. */
export function compare(record: Witnesses, known: Witnesses): PersonComparison {
  const iin = likeness(iinOf(record), iinOf(known));
  const birthDate = likeness(record.birth_date ?? '', known.birth_date ?? '');
  const name = nameLikeness(record, known);
  return { iin, birthDate, name };
}

/** The fields of a record that differ from those of a known person; of a name in the other order none does. */
export function differing(record: Witnesses, known: Witnesses): Witness[] {
  const isNamesake = compare(record, known).name === 'same';
  const text = (side: Witnesses, field: Witness) => (field === 'iin' ? iinOf(side) : folded(side[field]));
  return WITNESSES.filter(
    (field) =>
      likeness(text(record, field), text(known, field)) === 'other' && !(isNamesake && field.endsWith('_name')),
  );
}

/** Whether a record is about a person by whose natural id it came. */
export function isSamePerson({ iin, birthDate, name }: PersonComparison): boolean {
  const byIin = iin === 'same' && (name !== 'other' || birthDate === 'same');
  const byName = name === 'same' && (iin !== 'other' || birthDate !== 'other');
  const byNearName = name === 'near' && birthDate === 'same';
  return byIin || byName || byNearName || ![iin, birthDate, name].includes('other');
}

/** Whether a record may be joined to the person that its IIN names. */
export function mayJoin({ birthDate, name }: PersonComparison): boolean {
  return name === 'near' ? birthDate === 'same' : name !== 'other' && birthDate !== 'other';
}

/** Whether IIN and name together say that it is the person: less is reported. */
export const isCertain = ({ iin, name }: PersonComparison): boolean => iin === 'same' && name === 'same';

/** Of several records that may be about a person, the one with the highest figure is. */
export function surety({ iin, birthDate, name }: PersonComparison): number {
  const ofName = { same: 2, near: 1, other: 0, absent: 0 }[name];
  return (iin === 'same' ? 4 : 0) + ofName + (birthDate === 'same' ? 1 : 0);
}

/** Names a record by its witnesses, for a decision that applies when it comes again. It tells none of them. */
export function witnessDigest(record: Witnesses): string {
  return digest([iinOf(record), record.birth_date ?? '', ...namesOf(record)]).toString('hex');
}
