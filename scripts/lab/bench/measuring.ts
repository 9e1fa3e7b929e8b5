/** Where a measurement works: a database of its own, the tenant that is measured, and processes of the service. */
import { prefix } from '../../../generated/contract.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { refuse } from '../../kit/command-line.ts';
import { ask } from '../../world/ask.ts';
import { Database } from '../../world/database.ts';
import type { Deployment } from '../../world/deployment.ts';
import type { RunningServer } from '../../world/server.ts';
import { TestTenant } from '../../world/tenant.ts';
import { type Company, inventCompany } from '../actors/company.ts';
import type { Row, Scenario, ScenarioOptions } from '../scenario.ts';
import { inWorld } from '../scene.ts';

/** For a large tenant, a command may take long. */
const TIMEOUT_MS = 60 * 60 * 1000;
const KEYS = 2_000;

export type Place = Deployment<Database>;

/** What a measurement works with. */
export interface Measuring extends ScenarioOptions {
  readonly place: Place;
}

/** Makes the run of a scenario of what it measures. */
export const measuring = (measure: (options: Measuring) => Promise<readonly Row[]>): Scenario['run'] =>
  inWorld(
    () => new Database(),
    async (place, options) => ({ rows: await measure({ ...options, place }) }),
    TIMEOUT_MS,
  );

/** The tenant that is measured. */
export interface Tenant extends Company {
  readonly keys: readonly string[];
  readonly employeeIds: readonly string[];
}

/** A tenant with people, and with so many keys that the rate limit is never reached. */
export async function prepare(store: Store, employees: number): Promise<Tenant> {
  const company = await inventCompany(store, employees);
  const rows = await store.employees
    .find({ tenant_id: company.id, listed: true }, { projection: { _id: 1 } })
    .limit(500)
    .toArray();
  const keys = await new TestTenant(store, company.id, company.initiator.userId).keys(KEYS);
  return { ...company, keys, employeeIds: rows.map(({ _id }) => _id) };
}

/**
 * Starts a process, which logs nothing but errors. It ends with the place, if it is not stopped before.
 * @param script of another service, from the root
 */
export function startMeasured(
  place: Place,
  env: Readonly<Record<string, string>> = {},
  script?: string,
): Promise<RunningServer> {
  // It says that it is ready, and is not asked, so that the first request is one of the measurement.
  return place.start({ LOG_LEVEL: 'error', READY_JSON: 'true', ...env }, async () => {}, script);
}

/**
 * Does each piece of work in turn, round by round, so that a busy machine affects all equally. A first round, in which
 * code is compiled and what is kept is read, does not count.
 * @param works by name; each is told whether it is in the first round
 * @returns what the work of a name gave, round by round
 */
export async function inRounds<Name extends string, Gives>(
  works: Readonly<Record<Name, (isWarmUp: boolean) => Promise<Gives>>>,
  rounds: number,
  say: (what: string) => void,
): Promise<(name: Name) => Gives[]> {
  const given: Record<string, Gives[]> = {};
  for (let round = 0; round <= rounds; round++) {
    for (const [name, work] of Object.entries<(isWarmUp: boolean) => Promise<Gives>>(works)) {
      say(round === 0 ? `${name}, warm-up` : `${name}, round ${round} of ${rounds}`);
      const one = await work(round === 0);
      given[name] = round === 0 ? [] : [...(given[name] ?? []), one];
    }
  }
  return (name) => given[name] ?? [];
}

/** A request whose answer counts. */
interface TimedRequest {
  /** Below the prefix. */
  readonly path: string;
  readonly key: string;
  /** With it the request is a POST. */
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

/** Sends a request. @throws Failure for any answer except 200: its time means nothing */
export async function timed({ url }: Pick<RunningServer, 'url'>, request: TimedRequest) {
  const { path, key, body, idempotencyKey } = request;
  const more = { ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }) };
  const sentMs = performance.now();
  const answer = await ask(body === undefined ? 'GET' : 'POST', url + prefix + path, key, body, more);
  const tookMs = performance.now() - sentMs;
  if (answer.status !== 200) refuse(`${path} was answered ${answer.status}: ${answer.body.message}`);
  return { body: answer.body, tookMs };
}
