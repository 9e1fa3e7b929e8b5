import { createServer } from 'node:http';
import { expect, jest, test } from '@jest/globals';
import { freePort } from '../../kit/ports.ts';
import { main } from './restart.ts';

test('a restart ends when every address answers, whatever it answers to the path', async () => {
  const statuses = [503, 404];
  const server = createServer((_, answer) => void answer.writeHead(statuses.shift() ?? 200).end());
  const port = await freePort();
  const restarted = main(['true', '--url', `http://127.0.0.1:${port}`]);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect([await restarted, statuses]).toEqual([0, []]);
  server.closeAllConnections();
  server.close();
});

test('a command that fails is reported, and nothing is waited for', async () => {
  const said = jest.spyOn(console, 'error').mockImplementation(() => {});
  expect(await main(['exit 3', '--url', 'http://127.0.0.1:1'])).toBe(1);
  expect(said.mock.calls.join()).toContain('ended with 3: exit 3');
  said.mockRestore();
});
