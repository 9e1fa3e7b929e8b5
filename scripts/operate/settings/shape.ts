/**
 * What `--json` shows. A command names the fields of its answer, so that scripts get the same ones from every version, by
 * the contract's names, and never what only the store needs: the tenant's id, hashes of keys, leases.
 */

import { dayText, timeText } from '../../../handlers/answers/shown-times.ts';

/** Each field of the answer with what it is made from. */
export type Shape<Of> = Readonly<Record<string, (of: Of) => unknown>>;

/** Fields that have the same name in a row. */
export function same<Row>() {
  return <Name extends Exclude<keyof Row & string, '_id' | 'tenant_id'>>(...names: readonly Name[]): Shape<Row> =>
    Object.fromEntries(names.map((name) => [name, (row: Row) => row[name]]));
}

/** The id of a row, then fields that have the same name in it. */
export function rowShape<Row extends { readonly _id: string }>() {
  return <Name extends Exclude<keyof Row & string, '_id' | 'tenant_id'>>(...names: readonly Name[]): Shape<Row> => ({
    id: ({ _id }) => _id,
    ...same<Row>()(...names),
  });
}

/** The fields of a part of something. */
export function ofPart<Of, Part>(shape: Shape<Part>, part: (of: Of) => Part): Shape<Of> {
  return Object.fromEntries(Object.entries(shape).map(([name, make]) => [name, (of: Of) => make(part(of))]));
}

/** The JSON of an answer or of a copy, for programs: its days and times are as the interface has them (D-2). */
export function jsonText(value: unknown, indent?: number): string {
  function shown(this: Record<string, unknown>, name: string, text: unknown): unknown {
    const own = this[name];
    if (own instanceof Date) return timeText(own, name, '');
    return typeof text === 'string' && /(?:^|_)date$/.test(name) ? dayText(text, name, '') : text;
  }
  return JSON.stringify(value, shown, indent);
}

export function shaped<Of>(shape: Shape<Of>, of: Of): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shape).map(([name, make]) => [name, make(of)]));
}
