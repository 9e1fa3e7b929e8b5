import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Member, ScanError, scanJson } from './json-scan.ts';

// The same examples in every run: a failure comes from the change under test, not from a rare random example.
fc.configureGlobal({ seed: 20_260_302 });

async function accepts(text: string, maxDepth = 64): Promise<boolean> {
  try {
    await scanJson(Buffer.from(text), maxDepth, { onMember: () => {} });
    return true;
  } catch (error) {
    if (error instanceof ScanError) return false;
    throw error;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A text with a character put in and some cut out: of JSON, mostly invalid by one character. */
const changed = (text: string, at: number, put: string, cut: number) => text.slice(0, at) + put + text.slice(at + cut);
const PUT = ['', ...`{}[]":,\\'/-+.eE0159gntfxu \n\t\0\u007f\u00e9`];
describe('scanJson', () => {
  test('accepts of all tokens, with every change of a character, what JSON.parse accepts', async () => {
    const tokens = ' {"a\\u00e9\\n":[-0.5e+3, 10E-2, 0, true, null, false, ""], "b":{}} ';
    const texts = [...tokens].flatMap((_, at) =>
      PUT.flatMap((put) => [0, 1, 2].map((cut) => changed(tokens, at, put, cut))),
    );
    const wrong = [];
    for (const text of texts) if ((await accepts(text)) !== isJson(text)) wrong.push(text);
    expect(wrong).toEqual([]);
  });

  test('passes members and elements of the outermost value, as they stand in the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.array(fc.jsonValue({ maxDepth: 2 })))),
        fc.constantFrom(0, 1),
        async (value, indent) => {
          const bytes = Buffer.from(JSON.stringify(value, undefined, indent));
          const found: [unknown, unknown][] = [];
          const parse = (start: number, end: number) => JSON.parse(bytes.toString('utf8', start, end));
          const onMember = ({ keyStart, keyEnd, start, end, elements }: Member) => {
            const read = parse(start, end);
            found.push([parse(keyStart, keyEnd), read]);
            expect(elements !== undefined).toBe(Array.isArray(read));
            const each = [];
            for (let i = 0; i < (elements ?? []).length; i += 2)
              each.push(parse(elements?.[i] ?? 0, elements?.[i + 1] ?? 0));
            if (Array.isArray(read)) expect(each).toEqual(read);
          };
          await scanJson(bytes, 64, { onMember, takesElements: () => true });
          expect(found).toEqual(Object.entries(JSON.parse(JSON.stringify(value))));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('allows a limited number of levels', async () => {
    expect(await accepts('[[{"a":1}]]', 3)).toBe(true);
    expect(await accepts('[[{"a":[]}]]', 3)).toBe(false);
  });
});
