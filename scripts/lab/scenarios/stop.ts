/**
 * A process is stopped with SIGTERM while some requests have arrived only in part and some receivers have not answered
 * yet. Everything under way ends well, each delivery is recorded as made, and the process ends soon, with exit code 0.
 */
import { Agent, type ClientRequest, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../kit/eventually.ts';
import { inTurn } from '../../world/ask.ts';
import type { RunningServer } from '../../world/server.ts';
import { hireEmployees } from '../actors/changes.ts';
import { endedBadly } from '../judges/logs.ts';
import { type Result, type Scenario, type ScenarioOptions, size, slack } from '../scenario.ts';
import { inOwnWorld, type OwnWorld } from '../scene.ts';

const ENDED_MS = 10_000;
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

/** Begins a request. No client of the interface sends one in two pieces. */
function begin(agent: Agent, { url }: RunningServer, key: string, name: string): Half {
  const headers = {
    'X-API-Key': key,
    'Content-Type': 'application/json',
    'Idempotency-Key': name,
    'Content-Length': Buffer.byteLength(BODY),
  };
  const sending = request(`${url}/developer/v1/ingest/KEDO`, { agent, method: 'POST', headers });
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
function answered({ url }: RunningServer): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request(`${url}/healthz`, { agent: false });
    asking.on('response', (response) => response.resume().on('end', resolve));
    asking.on('error', reject).end();
  });
}

async function run(world: OwnWorld, { size: sizeOf, say }: ScenarioOptions): Promise<Result> {
  const agent = new Agent({ keepAlive: true });
  world.atEnd(() => agent.destroy());
  const [requests, deliveries, rounds] = [sizeOf('requests'), sizeOf('deliveries'), sizeOf('rounds')];
  const { receiver, store } = world;
  const tenant = await world.tenant();
  for (let slot = 0; slot < deliveries; slot++) await world.hook(tenant.id, `/held/${slot}`, slot);
  const keys = await tenant.keys(Math.ceil(requests / PER_KEY));
  receiver.manners.set('held', { status: 204, hangs: true });
  const wrong: string[] = [];
  let longestMs = 0;
  for (let round = 0; round < rounds; round++) {
    const server = await world.start({ ROLE: 'all' });
    const [employee] = await hireEmployees(store, tenant.id, 1);
    const halves = Array.from({ length: requests }, (_, nth) =>
      begin(agent, server, inTurn(keys, nth), `${round}-${nth}`),
    );
    await eventually('deliveries under way', () => receiver.open.size >= deliveries);
    await Promise.all(halves.map(({ sent }) => sent));
    // The server accepts connections in their order, and this is a new one. After the second time, everything that
    // earlier connections sent has been read.
    for (let time = 0; time < 2; time++) await answered(server);

    const startedMs = performance.now();
    const ending = endedBadly('the process', server);
    await pause(REST_MS);
    for (const { sending } of halves) sending.end(BODY.slice(20));
    const outcomes = await Promise.all(halves.map(({ outcome }) => outcome));
    await pause(ANSWER_MS);
    for (const socket of receiver.open) receiver.answer(socket, 204);
    wrong.push(...(await ending));
    const tookMs = Math.round(performance.now() - startedMs);
    longestMs = Math.max(longestMs, tookMs);
    const bad = outcomes.filter((outcome) => outcome !== 200);
    const made = { 'subject.id': employee?._id ?? '', status: 'DELIVERED', attempt_count: 1 } as const;
    const missing = deliveries - (await store.deliveries.countDocuments(made));
    if (bad.length > 0) wrong.push(`${bad.length} requests failed: ${[...new Set(bad)].join(', ')}`);
    if (missing > 0) wrong.push(`${missing} deliveries were not noted as made at the first attempt`);
    if (tookMs > ENDED_MS * sizeOf('slack')) wrong.push(`the process took ${tookMs} ms to end`);
    say(`${round + 1} of ${rounds}: ended after ${tookMs} ms`);
  }
  wrong.push(...new Set(receiver.wrong));
  const line = `${rounds} stops with ${requests} requests and ${deliveries} deliveries under way, within ${longestMs} ms.`;
  return { lines: [line], wrong };
}

/** The scenario. */
export const stop: Scenario = {
  name: 'stop',
  about: 'Stops a process under load with SIGTERM: no request or delivery that is in progress fails.',
  finds: 'a process that ends before what it has under way',
  defect: {
    file: 'handlers/process.ts',
    find: 'await Promise.all([listeners.listener.stop(), files.stop(), jobs?.stop(), clocks.stop(), agreement.stop()]);',
    replace: 'await Promise.all([clocks.stop(), agreement.stop()]);',
  },
  sizes: [
    // Receivers have 10 seconds to answer, and the stop has 9: few enough requests for a slow machine.
    size('requests', 'under way', 100, 40),
    size('deliveries', 'under way; at most 50', 50, 20),
    size('rounds', 'how often', 5, 1),
    slack,
  ],
  inQuick: true,
  run: inOwnWorld(run),
};
