import { expect, test } from '@jest/globals';
import { stackOf, statusOf } from './outcome.ts';

test('a fault of the suite says where it comes from, and nothing of the folders of the machine', () => {
  const here = new TypeError('no such thing');
  const there = Object.assign(new TypeError('x is no function'), {
    stack: [
      'TypeError: x is no function',
      '    at play (file:///home/somebody/kept here/node_modules/suite/conformance/rules/a.rules.ts:3:7)',
      '    at /home/somebody/work/conformance/engine/runner.ts:9:1',
      '    at file:///home/somebody/work/node_modules/ajv/dist/core.js:1:2',
    ].join('\n'),
  });
  expect(statusOf(here, 'MUST')).toMatchObject({
    status: 'ERROR',
    reason: expect.stringMatching(/^TypeError: no such thing at .*\(?conformance\/judge\/outcome\.test\.ts/),
  });
  expect(stackOf(here)).not.toContain(import.meta.dirname);
  expect(stackOf(there)).not.toContain('somebody');
  expect(stackOf(there)).toContain('at play (');
  expect(stackOf(there)).toContain('    at conformance/engine/runner.ts:9:1');
});
