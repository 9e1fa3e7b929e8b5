/**
 * A process of the service is frozen with SIGSTOP, at named moments around its writes and answers, for longer than it
 * may hold a lease: a machine that is suspended, or one that swaps. Its clients repeat their requests at another
 * process. Then it wakes, and goes on in the middle of work that another has done. Nothing may be lost or doubled.
 */
import { freePort } from '../../../conformance/processes/ports.ts';
import { randomOf } from '../../operate/seed/random.ts';
import { inTurn } from '../../testbed/ask.ts';
import { OwnDatabase } from '../../testbed/database.ts';
import type { Deployment } from '../../testbed/deployment.ts';
import { eventually } from '../../testbed/eventually.ts';
import { freeze, isFrozen } from '../../testbed/frozen.ts';
import type { RunningServer } from '../../testbed/server.ts';
import { check, sentencesOf } from './check.ts';
import { deploy, planting } from './deployment.ts';
import { DocumentLoad, momentsOf } from './document-load.ts';
import { endLeases, faultsIn } from './fleet.ts';
import { type Result, type Suite, type SuiteOptions, size } from './suite.ts';

/** How long a moment is waited for; some occur only once or twice in a document's life. */
const LONGEST_WAIT_MS = 6_000;

/** Waits until the process serves, or is frozen: a moment may come while it starts, and then nothing answers. */
const startedOrFrozen = (server: RunningServer): Promise<true> =>
  eventually('its start', async () => {
    if (isFrozen(server.process)) return true;
    const answer = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    return answer?.ok;
  });

/** The clients' connections: requests go to one server at a time, and those under way can be given up. */
class Connections {
  #current: RunningServer | undefined;
  #storage = new Set<string>();
  #given = new AbortController();

  /** Sends later requests to this server. */
  use(server: RunningServer): void {
    this.#current = server;
    this.#storage.add(new URL(server.storageUrl).origin);
    this.#given = new AbortController();
  }

  /** Gives up the requests under way, as a client does after its timeout. */
  giveUp(): void {
    this.#given.abort();
  }

  /** Sends a request as `fetch` does. Both servers share their storage, so an upload may go to the other one. */
  readonly fetch: typeof fetch = (input, init) => {
    const url = new URL(String(input));
    if (this.#storage.has(url.origin)) url.port = new URL(this.#current?.storageUrl ?? '').port;
    const signals = [this.#given.signal, init?.signal].filter((signal) => signal != null);
    return fetch(url, { ...init, signal: AbortSignal.any(signals) });
  };
}

/** Freezes the server at a moment, lets another take over, and wakes it. @returns whether the moment was reached */
async function cycle(
  frozen: RunningServer,
  other: RunningServer,
  { deployment, load, connections }: Parts,
): Promise<boolean> {
  connections.use(frozen);
  const isGone = () => isFrozen(frozen.process);
  const running = load.run(frozen, { beginning: true, forMs: LONGEST_WAIT_MS, isGone });
  const outcome = await Promise.race([
    running.then(() => false),
    eventually('its freezing', isGone, 2 * LONGEST_WAIT_MS).catch(() => false),
  ]);
  if (!isGone()) await freeze(frozen.process);
  connections.giveUp();
  await running;
  await endLeases(deployment.store);
  connections.use(other);
  await load.run(other);
  frozen.process.signal('SIGCONT');
  return outcome;
}

interface Parts {
  readonly deployment: Deployment;
  readonly load: DocumentLoad;
  readonly connections: Connections;
}

/** @throws BrokenPromise when an answer shows that the service breaks a promise */
async function run({ size: sizeOf, seed, say }: SuiteOptions): Promise<Result> {
  const cycles = sizeOf('cycles');
  const random = randomOf(seed);
  const documents = await deploy(new OwnDatabase());
  await using deployment = documents.deployment;
  const connections = new Connections();
  const load = new DocumentLoad(documents, random, connections.fetch);
  const parts = { deployment, load, connections };
  const wrong: string[] = [];
  const reached = new Set<string>();
  const moments = await momentsOf(documents, load);
  // A few cycles are spread over all moments.
  const step = Math.max(1, moments.length / cycles);
  const [PORT, STORAGE_PORT] = [String(await freePort()), String(await freePort())];
  const other = await deployment.start({ PORT, STORAGE_PORT });
  for (let nth = 0; nth < cycles; nth++) {
    const point = inTurn(moments, Math.floor(nth * step));
    const fault = planting({ point, nth: random.between(1, 3), signal: 'SIGSTOP' });
    const frozen = await deployment.start(fault, startedOrFrozen);
    const wasReached = await cycle(frozen, other, parts);
    if (wasReached) reached.add(point);
    // It finishes the requests that it held, and then ends.
    const code = await frozen.process.stop();
    if (code !== 0) wrong.push(`the process that woke after ${point} ended with ${code}`);
    wrong.push(...faultsIn(frozen.log()));
    say(`cycle ${nth + 1} of ${cycles}: frozen at ${wasReached ? point : 'a random time'}`);
  }
  const findings = await check(documents, other, load.all);
  wrong.push(...faultsIn(other.log()), ...sentencesOf(findings));
  await other.process.stop();
  const repeats = load.all.reduce((sum, flow) => sum + flow.repeats, 0);
  const line =
    `${cycles} times frozen for longer than a lease (at ${reached.size} of ${moments.length} moments): ` +
    `${load.all.length} documents, ${repeats} steps repeated elsewhere; ${wrong.length} faults.`;
  return { lines: [line], wrong };
}

/** The suite. */
export const frozen: Suite = {
  name: 'frozen',
  about: 'Freezes a process for longer than its leases while documents are made and signed; another takes over.',
  sizes: [size('cycles', 'how often', 60, 3)],
  inQuick: true,
  run,
};
