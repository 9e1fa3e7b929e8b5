import { describe, expect, test } from '@jest/globals';
import { subtreeAncestors } from './departments.ts';

describe('subtreeAncestors', () => {
  const rows = [
    { _id: 'c', parent_id: 'b' },
    { _id: 'b', parent_id: 'a' },
    { _id: 'd', parent_id: 'b' },
    { _id: 'a', parent_id: 'top' },
  ];

  test('gives for each department itself and all above it, nearest first', () => {
    expect(Object.fromEntries(subtreeAncestors(rows, 'a', ['a', 'new', 'root']))).toEqual({
      a: ['a', 'new', 'root'],
      b: ['b', 'a', 'new', 'root'],
      c: ['c', 'b', 'a', 'new', 'root'],
      d: ['d', 'b', 'a', 'new', 'root'],
    });
  });

  test('ends where parents form a circle', () => {
    const round = [
      { _id: 'a', parent_id: 'b' },
      { _id: 'b', parent_id: 'a' },
    ];
    expect([...subtreeAncestors(round, 'a', ['a']).keys()]).toEqual(['a', 'b']);
  });
});
