import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as canonical from './canonical-json.ts';

// The same examples in every run: a failure comes from the change under test, not from a rare random example.
fc.configureGlobal({ seed: 20_260_302 });

const canonicalJson = (value: unknown) => canonical.canonicalJson(value as never);
const ofText = (text: string) => canonicalJson(JSON.parse(text));

describe('canonicalJson', () => {
  test('gives the text of the example of RFC 8785, section 3.2.3', () => {
    const text = `{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`;
    expect(ofText(text)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('is the same text for bodies that mean the same', () => {
    expect(ofText('{"b":1.0,"a":"\\u0061"}')).toBe(ofText(' { "a" : "a" , "b" : 1 } '));
    expect(ofText('[-0, 10, 1e1]')).toBe(ofText('[0,1e1,10.0]'));
    expect(ofText('{"a":1,"a":2}')).toBe(ofText('{"a":2}'));
  });

  test('differs where the value differs', () => {
    const texts = ['{}', '[]', 'null', '""', '"null"', '0', '{"a":null}', '{"a":""}', '[[]]', '[1,2]', '[2,1]', '"1"'];
    expect(new Set(texts.map(ofText)).size).toBe(texts.length);
    expect(ofText('1e400')).not.toBe(ofText('null'));
    expect(ofText('{"__proto__":{"a":1}}')).not.toBe(ofText('{}'));
  });

  test('gives the same text for any order of keys, and it parses to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const reversed = (each: unknown): unknown => {
          if (Array.isArray(each)) return each.map(reversed);
          if (typeof each !== 'object' || each === null) return each;
          return Object.fromEntries(
            Object.entries(each)
              .reverse()
              .map(([key, inner]) => [key, reversed(inner)]),
          );
        };
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
