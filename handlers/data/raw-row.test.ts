/** Rows as BSON, written by the driver's own serializer: the strings and instants that come out are those that went in. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BSON } from 'mongodb';
import { jsonText, listOf, objectOf } from '../answers/json-bytes.ts';
import { dayText, timeText } from '../answers/shown-times.ts';
import { Layout } from './raw-row.ts';

interface ShownRow {
  readonly id: string;
  readonly title: string;
  readonly day: string;
  readonly at: string;
}
const layout = new Layout(['title', 'day', 'at']);
type Row = ReturnType<typeof layout.row>;
const sent = (row: object): Row => layout.row(Buffer.from(BSON.serialize(row)));
const shown = objectOf<ShownRow, Row>({
  id: layout.text('_id'),
  title: layout.text('title'),
  day: layout.day('day'),
  at: layout.instant('at'),
});
const json = (rows: readonly Row[]) => jsonText<{ rows: ShownRow[] }>({ rows: listOf(rows, shown) }).bytes.toString();

/** Every kind of text: control characters, quotation marks, several bytes, pairs of surrogates, and long ones. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '\u0000\u001f\u007f\u2028',
    '😀',
    'Қазақстан «Юг»',
    'x'.repeat(100_000),
    '"'.repeat(40_000),
  ),
);
/** Days, what is nearly one, and any other text. */
const day = fc.oneof(
  text,
  fc.date({ noInvalidDate: true }).map((at) => at.toISOString().slice(0, 10)),
  fc.stringMatching(/^[0-9]{4}-[01][0-9]-[0-3][0-9]$/),
  fc.constantFrom('0000-01-01', '2023-02-29', '2024-02-29', '2024-02-2٩', '20240-2-29', '202:-01-01'),
);
const limits = ['0000-12-31T23:59:59.999Z', '0001-01-01', '1969-12-31T23:59:59.999Z', '9999-12-31', '+010000-01-01'];
const instant = fc.oneof(fc.date({ noInvalidDate: true }), fc.constantFrom(...limits.map((at) => new Date(at))));

test('what is written is the JSON of rows that are objects: days and instants as they can be shown', () => {
  const row = fc.record({ _id: text, title: text, day, at: instant });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 4 }), (rows) => {
      const expected = rows.map(({ _id: id, title, ...of }) => ({
        id,
        title,
        day: dayText(of.day, 'day', id),
        at: timeText(of.at, 'at', id),
      }));
      expect(json(rows.map(sent))).toBe(JSON.stringify({ rows: expected }));
    }),
    { numRuns: 500 },
  );
});

describe('fields', () => {
  const at = new Date(86_400_000);

  test('are found in any order', () => {
    const row = { at, day: '2026-03-02', _id: 'i', title: 'a' };
    expect(JSON.parse(json([sent(row)]))).toEqual({
      rows: [{ id: 'i', title: 'a', day: '2026-03-02', at: at.toISOString() }],
    });
  });

  test('are empty if a row does not have them', () => {
    const row = sent({ _id: 'i', title: 'a' });
    expect([row._id, row.text('title'), row.text('day'), row.isEmpty('day'), row.isEmpty('title')]).toEqual([
      'i',
      'a',
      '',
      true,
      false,
    ]);
  });

  test.each([
    [{ title: 1 }, 'a field of a raw row has the BSON type 16'],
    [{ title: null }, 'a field of a raw row has the BSON type 10'],
    [{ titles: 'a' }, 'a raw row has a field that the query did not name'],
  ])('that the layout does not expect are refused: %j', (row, message) => {
    expect(() => sent(row)).toThrow(message);
  });

  test('the query asks for them and for the id', () => {
    expect(layout.options).toEqual({ projection: { _id: 1, title: 1, day: 1, at: 1 }, raw: true });
  });
});

describe('the answer of a find', () => {
  const rows = [
    { _id: 'a', title: 'A', day: '', at: new Date(0) },
    { _id: 'b', title: '', day: 'Б'.repeat(200), at: new Date(1) },
  ];
  const answer = (fields: object) => Buffer.from(BSON.serialize(fields));
  const none = BSON.Long.fromNumber(0);

  test.each([
    ['of MongoDB', { firstBatch: rows, id: none, ns: 'test.rows' }],
    ['with other fields, in another order', { id: none, ns: 'test.rows', more: { a: [1] }, firstBatch: rows }],
  ])('%s has all rows', (_, fields) => {
    const found = layout.answer(answer(fields));
    expect(found.cursorId).toBe(0n);
    expect(found.rows.map((row) => [row._id, row.text('title'), row.text('day'), row.instant('at')])).toEqual(
      rows.map(({ _id, title, day, at }) => [_id, title, day, at.getTime()]),
    );
  });

  test('may have no rows, or more than ten', () => {
    const many = Array.from({ length: 1_001 }, (_, nth) => ({ _id: String(nth) }));
    for (const firstBatch of [[], many]) {
      const found = layout.answer(answer({ firstBatch, id: none, ns: 'test.rows' }));
      expect(found.rows.map(({ _id }) => _id)).toEqual(firstBatch.map(({ _id }) => _id));
    }
  });

  test('names the cursor that has more rows', () => {
    const found = layout.answer(answer({ firstBatch: rows, id: BSON.Long.fromNumber(7), ns: 'test.rows' }));
    expect([found.rows.length, found.cursorId]).toEqual([2, 7n]);
  });

  test.each([
    ['rows', { id: none, ns: 'test.rows' }],
    ['a cursor', { firstBatch: rows, ns: 'test.rows' }],
    ['a cursor before a value of an unknown type', { firstBatch: rows, more: new BSON.ObjectId(), id: none }],
  ])('without %s is none', (_, fields) => {
    expect(() => layout.answer(answer(fields))).toThrow('no rows or no cursor');
  });
});
