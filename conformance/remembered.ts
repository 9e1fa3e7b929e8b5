/** Works once for each object, for as long as there is the object. Nobody may change what comes of it. */
export function remembered<Of extends object, Value>(work: (of: Of) => Value): (of: Of) => Value {
  const known = new WeakMap<Of, { readonly value: Value }>();
  return (of) => {
    const found = known.get(of);
    if (found !== undefined) return found.value;
    const value = work(of);
    known.set(of, { value });
    return value;
  };
}
