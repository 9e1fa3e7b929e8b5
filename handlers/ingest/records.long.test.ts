import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RawJson } from '../http/raw-json.ts';
import { bindingId, derivedUuid, objectId } from './bindings.ts';
import { mapRecord, type Pair, payloadOf, reduceRecord } from './records.ts';

// The same examples in every run: a failure comes from the change under test, not from a rare random example.
fc.configureGlobal({ seed: 20_260_302 });

const pair = (source_type: string, payload_type: string): Pair => ({ source_type, payload_type });
const PERSONS = pair('KEDO', 'PERSONS');
const PAIRS = [
  ...['PERSONS', 'ORGANIZATIONS', 'DEPARTMENTS', 'EMPLOYEES', 'JOB_TITLES'].map((type) => pair('KEDO', type)),
  ...['EMPLOYEES_FULL', 'DEPARTMENTS'].map((type) => pair('LEDGER', type)),
];

describe('a record', () => {
  test('says nothing of an absent field, and takes a right IIN and a filler elsewhere', () => {
    const filler = '000000000000';
    expect(mapRecord(PERSONS, { external_id: filler, iin: '900131000001', phone: filler })).toEqual({
      kind: 'PERSON',
      externalId: filler,
      fields: { iin: '900131000001', phone: filler },
      details: {},
      references: {},
    });
  });
});

const FULL = pair('LEDGER', 'EMPLOYEES_FULL');

describe('a record is reduced', () => {
  const columns = payloadOf(FULL)?.columns ?? {};
  /** More than is parsed as a whole. */
  const padding = `"padding":"${'x'.repeat(70_000)}"`;
  const reduced = (text: string) => reduceRecord(columns, new RawJson(Buffer.from(text)));

  test.each([
    ['small', '"padding":""', '"padding":""'],
    ['large', padding, '"padding":""'],
    ['large in the object inside it', '"padding":""', padding],
  ])('to its known fields, also inside the person, where it is %s', async (_, outer, inner) => {
    const text = `{${outer},"ТабельныйНомер":"1","photo":"x","ФизЛицо":{${inner},"Имя":"А","ИИН":null,"photo":[1]}}`;
    expect(await reduced(text)).toEqual({ ТабельныйНомер: '1', ФизЛицо: { Имя: 'А', ИИН: null } });
  });

  // What is no text names its fault by its type alone; a short number is kept, since it may be the id of the record.
  test.each([
    ['7', 7],
    [`${'9'.repeat(32)}`, 1e32],
    ['true', false],
    ['[]', false],
    ['{"a":1}', false],
    ['null', null],
    ['"a"', 'a'],
  ])('to %s as its number, whatever its size', async (value, kept) => {
    for (const outer of ['"padding":""', padding]) {
      expect(await reduced(`{${outer},"ТабельныйНомер":${value}}`)).toEqual({ ТабельныйНомер: kept });
    }
  });

  test.each([`x${' '.repeat(70_000)}x`, ' '.repeat(70_000)])(
    'to a text that is too long, where it is too large',
    async (text) => {
      const record = await reduced(JSON.stringify({ external_id: 'E', ТабельныйНомер: text }));
      expect(mapRecord(FULL, record)).toEqual({ skipped: 'ТабельныйНомер has more than 1000 characters.' });
    },
  );

  test('to no number of more than 32 digits, where it is large', async () => {
    expect(await reduced(`{${padding},"ТабельныйНомер":${'9'.repeat(33)}}`)).toEqual({ ТабельныйНомер: false });
  });
});

/** Nearly correct records: known names, in both Unicode forms, with values of every kind, most of them right. */
const names = PAIRS.flatMap((each) => Object.keys(payloadOf(each)?.columns ?? {}));
const name = fc.oneof(
  fc.constantFrom(...names, ...names.map((each) => each.normalize('NFD')), 'Имя', 'ИИН', 'ДатаРождения', '__proto__'),
  fc.string(),
);
const right = fc.constantFrom('', null, '2024-02-29', '990701000001');
const wrong = fc.constantFrom(
  '2024-02-30',
  '1',
  'a\0',
  '\ud800',
  'x'.repeat(1_001),
  '😀'.repeat(1_000),
  `${' '.repeat(1_001)}x${' '.repeat(1_001)}`,
  `${'x'.repeat(1_000)} x`,
  7,
  true,
  1e300,
);
const ids = fc.constantFrom(
  '"external_id":"1"',
  '"ТабельныйНомер":"2"',
  '"Ссылка":"3","external_id":"4","ТабельныйНомер":"5"',
);
const record = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 12, arbitrary: right },
    wrong,
    fc.string({ unit: 'binary' }),
    tie('object'),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
  object: fc
    .tuple(fc.array(fc.tuple(name, tie('value')), { maxLength: 8 }), fc.option(ids))
    // Built as text, to have the same name twice, and names like `__proto__` as own properties.
    .map(([members, id]) => {
      const texts = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
      return JSON.parse(`{${[...texts, ...(id === null ? [] : [id])].join()}}`);
    }),
}));
const anyRecord = fc.oneof({ weight: 8, arbitrary: record.object }, record.value, fc.jsonValue());
const anyPair = fc.constantFrom(...PAIRS, pair('KEDO', 'OTHER'));

describe('any JSON', () => {
  test('is mapped without an error, always to the same, and reasons hold no value', () => {
    let applied = 0;
    fc.assert(
      fc.property(anyPair, anyRecord, (each, value) => {
        const mapped = mapRecord(each, value);
        expect(mapRecord(each, JSON.parse(JSON.stringify(value)))).toEqual(mapped);
        if ('skipped' in mapped) {
          expect(mapped.skipped).toMatch(
            /^(The record is no object|There is no such pair of source and payload|[\p{L}_.]+( and [\p{L}_.]+( together)?)? (is|are|has|have) [a-zA-Z0-9 -]+)\.$/u,
          );
          return;
        }
        applied++;
        expect([...mapped.externalId].length).toBeGreaterThanOrEqual(1);
        expect([...mapped.externalId].length).toBeLessThanOrEqual(255);
        for (const field of Object.values(mapped.fields)) expect([...field].length).toBeLessThanOrEqual(1_000);
      }),
      { numRuns: 3_000 },
    );
    expect(applied).toBeGreaterThan(200);
  });

  test('is mapped to the same after it is reduced to the fields that its pair knows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PAIRS), anyRecord, fc.boolean(), async (each, value, isLarge) => {
        const sent = value !== null && typeof value === 'object' && !Array.isArray(value) && isLarge;
        const json = JSON.stringify(value);
        const padded = sent ? `{"padding":"${'x'.repeat(70_000)}"${json === '{}' ? '' : ','}${json.slice(1)}` : json;
        const columns = payloadOf(each)?.columns ?? {};
        const reduced = JSON.parse(JSON.stringify(await reduceRecord(columns, new RawJson(Buffer.from(padded)))));
        expect(mapRecord(each, reduced)).toEqual(mapRecord(each, JSON.parse(json)));
      }),
      { numRuns: 1_000 },
    );
  });
});

test('a record whose names have escapes is read, whatever records others have sent', async () => {
  const columns = payloadOf(pair('LEDGER', 'DEPARTMENTS'))?.columns ?? {};
  const reduced = (text: string) => reduceRecord(columns, new RawJson(Buffer.from(text)));
  for (let time = 0; time < 2; time++) await reduced(String.raw`{"only there":1,"\\u0421":1}`);
  expect(await reduced(String.raw`{"only there":1,"\u0421\u0441\u044b\u043b\u043a\u0430":"1"}`)).toEqual({
    Ссылка: '1',
  });
});

test('a reduced record has the known fields, and of each value only what names its faults', async () => {
  const sent = `{"external_id":"P","photo":"x","phone":"${'7'.repeat(3_000)}","email":{"a":[]},"gender":1e999,"iin":null}`;
  const record = new RawJson(Buffer.from(sent));
  expect(await reduceRecord(payloadOf(PERSONS)?.columns ?? {}, record)).toEqual({
    external_id: 'P',
    phone: '7'.repeat(255) + '.'.repeat(1_001),
    email: false,
    gender: false,
    iin: null,
  });
  // Of a pair that does not exist nothing is kept.
  expect(await reduceRecord({}, record)).toEqual({});
  expect(await reduceRecord({}, new RawJson(Buffer.from('7')))).toBeNull();
});

describe('derived ids', () => {
  const named = (source: 'KEDO' | 'LEDGER', kind: 'PERSON' | 'EMPLOYEE', externalId: string) => ({
    source,
    kind,
    externalId,
  });

  test('are equal for equal input, and differ otherwise', () => {
    const ids = [
      bindingId('t', named('KEDO', 'PERSON', 'a')),
      bindingId('u', named('KEDO', 'PERSON', 'a')),
      bindingId('t', named('LEDGER', 'PERSON', 'a')),
      bindingId('t', named('KEDO', 'EMPLOYEE', 'a')),
      bindingId('t', named('KEDO', 'PERSON', 'b')),
      bindingId('t', { ...named('KEDO', 'PERSON', 'a'), isLink: true }),
      objectId('t', named('KEDO', 'PERSON', 'a')),
      derivedUuid('a', 'b'),
      derivedUuid('ab'),
      derivedUuid('a","b'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(bindingId('t', named('KEDO', 'PERSON', 'a'))).toBe(ids[0]);
  });

  test('have the form of random ids', () => {
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    for (let i = 0; i < 64; i++) expect(derivedUuid(String(i))).toMatch(form);
  });
});
