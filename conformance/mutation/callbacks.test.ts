import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { bytesOf, type Delivery } from '../callbacks/delivery.ts';
import { Receiver } from '../callbacks/receiver.ts';
import { parseSignature, signatureOf, verifies } from '../callbacks/signature.ts';
import { strangeCertificate } from '../callbacks/strange-certificate.ts';
import { headerOf } from '../http/exchange.ts';
import { testFolder } from '../processes/testing/test-folder.ts';
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

interface ReceivedDelivery {
  status: number | string;
  location?: string | undefined;
  text: string;
}

/** Delivers to an endpoint as a target would; `status` is a system error code if no answer came. */
function deliver(
  path: string,
  body = '{}',
  { secret = SECRET, enough = 100_000, agent = false as false | Agent } = {},
): Promise<ReceivedDelivery> {
  return new Promise((resolve) => {
    const v1 = signatureOf(secret, T, Buffer.from(body));
    const failed = (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? 'error', text: '' });
    const out = request(`${base}/${path}`, { method: 'POST', agent, rejectUnauthorized: false }, (answer) => {
      let text = '';
      const got = () => ({ status: answer.statusCode ?? 0, location: answer.headers.location, text });
      answer.on('data', (part) => {
        text += part;
        if (text.length >= enough) out.destroy();
      });
      answer.on('close', () => resolve(got()));
      answer.on('error', () => {});
    });
    out.on('error', failed);
    out.setHeader('Service-Signature', `t=${T},v1=${v1}`);
    out.end(body);
  });
}

const received = async (count: number) => {
  while (receiver.deliveries.length < count) await setTimeout(20);
};
const bodies = () => receiver.deliveries.map((one) => bytesOf(one).toString());
const isSigned = (one: Delivery, secret: string): boolean => {
  const signature = parseSignature(headerOf(one, 'Service-Signature'));
  return signature !== undefined && signature.t === T && verifies(secret, signature, bytesOf(one));
};

describe('between target and receiver', () => {
  test('everything passes unchanged without a fault', async () => {
    let met = 0;
    const null_ = fault((one, forward) => {
      met++;
      return forward(one);
    });
    await open(null_);
    hook('DLV-1', 'r');
    receiver.react('r', [{ answer: 307, location: 'https://there/' }, { answer: 'endless' }, { answer: 'reset' }]);
    const body = '{"id":"1","text":"ә"}';
    expect(await deliver('r', body)).toMatchObject({ status: 307, location: 'https://there/' });
    const endless = await deliver('r', body);
    expect([endless.status, endless.text.length >= 100_000]).toEqual([200, true]);
    expect((await deliver('r', body)).status).toBe('ECONNRESET');
    expect(bodies()).toEqual([body, body, body]);
    expect(receiver.deliveries.every((one) => isSigned(one, SECRET))).toBe(true);
    expect([met, null_.changed]).toEqual([3, 0]);
  });

  test('the head of an answer passes before its body, and no answer is made up for a silent receiver', async () => {
    await open();
    receiver.react('slow', [{ answer: 'slow_body', delayMs: 3_600_000 }]);
    receiver.react('trickle', [{ answer: 'trickle', delayMs: 3_600_000 }]);
    receiver.react('silent', [{ answer: 'hang' }]);
    expect(await deliver('slow', '{}', { enough: 1 })).toMatchObject({ status: 200, text: '.' });
    expect(await deliver('trickle', '{}', { enough: 2 })).toMatchObject({ status: 200, text: '..' });
    const silent = deliver('silent');
    await received(3);
    await proxy?.close();
    proxy = undefined;
    expect((await silent).status).toBe('ECONNRESET');
  });

  test('the receiver sees which connections the target uses again, and the target what is no answer', async () => {
    await open();
    const agent = new Agent({ keepAlive: true });
    try {
      for (let i = 0; i < 2; i++) expect((await deliver('r', '{}', { agent })).status).toBe(200);
      expect((await deliver('r')).status).toBe(200);
      const [one, again, other] = receiver.deliveries.map(({ connection }) => connection);
      expect([again === one, other === one]).toEqual([true, false]);
    } finally {
      agent.destroy();
    }
    for (const [bytes, status] of [
      ['SSH-2.0-x\r\n', 'HPE_INVALID_CONSTANT'],
      ['HTTP/1.1 200 OK\r\nContent-Le', 'ECONNRESET'],
      ['HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 202 OK\r\nContent-Length: 0\r\n\r\n', 202],
    ] as const) {
      receiver.react('raw', [{ answer: 'raw', parts: [bytes] }]);
      expect((await deliver('raw')).status).toBe(status);
    }
  });

  test('a receiver that is closed, or presents another certificate, gets nothing', async () => {
    await open();
    for (const mode of ['closed', 'strange_certificate', 'no_tls'] as const) {
      await receiver.setMode(mode);
      expect((await deliver('r')).status).toBe('ECONNRESET');
    }
    await receiver.setMode('open');
    expect((await deliver('r')).status).toBe(200);
    expect(receiver.deliveries).toHaveLength(1);
  });
});

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
    for (const [path, id] of [
      ['own', 'd2'],
      ['foreign', 'd2'],
      ['shared', 'd2'],
      ['shared', 'd3'],
      ['unknown', 'd2'],
    ] as const) {
      statuses.push((await deliver(path, of(id))).status);
    }
    expect(statuses).toEqual([418, 200, 419, 418, 200]);
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
    for (const secret of ['whsec_one', 'whsec_two']) await deliver('r', '{}', { secret });
    expect(bodies()).toEqual(['{"changed":1}', '{"changed":1}']);
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
      const out = request(`${base}/${route}`, { method: 'POST', agent: false, rejectUnauthorized: false });
      out.on('error', () => {});
      out.end('{}');
      await received(i + 1);
      out.destroy();
    }
    while (ends.length < 2) await setTimeout(20);
    expect(ends).toEqual(['given up', 201]);
    expect((await deliver('r')).status).toBe(200);
    expect(faults.map(({ failure }) => failure)).toEqual([undefined, undefined]);
  });

  test('that fails itself is noted; a receiver that does not answer is no failure', async () => {
    const broken = fault(async (one) => JSON.parse(`no JSON in ${one.path}`), 'DLV-1');
    const unheard = fault((one, forward) => forward(one), 'DLV-2');
    await open(broken, unheard);
    for (const rule of ['DLV-1', 'DLV-2']) hook(rule, rule);
    receiver.react('DLV-2', [{ answer: 'reset' }]);
    for (const rule of ['DLV-1', 'DLV-2']) expect((await deliver(rule)).status).toBe('ECONNRESET');
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
