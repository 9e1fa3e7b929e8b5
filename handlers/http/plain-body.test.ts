import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../answers/errors.ts';
import { PORTION_BYTES } from './json-scan.ts';
import { parseJson } from './plain-body.ts';

// The same examples in every run: a failure comes from the change under test, not from a rare random example.
fc.configureGlobal({ seed: 20_261_126 });

const shape = { bodyFields: ['title'], openFields: [] };
const parsed = async (text: string) => (await parseJson(Buffer.from(text), shape)).value;

async function refused(text: string | Buffer): Promise<string | undefined> {
  try {
    await parseJson(Buffer.from(text), shape);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.extras.violations?.[0]?.description;
  }
}

describe('parseJson (D-6a)', () => {
  test('takes JSON, with the last of duplicate keys', async () => {
    expect(await parsed('{"a":1,"a":{"b":"ә \\ud83d\\ude00"}}')).toEqual({ a: { b: 'ә 😀' } });
  });

  test.each([
    ['a second byte order mark', '\u{feff}\u{feff}{}', 'is not valid JSON at line 1, column 1'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'is not UTF-8'],
    ['a trailing comma', '{"a":1,}', 'is not valid JSON at line 1, column 8'],
    ['NaN', 'NaN', 'is not valid JSON at line 1, column 1'],
    ['nothing', '', 'is not valid JSON at line 1, column 1'],
    ['an end that is missing', '{"a":\n["ә", 1', 'is not valid JSON at line 2, column 8'],
    ['a word in a later line', '{\n  "ә": 1,\n  "b": no\n}', 'is not valid JSON at line 3, column 8'],
    ['an escaped NUL in a name', '{"\\u0000":1}', 'contains a NUL character or a lone surrogate'],
    ['the last lone low surrogate', '["\\uDFFF"]', 'contains a NUL character or a lone surrogate'],
    ['400,000 levels', '{"a":'.repeat(400_000), 'is nested deeper than 64 levels'],
  ])('refuses %s', async (_what, text, reason) => expect(await refused(text)).toBe(reason));

  test('ignores one byte order mark', async () => expect(await parsed('\u{feff}{}')).toEqual({}));

  test('treats a prototype key as data like any other, in a large body too', async () => {
    for (const length of [1, 100_000]) {
      const value = await parsed(`{"__proto__":{"polluted":1},"a":"${'x'.repeat(length)}","__proto__":[2]}`);
      expect(Object.entries(value as object)[0]).toEqual(['__proto__', [2]]);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    }
  });

  test('reads a large body, in parts, as JSON.parse does', async () => {
    const filler = fc.constantFrom('', ' '.repeat(70_000), `"${'\\\\\\"]},'.repeat(10_000)}"`);
    const nested = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, fc.json({ maxDepth: 1 }), tie('list'), tie('object')),
      list: fc.tuple(filler, fc.array(tie('value'), { maxLength: 3 })).map(([put, items]) => {
        const all = put.startsWith('"') ? [put, ...items] : items;
        return `[${put.trim() === '' ? put : ''}${all.join(', ')}]`;
      }),
      object: fc
        .tuple(filler, fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 3 }))
        .map(([put, members]) => {
          const all = members.map(([name, text]) => `${JSON.stringify(name)} : ${text}`);
          return `{${put.startsWith('"') ? [`${put}:1`, ...all].join() : all.join(`${put},`)}}`;
        }),
    })).value;
    await fc.assert(
      fc.asyncProperty(nested, async (text) => {
        expect(await parsed(String(text))).toEqual(JSON.parse(String(text)));
      }),
      { numRuns: 200 },
    );
  });

  test('leaves out what is more than any operation takes, but no known name', async () => {
    const names = Array.from({ length: 50_000 }, (_, nth) => `"${nth * 31}":${nth}`).join();
    const body = await parsed(`{${names},"title":"x","list":[${'1,'.repeat(100_000)}1],"0":2}`);
    expect(Object.keys(body as object)).toHaveLength(20_001);
    expect(body).toMatchObject({ title: 'x', 0: 2 });
    expect(await parsed(`[${'1,'.repeat(100_000)}1]`)).toHaveLength(20_000);
  });

  test('finds an escaped NUL or half a surrogate pair exactly where the parsed text has one', async () => {
    const piece = fc.constantFrom(
      '\\u0000',
      '\\ud83d',
      '\\uDE00',
      '\\\\',
      '\\n',
      'u0000',
      'a',
      '\\u0041',
      'ә',
      '😀',
      '","',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const text = `["${pieces.join('')}"]`;
        const isFine = (JSON.parse(text) as string[]).every((each) => each.isWellFormed() && !each.includes('\0'));
        expect(await refused(text)).toBe(isFine ? undefined : 'contains a NUL character or a lone surrogate');
      }),
      { numRuns: 1_000 },
    );
  });

  test('lets other work run between the parts of a large body, sound or not', async () => {
    const text = `[${'{},'.repeat(100_000)}1`;
    for (const end of ['', ']']) {
      let rests = 0;
      const rest = async () => void rests++;
      await parseJson(Buffer.from(text + end), shape, rest).catch(() => {});
      expect(rests).toBeGreaterThanOrEqual(Math.floor(text.length / PORTION_BYTES));
    }
  });
});
