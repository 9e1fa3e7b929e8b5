/**
 * A process is stopped with SIGTERM while some requests have arrived only in part and some receivers have not answered
 * yet. Everything under way ends well, each delivery is recorded as made, and the process ends soon, with exit code 0.
 */
import { Agent, type ClientRequest, request } from 'node:http';
import { inTurn } from '../../testbed/ask.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { RunningServer } from '../../testbed/server.ts';
import { type Fleet, hirePatiently, pause, withFleet } from './fleet.ts';
import { type Result, type Suite, type SuiteOptions, size, slack } from './suite.ts';

const ENDED_MS = 10_000;
const UNDER_WAY_MS = 60_000;
/** How long after the signal clients send the rest of their requests. */
const REST_MS = 500;
/** How long after the last of these requests is answered the receivers answer. The process has to wait for both. */
const ANSWER_MS = 1_000;
/** Requests with one key; fewer than its rate limit. */
const PER_KEY = 10;
const BODY = JSON.stringify({
  payload_type: 'PERSONS',
  create_missing: true,
  records: [{ external_id: 'P1', first_name: 'Айгүл' }],
});

/** A request of whose body only half has been sent. */
interface Half {
  readonly sending: ClientRequest;
  /** Settles once the first half has been sent. */
  readonly sent: Promise<void>;
  /** The status, or a description of the failure. */
  readonly outcome: Promise<number | string>;
}

function begin(agent: Agent, { port }: RunningServer, key: string, name: string): Half {
  const sending = request({
    agent,
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/developer/v1/ingest/KEDO',
    headers: {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      'Idempotency-Key': name,
      'Content-Length': Buffer.byteLength(BODY),
    },
  });
  const outcome = new Promise<number | string>((resolve) => {
    sending.on('error', (error) => resolve(error.message));
    sending.on('response', (response) => {
      response.on('error', (error) => resolve(error.message)).resume();
      response.on('end', () => resolve(response.complete ? (response.statusCode ?? 0) : 'a broken answer'));
    });
  });
  const sent = new Promise<void>((resolve) => sending.write(BODY.slice(0, 20), () => resolve()));
  return { sending, sent, outcome };
}

/** Sends a request on a new connection. */
function answered({ port }: RunningServer): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request({ agent: false, host: '127.0.0.1', port, path: '/healthz' });
    asking.on('response', (response) => response.resume().on('end', resolve));
    asking.on('error', reject).end();
  });
}

async function run(fleet: Fleet, agent: Agent, { size: sizeOf, say }: SuiteOptions): Promise<Result> {
  const [requests, deliveries, rounds] = [sizeOf('requests'), sizeOf('deliveries'), sizeOf('rounds')];
  const { receiver, store } = fleet;
  const tenant = await fleet.tenant();
  for (let slot = 0; slot < deliveries; slot++) await fleet.hook(tenant.id, `/held/${slot}`, slot);
  const keys = await Promise.all(Array.from({ length: Math.ceil(requests / PER_KEY) }, () => tenant.key()));
  receiver.manners.set('held', { status: 204, hangs: true });
  const wrong: string[] = [];
  const codes: (number | string)[] = [];
  let [failed, longestMs] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const server = await fleet.start({ ROLE: 'all' });
    const [employee] = await hirePatiently(fleet, tenant.id, 1);
    const halves = Array.from({ length: requests }, (_, nth) =>
      begin(agent, server, inTurn(keys, nth), `${round}-${nth}`),
    );
    await eventually('deliveries under way', () => receiver.open.size >= deliveries, UNDER_WAY_MS);
    await Promise.all(halves.map(({ sent }) => sent));
    // The server accepts connections in their order, and this is a new one. After the second time, everything that
    // earlier connections sent has been read.
    for (let time = 0; time < 2; time++) await answered(server);

    const startedMs = performance.now();
    const ending = server.process.stop();
    await pause(REST_MS);
    for (const { sending } of halves) sending.end(BODY.slice(20));
    const outcomes = await Promise.all(halves.map(({ outcome }) => outcome));
    await pause(ANSWER_MS);
    for (const socket of receiver.open) receiver.answer(socket, 204);
    codes.push(await ending);
    const tookMs = Math.round(performance.now() - startedMs);
    longestMs = Math.max(longestMs, tookMs);
    const bad = outcomes.filter((outcome) => outcome !== 200);
    const made = { 'subject.id': employee?._id ?? '', status: 'DELIVERED', attempt_count: 1 } as const;
    const missing = deliveries - (await store.deliveries.countDocuments(made));
    failed += bad.length + missing;
    if (bad.length > 0) wrong.push(`${bad.length} requests failed: ${[...new Set(bad)].join(', ')}`);
    if (missing > 0) wrong.push(`${missing} deliveries were not noted as made at the first attempt`);
    if (codes.at(-1) !== 0) wrong.push(`the process ended with ${codes.at(-1)}`);
    if (server.process.stderr !== '') wrong.push('the process wrote to standard error');
    if (tookMs > ENDED_MS * sizeOf('slack')) wrong.push(`the process took ${tookMs} ms to end`);
    say(`${round + 1} of ${rounds}: ended with ${codes.at(-1)} after ${tookMs} ms`);
  }
  wrong.push(...new Set(receiver.wrong));
  return {
    lines: [
      `${rounds} stops with ${requests} requests and ${deliveries} deliveries under way: ` +
        `${failed} failed, ended with ${codes.join(', ')} within ${longestMs} ms.`,
    ],
    wrong,
  };
}

/** The suite. */
export const stop: Suite = {
  name: 'stop',
  about: 'Stops a process under load with SIGTERM: no request or delivery that is in progress fails.',
  sizes: [
    // Receivers have 10 seconds to answer, and the stop has 9: few enough requests for a slow machine.
    size('requests', 'under way', 100, 40),
    size('deliveries', 'under way; at most 50', 50, 20),
    size('rounds', 'how often', 5, 1),
    slack,
  ],
  inQuick: true,
  run: (options) => {
    const agent = new Agent({ keepAlive: true });
    return withFleet((fleet) => run(fleet, agent, options)).finally(() => agent.destroy());
  },
};
