import { expect, test } from '@jest/globals';
import { curlOf, type Exchange } from '../http/exchange.ts';
import { Redactor } from '../report/redact.ts';
import type { RunFile } from './run-file.ts';
import { TestContext } from './test-context.ts';

const context = new TestContext(
  { id: 'X-1', section: 'X', level: 'MUST', text: 'A rule.', place: 'paths', decisions: [] },
  { inputs: {}, profile: { values: {} } } as unknown as RunFile,
  undefined as never,
  new Redactor('salt', {}, '^x'),
);

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
