/**
 * What `--json` shows. A command names the fields of its answer, so that scripts get the same ones from every version, by
 * the contract's names, and never what only the store needs: the tenant's id, hashes of keys, leases.
 */

import { dayText, timeText } from '../../../handlers/answers/shown-times.ts';

/** Each field of the answer with what it is made from. */
export type Shape<Of> = Readonly<Record<string, (of: Of) => unknown>>;

/** What all fields of a shape can be made from. */
export type ShapeSource<Made extends Shape<never>> = (
  Made[keyof Made] extends infer Field
    ? Field extends (of: infer Of) => unknown
      ? (of: Of) => void
      : never
    : never
) extends (of: infer All) => void
  ? All
  : never;

type SameFields<Name extends string> = { readonly [One in Name]: (of: Readonly<Record<One, unknown>>) => unknown };

/** Fields that have the same name in what is answered. */
export function same<Name extends string>(...names: readonly Name[]) {
  return Object.fromEntries(
    names.map((name) => [name, (of: Readonly<Record<string, unknown>>) => of[name]]),
  ) as SameFields<Name>;
}

/** The id of a row, then fields that have the same name in it. */
export function rowShape<Name extends string>(...names: readonly Name[]) {
  return { id: ({ _id }: { readonly _id: string }) => _id, ...same(...names) };
}

/** How an instant is shown to a person; `''` if there is none. */
export function shown(time: Date | null): string {
  const text = time === null ? '' : timeText(time, 'time', '');
  return text && `${text.slice(0, 19).replace('T', ' ')}Z`;
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
