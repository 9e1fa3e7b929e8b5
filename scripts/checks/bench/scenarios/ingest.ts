/**
 * A batch of employees: how long its acceptance takes, how long it takes until all of them are listed, and how much
 * slower another tenant's requests are meanwhile. Each round has a tenant of its own, so that the batch creates all.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { inTurn } from '../../../testbed/ask.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { TestTenant } from '../../../testbed/tenant.ts';
import { type BatchOf, batchesOf } from '../../faults/ingest-batches.ts';
import { growth, median, percentile } from '../../statistics.ts';
import { SteadyLoad, steadily } from '../../steady-load.ts';
import { Client, type TimedAnswer, times } from '../load.ts';
import { prepare, type Tenant } from '../place.ts';
import {
  finding,
  first,
  type Row,
  type Scenario,
  type ScenarioOptions,
  type Settings,
  withProcesses,
} from '../scenario.ts';

const DEPLOYMENTS: Readonly<Record<string, readonly Settings[]>> = {
  'one process': [{ ROLE: 'all' }],
  'api and worker': [{ ROLE: 'api' }, { ROLE: 'worker' }],
};
/** The order of {@link batchesOf}: what employees refer to comes first. */
const EMPLOYEES = 4;
/** How often the list is asked whether it is complete; two keys never reach their limit with it. */
const LOOK_MS = 60;
const APPLIED_MS = 10 * 60_000;

interface Sizes {
  readonly employees: number;
  readonly rounds: number;
  /** How long the other tenant is measured before each batch. */
  readonly calmSeconds: number;
  /** How many requests a second the other tenant sends. */
  readonly perSecond: number;
}

const sizes = (isQuick: boolean): Sizes =>
  isQuick
    ? { employees: 300, rounds: 1, calmSeconds: 1, perSecond: 10 }
    : { employees: 10_000, rounds: 3, calmSeconds: 5, perSecond: 100 };

/** Milliseconds of one or several rounds. */
interface Times {
  readonly accepted: number[];
  readonly visible: number[];
  /** Of the other tenant's requests, before and during the batch. */
  readonly before: number[];
  readonly during: number[];
}

/** Waits until the list has as many employees. @param keys are used in turn */
async function listed(client: Client, keys: readonly string[], count: number): Promise<void> {
  const endAt = performance.now() + APPLIED_MS;
  for (let nth = 0; ; nth++) {
    const key = inTurn(keys, nth);
    const { text } = await client.must('/employees?limit=1&include_total=true', { key });
    if (Number(JSON.parse(text).total_count) >= count) return;
    if (performance.now() > endAt) throw new Error(`A batch was not applied within ${APPLIED_MS} ms.`);
    await after(LOOK_MS);
  }
}

async function round({ place: { store } }: ScenarioOptions, url: string, other: Tenant, size: Sizes): Promise<Times> {
  using client = new Client(url);
  const tenant = await TestTenant.create(store);
  const keys = await tenant.keys(2);
  const [key = ''] = keys;
  /** Sends a batch. @returns the milliseconds until it was accepted */
  const accept = async (batch: BatchOf) => {
    const body = JSON.stringify({ ...batch, create_missing: true });
    return times([await client.must('/ingest/KEDO', { key, body, idempotencyKey: randomUUID() })])[0] ?? 0;
  };
  const batches = batchesOf(size.employees);
  for (const batch of batches.slice(0, EMPLOYEES)) await accept(batch);
  const open = { tenant_id: tenant.id, ended_at: null };
  const isApplied = async () => (await store.ingest_requests.countDocuments(open)) === 0;
  await eventually('what employees refer to', isApplied, APPLIED_MS);
  const read = (nth: number) =>
    client.send(`/employees/${inTurn(other.employeeIds, nth)}`, {
      key: inTurn(other.keys, nth),
    });
  const before = times(await steadily(size.perSecond, size.calmSeconds, read));
  const load = new SteadyLoad(size.perSecond, read);
  let during: Promise<TimedAnswer[]>;
  let [accepted, visible] = [0, 0];
  try {
    const startedAt = performance.now();
    accepted = await accept(batches[EMPLOYEES] as BatchOf);
    await listed(client, keys, size.employees);
    visible = performance.now() - startedAt;
  } finally {
    during = load.end();
  }
  return { accepted: [accepted], visible: [visible], before, during: times(await during) };
}

async function deployed(label: string, other: Tenant, options: ScenarioOptions): Promise<Row[]> {
  const size = sizes(options.isQuick);
  const all: Times = { accepted: [], visible: [], before: [], during: [] };
  await withProcesses(options, DEPLOYMENTS[label] ?? [], async (processes) => {
    for (let nth = 1; nth <= size.rounds; nth++) {
      options.say(`${label}, round ${nth} of ${size.rounds}`);
      const one = await round(options, first(processes).url, other, size);
      for (const name of ['accepted', 'visible', 'before', 'during'] as const) all[name].push(...one[name]);
    }
  });
  const [before, during] = [percentile(all.before, 0.99), percentile(all.during, 0.99)];
  return [
    finding(`${label}: ${size.employees} employees are accepted`, median(all.accepted), 'ms', { most: 150 }),
    finding(`${label}: all are listed`, median(all.visible), 'ms', { most: 3_000 }),
    finding(`${label}: p99 of getEmployee of another tenant, before`, before, 'ms'),
    finding(`${label}: … during the batch`, during, 'ms'),
    finding(`${label}: … growth`, growth(before, during), '%', { most: 20 }),
  ];
}

/** The scenario. */
export const ingest: Scenario = {
  name: 'ingest',
  about: 'a batch of 10,000 employees, until it is accepted and until it is listed, beside another tenant',
  seconds: 120,
  async run(options) {
    const other = await prepare(options.place.store, options.isQuick ? 100 : 3_000);
    const found: Row[] = [];
    for (const label of Object.keys(DEPLOYMENTS)) found.push(...(await deployed(label, other, options)));
    return found;
  },
};
