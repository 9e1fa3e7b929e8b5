import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { kedo } from './kedo.ts';
import { ledger } from './ledger.ts';
import { type Columns, isNested } from './record-columns.ts';
import { mapRecord } from './records.ts';
import { longerThan, readScalar, reduceText, type ScalarType } from './scalars.ts';

fc.configureGlobal({ seed: 20_260_302, numRuns: 60 });

/** Every field of every payload: its payload, its path, its type. */
const fields = Object.entries({ KEDO: kedo, LEDGER: ledger }).flatMap(([source, payloads]) =>
  [...payloads].flatMap(([type, { columns }]) => fieldsOf(columns).map((field) => [source, type, ...field] as const)),
);

function fieldsOf(columns: Columns): [path: string[], type: ScalarType][] {
  return Object.entries(columns).flatMap(([name, column]) =>
    isNested(column)
      ? fieldsOf(column).map(([path, type]): [string[], ScalarType] => [[name, ...path], type])
      : [[[name], column.type]],
  );
}

/** What a record says that has this value in one field, and an id. */
function said([source, payload_type, path]: (typeof fields)[number], value: unknown) {
  const ids = source === 'KEDO' ? { external_id: 'X' } : { ТабельныйНомер: '7', Ссылка: 'c0' };
  const field = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return mapRecord({ source_type: source, payload_type }, { ...ids, ...(field as object) });
}

/** What a record says, without the natural ids of an earlier version, which are made of values as they were sent. */
function apart(mapped: ReturnType<typeof mapRecord>) {
  const { naturals = [], ...rest } = { naturals: [], ...mapped };
  return { naturals: [...naturals], rest };
}

/** What strings of fixed length end in, and what people copy with a text. */
const blanks = fc.string({ unit: fc.constantFrom(...' \t\n\u0085\u00a0\u3000\u200b\ufeff'), maxLength: 600 });

type Writing = readonly [written: string, meant: string | undefined];
/** Texts with blanks around them, with what they mean; undefined is an absent field. */
const writing = (text: fc.Arbitrary<string>, meaning: (text: string) => Writing[1]) =>
  fc.tuple(blanks, text, blanks).map(([before, each, after]): Writing => [before + each + after, meaning(each)]);

const GUID = '00000000-0000-0000-0000-000000000000';
const bare = GUID.replaceAll('-', '');
const EMPTY_DAY = '0001-01-01';
const days = fc
  .date({ min: new Date('0001-01-03'), max: new Date('9999-12-30'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
/** What 1C:Enterprise and others write after a day: in XML and JSON local, with an offset, or universal in their zone. */
const midnights = fc
  .tuple(
    fc.constantFrom('T', ' ', '\u00a0'),
    fc.constantFrom('00:00', '00:00:00', '00:00:00.0', '00:00:00,000', '00:00:00.000000000'),
    fc.constantFrom('', 'Z', ' Z', '+05', '-0330', '+05:00', ' -12:00'),
  )
  .map((parts) => parts.join(''));

const none = () => '';
const nothing = writing(fc.constant(''), none);
const noReference = writing(fc.constantFrom(GUID, bare, `{${GUID}}`, `{${bare}}`), none);
const fillers = fc.constantFrom(...Array.from('0123456789', (digit) => digit.repeat(12)));
const words = fc.constantFrom('Әсел', 'a  b', '«Ө»', '{00000000-0000-4000-8000-000000000000}', 'x'.repeat(250));
const text = writing(words, (each) => each);

/** What a writer may write for each value, with what is read. */
const writings: Readonly<Record<ScalarType, fc.Arbitrary<Writing>>> = {
  text: fc.oneof(nothing, text),
  natural_id: fc.oneof(nothing, noReference, text),
  external_id: fc.oneof(nothing, noReference),
  nested_person_id: fc.oneof(nothing, noReference, writing(fillers, none)),
  reference: fc.oneof(nothing, noReference),
  iin: fc.oneof(
    nothing,
    writing(fc.constant('900131000001'), (each) => each),
    writing(fillers, () => undefined),
  ),
  day: fc.oneof(
    nothing,
    fc
      .tuple(fc.oneof(days, fc.constant(EMPTY_DAY)), fc.oneof(midnights, fc.constant('')))
      .chain(([day, time]) => writing(fc.constant(day + time), () => (day === EMPTY_DAY ? '' : day))),
  ),
};

const because = (reason: string, ...texts: readonly string[]) => texts.map((text) => [text, reason] as const);
const texts = (limit: number) => [
  ...because('has a NUL character or half a surrogate pair', 'a\0', '\ud800'),
  ...because(`has more than ${limit} characters`, '😀'.repeat(limit + 1), `${'x'.repeat(limit)} x`),
];

/** What is wrong, with the end of the reason. */
const refused: Readonly<Record<ScalarType, readonly (readonly [written: string, reason: string])[]>> = {
  text: texts(1_000),
  natural_id: texts(1_000),
  reference: texts(1_000),
  external_id: texts(255),
  nested_person_id: texts(255),
  iin: because(
    'is neither empty nor 12 digits',
    '90013100000',
    '9001310000011',
    '90013100000a',
    '９００１３１００００01',
  ),
  day: [
    ...because(
      'has another time of day than midnight',
      ...'2021-03-01T09:00:00|2021-03-01 24:00:00|2021-03-01T00:00:00.001Z'.split('|'),
    ),
    ...because(
      'is no day of the calendar as YYYY-MM-DD',
      ...'2024-02-30|2023-02-29T00:00:00|0000-00-00|0000-02-29|24-1-1|2024-13-01|01.03.2021|+012024-01-01'.split('|'),
      ...'T00:00:00|2021-03-01T|2021-03-01T00|2021-03-01Z|2021-03-01T00:00:00 UTC'.split('|'),
    ),
  ],
};

const types = Object.keys(writings) as ScalarType[];

describe.each(types)('each field of type %s', (type) => {
  const own = fields.filter(([, , , each]) => each === type);

  test('is read as one value, however that is written', () => {
    fc.assert(
      fc.property(fc.constantFrom(...own), writings[type], (field, [written, meant]) => {
        const [one, same] = [apart(said(field, written)), apart(said(field, meant))];
        expect(one.rest).toEqual(same.rest);
        expect(one.naturals).toEqual(expect.arrayContaining(same.naturals));
      }),
      { numRuns: 300 },
    );
    for (const field of own) expect([field, said(field, null)]).toEqual([field, said(field, '')]);
  });

  test.each([...refused[type], ...[7, false, [], {}].map((value) => [value, 'is no text'] as const)])(
    'skips its record for %j, which %s',
    (written, reason) => {
      expect(own.map((field) => said(field, written))).toEqual(
        own.map(([, , path]) => ({ skipped: `${path.join('.')} ${reason}.` })),
      );
    },
  );
});

test.each(fields.filter(([, , , type]) => type === 'day'))(
  'of %s %s %j, a day that is written as an instant is skipped, never another day',
  (...field) => {
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 24 * 60 - 1 }), (day, minutes) => {
        const ms = Date.parse(day) - minutes * 60_000;
        const universal = new Date(ms).toISOString();
        for (const sent of [universal, `new Date(${ms})`, `/Date(${ms})/`, `/Date(${ms}+0500)/`])
          expect(said(field, sent)).toHaveProperty('skipped');
      }),
    );
  },
);

test.each(fields.filter(([, , , type]) => /external_id|person_id|reference/.test(type)))(
  'of %s %s %j, an id that its sender gave keeps its blanks, braces and case',
  (...field) => {
    for (const id of ['P ', ' P', '{00000000-0000-4000-8000-00000000000A}']) {
      expect(JSON.stringify(said(field, id))).toContain(JSON.stringify(id));
    }
  },
);

describe('a text that is reduced', () => {
  const core = fc.constantFrom(
    'P',
    'a\0',
    '\ud800',
    '',
    '0'.repeat(32),
    '0'.repeat(12),
    '2021-03-01',
    '2021-13-01',
    'x'.repeat(1_000),
    `${'x'.repeat(999)} x`,
    '😀'.repeat(1_001),
  );
  const wide = fc.constantFrom(0, 1, 500, 1_000, 3_000).map((count) => ' '.repeat(count));

  test('is read as before, and is short', () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.tuple(wide, core, wide), (type, parts) => {
        const reduced = reduceText(type, parts.join(''));
        expect(readScalar(type, reduced)).toEqual(readScalar(type, parts.join('')));
        expect(longerThan(reduced, 1_300)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test('stays as it was sent, where it is short', () => {
    for (const type of types) expect(reduceText(type, ' P ')).toBe(' P ');
  });
});
