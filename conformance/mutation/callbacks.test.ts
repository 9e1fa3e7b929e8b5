import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { testFolder } from '../../scripts/kit/testing/test-folder.ts';
import { bytesOf, type Delivery } from '../callbacks/delivery.ts';
import { Receiver } from '../callbacks/receiver.ts';
import { parseSignature, signatureOf, verifies } from '../callbacks/signature.ts';
import { strangeCertificate } from '../callbacks/strange-certificate.ts';
import { headerOf } from '../http/exchange.ts';
import { jsonBody } from './alter.ts';
import { CallbackProxy, sign } from './callbacks.ts';
import type { AlterDelivery, Deliver, ProxiedDelivery, ProxiedRequest } from './fault.ts';
import { type PlantedFault, planted } from './proxy.ts';

const SECRET = 'whsec_one';
const T = 1772424901;

const folder = testFolder();
let receiver: Receiver;
let proxy: CallbackProxy | undefined;
/** Where endpoints are. */
let base = '';

beforeEach(async () => {
  const identity = await strangeCertificate();
  writeFileSync(join(folder, 'cert.pem'), identity.cert);
  writeFileSync(join(folder, 'key.pem'), identity.key);
  receiver = new Receiver(identity);
});

afterEach(async () => {
  await proxy?.close();
  await receiver.close();
});

const fault = (delivery: AlterDelivery, rule = 'DLV-1'): PlantedFault =>
  planted({ id: rule, rule, breaks: 'x', delivery }, () => '');

async function open(...rows: PlantedFault[]): Promise<void> {
  const listen = '127.0.0.1:0';
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  proxy = await CallbackProxy.open({ mode: 'loopback', listen, certificate, key }, rows);
  const [host = '', port] = (proxy.env.CONF_CALLBACKS_LISTEN ?? '').split(':');
  await receiver.listen(host, Number(port));
  base = proxy.env.CONF_CALLBACKS_URL ?? '';
}

/** The proxy of requests reports that the rule has created this. */
function learns(operation: 'createWebhookEndpoint' | 'createDocument', rule: string, said: object, answer: object) {
  const asked: ProxiedRequest = {
    rule,
    operation,
    method: 'POST',
    target: '',
    headers: [],
    body: jsonBody(said),
    replica: false,
  };
  proxy?.learn(asked, { status: 200, headers: [], body: jsonBody(answer) });
}
const hook = (rule: string, path: string, secret = SECRET, event_types = ['document.sent']) =>
  learns('createWebhookEndpoint', rule, { url: `${base}/${path}`, event_types }, { secret });

const posting = (path: string) =>
  request(`${base}/${path}`, { method: 'POST', agent: false, rejectUnauthorized: false });

/** Delivers to an endpoint as a target would. @returns the status, or a system error code if no answer came */
async function deliver(path: string, body = '{}', secret = SECRET): Promise<unknown> {
  const out = posting(path).setHeader('Service-Signature', `t=${T},v1=${signatureOf(secret, T, Buffer.from(body))}`);
  out.end(body);
  const answered = once(out, 'response') as Promise<[IncomingMessage]>;
  return answered.then(
    ([answer]) => once(answer.resume(), 'close').then(() => answer.statusCode),
    (error: NodeJS.ErrnoException) => error.code,
  );
}

const received = async (count: number) => {
  while (receiver.deliveries.length < count) await setTimeout(20);
};
const isSigned = (one: Delivery, secret: string): boolean => {
  const signature = parseSignature(headerOf(one, 'Service-Signature'));
  return signature !== undefined && signature.t === T && verifies(secret, signature, bytesOf(one));
};

describe('a fault in deliveries', () => {
  test('affects the endpoints of its rule, and on a shared endpoint the documents of its rule', async () => {
    await open(
      fault(async () => 418, 'DLV-1'),
      fault(async () => 419, 'DLV-2'),
    );
    hook('DLV-1', 'own');
    hook('DLV-3', 'foreign');
    hook('DLV-1', 'shared', SECRET, Array(11).fill('x'));
    learns('createDocument', 'DLV-2', {}, { document: { id: 'd2' } });
    const of = (document_id: string) => JSON.stringify({ data: { document_id } });
    const statuses = [];
    for (const route of ['own', 'foreign', 'shared', 'unknown']) statuses.push(await deliver(route, of('d2')));
    statuses.push(await deliver('shared', of('d3')));
    expect(statuses).toEqual([418, 200, 419, 200, 418]);
  });

  test('finds the secret that signed when two endpoints have the same URL, and signs with it', async () => {
    const again: AlterDelivery = (one, forward) => {
      const next = { ...one, headers: [...one.headers], body: Buffer.from('{"changed":1}') };
      sign(next);
      return forward(next);
    };
    await open(fault(again));
    hook('DLV-1', 'r', 'whsec_one');
    hook('DLV-1', 'r', 'whsec_two');
    for (const secret of ['whsec_one', 'whsec_two']) await deliver('r', '{}', secret);
    expect(receiver.deliveries.map((one) => `${bytesOf(one)}`)).toEqual(['{"changed":1}', '{"changed":1}']);
    expect(receiver.deliveries.map((one) => [isSigned(one, 'whsec_one'), isSigned(one, 'whsec_two')])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('stops waiting for the receiver when the target gives up, unless it outlasts the target', async () => {
    const ends: (number | string)[] = [];
    const outlasting = (outlasts: boolean) => async (one: ProxiedDelivery, forward: Deliver) => {
      const reply = forward(one, { outlasts });
      await reply.then(
        ({ status }) => ends.push(status),
        () => ends.push('given up'),
      );
      return reply;
    };
    const faults = [fault(outlasting(false), 'DLV-1'), fault(outlasting(true), 'DLV-2')];
    await open(...faults);
    hook('DLV-1', 'silent');
    hook('DLV-2', 'late');
    receiver.react('silent', [{ answer: 'hang' }]);
    receiver.react('late', [{ answer: 201, delayMs: 500 }]);
    for (const [i, route] of ['silent', 'late'].entries()) {
      const out = posting(route).on('error', () => {});
      out.end('{}');
      await received(i + 1);
      out.destroy();
    }
    while (ends.length < 2) await setTimeout(20);
    expect(ends).toEqual(['given up', 201]);
    expect(await deliver('r')).toBe(200);
    expect(faults.map(({ failure }) => failure)).toEqual([undefined, undefined]);
  });

  test('that fails itself is noted; a receiver that does not answer is no failure', async () => {
    const broken = fault(async (one) => JSON.parse(`no JSON in ${one.path}`), 'DLV-1');
    const unheard = fault((one, forward) => forward(one), 'DLV-2');
    await open(broken, unheard);
    for (const rule of ['DLV-1', 'DLV-2']) hook(rule, rule);
    receiver.react('DLV-2', [{ answer: 'reset' }]);
    for (const rule of ['DLV-1', 'DLV-2']) expect(await deliver(rule)).toBe('ECONNRESET');
    expect(broken.failure).toMatch(/^SyntaxError/);
    expect(unheard.failure).toBeUndefined();
  });

  test('counts as active after another answer, an attempt more or less, other bytes, or another address', async () => {
    const wrongs: AlterDelivery[] = [
      async (one, forward) => (await forward(one)).status,
      async () => 200,
      async (one, forward) => {
        await forward(one);
        return forward(one);
      },
      (one, forward) => forward({ ...one, body: Buffer.from('{"a":1}') }),
      (one, forward) => forward({ ...one, path: '/other' }),
    ];
    let next: AlterDelivery = (one, forward) => {
      const same = { ...one, headers: [...one.headers] };
      sign(same);
      return forward(same);
    };
    const one = fault((delivered, forward, memory) => next(delivered, forward, memory));
    await open(one);
    hook('DLV-1', 'r');
    const counts: number[] = [];
    for (const wrong of [next, ...wrongs]) {
      next = wrong;
      await deliver('r');
      counts.push(one.changed);
    }
    expect(counts).toEqual([0, 1, 2, 3, 4, 5]);
    expect(receiver.deliveries.map(({ route }) => route)).toEqual(['r', 'r', 'r', 'r', 'r', 'other']);
  });
});
