/**
 * The resident memory of one process of the service: whether hostile requests leave something behind, and how much a
 * storm of heavy documents leaves. What a process keeps is read after it has collected its garbage (`collect.ts`).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { refuse } from '../../../kit/command-line.ts';
import { type Random, randomOf } from '../../../kit/random.ts';
import { steadyGrowth } from '../../../kit/statistics.ts';
import { inTurn } from '../../../world/ask.ts';
import type { Keys } from '../../../world/hostile.ts';
import type { RunningServer } from '../../../world/server.ts';
import { finding, type Row, type Scenario } from '../../scenario.ts';
import { type FairTenant, heavyValues, makeTenant } from '../../scenarios/fair-tenants.ts';
import { type Measuring, measuring, prepare, startMeasured, timed } from '../measuring.ts';
import { type Flood, sendHostile } from './hostile-load.ts';
import { collectable, type KeptMemory, memoryOf } from './resident.ts';

const SEED = '20260302';
const MOST_GROWTH_MIB = 1;
/** Short, so that requests that never end are among those that are counted. */
const IMPATIENT = { HEADERS_TIMEOUT_MS: '600', REQUEST_TIMEOUT_MS: '1000' };
/** What the requests are answered at least now and then; otherwise they are not the requests that are meant. */
const USUAL = [400, 401, 404, 405, 408, 413, 415, 431];

/** @throws Failure if the service answered 500, or never answered as it should */
function judge({ statuses }: Flood): void {
  if (statuses.has(500)) refuse(`${statuses.get(500)} hostile requests were answered 500.`);
  const missing = USUAL.filter((status) => !statuses.has(status));
  if (missing.length > 0) refuse(`No hostile request was answered ${missing.join(', ')}.`);
}

/** In so many portions the requests are sent; after each of them the memory is read. */
const PORTIONS = 10;

/** Sends hostile requests to a process, after a warm-up by requests of the same kinds. */
async function floods({ isQuick, say, place }: Measuring): Promise<Row[]> {
  const [warmUp, portion] = isQuick ? [1_000, 200] : [40_000, 10_000];
  const { keys: all } = await prepare(place.store, 10);
  const [key = '', ...others] = all;
  const [random, keys]: [Random, Keys] = [randomOf(SEED), [key, ...others]];
  const { process, port } = await startMeasured(place, { ...IMPATIENT, ...collectable });
  const memory = memoryOf(process);
  const flood: Flood = { requests: 0, statuses: new Map() };
  const send = (count: number) => sendHostile(port, { random, keys, count }, flood);
  say('hostile requests, warming up');
  await send(warmUp);
  const read = async () => ({ requests: flood.requests, ...(await memory.kept()) });
  const readings = [await read()];
  for (let nth = 1; nth <= PORTIONS; nth++) {
    say(`hostile requests, ${nth} of ${PORTIONS} portions`);
    await send(portion);
    readings.push(await read());
  }
  judge(flood);
  await process.stop();
  return kept(readings, warmUp, PORTIONS * portion);
}

/** What the readings say. Of memory that is free, the allocator gives back more or less; that is a step, not growth. */
function kept(readings: readonly (KeptMemory & { requests: number })[], warmUp: number, count: number): Row[] {
  const growth = (of: (one: KeptMemory) => number) =>
    count * steadyGrowth(readings.map((one) => ({ requests: one.requests, value: of(one) })));
  const [ofAll, ofObjects] = [growth(({ resident }) => resident), growth(({ objects }) => objects)];
  const resident = readings.map((one) => one.resident);
  const [before = Number.NaN] = resident;
  return [
    finding(`memory after ${shownCount(warmUp)} hostile requests`, before, 'MiB'),
    finding(`steady growth over ${shownCount(count)} more`, ofAll, 'MiB', { most: MOST_GROWTH_MIB }),
    finding('… of objects and buffers that are kept', ofObjects, 'MiB'),
    finding('… the largest reading, more than the first', Math.max(...resident) - before, 'MiB'),
  ];
}

const shownCount = (count: number) => count.toLocaleString('en');

/** Each tenant uses one printing thread of a process, which has two. */
const TENANTS = ['one', 'other'];
/** How many documents of a tenant wait at a time; the last of them waits less than the service allows. */
const AT_ONCE = 8;
/** For so long a process has no work before its memory is read. */
const REST_MS = 20_000;

/** Creates documents of a tenant. @throws Failure for any answer except 200 */
async function create(server: RunningServer, side: FairTenant, kind: 'small' | 'heavy', count: number): Promise<void> {
  const [template_id, template_values] =
    kind === 'small' ? [side.smallTemplateId, { text: 'Справка' }] : [side.heavyTemplateId, heavyValues()];
  const body = { title: 'Справка', type_id: side.typeId, template_id, template_values };
  let next = 0;
  const send = async () => {
    while (next < count) await timed(server, { path: '/documents', key: inTurn(side.initiator.keys, next++), body });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
}

/** Has both printing threads print heavy documents of two tenants. */
async function storm({ isQuick, say, place }: Measuring): Promise<Row[]> {
  const [each, restMs] = isQuick ? [3, 1_000] : [100, REST_MS];
  const sides: FairTenant[] = [];
  for (const _ of TENANTS) sides.push(await makeTenant(place.store, 10));
  const server = await startMeasured(place, collectable);
  const memory = memoryOf(server.process);
  const both = (kind: 'small' | 'heavy', count: number) =>
    Promise.all(sides.map((side) => create(server, side, kind, count)));
  await both('small', 10);
  say('before the storm');
  await pause(restMs);
  const before = memory.now();
  const { resident: kept } = await memory.kept();
  say('a storm of heavy documents');
  const during = await memory.peak(() => both('heavy', each));
  say('after the storm');
  await pause(restMs);
  const has = memory.now();
  const { resident: left } = await memory.kept();
  return [
    finding('memory after small documents of two tenants', before, 'MiB'),
    finding(`peak when ${TENANTS.length * each} heavy ones are printed`, during, 'MiB'),
    finding(`more than before, ${restMs / 1_000} s after the last document`, has - before, 'MiB'),
    finding('… where garbage is collected before and after', left - kept, 'MiB'),
  ];
}

/** The scenario. */
export const memory: Scenario = {
  name: 'memory',
  about: 'resident memory of a process: what it keeps of 100,000 hostile requests, and after a storm of heavy PDFs',
  finds: 'memory that hostile requests or heavy documents leave behind',
  run: measuring(async (options) => [...(await floods(options)), ...(await storm(options))]),
};
