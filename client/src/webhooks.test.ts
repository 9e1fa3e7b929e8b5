/** Which deliveries are believed, and what a receiver answers. */
import { createHmac } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import express from 'express';
import { closeServer, listenOnLoopback } from '../../scripts/kit/ports.ts';
import { signatureOf as header, ID, NOW_MS, rejection, SECRET } from '../testing/fixture.ts';
import { expressWebhook, RecentEvents, type WebhookOptions, webhookHandler } from './receiver.ts';
import type { WebhookEvent } from './types.ts';
import { signWebhook, verifyWebhook } from './webhooks.ts';

const EVENT = { id: ID, type: 'employee.changed', occurred_at: '2026-03-02T04:14:59.000Z', data: { employee_id: ID } };
const BODY = JSON.stringify({ ...EVENT, note: 'бұйрық' });

const strict = { nowMs: NOW_MS, toleranceMs: 60_000 };
const verified = (
  body: string | Uint8Array | ArrayBuffer,
  signature: string | null,
  secrets: string | string[] = SECRET,
) => verifyWebhook(body, signature, secrets, { nowMs: NOW_MS });

describe('verifyWebhook', () => {
  test('gives the event of a genuine delivery, from text or bytes, with what a later release adds', async () => {
    const bytes = new TextEncoder().encode(BODY);
    for (const body of [BODY, bytes, Buffer.from(BODY), bytes.buffer]) {
      expect(await verified(body, header(BODY))).toMatchObject({ ...EVENT, note: 'бұйрық' });
    }
    expect(await verified(BODY, `${header(BODY)},v2=abc`)).toMatchObject(EVENT);
    const later = JSON.stringify({ ...EVENT, type: 'payroll.closed' });
    expect(await verified(later, header(later))).toMatchObject({ type: 'payroll.closed' });
  });

  test('takes any of several secrets, and tries each of them whatever the first one says', async () => {
    const tried = jest.spyOn(crypto.subtle, 'verify');
    for (const secrets of [
      [SECRET, 'whsec_b', 'whsec_c'],
      ['whsec_a', SECRET, 'whsec_c'],
      ['whsec_a', 'whsec_b', SECRET],
    ]) {
      expect(await verified(BODY, header(BODY), secrets)).toMatchObject(EVENT);
    }
    expect(await rejection(verified(BODY, header(BODY), ['whsec_a', 'whsec_b', 'whsec_c']))).toMatchObject({
      fault: 'wrong signature',
    });
    expect(tried).toHaveBeenCalledTimes(12);
    tried.mockRestore();
  });

  test.each([
    ['no signature', BODY, null],
    ['no signature', BODY, ''],
    ['malformed signature', BODY, 'v1=00'],
    ['malformed signature', BODY, header(BODY).toUpperCase()],
    ['malformed signature', BODY, header(BODY).slice(0, -1)],
    ['malformed signature', BODY, header(BODY).replace(/^t=\d+,/, '')],
    ['wrong signature', `${BODY} `, header(BODY)],
    ['wrong signature', BODY, header(BODY).replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['wrong signature', BODY, header(BODY).replace(/^t=(\d+)/, (_, t) => `t=${Number(t) + 1}`)],
    ['wrong signature', BODY, header(BODY, { secret: SECRET.slice('whsec_'.length) })],
    ['too old', BODY, header(BODY, { atMs: NOW_MS - 301_000 })],
    ['no event', 'hello', header('hello')],
    ['no event', '{"id":1}', header('{"id":1}')],
    ['no event', 'null', header('null')],
  ])('%s: %s with %s', async (fault, body, signature) => {
    expect(await rejection(verified(body, signature))).toMatchObject({ name: 'WebhookError', fault });
  });

  test('no event: text that is not UTF-8, though it is signed', async () => {
    const bytes = Buffer.from(BODY.replace('бұйрық', '\u00ff'), 'latin1');
    const t = NOW_MS / 1000;
    const v1 = createHmac('sha256', SECRET).update(`${t}.`).update(bytes).digest('hex');
    expect(await rejection(verified(bytes, `t=${t},v1=${v1}`))).toMatchObject({ fault: 'no event' });
  });

  test('a delivery may be signed five minutes before or after now, or as far as is given', async () => {
    for (const atMs of [NOW_MS - 300_000, NOW_MS + 300_000]) {
      expect(await verified(BODY, header(BODY, { atMs }))).toMatchObject(EVENT);
      expect(await rejection(verifyWebhook(BODY, header(BODY, { atMs }), SECRET, strict))).toMatchObject({
        fault: atMs < NOW_MS ? 'too old' : 'too far ahead',
      });
    }
    const nextYear = verified(BODY, header(BODY, { atMs: NOW_MS + 365 * 86_400_000 }));
    expect(await rejection(nextYear)).toMatchObject({ fault: 'too far ahead' });
  });

  test('white space around a secret, as of a file, is no part of it', async () => {
    expect(await verified(BODY, header(BODY), ` ${SECRET}\n`)).toMatchObject(EVENT);
    expect(await signWebhook(BODY, `${SECRET}\n`, { nowMs: NOW_MS })).toBe(header(BODY));
  });

  test('says what is wrong with its use: a secret that is missing, a parsed body', async () => {
    const unset = undefined as unknown as string;
    for (const secrets of ['', [], unset, [SECRET, ''], [unset]]) {
      await expect(verifyWebhook(BODY, null, secrets)).rejects.toThrow(/^a secret of the endpoint is missing/);
      // A receiver says it when it is made.
      expect(() => webhookHandler({ secrets, onEvent: () => {} })).toThrow(TypeError);
    }
    await expect(signWebhook(BODY, '')).rejects.toThrow(TypeError);
    expect((await rejection(verified(EVENT as never, header(BODY)))).message).toContain('a JSON parser has read it');
  });
});

/** Answers a delivery and says what the receiver did. */
type Receiver = (body: string, signature?: string) => Promise<number>;

const servers: Server[] = [];
afterEach(() => Promise.all(servers.splice(0).map(closeServer)));

async function listening(listener: RequestListener): Promise<Receiver> {
  const server = createServer(listener);
  const port = await listenOnLoopback(server);
  servers.push(server);
  return async (body, signature) => {
    const headers = {
      'Content-Type': 'application/json',
      ...(signature !== undefined && { 'Service-Signature': signature }),
    };
    return (await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', headers, body })).status;
  };
}

/** The one for Fastify runs in a Fastify, with the package. */
const receivers: Readonly<Record<string, (options: WebhookOptions) => Promise<Receiver>>> = {
  Express: (options) => listening(express().post('/hooks', expressWebhook(options))),
  'Express with a raw parser': (options) =>
    listening(
      express()
        .use(express.raw({ type: '*/*' }))
        .post('/hooks', expressWebhook(options)),
    ),
  "Node's server": (options) => listening(expressWebhook(options)),
  fetch: async (options) => {
    const handler = webhookHandler(options);
    return async (body, signature) => {
      const headers = new Headers(signature === undefined ? {} : { 'Service-Signature': signature });
      return (await handler(new Request('https://hooks.test/', { method: 'POST', headers, body }))).status;
    };
  },
};

describe.each(Object.entries(receivers))('a receiver for %s', (_, open) => {
  const nowMs = () => NOW_MS;

  test('handles each event once and answers repeats with 200', async () => {
    const events: WebhookEvent[] = [];
    const deliver = await open({ secrets: SECRET, onEvent: (event) => events.push(event), nowMs });
    expect([await deliver(BODY, header(BODY)), await deliver(BODY, header(BODY))]).toEqual([200, 200]);
    expect(events).toEqual([expect.objectContaining(EVENT)]);
  });

  test('refuses what is not genuine with 400 and tells why, without handling it', async () => {
    const faults: unknown[] = [];
    const onError = (error: unknown) => faults.push((error as { fault?: unknown }).fault);
    const onEvent = () => {
      throw new Error('it was handled');
    };
    const deliver = await open({ secrets: SECRET, onEvent, onError, nowMs });
    expect([await deliver(BODY), await deliver(`${BODY} `, header(BODY))]).toEqual([400, 400]);
    expect(faults).toEqual(['no signature', 'wrong signature']);
  });

  test('answers 500 when an event could not be handled, and handles it when it comes again', async () => {
    let times = 0;
    const onEvent = async () => {
      times += 1;
      if (times === 1) throw new Error('the database is away');
    };
    // Whoever gives no onError reads it in the log of the program.
    const printed = jest.spyOn(console, 'error').mockReturnValue();
    const deliver = await open({ secrets: SECRET, onEvent, nowMs });
    expect([await deliver(BODY, header(BODY)), await deliver(BODY, header(BODY))]).toEqual([500, 200]);
    expect(printed.mock.calls).toEqual([[expect.any(String), new Error('the database is away')]]);
    printed.mockRestore();
    expect(times).toBe(2);
  });
});

const genuine = (body = BODY) =>
  new Request('https://hooks.test/', { method: 'POST', headers: { 'Service-Signature': header(body) }, body });

test('an attempt that comes twice at the same time is handled once', async () => {
  let times = 0;
  const verifying = jest.spyOn(crypto.subtle, 'verify');
  const onEvent = async () => {
    times += 1;
    // The other one is as far as this one.
    while (verifying.mock.calls.length < 2) await setImmediate();
    await Promise.all(verifying.mock.results.map(({ value }) => value));
    for (let i = 0; i < 5; i += 1) await setImmediate();
  };
  const handler = webhookHandler({ secrets: SECRET, onEvent, nowMs: () => NOW_MS });
  const answers = await Promise.all([handler(genuine()), handler(genuine())]);
  verifying.mockRestore();
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(times).toBe(1);
});

test('the latest events are remembered, and older ones make room', async () => {
  const handled: string[] = [];
  const onEvent = ({ id }: WebhookEvent) => handled.push(id);
  const handler = webhookHandler({ secrets: SECRET, onEvent, seen: new RecentEvents(2), nowMs: () => NOW_MS });
  for (const id of ['a', 'b', 'b', 'c', 'b', 'a']) await handler(genuine(JSON.stringify({ ...EVENT, id })));
  expect(handled).toEqual(['a', 'b', 'c', 'a']);
});

test('a store of your own is asked for each event and told of it once it is handled', async () => {
  const story: string[] = [];
  const seen = {
    has: async (id: string) => story.push(`has ${id}`) > 2,
    add: async (id: string) => story.push(`add ${id}`),
  };
  const handler = webhookHandler({ secrets: SECRET, onEvent: () => story.push('handled'), seen, nowMs: () => NOW_MS });
  await handler(genuine());
  await handler(genuine());
  expect(story).toEqual([`has ${ID}`, 'handled', `add ${ID}`, `has ${ID}`]);
});

test('a body that a parser has read, too large a body and another method are refused', async () => {
  const errors: unknown[] = [];
  const options = {
    secrets: SECRET,
    onEvent: () => {},
    onError: (error: unknown) => errors.push(String(error)),
    nowMs: () => NOW_MS,
  };
  const parsed = await listening(express().use(express.json()).post('/hooks', expressWebhook(options)));
  expect(await parsed(BODY, header(BODY))).toBe(500);
  expect(errors).toEqual(['TypeError: a JSON parser has read the body: put expressWebhook before it']);
  const plain = await listening(expressWebhook(options));
  expect(await plain(' '.repeat(65_537), header(BODY))).toBe(413);
  const handler = webhookHandler(options);
  expect((await handler(new Request('https://hooks.test/', { method: 'POST', body: ' '.repeat(65_537) }))).status).toBe(
    413,
  );
  expect((await handler(new Request('https://hooks.test/'))).status).toBe(405);
});
