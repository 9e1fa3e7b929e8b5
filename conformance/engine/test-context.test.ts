import { afterAll, expect, test } from '@jest/globals';
import { curlOf, type Exchange } from '../http/exchange.ts';
import { contextIn, runWith } from '../testing/small-target.ts';

const run = runWith({}, {});
const context = contextIn(run);
afterAll(() => run.close());

test('a question is answered by yes and no, and a value shown as it is', () => {
  expect(() => context.equal(false, true, 'whether it is there')).toThrow('whether it is there: expected yes, got no');
  expect(() => context.equal(false, true, 'active')).toThrow('active: expected true, got false');
});

test('a curl line sends a header without a value, too', () => {
  const requestHeaders = [
    ['X-API-Key', ''],
    ['Accept', 'a/b'],
  ];
  const exchange = { method: 'GET', requestHeaders, baseUrl: 'http://t', target: '/x' } as unknown as Exchange;
  expect(curlOf(exchange, String)).toBe(
    "curl -sS -i --path-as-is -X GET -H 'X-API-Key;' -H 'Accept: a/b' 'http://t/x'",
  );
});
