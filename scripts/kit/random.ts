/** Pseudo-random numbers: the same seed text always gives the same data, on every machine. */

/** A stream of pseudo-random choices. Not for secrets. */
export type Random = ReturnType<typeof randomOf>;

/** Four 32-bit words from a text (cyrb128). Any change of the text changes all four. */
function words(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ code, 597399067);
    b = c ^ Math.imul(b ^ code, 2869860233);
    c = d ^ Math.imul(c ^ code, 951274213);
    d = a ^ Math.imul(d ^ code, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [(a ^ b ^ c ^ d) >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0];
}

/** A stream for each seed text (sfc32). With one per purpose, a change in one does not shift the others. */
export function randomOf(seed: string) {
  let [a, b, c, d] = words(seed);
  function word(): number {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  }
  for (let i = 0; i < 15; i++) word();

  /** A number in [0, 1). */
  const next = () => word() / 4294967296;
  /** A whole number in [0, below). */
  const int = (below: number) => Math.floor(next() * below);
  const hex = (value: number) => (value >>> 0).toString(16).padStart(8, '0');
  /** @throws RangeError for an empty list */
  function pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('cannot pick from an empty list');
    return list[int(list.length)] as T;
  }
  /** Picks by weight; the weights need not add up to one. @throws RangeError for an empty list */
  function weighted<T>(list: readonly (readonly [T, number])[]): T {
    let rest = next() * list.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of list) {
      rest -= weight;
      if (rest < 0) return value;
    }
    return pick(list)[0];
  }
  /** A lower-case UUID in the form of version 4, evenly distributed. */
  function uuid(): string {
    const p = hex(word());
    const q = hex((word() & 0xffff0fff) | 0x4000);
    const r = hex((word() & 0x3fffffff) | 0x80000000);
    return `${p}-${q.slice(0, 4)}-${q.slice(4)}-${r.slice(0, 4)}-${r.slice(4)}${hex(word())}`;
  }
  return {
    next,
    int,
    /** A whole number in [min, max]. */
    between: (min: number, max: number) => min + int(max - min + 1),
    chance: (probability: number) => next() < probability,
    pick,
    weighted,
    uuid,
    bytes: (length: number) => Buffer.from(Array.from({ length }, () => int(256))),
  };
}
