import { expect, test } from '@jest/globals';
import { tableText } from './table.ts';

test('columns are as wide as their content, and a cell is one line', () => {
  const rows = [
    ['Айгүл', '1'],
    ['A', '2\n2'],
  ];
  expect(tableText({ heads: ['NAME', 'ID'], rows })).toBe('NAME   ID\nАйгүл  1\nA      2 2');
});

test('on a terminal, the widest columns are shortened until a line fits', () => {
  const rows = [
    ['x'.repeat(50), 'short'],
    ['y', 'z'.repeat(30)],
  ];
  const text = tableText({ heads: ['A', 'B'], rows }, 40);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  expect(text).toContain('…');
  expect(text).toContain('short');
});
