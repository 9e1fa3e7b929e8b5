import { expect, test } from '@jest/globals';
import { curlOf, type Exchange } from '../http/exchange.ts';
import { ruleWith, runWith } from '../testing/small-target.ts';
import { TestContext } from './test-context.ts';

async function contextOfRun() {
  const run = runWith({}, {});
  const rule = ruleWith('X-1', () => {});
  await run.close();
  return { run, context: new TestContext(rule, run, run.redactorOf('')) };
}

test('a question is answered by yes and no, and a value shown as it is', async () => {
  const { context } = await contextOfRun();
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

test('an answer 503 is waited for, judged and counted, and is no server error', async () => {
  const { run, context } = await contextOfRun();
  const away = (seconds: number) =>
    context.waitUntilAvailable({
      method: 'GET',
      target: '/developer/v1/employees',
      requestHeaders: [],
      status: 503,
      headers: [['Retry-After', String(seconds)]],
      body: Buffer.from('{}'),
    } as unknown as Exchange);
  const fromMs = performance.now();
  await away(1);
  expect(performance.now() - fromMs).toBeGreaterThan(990);
  expect(run.unavailable).toBe(1);
  expect(context.judged.get('GEN-11')?.complaints ?? []).toEqual([]);
  expect(context.judged.get('ERR-1')?.complaints).not.toEqual([]);
});
