/**
 * Builds the value of a JSON text in parts, between which other requests are served: `JSON.parse` of one MiB can take
 * longer than another tenant may wait (D-33).
 */
import type { Rest } from '../fairness/thread-time.ts';
import { MAX_ELEMENTS, PORTION_BYTES } from './json-scan.ts';
import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-tokens.ts';

/**
 * The value that `JSON.parse` makes of the text, except that a large array has at most {@link MAX_ELEMENTS} elements and
 * a large object at most as many unknown names: more than any operation takes, so all that look at the value see that it
 * has too many, and none of them takes long.
 * @param bytes one JSON text, known to be valid
 * @param known names that are never left out
 * @param large start and end of each array and object that is larger than {@link PORTION_BYTES}, in the order of their
 * ends
 */
export async function parseInParts(
  bytes: Buffer,
  large: ReadonlyMap<number, number>,
  known: readonly string[],
  rest: Rest,
): Promise<unknown> {
  const outermost = [...large.keys()].at(-1);
  if (outermost === undefined) return JSON.parse(bytes.toString('utf8'));
  return new Parts(bytes, large, new Set(known), rest).build(outermost);
}

class Parts {
  readonly #bytes: Buffer;
  readonly #large: ReadonlyMap<number, number>;
  readonly #known: ReadonlySet<string>;
  readonly #rest: Rest;

  constructor(bytes: Buffer, large: ReadonlyMap<number, number>, known: ReadonlySet<string>, rest: Rest) {
    this.#bytes = bytes;
    this.#large = large;
    this.#known = known;
    this.#rest = rest;
  }

  /** The large array or object that begins there: its small children are parsed together, each large one by itself. */
  async build(start: number): Promise<object> {
    const whole = this.#bytes[start] === OPEN_OBJECT ? new ObjectParts(this.#known) : new ArrayParts();
    const end = (this.#large.get(start) as number) - 1;
    let from = start + 1;
    while (from < end) {
      const { upTo, child } = this.#run(from, end);
      whole.add(this.#bytes.toString('utf8', from, upTo));
      from = upTo + 1;
      if (child !== undefined) {
        const name = this.#bytes.toString('utf8', upTo + 1, child);
        whole.addChild(name, await this.build(child));
        from = this.#nextComma(this.#large.get(child) as number, end) + 1;
      }
      await this.#rest();
    }
    return whole.value;
  }

  /**
   * How far small children are parsed together: to the comma after about {@link PORTION_BYTES}, or to the comma before
   * the next large child, where that is `child`.
   */
  #run(from: number, end: number): { readonly upTo: number; readonly child?: number } {
    let depth = 0;
    let comma = from - 1;
    for (let at = from; at < end; at++) {
      const byte = this.#bytes[at] as number;
      if (byte === QUOTE) at = this.#textEnd(at);
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (depth === 0 && this.#large.has(at)) return { upTo: comma, child: at };
        depth++;
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
      else if (byte === COMMA && depth === 0) {
        if (at - from > PORTION_BYTES) return { upTo: at };
        comma = at;
      }
    }
    return { upTo: end };
  }

  /** The offset of the closing quote. */
  #textEnd(start: number): number {
    let at = start + 1;
    for (; this.#bytes[at] !== QUOTE; at++) if (this.#bytes[at] === BACKSLASH) at++;
    return at;
  }

  #nextComma(from: number, end: number): number {
    const comma = this.#bytes.indexOf(COMMA, from);
    return comma < 0 || comma > end ? end : comma;
  }
}

class ArrayParts {
  readonly value: unknown[] = [];

  /** @param text elements, with commas between them */
  add(text: string): void {
    if (this.value.length < MAX_ELEMENTS) for (const element of JSON.parse(`[${text}]`)) this.addChild('', element);
  }

  addChild(_: string, child: object): void {
    if (this.value.length < MAX_ELEMENTS) this.value.push(child);
  }
}

class ObjectParts {
  readonly value: Record<string, unknown> = {};
  readonly #known: ReadonlySet<string>;
  readonly #unknown = new Set<string>();

  constructor(known: ReadonlySet<string>) {
    this.#known = known;
  }

  /** @param text members, with commas between them */
  add(text: string): void {
    for (const [name, value] of Object.entries(JSON.parse(`{${text}}`))) this.#set(name, value);
  }

  /** @param name of the child, as a JSON text with a colon */
  addChild(name: string, child: object): void {
    this.#set(JSON.parse(name.slice(0, name.lastIndexOf(':'))), child);
  }

  #set(name: string, value: unknown): void {
    if (!this.#known.has(name) && !this.#unknown.has(name)) {
      if (this.#unknown.size === MAX_ELEMENTS) return;
      this.#unknown.add(name);
    }
    // An assignment to `__proto__` would set the prototype.
    if (name !== '__proto__') this.value[name] = value;
    else Object.defineProperty(this.value, name, { value, enumerable: true, configurable: true, writable: true });
  }
}
