/**
 * The names by which sources know objects, and how the object of a record is found by them (D-29). Ids are computed from
 * what they identify, so that work repeated after a crash creates the same objects.
 */
import { hash } from 'node:crypto';
import type { IngestKind, IngestSource } from '../data/collections/external_bindings.ts';
import { idsIn } from './ledger.ts';
import type { MappedRecord } from './record-columns.ts';

/** Different lists of texts have different digests. */
export function digest(parts: readonly string[]): Buffer {
  return hash('sha256', JSON.stringify(parts), 'buffer');
}

/** A text by which a source identifies an object. */
export interface BindingName {
  readonly source: IngestSource;
  readonly kind: IngestKind;
  readonly externalId: string;
  /**
   * True if the text is not the external id but the natural id beside it, or names a person by its employee: they are
   * never mixed up.
   */
  readonly isLink?: true;
}

/** A name of objects of one kind. */
export type NameOf<Kind extends IngestKind> = BindingName & { readonly kind: Kind };

/** The id of the binding of a name: external ids are compared code point by code point (D-29). */
export function bindingId(tenantId: string, { source, kind, externalId, isLink }: BindingName): string {
  return digest([isLink ? 'link' : 'binding', tenantId, source, kind, externalId]).toString('hex');
}

/**
 * The id of the object that a request creates for an external id. It depends on the request too: if an object was
 * deleted in the settings, a later request can create it again, under another id.
 */
export function objectId(requestId: string, { source, kind, externalId, isLink }: BindingName): string {
  return derivedUuid('object', requestId, source, kind, externalId, ...(isLink ? ['link'] : []));
}

/** A UUID computed from texts, in the form of version 4, as all ids have. */
export function derivedUuid(...parts: readonly string[]): string {
  const bytes = digest(parts).subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** What a record says about its identity. */
export type Identity = Pick<MappedRecord, 'kind' | 'externalId' | 'naturals' | 'isGiven'>;

/** What of an object's row tells under which ids it is known. */
export interface IdentifiedRow {
  readonly _id: string;
  readonly details?: string;
  /** Only of employees. */
  readonly employee_number?: string;
}

/** An object by its natural id, where it has an `external_id` too. */
export function linkOf<Kind extends IngestKind>(source: IngestSource, kind: Kind, natural: string): NameOf<Kind> {
  return { source, kind, externalId: natural, isLink: true };
}

/** The names under which an object may be known by a natural id: where it has no `external_id`, and where it has one. */
export function namesOfNatural<Kind extends IngestKind>(
  source: IngestSource,
  kind: Kind,
  natural: string,
): NameOf<Kind>[] {
  return [{ source, kind, externalId: natural }, linkOf(source, kind, natural)];
}

/** Every name under which the object of a record may be known, in no particular order. */
export function namesOfIdentity(source: IngestSource, { kind, externalId, naturals = [] }: Identity): BindingName[] {
  const natural = naturals.flatMap((text) => namesOfNatural(source, kind, text));
  return [{ source, kind, externalId }, ...natural];
}

/** Every name under which the person inside an employee's record may be known, in no particular order. */
export function namesOfPerson(source: IngestSource, { externalId, person }: MappedRecord): BindingName[] {
  if (person === undefined) return [];
  const ids = [...new Set([person.externalId, person.fields.iin ?? ''])].filter((id) => id !== '');
  return [
    ...ids.map((id) => ({ source, kind: 'PERSON' as const, externalId: id })),
    linkOf(source, 'PERSON', externalId),
  ];
}

/**
 * The row of the department that a record is about. A known `external_id` decides alone. Otherwise it is the department
 * whose natural id now is that of the record; so a new `external_id` takes over the department, but not one that another
 * record of the same batch means by its own `external_id`. Who an employee is, is asked of `employee-of-record.ts`.
 * @param look the row that a name refers to, if it exists
 * @param given the `external_id`s in the batch
 */
export function identifyDepartment<Row extends IdentifiedRow>(
  source: IngestSource,
  { externalId, naturals, isGiven }: Omit<Identity, 'kind'>,
  look: (name: NameOf<'DEPARTMENT'>) => Row | undefined,
  given: ReadonlySet<string>,
): Row | undefined {
  const kind = 'DEPARTMENT';
  const named = look({ source, kind, externalId });
  if (named !== undefined && (isGiven || naturals === undefined)) return named;
  for (const natural of naturals ?? []) {
    for (const name of namesOfNatural(source, kind, natural)) {
      const row = look(name);
      if (row !== undefined && isCalled(row, kind, natural, isGiven ? given : undefined)) return row;
    }
  }
  // Its external id may be an `external_id` of before.
  return idsIn(kind, named?.details).externalId === externalId ? named : undefined;
}

/** Whether this is the row's natural id now. @param given if another `external_id` is to take over the row */
export function isCalled(
  row: IdentifiedRow,
  kind: IngestKind,
  natural: string,
  given: ReadonlySet<string> | undefined,
): boolean {
  const ids = idsIn(kind, row.details);
  if (ids.natural !== undefined) return ids.natural === natural && !given?.has(ids.externalId ?? '');
  if (given === undefined || row.employee_number === undefined) return true;
  // It was loaded with one id only. An `external_id` of before may by chance be a personnel number of now.
  return isMadeOf(natural, row.employee_number);
}

/** Whether a text may be the natural id of an employee with a number. */
export const isMadeOf = (text: string, number: string): boolean => text === number || text.endsWith(`/${number}`);
