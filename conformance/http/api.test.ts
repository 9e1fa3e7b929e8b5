import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import type { TestContext } from '../engine/test-context.ts';
import { Api } from './api.ts';
import type { Exchange } from './exchange.ts';

test('an answer is judged when its caller asks for it, and carries the time of its arrival', async () => {
  const server = createServer((_request, response) => response.end('{}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const recorded: Exchange[] = [];
  const record = (exchange: Exchange) => recorded.push(exchange);
  const context = { rule: { id: 'X-1' }, profile: {}, record } as unknown as TestContext;
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
    server.closeAllConnections();
    server.close();
  }
});
