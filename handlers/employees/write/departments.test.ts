import { expect, test } from '@jest/globals';
import { subtreeAncestors } from './departments.ts';

test('the departments below one end where parents form a circle', () => {
  const round = [
    { _id: 'a', parent_id: 'b' },
    { _id: 'b', parent_id: 'a' },
  ];
  expect([...subtreeAncestors(round, 'a', ['a']).keys()]).toEqual(['a', 'b']);
});
