/** What checks of every exchange get, and what they share. */
import type { Exchange } from '../http/exchange.ts';
import type { Values } from '../profile/values.ts';
import { remembered } from '../remembered.ts';
import type { Redactor } from '../report/redact.ts';

/** The input of a check. */
export interface View {
  exchange: Exchange;
  values: Values;
  body: unknown;
  redactor: Redactor;
  inApi: boolean;
  isError: boolean;
}

/** '' = holds, text = the complaint, null = does not apply. */
export type Check = (view: View) => string | null;

/** The first complaint about any of these; '' if there is none, null if the check applies to none of them. */
export function firstComplaint<Item>(items: Iterable<Item>, find: (item: Item) => string | null): string | null {
  let seen: string | null = null;
  for (const item of items) {
    const verdict = find(item);
    if (verdict) return verdict;
    seen ??= verdict;
  }
  return seen;
}

/** A property, with the name of the property that contains it. */
type Property = readonly [name: string, value: unknown, holder: string];

/** Several checks look at the same body. */
const propertiesOf = remembered((value: object): readonly Property[] => collect(value, '', []));

/** Every property below `value`. */
export const properties = (value: unknown): readonly Property[] =>
  typeof value === 'object' && value !== null ? propertiesOf(value) : [];

function collect(value: object, holder: string, all: Property[]): Property[] {
  for (const [name, child] of Object.entries(value)) {
    if (!Array.isArray(value)) all.push([name, child, holder]);
    if (typeof child === 'object' && child !== null) collect(child, Array.isArray(value) ? holder : name, all);
  }
  return all;
}
