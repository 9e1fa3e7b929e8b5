import { expect, test } from '@jest/globals';
import { processorsIn } from './own-processor.ts';

test.each([
  ["pid 7's current affinity list: 0-2,5\n", [0, 1, 2, 5]],
  ["pid 7's current affinity list: 3\n", [3]],
  ['taskset: failed\n', []],
  ['', []],
])('reads %j', (said, processors) => expect(processorsIn(said)).toEqual(processors));
