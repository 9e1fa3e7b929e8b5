import { describe, expect, test } from '@jest/globals';
import { absent, constant, JsonBytes, type JsonMember, jsonText, listOf, objectFrom, objectOf } from './json-bytes.ts';

const encoder = new TextEncoder();

/** A member that is a string, written in two parts. */
const inTwoParts =
  (value: string): JsonMember<unknown> =>
  (_, out, name) => {
    const bytes = encoder.encode(value);
    out.member(name);
    out.quote();
    out.text(bytes, 0, 1);
    out.text(bytes, 1, bytes.length);
    out.quote();
  };

const instant =
  (text: string): JsonMember<unknown> =>
  (_, out, name) => {
    out.member(name);
    out.instant(Date.parse(text));
  };

/** Every character that JSON escapes, and those beside them. */
const ODD = `${Array.from({ length: 0x24 }, (_, code) => String.fromCharCode(code)).join('')}[\\]\u007f\u0080жё🙂`;

const expected = {
  none: {},
  odd: ODD,
  list: [{ at: '2026-03-02T05:04:03.002Z' }, { at: '1969-12-31T23:59:59.999Z' }],
  empty: [],
  fixed: { number: 12, no: null },
  last: '0000-01-01T00:00:00.000Z',
};

const write = objectOf<Record<keyof typeof expected | 'hidden', unknown>, undefined>({
  none: objectFrom(undefined, objectOf({})),
  odd: inTwoParts(ODD),
  hidden: absent,
  list: listOf(
    expected.list.map(({ at }) => at),
    (at, out) => objectOf({ at: instant(at) })(undefined, out),
  ),
  empty: listOf([], () => {}),
  fixed: constant(expected.fixed),
  last: instant(expected.last),
});

describe('bytes of JSON', () => {
  const text = JSON.stringify(expected);

  test('are those of JSON.stringify, whichever piece lets the buffer grow', () => {
    const capacities = Array.from({ length: text.length + 1 }, (_, capacity) => capacity);
    const wrong = capacities.filter((capacity) => {
      const out = new JsonBytes(capacity);
      write(undefined, out);
      return out.copy().toString('utf8') !== text;
    });
    expect(wrong).toEqual([]);
  });

  test('hold nothing of what was written before', () => {
    const out = new JsonBytes();
    out.json(encoder.encode('[1,2,3]'));
    out.clear();
    out.json(encoder.encode('4'));
    expect(out.copy().toString('utf8')).toBe('4');
  });

  test('stay as they are when the next answer is written', () => {
    const first = jsonText<{ id: number }>({ id: constant(1) });
    jsonText<{ id: number }>({ id: constant(2) });
    expect(first.bytes.toString('utf8')).toBe('{"id":1}');
  });

  test('begin anew after an answer that failed', () => {
    const failing = () => {
      throw new Error('no');
    };
    expect(() => jsonText<{ a: string; b: string }>({ a: constant('a'), b: failing })).toThrow('no');
    expect(jsonText<{ a: number }>({ a: constant(1) }).bytes.toString()).toBe('{"a":1}');
  });

  test('tell the dates of more days than are kept', () => {
    const out = new JsonBytes();
    const days = Array.from({ length: 1_500 }, (_, day) => new Date(day * 86_400_000 + day));
    out.array(days, (day) => out.instant(day.getTime()));
    expect(out.copy().toString('utf8')).toBe(JSON.stringify(days));
  });
});
