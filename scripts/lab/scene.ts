/** The world of scenarios in which clients act while something is disturbed, and what must hold afterwards. */
import { NO_LEASE } from '../../handlers/data/lease.ts';
import type { Store } from '../../handlers/data/store.ts';
import { type Random, randomOf } from '../kit/random.ts';
import { OwnDatabase, type StartableDatabase } from '../world/database.ts';
import { Deployment } from '../world/deployment.ts';
import { type Company, inventCompany } from './actors/company.ts';
import { DOCUMENT_EVENTS, EVENTS_PATH } from './actors/document-flow.ts';
import { Ledger } from './actors/ledger.ts';
import { type Lanes, Load } from './actors/load.ts';
import type { Result, Scenario, ScenarioOptions } from './scenario.ts';
import { patiently } from './through-outages.ts';

export interface Scene<Of extends StartableDatabase = StartableDatabase> extends ScenarioOptions {
  readonly world: Deployment<Of>;
  readonly company: Company;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly load: Load;
}

/** Fills a world: a company, its events. No process runs yet. */
export async function openScene<Of extends StartableDatabase>(
  world: Deployment<Of>,
  lanes: Lanes,
  options: ScenarioOptions,
): Promise<Scene<Of>> {
  const company = await inventCompany(world.store);
  await world.hook(company.id, EVENTS_PATH, 0, [...DOCUMENT_EVENTS, 'employee.changed']);
  const random = randomOf(options.seed);
  const ledger = new Ledger(random);
  const load = new Load({ company, random, ledger }, world.store, lanes);
  return { ...options, world, company, random, ledger, load };
}

/** Opens a world with a receiver, does the work of a scenario on it, and ends it. @param timeoutMs how long one answer of the database may take */
export const inWorld =
  <Of extends StartableDatabase>(
    database: (options: ScenarioOptions) => Of | Promise<Of>,
    work: (world: Deployment<Of>, options: ScenarioOptions) => Promise<Result>,
    timeoutMs?: number,
  ): Scenario['run'] =>
  async (options) => {
    await using world = await Deployment.open(await database(options), timeoutMs);
    await world.receive();
    return await work(world, options);
  };

/** A world whose database can be killed. */
export type OwnWorld = Deployment<OwnDatabase>;
export const inOwnWorld = (work: (world: OwnWorld, options: ScenarioOptions) => Promise<Result>) =>
  inWorld(() => new OwnDatabase(), work);

/**
 * Ends the leases that dead or frozen processes have left, because the database's clock cannot be moved. No living
 * process may hold one.
 */
export async function endLeases(store: Store): Promise<void> {
  const over = { $set: { lease_until: NO_LEASE.lease_until } };
  await patiently(() => store.idempotency_claims.updateMany({ state: 'RUNNING' }, over));
  await patiently(() => store.ingest_requests.updateMany({ ended_at: null }, over));
  await patiently(() => store.deliveries.updateMany({ status: 'PENDING' }, over));
}
