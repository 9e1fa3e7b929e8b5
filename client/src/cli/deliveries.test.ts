/** What a delivery on this machine gets as its answer, and what is shown of it. */
import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeServer, freePort, listenOnLoopback } from '../../../scripts/kit/ports.ts';
import { ID, NOW_MS, SECRET, signatureOf } from '../../testing/fixture.ts';
import { nextAttemptAt, numberOfAttempt } from './attempts.ts';
import { type DeliveryReport, deliveryServer, type ReceiverOptions } from './deliveries.ts';
import { linesOf } from './lines.ts';

const EVENT = { id: ID, type: 'employee.changed', occurred_at: '2026-03-02T04:14:59.250Z', data: { employee_id: ID } };
const BODY = JSON.stringify(EVENT);
const PATH = '/listen/1';

const servers: Server[] = [];
afterEach(() => Promise.all(servers.splice(0).map(closeServer)));

function portOf(server: Server): Promise<number> {
  servers.push(server);
  return listenOnLoopback(server);
}

/** The program of an integrator. @returns its address */
async function program(listener: RequestListener): Promise<URL> {
  return new URL(`http://127.0.0.1:${await portOf(createServer(listener))}/hooks?from=here`);
}

type Headers = Readonly<Record<string, string>>;

/** A listener. @returns what sends it a delivery, and what it has shown */
async function listener(options: Partial<ReceiverOptions> = {}) {
  const heard: DeliveryReport[] = [];
  const server = deliveryServer({
    secrets: Promise.resolve([SECRET]),
    path: PATH,
    forwardTo: undefined,
    answer: 204,
    tls: undefined,
    clockAheadMs: () => undefined,
    heard: (report) => heard.push(report),
    nowMs: () => NOW_MS,
    ...options,
  });
  const port = await portOf(server);
  async function send(body: string, headers: Headers, path = PATH): Promise<IncomingMessage & { text: string }> {
    const sent = httpRequest({ port, host: '127.0.0.1', path, method: 'POST', headers: { ...headers } }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return Object.assign(response, { text: await text(response) });
  }
  return { heard, send };
}

const signed = (body = BODY, given: Parameters<typeof signatureOf>[1] = {}): Headers => ({
  'Service-Signature': signatureOf(body, given),
});

test('a genuine delivery is shown: time, type, object, attempt, delay, answer', async () => {
  const { heard, send } = await listener();
  expect((await send(BODY, signed())).statusCode).toBe(204);
  expect(heard).toEqual([
    {
      event: 'delivery',
      received_at: '2026-03-02T04:15:00.000Z',
      fault: '',
      envelope: EVENT,
      attempt: 1,
      latency_ms: 750,
      status: 204,
      duration_ms: 0,
      problem: '',
      next_attempt_at: null,
    },
  ]);
  const line = `employee.changed  employee_id=${ID}  attempt 1  after 750 ms  204 in 0 ms  event=${ID}\n`;
  expect(linesOf(heard[0] as DeliveryReport)).toMatch(/^\d\d:\d\d:00 {2}/);
  expect(linesOf(heard[0] as DeliveryReport).slice(10)).toBe(line);
});

describe('a program behind it', () => {
  test('gets the same bytes and headers, and its answer is the answer', async () => {
    const got: { url?: string; raw: string[]; body: string; host: string | undefined }[] = [];
    const forwardTo = await program(async (request, response) => {
      const body = await text(request);
      got.push({ url: request.url ?? '', raw: request.rawHeaders, body, host: request.headers.host });
      response.writeHead(202, { 'X-Own': 'yes' }).end('done');
    });
    const { heard, send } = await listener({ forwardTo });
    const body = BODY.replaceAll('"data"', ' "data"');
    const headers = { ...signed(body), 'Content-Type': 'application/json', 'X-Odd-Case': 'kept', Connection: 'close' };
    const answer = await send(body, headers);
    expect([answer.statusCode, answer.headers['x-own'], answer.text]).toEqual([202, 'yes', 'done']);
    expect(got).toEqual([expect.objectContaining({ url: '/hooks?from=here', body, host: forwardTo.host })]);
    expect(got[0]?.raw.join('\n')).toContain('X-Odd-Case\nkept');
    expect(got[0]?.raw.join('\n')).toContain(`Service-Signature\n${signatureOf(body)}`);
    expect(heard).toMatchObject([{ status: 202, problem: '' }]);
  });

  test('that fails is named, with the time of the next attempt', async () => {
    let status = 500;
    const forwardTo = await program((request, response) =>
      request.resume().once('end', () => response.writeHead(status).end()),
    );
    const { heard, send } = await listener({ forwardTo });
    expect((await send(BODY, signed())).statusCode).toBe(500);
    status = 302;
    expect((await send(BODY, signed())).statusCode).toBe(302);
    expect(heard).toMatchObject([
      { attempt: 1, status: 500, problem: expect.stringContaining('500'), next_attempt_at: '2026-03-02T04:15:15.000Z' },
      {
        attempt: 2,
        status: 302,
        problem: expect.stringContaining('no redirect'),
        next_attempt_at: '2026-03-02T04:16:00.000Z',
      },
    ]);
    expect(linesOf(heard[0] as DeliveryReport)).toMatch(
      /\n {10}500, .* The service delivers it again at about \d\d:\d\d:15\.\n$/,
    );
  });

  test('that does not run is named, and so is one that breaks the connection', async () => {
    const nobody = new URL(`http://127.0.0.1:${await freePort()}/hooks`);
    const { heard, send } = await listener({ forwardTo: nobody });
    expect((await send(BODY, signed())).statusCode).toBe(502);
    expect(heard).toMatchObject([{ status: 502, problem: `Nothing listens at ${nobody.href}: start your program.` }]);
    const broken = await listener({ forwardTo: await program((request) => request.socket.destroy()) });
    expect((await broken.send(BODY, signed())).statusCode).toBe(502);
    expect(broken.heard[0]?.problem).toContain('ECONNRESET');
  });

  test('gets nothing that is not genuine', async () => {
    let calls = 0;
    const forwardTo = await program((_, response) => {
      calls += 1;
      response.end();
    });
    const { send } = await listener({ forwardTo });
    expect((await send(`${BODY} `, signed())).statusCode).toBe(400);
    expect(calls).toBe(0);
  });
});

describe('what is refused is explained:', () => {
  const reformatted = JSON.stringify(EVENT, undefined, 2);

  test.each([
    ['no header', BODY, {}, 'no Service-Signature'],
    ['a header of something else', BODY, { 'Service-Signature': 'sha256=00' }, 'not t=<seconds>,v1=<hex>'],
    ['JSON that was written anew', reformatted, signed(), 'writes the JSON anew'],
    ['a line end', `${BODY}\n`, signed(), 'adds blanks or a line end'],
    ['compression', BODY, { ...signed('other'), 'Content-Encoding': 'gzip' }, 'encodes the body (gzip)'],
    ['another secret', BODY, signed(BODY, { secret: 'whsec_other' }), 'the secret of another endpoint'],
    ['another body', '{}', signed(), 'its body was changed'],
    ['no event', '[]', signed('[]'), 'its body is no event'],
  ])('%s', async (_, body, headers, words) => {
    const { heard, send } = await listener();
    expect((await send(body, headers)).statusCode).toBe(400);
    expect(heard).toEqual([
      expect.objectContaining({ status: 400, problem: expect.stringContaining(words), attempt: 0 }),
    ]);
    expect(heard[0]).not.toHaveProperty('envelope');
    expect(JSON.stringify(heard)).not.toContain(SECRET);
    expect(linesOf(heard[0] as DeliveryReport)).toContain('refused: ');
  });

  test('a delivery for another endpoint', async () => {
    const { heard, send } = await listener();
    await send(BODY, signed(BODY, { secret: 'whsec_other' }), '/hr');
    expect(heard[0]?.problem).toContain(`it came to /hr and is for another endpoint than this one (${PATH})`);
  });

  test.each([
    [undefined, 'this clock is wrong, or it was held'],
    [400, 'it was held on its way'],
    [-900_000, 'this clock is 900 s behind'],
    [432_000, "this clock is 432 s ahead of the service's"],
  ])('an old one, with a clock that is %s ms ahead', async (aheadMs, words) => {
    const { heard, send } = await listener({ clockAheadMs: () => aheadMs });
    await send(BODY, signed(BODY, { atMs: NOW_MS - 432_000 }));
    expect(heard[0]).toMatchObject({ fault: 'too old', problem: expect.stringContaining(words) });
    expect(heard[0]?.problem).toContain('signed 432 s ago, and 300 s are allowed');
  });

  test('more than 64 KiB', async () => {
    const { heard, send } = await listener();
    const long = ' '.repeat(65_537);
    expect((await send(long, signed(long))).statusCode).toBe(413);
    expect(heard).toMatchObject([{ fault: 'too large', status: 413 }]);
  });
});

test('a test event that fails is not said to come again', async () => {
  const { heard, send } = await listener({ answer: 500 });
  const body = JSON.stringify({ ...EVENT, type: 'webhook_endpoint.test' });
  expect((await send(body, signed(body))).statusCode).toBe(500);
  expect(heard).toMatchObject([{ problem: expect.stringContaining('--answer'), next_attempt_at: null }]);
  expect(linesOf(heard[0] as DeliveryReport)).toContain('A test is not repeated.');
});

// D-27: the waits are 15 s, 1 min, 4 min, 16 min, 64 min, 4 h 16 min, 17 h 4 min, each up to a tenth longer.
const WAITS_S = [15, 60, 240, 960, 3_840, 15_360, 61_440];

test.each([1, 1.1])('the number of an attempt follows from the age of its event, with waits × %f', (longer) => {
  const occurredMs = 900;
  let ageMs = 20;
  for (const [i, waitS] of WAITS_S.entries()) {
    // The signature has whole seconds.
    const signedMs = Math.floor((occurredMs + ageMs) / 1000) * 1000;
    expect(numberOfAttempt(0, signedMs - occurredMs)).toBe(i + 1);
    expect(nextAttemptAt(i + 1, 0)).toEqual(new Date(waitS * 1000));
    ageMs += waitS * 1000 * longer + 20;
  }
  expect(numberOfAttempt(0, ageMs)).toBe(8);
  expect(nextAttemptAt(8, 0)).toBeUndefined();
  expect(numberOfAttempt(3, 0)).toBe(4);
});
