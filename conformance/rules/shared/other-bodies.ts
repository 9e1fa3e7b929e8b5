/** Bodies that are of the right shape, and differ from a given one in a single place. */
import type { OperationId } from '../../../generated/contract.ts';
import { UNKNOWN_ID } from './calls.ts';
import { type InputSchema, inputsOf } from './contract-inputs.ts';

type Fields = Record<string, unknown>;
type Change<Value> = readonly [what: string, value: Value];
export type OtherBody = Change<Fields>;

/** A value for a field that a body lacks. */
function valueFor({ types: [type] }: InputSchema): unknown {
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'array') return [];
  return type === 'object' ? {} : '';
}

/** Values of the same JSON type that differ in one place, at any depth. */
function changes(value: unknown, at: string): Change<unknown>[] {
  if (Array.isArray(value)) {
    const within = value.flatMap((entry, i) =>
      changes(entry, `${at}[${i}]`).map(([what, changed]): Change<unknown> => [what, value.with(i, changed)]),
    );
    const another = changes(value.at(-1), '')[0];
    if (value.length === 0 || another === undefined) return [];
    within.push([`${at} without its last entry`, value.slice(0, -1)]);
    return [...within, [`${at} with one more entry`, [...value, another[1]]]];
  }
  if (typeof value === 'object' && value !== null) {
    const fields = value as Fields;
    const within = Object.keys(fields).flatMap((name) => changesOfField(fields, name, `${at}.${name}`));
    return [...within, [`${at} with one more field`, { ...fields, no_such_field: 1 }]];
  }
  if (typeof value === 'number') return [[at, value + 1]];
  if (typeof value === 'boolean') return [[at, !value]];
  if (typeof value !== 'string') return [[at, '']];
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value)) return [[at, UNKNOWN_ID]];
  return [[at, /^\d{4}-\d{2}-\d{2}$/.test(value) ? '2027-01-31' : `${value} x`]];
}

function changesOfField(fields: Fields, name: string, at: string): OtherBody[] {
  const { [name]: value, ...others } = fields;
  const changed = changes(value, at).map(([what, other]): OtherBody => [what, { ...fields, [name]: other }]);
  return [...changed, [`without ${at}`, others]];
}

/**
 * For each field of the operation's request, as the contract declares them, bodies in which it is changed, dropped or
 * added.
 * @param kept optional fields that this body cannot be without
 */
export function otherBodies(operationId: OperationId, body: Fields, kept: readonly string[] = []): OtherBody[] {
  const { body: schema } = inputsOf(operationId);
  if (schema === undefined) throw new Error(`${operationId} has no body`);
  return schema.fields.flatMap((field): OtherBody[] => {
    const { name } = field;
    if (!(name in body)) return [[`with ${name}`, { ...body, [name]: valueFor(field.schema) }]];
    const isNeeded = field.required || kept.includes(name);
    return changesOfField(body, name, name).filter(([, other]) => name in other || !isNeeded);
  });
}
