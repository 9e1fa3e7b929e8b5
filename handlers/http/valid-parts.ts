/**
 * The parts of a body that passed its schema. A request that is refused anyway is checked as far as possible, so that
 * one answer reports everything: the checks that follow the schema look at the fields that have the right form.
 */
import type { ValidationError } from '../../generated/validators.js';

/** A body in which any part may be missing, because it was wrong or not sent. Items of arrays keep their places. */
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
export function validParts(body: unknown, errors: readonly ValidationError[]): unknown {
  for (const { instancePath, params } of errors) {
    // A missing property leaves nothing to remove.
    if (params.missingProperty !== undefined) continue;
    const names = instancePath.split('/').slice(1).map(unescaped);
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

/** RFC 6901 §4. */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function child(value: unknown, name: string): unknown {
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isThere ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
