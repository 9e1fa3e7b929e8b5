/** Which receivers a sender accepts: only with a certificate for the URL's host. */
import type { TlsOptions } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import {
  loopbackOutbound,
  RECEIVER,
  receiver,
  TestAuthority,
  type TestReceiver,
} from '../../../scripts/world/receiver.ts';
import type { Outbound } from './outbound.ts';

const authority = new TestAuthority();
const deadlineMs = 30_000;
const open: { stop(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

interface Case {
  readonly tls: TlsOptions;
  readonly host?: string;
  readonly sender?: (port: number) => Outbound;
}

/** The result that a sender reports for a server with this identity. */
async function outcome({
  tls,
  host = RECEIVER,
  sender,
}: Case): Promise<{ said: number | string; there: TestReceiver }> {
  const there = await receiver(tls);
  const from = sender?.(there.port) ?? loopbackOutbound(there.port, authority, { deadlineMs });
  open.push(there, from);
  const url = `https://${host}:${there.port}/`;
  const { status_code, error } = await from.post({ url, body: '{}', headers: {} });
  return { said: error === '' ? status_code : error, there };
}

const good = authority.server([RECEIVER]);

test('a server with a certificate for the host is connected by its name', async () => {
  const { said, there } = await outcome({ tls: good });
  expect(said).toBe(204);
  expect(there.names).toEqual([RECEIVER]);
});

test('a name with a final dot is the same name', async () => {
  const sender = (port: number) => loopbackOutbound(port, authority, { deadlineMs, lookup: async () => ['127.0.0.1'] });
  const { said, there } = await outcome({ tls: good, host: `${RECEIVER}.`, sender });
  expect(said).toBe(204);
  expect(there.names).toEqual([RECEIVER]);
});

test('an address is verified as an address, and is not sent as server name', async () => {
  const { said, there } = await outcome({ tls: authority.server(['127.0.0.1']), host: '127.0.0.1' });
  expect(said).toBe(204);
  expect(there.names).toEqual([false]);
});

test('a wildcard covers one label', async () => {
  const tls = authority.server([`*.${RECEIVER}`]);
  expect((await outcome({ tls, host: `a.${RECEIVER}` })).said).toBe(204);
  expect((await outcome({ tls, host: `a.b.${RECEIVER}` })).said).toBe('tls_error');
});

const nobodys = new TestAuthority();
test.each<[string, Case]>([
  ['an expired certificate', { tls: authority.server([RECEIVER], { days: -1 }) }],
  ['its own certificate', { tls: authority.server([RECEIVER], { ownIssuer: true }) }],
  ["another host's certificate", { tls: authority.server(['other.test']) }],
  ['a certificate without alternative names', { tls: authority.server([], {}, RECEIVER) }],
  [
    'a certificate for the address that the name leads to, whatever its common name,',
    { tls: authority.server(['127.0.0.1'], {}, RECEIVER) },
  ],
  ["a name's certificate at an address", { tls: good, host: '127.0.0.1' }],
  [
    'an unknown server name',
    { tls: { ...good, SNICallback: (_name, callback) => callback(new Error('unknown'), undefined) } },
  ],
  [
    'the right certificate, where the deployment trusts no authority of its own',
    {
      tls: good,
      sender: (port) => loopbackOutbound(port, authority, { deadlineMs, authority: undefined }),
    },
  ],
])('%s is a tls_error, and nothing is sent', async (_what, options) => {
  const { said, there } = await outcome(options);
  expect(said).toBe('tls_error');
  expect(there.requests).toEqual([]);
});

test('no environment variable weakens the verification or redirects the connection', async () => {
  const names = ['NODE_TLS_REJECT_UNAUTHORIZED', 'HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'];
  const before = Object.fromEntries([...names, 'NODE_USE_ENV_PROXY'].map((name) => [name, process.env[name]]));
  Object.assign(process.env, Object.fromEntries(names.map((name) => [name, 'http://127.0.0.1:9'])));
  Object.assign(process.env, { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_USE_ENV_PROXY: '1', NO_PROXY: '' });
  try {
    expect((await outcome({ tls: nobodys.server([RECEIVER]) })).said).toBe('tls_error');
    expect((await outcome({ tls: good })).said).toBe(204);
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});
