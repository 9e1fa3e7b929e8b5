/**
 * A batch of employees: how long its acceptance takes, how long it takes until all of them are listed, and how much
 * slower another tenant's requests are meanwhile. Each round has a tenant of its own, so that the batch creates all.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { eventually } from '../../../kit/eventually.ts';
import { growth, median, percentile } from '../../../kit/statistics.ts';
import { inTurn } from '../../../world/ask.ts';
import type { RunningServer } from '../../../world/server.ts';
import { TestTenant } from '../../../world/tenant.ts';
import { type BatchOf, batchesOf } from '../../actors/company-batches.ts';
import { finding, type Row, type Scenario, size } from '../../scenario.ts';
import { SteadyLoad, steadily } from '../../steady-load.ts';
import { type Measuring, measuring, prepare, startMeasured, type Tenant, timed } from '../measuring.ts';

/** The roles of processes, the one that is asked first. */
const DEPLOYMENTS = { 'one process': ['all'], 'api and worker': ['api', 'worker'] };
/** The order of {@link batchesOf}: what employees refer to comes first. */
const EMPLOYEES = 4;
/** How long a look at the list waits for the next; two keys never reach their limit with it. */
const LOOK_MS = 60;
const APPLIED_MS = 10 * 60_000;

/** Milliseconds of one or several rounds. */
interface Times {
  readonly accepted: number[];
  readonly visible: number[];
  /** Of the other tenant's requests, before and during the batch. */
  readonly before: number[];
  readonly during: number[];
}

/** Loads employees of a new tenant while another one reads, and adds the times. */
async function round(server: RunningServer, other: Tenant, { place: { store }, size }: Measuring, all: Times) {
  const tenant = await TestTenant.create(store);
  const keys = await tenant.keys(2);
  /** Sends a batch. @returns the milliseconds until it was accepted */
  const accept = async (batch: BatchOf | undefined) => {
    const sent = { path: '/ingest/KEDO', key: inTurn(keys, 0), idempotencyKey: randomUUID() };
    return (await timed(server, { ...sent, body: { ...batch, create_missing: true } })).tookMs;
  };
  const read = async (nth: number) => {
    const path = `/employees/${inTurn(other.employeeIds, nth)}`;
    return (await timed(server, { path, key: inTurn(other.keys, nth) })).tookMs;
  };
  const count = size('employees');
  const batches = batchesOf(count);
  for (const batch of batches.slice(0, EMPLOYEES)) await accept(batch);
  const open = { tenant_id: tenant.id, ended_at: null };
  const isApplied = async () => (await store.ingest_requests.countDocuments(open)) === 0;
  await eventually('what employees refer to', isApplied, APPLIED_MS);
  all.before.push(...(await steadily(size('rate'), size('calm'), read)));
  const load = new SteadyLoad(size('rate'), read);
  try {
    const startedAt = performance.now();
    all.accepted.push(await accept(batches[EMPLOYEES]));
    let asked = 0;
    const areListed = async () => {
      await after(LOOK_MS);
      const list = { path: '/employees?limit=1&include_total=true', key: inTurn(keys, asked++) };
      return Number((await timed(server, list)).body.total_count) >= count;
    };
    await eventually('all employees in the list', areListed, APPLIED_MS);
    all.visible.push(performance.now() - startedAt);
  } finally {
    all.during.push(...(await load.end()));
  }
}

async function deployed(label: string, roles: readonly string[], other: Tenant, options: Measuring): Promise<Row[]> {
  const { place, say, size } = options;
  const all: Times = { accepted: [], visible: [], before: [], during: [] };
  const servers = await Promise.all(roles.map((ROLE) => startMeasured(place, { ROLE })));
  for (let nth = 1; nth <= size('rounds'); nth++) {
    say(`${label}, round ${nth} of ${size('rounds')}`);
    await round(inTurn(servers, 0), other, options, all);
  }
  await Promise.all(servers.map(({ process }) => process.stop()));
  const [before, during] = [percentile(all.before, 0.99), percentile(all.during, 0.99)];
  return [
    finding(`${label}: ${size('employees')} employees are accepted`, median(all.accepted), 'ms', { most: 150 }),
    finding(`${label}: all are listed`, median(all.visible), 'ms', { most: 3_000 }),
    finding(`${label}: p99 of getEmployee of another tenant, before`, before, 'ms'),
    finding(`${label}: … during the batch`, during, 'ms'),
    finding(`${label}: … growth`, growth(before, during), '%', { most: 20 }),
  ];
}

/** The scenario. */
export const ingest: Scenario = {
  name: 'ingest-speed',
  about: 'a batch of 10,000 employees, until it is accepted and until it is listed, beside another tenant',
  finds: 'a batch that is applied slowly, or that others wait for',
  sizes: [
    size('employees', 'of the batch', 10_000, 300),
    size('rounds', 'how often', 3, 1),
    size('calm', 'seconds in which the other tenant is measured before each batch', 5, 1),
    size('rate', 'requests a second of the other tenant', 100, 10),
  ],
  run: measuring(async (options) => {
    const other = await prepare(options.place.store, options.isQuick ? 100 : 3_000);
    const rows: Row[] = [];
    for (const [label, roles] of Object.entries(DEPLOYMENTS))
      rows.push(...(await deployed(label, roles, other, options)));
    return rows;
  }),
};
