import type { Operation } from '../../generated/operations.ts';
import type { Violation } from '../answers/errors.ts';

/**
 * A body as handlers get it: ids in lower case, as the service writes them (D-14), and optional fields that are `null`
 * absent (D-6a). What was sent is not changed, because an Idempotency-Key is bound to it. Parts that are missing or of
 * another type stay as they are.
 */
export function bodyForHandler(
  sent: unknown,
  { bodyIds, bodyOptionals }: Pick<Operation, 'bodyIds' | 'bodyOptionals'>,
) {
  return bodyIds.reduce(lowerCaseAt, bodyOptionals.reduce(withoutNullAt, sent));
}

const lowerCaseAt = changerAt((value) => (typeof value === 'string' ? value.toLowerCase() : value));
const withoutNullAt = changerAt((value) => value ?? undefined);

/** A function that changes what stands at a path of the generated table; a field that becomes undefined is left out. */
function changerAt(change: (value: unknown) => unknown) {
  return function changedAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
    if (name === undefined) return change(value);
    if (name === '*') return Array.isArray(value) ? value.map((item) => changedAt(item, rest)) : value;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
    const { [name]: inner, ...others } = value as Record<string, unknown>;
    const changed = changedAt(inner, rest);
    return changed === undefined ? others : { ...value, [name]: changed };
  };
}

/** A violation if the body repeats an id of the path, but names another one (D-6a); `""` counts as absent. */
export function repeatedIdViolations<Name extends string>(
  name: Name,
  { path, body }: { readonly path: Record<Name, string>; readonly body: { readonly [N in Name]?: string | undefined } },
  description: string,
): Violation[] {
  return !body[name] || body[name] === path[name] ? [] : [{ field: name, description }];
}
