import { expect, test } from '@jest/globals';
import { tableText, widthOf } from './table.ts';

test('columns are as wide as their content, and a cell is one line', () => {
  const rows = [
    ['Айгүл', '1'],
    ['A', '2\n2'],
  ];
  expect(tableText({ heads: ['NAME', 'ID'], rows })).toBe('NAME   ID\nАйгүл  1\nA      2 2');
});

test('of an id stays what commands understand, and a column without content gives way', () => {
  const id = 'a0b1c2d3-0000-4000-8000-000000000001';
  const row = ['t'.repeat(60), '', 'ON_APPROVAL', '2026-03-02 05:00:00Z', id];
  const areIds = [false, false, false, false, true];
  const heads = ['TITLE', 'NUMBER', 'STATUS', 'UPDATED', 'ID'];
  const text = tableText({ heads, rows: [row], areIds }, 34);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(34);
  expect(text).toContain(`${id.slice(0, 8)}`);
  expect(text).not.toContain('NUM');
  expect(tableText({ heads, rows: [row], areIds })).toContain('NUMBER');
});

test('no line is wider than the narrowest terminal, however many columns there are', () => {
  const row = Array.from({ length: 12 }, () => 'x'.repeat(30));
  for (const line of tableText({ heads: row, rows: [row] }, 40).split('\n'))
    expect(line.length).toBeLessThanOrEqual(40);
});

test('characters of double width count twice, marks not at all, and a cell cannot command the terminal', () => {
  expect([widthOf('李明'), widthOf('й'), widthOf('Әсел')]).toEqual([4, 1, 4]);
  const text = tableText({ heads: ['A', 'B'], rows: [['李'.repeat(40), '\u001b[2J\u202ex']] }, 20);
  for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(20);
  for (const control of ['\u001b', '\u202e']) expect(text).not.toContain(control);
});
