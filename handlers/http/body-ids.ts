import type { Violation } from './errors.ts';

/**
 * A body with its ids in lower case, as the service writes them (D-14), so that handlers compare them as they are. What
 * was sent is not changed, because an Idempotency-Key is bound to it.
 * @param paths of the ids, from the generated table; parts that are missing or of another type stay as they are
 */
export function withLowerCaseIds(body: unknown, paths: readonly (readonly string[])[]): unknown {
  return paths.reduce(lowerCaseAt, body);
}

function lowerCaseAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return typeof value === 'string' ? value.toLowerCase() : value;
  if (name === '*') return Array.isArray(value) ? value.map((item) => lowerCaseAt(item, rest)) : value;
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isThere ? { ...value, [name]: lowerCaseAt((value as Record<string, unknown>)[name], rest) } : value;
}

/** A violation if the body repeats an id of the path, but names another one (D-6a); `""` counts as absent. */
export function repeatedIdViolations<Name extends string>(
  name: Name,
  { path, body }: { readonly path: Record<Name, string>; readonly body: { readonly [N in Name]?: string | undefined } },
  description: string,
): Violation[] {
  return !body[name] || body[name] === path[name] ? [] : [{ field: name, description }];
}
