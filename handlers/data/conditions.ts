/** Conditions on rows, as the database takes them. */

/** The condition that a field has any of the values, in the form that indexes serve best. */
export function anyOf(values: readonly string[]): string | { $in: string[] } {
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : { $in: [...values] };
}

/** Combines conditions on rows; conditions on the same field are kept separate by `$and`. */
export function allOf(...filters: readonly object[]): object {
  const joined: Record<string, unknown> = {};
  const apart: object[] = [];
  for (const filter of filters) {
    const clash = Object.keys(filter).some((key) => key in joined);
    if (clash) apart.push(filter);
    else Object.assign(joined, filter);
  }
  return apart.length === 0 ? joined : { $and: [joined, ...apart] };
}
