/**
 * Where connections may go (D-28): names are looked up again each time, and connections go to the checked addresses.
 */
import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  loopbackOutbound,
  RECEIVER,
  receiver,
  TestAuthority,
  type TestReceiver,
} from '../../../scripts/world/receiver.ts';
import { type Outbound, type OutboundOptions, openOutbound } from './outbound.ts';
import { dnsLookup, type Lookup, resolveAllowed } from './resolve.ts';

const authority = new TestAuthority();
const OWN_PORT = 9_443;
const policy = { allowed: [], isOwnPort: (port: number) => port === OWN_PORT || port === 443 };
const answering =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses;
const hanging: Lookup = () => new Promise(() => {});
const resolve = (host: string, lookup: Lookup, port = 8_443, ms = 20_000) =>
  resolveAllowed(host, port, policy, lookup, ms);

describe('resolveAllowed', () => {
  test.each<[string, string[]]>([
    ['a public and a private one', ['8.8.8.8', '10.0.0.1']],
    ['a private one of the other family', ['8.8.8.8', 'fd00::1']],
    ['a private one after a thousand public ones', [...publicAddresses(), '192.168.0.1']],
    ['text that is no address', ['8.8.8.8', 'internal']],
  ])('refuses %s', async (_what, addresses) => {
    expect(await resolve('hooks.acme.kz', answering(...addresses))).toEqual({ error: 'address_denied' });
  });

  test('keeps a few addresses of each family, in a stable order', async () => {
    const many = [...publicAddresses(), '2606:4700::3', '2606:4700::1'];
    const expected = { addresses: ['1.0.0.0', '1.0.0.1', '1.0.0.10', '2606:4700::1', '2606:4700::3'] };
    expect(await resolve('hooks.acme.kz', answering(...many))).toEqual(expected);
    expect(await resolve('hooks.acme.kz', answering(...many.toReversed(), ...many))).toEqual(expected);
  });

  test.each(['localhost', 'LOCALHOST', 'localhost.', 'a.localhost'])(
    'takes %s for this machine, with any answer of DNS',
    async (name) => {
      expect(await resolve(name, answering('8.8.8.8'))).toEqual({ error: 'address_denied' });
    },
  );

  test.each(['intranet', 'hooks.test'])(
    'refuses %s, which is no name of the Internet, without a query',
    async (name) => {
      const lookup = jest.fn(answering('8.8.8.8'));
      expect(await resolve(name, lookup)).toEqual({ error: 'address_denied' });
      expect(lookup).not.toHaveBeenCalled();
      const allowed = [{ text: '', port: 8_443, holds: (address: string) => address === '127.0.0.1' }];
      const tested = (...addresses: string[]) =>
        resolveAllowed(name, 8_443, { ...policy, allowed }, answering(...addresses), 20_000);
      expect(await tested('127.0.0.1')).toEqual({ addresses: ['127.0.0.1'] });
      expect(await tested('8.8.8.8')).toEqual({ error: 'address_denied' });
    },
  );

  test('judges an address without a query', async () => {
    const lookup = jest.fn(answering('8.8.4.4'));
    expect(await resolve('8.8.8.8', lookup)).toEqual({ addresses: ['8.8.8.8'] });
    expect(await resolve('127.0.0.1', lookup)).toEqual({ error: 'address_denied' });
    expect(await resolve('::1', lookup)).toEqual({ error: 'address_denied' });
    expect(lookup).not.toHaveBeenCalled();
  });

  test.each<[string, Lookup]>([
    ['fails', () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }))],
    ['knows no address', answering()],
    ['hangs', hanging],
  ])('reports dns_error for a name server that %s', async (_what, lookup) => {
    expect(await resolve('hooks.acme.kz', lookup, 8_443, 50)).toEqual({ error: 'dns_error' });
  });

  test('cancels the query when nobody waits any more', async () => {
    let isCancelled = false;
    const lookup: Lookup = (_name, signal) => {
      signal.addEventListener('abort', () => {
        isCancelled = true;
      });
      return new Promise(() => {});
    };
    expect(await resolve('hooks.acme.kz', lookup, 8_443, 50)).toEqual({ error: 'dns_error' });
    expect(isCancelled).toBe(true);
  });

  test('accepts an allowed address on its port only, and never a port of this service', async () => {
    const allowed = [8_443, OWN_PORT, 443].map((port) => ({ text: '', port, holds: (a: string) => a === '127.0.0.1' }));
    const at = (port: number, host = '127.0.0.1') =>
      resolveAllowed(host, port, { ...policy, allowed }, answering('127.0.0.1', '8.8.8.8'), 20_000);
    expect(await at(8_443)).toEqual({ addresses: ['127.0.0.1'] });
    expect(await at(8_443, 'hooks.acme.kz')).toEqual({ addresses: ['127.0.0.1', '8.8.8.8'] });
    expect(await at(8_444)).toEqual({ error: 'address_denied' });
    expect(await at(OWN_PORT)).toEqual({ error: 'address_denied' });
    // Port 443 of another machine is allowed.
    expect(await at(443)).toEqual({ error: 'address_denied' });
    expect(await at(443, '8.8.8.8')).toEqual({ addresses: ['8.8.8.8'] });
  });
});

/** A thousand of them. */
function publicAddresses(): string[] {
  return Array.from({ length: 1_000 }, (_, i) => `1.0.${i >> 8}.${i & 255}`);
}

describe('between the check and the connection', () => {
  let there: TestReceiver;
  const senders: Outbound[] = [];
  beforeAll(async () => {
    there = await receiver(authority.server([RECEIVER]));
  });
  afterAll(async () => {
    for (const one of senders) one.stop();
    await there.stop();
  });
  const outbound = (changes: Partial<OutboundOptions>) => {
    const made = loopbackOutbound(there.port, authority, { deadlineMs: 30_000, ...changes });
    senders.push(made);
    return made;
  };
  const post = async (from: Outbound, url = there.url) => {
    const { status_code, error } = await from.post({ url, body: '{}', headers: {} });
    return error === '' ? status_code : error;
  };

  test('a name that became private after creation is refused', async () => {
    let address = '8.8.8.8';
    const from = outbound({ lookup: async () => [address] });
    const url = `https://hooks.acme.kz:${there.port}/hook`;
    expect(await from.problemOf(url)).toBeUndefined();
    address = '10.0.0.1';
    expect(await post(from, url)).toBe('address_denied');
    expect(await from.problemOf(url)).toBe('must lead to public addresses only');
    expect(await from.problemOf(there.url)).toEqual(expect.stringContaining('reserved for special use'));
  });

  test('a name is resolved once for each request, and the connection goes to that answer', async () => {
    const lookup = jest.fn<Lookup>();
    // A second lookup, for the connection, would give another address.
    lookup.mockResolvedValueOnce(['127.0.0.1']).mockResolvedValue(['127.0.0.2']);
    expect(await post(outbound({ lookup }))).toBe(204);
    expect(lookup).toHaveBeenCalledTimes(1);
  });

  test('a kept connection is not used after another answer of DNS', async () => {
    let address = '127.0.0.1';
    const allowed = [{ text: '', port: there.port, holds: (one: string) => one.startsWith('127.') }];
    const from = outbound({ allowed, lookup: async () => [address] });
    const before = there.requests.length;
    expect(await post(from)).toBe(204);
    // Allowed too, but nothing listens there.
    address = '127.0.0.3';
    expect(await post(from)).toBe('connect_error');
    address = '127.0.0.1';
    expect(await post(from)).toBe(204);
    expect(there.requests.length - before).toBe(2);
  });

  // Other systems than Linux have one address on loopback by default.
  const onLinux = process.platform === 'linux' ? test : test.skip;

  onLinux('of several checked addresses the next is tried where one does not answer', async () => {
    // Addresses are tried in the order of their texts. Nothing listens at the first one.
    const [dead, alive] = ['127.0.0.3', '127.0.0.9'];
    const distant = await receiver(authority.server([RECEIVER]), undefined, alive);
    const allowed = [{ text: '', port: distant.port, holds: (address: string) => address.startsWith('127.') }];
    const from = (...addresses: string[]) => outbound({ allowed, lookup: answering(...addresses) });
    expect(await post(from(alive, dead), distant.url)).toBe(204);
    expect(await post(from(dead), distant.url)).toBe('connect_error');
    await distant.stop();
  });

  test.each([
    'http://receiver.test/',
    'https://u:p@receiver.test/',
    'https://127.1/',
    'https://receiver.test:22/',
    'x',
  ])('a stored URL that would not be accepted gets no request: %s', async (url) => {
    const lookup = jest.fn(answering('8.8.8.8'));
    expect(await post(outbound({ lookup }), url)).toBe('address_denied');
    expect(lookup).not.toHaveBeenCalled();
  });

  test('a creation waits two seconds for a name server', async () => {
    const startedAt = performance.now();
    const problem = await outbound({ lookup: hanging }).problemOf('https://hooks.acme.kz/');
    expect(problem).toBe('must name a host that resolves within 2 seconds');
    expect(performance.now() - startedAt).toBeGreaterThan(1_900);
  });

  test('an attempt waits for a name server until its deadline, then ends as dns_error', async () => {
    expect(await post(outbound({ lookup: hanging, deadlineMs: 50 }), 'https://hooks.acme.kz/')).toBe('dns_error');
  });

  test('the ports of this service are read at each use', async () => {
    let ports: number[] = [];
    const from = openOutbound({ ownPorts: () => ports, lookup: answering('8.8.8.8') });
    senders.push(from);
    expect(await from.problemOf('https://hooks.acme.kz:8080/')).toBeUndefined();
    ports = [8080];
    expect(await from.problemOf('https://hooks.acme.kz:8080/')).toBe('must not be on a port of this service');
  });
});

describe('dnsLookup', () => {
  /** A name server for tests: it answers with as many addresses as the name says, otherwise not at all. */
  const server = createSocket('udp4');
  let lookup: Lookup;
  beforeAll(async () => {
    server.on('message', (query, { port, address }) => {
      const reply = replyTo(query);
      if (reply !== undefined) server.send(reply, port, address);
    });
    await new Promise<void>((listening) => server.bind(0, '127.0.0.1', listening));
    lookup = dnsLookup([`127.0.0.1:${server.address().port}`]);
  });
  afterAll(() => void server.close());

  const A = 1;
  const AAAA = 28;
  const NXDOMAIN = 3;
  const SERVFAIL = 2;

  /** The answer in the format of DNS (RFC 1035 §4); undefined for names that hang. */
  function replyTo(query: Buffer): Buffer | undefined {
    const labels: string[] = [];
    let at = 12;
    while (query[at] !== 0) {
      const length = query[at] as number;
      labels.push(query.subarray(at + 1, at + 1 + length).toString());
      at += 1 + length;
    }
    const type = query.readUInt16BE(at + 1);
    const question = query.subarray(12, at + 5);
    const [what] = labels;
    if (what === 'hang') return undefined;
    const records: Buffer[] = [];
    const record = (data: number[]) => {
      const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
      records.push(Buffer.concat([head, Buffer.from(data)]));
    };
    if (type === A && (what === 'both' || what === 'four')) record([8, 8, 8, 8]);
    if (type === AAAA && (what === 'both' || what === 'six')) record([0xfd, ...new Array(14).fill(0), 1]);
    const code = what === 'none' ? NXDOMAIN : what === 'broken' || (what === 'four' && type === AAAA) ? SERVFAIL : 0;
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    return Buffer.concat([head, question, ...records]);
  }

  const ask = (name: string, signal = AbortSignal.timeout(30_000)) => lookup(`${name}.example`, signal);

  test('asks for addresses of both families', async () => {
    expect([...(await ask('both'))].sort()).toEqual(['8.8.8.8', 'fd00::1']);
    expect(await ask('six')).toEqual(['fd00::1']);
  });

  test('needs one family only, even if the other fails', async () => {
    expect(await ask('four')).toEqual(['8.8.8.8']);
  });

  test.each(['none', 'broken', 'empty'])('finds no addresses for %s', async (name) => {
    await expect(ask(name)).rejects.toThrow('the name has no addresses');
  });

  test('cancels a query that nobody waits for', async () => {
    const other = new AbortController();
    const ended: string[] = [];
    const asked = (name: string, signal: AbortSignal) => ask('hang', signal).catch(() => ended.push(name));
    // Two tries at the name server take at least three seconds.
    const both = [asked('waited for', other.signal), asked('cancelled', AbortSignal.timeout(50))];
    await Promise.race(both);
    expect(ended).toEqual(['cancelled']);
    other.abort();
    await Promise.all(both);
  });
});
