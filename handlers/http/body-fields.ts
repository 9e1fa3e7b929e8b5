/** The fields of a body: those that passed its schema, in the form that handlers get. */
import type { Operation } from '../../generated/contract.ts';
import type { ValidationError, WalkedValue } from '../../generated/validators.js';
import type { Violation } from '../answers/errors.ts';
import { partsOf } from './violations.ts';

type FieldChange = (holder: Record<string | number, unknown>, name: string | number) => void;

const toLowerCase: FieldChange = (holder, name) => {
  const value = holder[name];
  if (typeof value === 'string') holder[name] = value.toLowerCase();
};
const withoutNull: FieldChange = (holder, name) => {
  if (holder[name] === null) Reflect.deleteProperty(holder, name);
};

/**
 * Changes a body to what handlers get: ids in lower case, as the service writes them (D-14), and optional fields that are
 * `null` absent (D-6a). An Idempotency-Key is bound to what was sent, so its fingerprint is taken before.
 * Parts that are missing or of another type stay as they are.
 */
export function giveFormOfHandlers(
  body: unknown,
  { bodyIds, bodyOptionals }: Pick<Operation, 'bodyIds' | 'bodyOptionals'>,
): void {
  for (const path of bodyOptionals) changeAt(body, path, withoutNull);
  for (const path of bodyIds) changeAt(body, path, toLowerCase);
}

/** Changes what stands at a path of the generated table. @param at how many steps of the path are behind */
function changeAt(value: unknown, path: readonly string[], change: FieldChange, at = 0): void {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Parameters<FieldChange>[0];
  const step = path[at] as string;
  for (const name of step !== '*' ? [step] : Array.isArray(value) ? value.keys() : []) {
    if (at + 1 === path.length) change(holder, name);
    else changeAt(holder[name], path, change, at + 1);
  }
}

/** A violation if the body repeats an id of the path, but names another one (D-6a); `""` counts as absent. */
export function repeatedIdViolations<Name extends string>(
  name: Name,
  { path, body }: { readonly path: Record<Name, string>; readonly body: { readonly [N in Name]?: string | undefined } },
  description: string,
): Violation[] {
  return !body[name] || body[name] === path[name] ? [] : [{ field: name, description }];
}

/**
 * A body in which any part may be missing, because it was wrong or not sent. Items of arrays keep their places. The checks
 * that follow the schema look at it, so that one answer reports faults of both kinds.
 */
export type ValidParts<T> = T extends readonly (infer Item)[]
  ? readonly (ValidParts<Item> | undefined)[]
  : T extends object
    ? { readonly [Name in keyof T]?: ValidParts<T[Name]> | undefined }
    : T;

/**
 * The body without the parts that its schema refuses; undefined if the schema refuses the whole body.
 * @param body is changed, so nothing else may need it
 * @param errors all errors that the schema reports
 */
export function validParts(body: WalkedValue, errors: readonly ValidationError[]): WalkedValue | undefined {
  for (const { instancePath, params } of errors) {
    // A missing property leaves nothing to remove.
    if (params.missingProperty !== undefined) continue;
    const names = partsOf(instancePath);
    const unknown = params.additionalProperty ?? params.unevaluatedProperty;
    if (typeof unknown === 'string') names.push(unknown);
    const last = names.pop();
    if (last === undefined) return undefined;
    const holder = names.reduce<unknown>(child, body);
    if (Array.isArray(holder)) holder[Number(last)] = undefined;
    else if (typeof holder === 'object' && holder !== null) Reflect.deleteProperty(holder, last);
  }
  return body;
}

function child(value: unknown, name: string): unknown {
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isThere ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
