import { expect, test } from '@jest/globals';
import { table } from './table.ts';

test('columns are as wide as their content', () => {
  expect(
    table(
      ['NAME', 'ID'],
      [
        ['Айгүл', '1'],
        ['A', '22'],
      ],
    ),
  ).toBe('NAME   ID\nАйгүл  1\nA      22');
});

test('on a terminal the widest columns are cut until a line fits', () => {
  const text = table(
    ['A', 'B'],
    [
      ['x'.repeat(50), 'short'],
      ['y', 'z'.repeat(30)],
    ],
    40,
  );
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  expect(text).toContain('…');
  expect(text).toContain('short');
});

test('a cell stays on its line', () => {
  expect(table(['A'], [['one\ntwo']])).toBe('A\none two');
});
