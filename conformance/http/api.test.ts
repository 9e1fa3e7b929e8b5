import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { LATEST_MS } from '../engine/pacer.ts';
import type { TestContext } from '../engine/test-context.ts';
import { Api } from './api.ts';
import type { Exchange } from './exchange.ts';

/** Starts a target. @returns its base URL, and what ends it */
async function target(answer: RequestListener) {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

test('an answer is judged when its caller asks for it, and carries the time of its arrival', async () => {
  const { baseUrl, close } = await target((_request, response) => response.end('{}'));
  const recorded: Exchange[] = [];
  const record = (exchange: Exchange) => recorded.push(exchange);
  const context = { rule: { id: 'X-1' }, profile: {}, record } as unknown as TestContext;
  const { promise: answered, resolve: onceAnswered } = Promise.withResolvers<void>();
  const { promise: judge, resolve: mayJudge } = Promise.withResolvers<void>();
  const onAnswer = () => {
    onceAnswered();
    return judge;
  };
  try {
    const sending = new Api(context, { names: [], unpaced: true, baseUrl }).send({ path: '/x', onAnswer });
    await answered;
    const atMs = performance.now();
    expect(recorded).toEqual([]);
    mayJudge();
    await sending;
    expect(recorded.map(({ target }) => target)).toEqual(['/developer/v1/x']);
    expect(recorded[0]?.receivedAtMs).toBeLessThanOrEqual(atMs);
  } finally {
    close();
  }
});

test.each([
  [
    'after the target stood still for long is repeated once the pacer has no tokens left',
    LATEST_MS + 50,
    false,
    [200],
    1,
  ],
  ['at once is judged', 0, false, [429], 0],
  ['that a rule expects is judged', LATEST_MS + 50, true, [429], 0],
])('a refusal by the limit %s', async (_what, afterMs, mayBeRefused, judged, drained) => {
  let requests = 0;
  const { baseUrl, close } = await target((_request, response) => {
    response.statusCode = requests++ === 0 ? 429 : 200;
    setTimeout(() => response.end('{}'), response.statusCode === 429 ? afterMs : 0);
  });
  const statuses: number[] = [];
  const asked: string[] = [];
  const context = {
    rule: { id: 'X-1' },
    profile: {},
    mayBeRefused,
    secretOf: () => 'secret',
    record: ({ status }: Exchange) => statuses.push(status),
    link: { slot: async () => 'KEY', ask: async ({ op }: { op: string }) => asked.push(op) },
  } as unknown as TestContext;
  try {
    await new Api(context, { names: ['KEY'], baseUrl }).send({ path: '/x' });
    expect([statuses, asked]).toEqual([judged, Array.from({ length: drained }, () => 'drain')]);
  } finally {
    close();
  }
});
