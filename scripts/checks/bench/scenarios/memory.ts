/**
 * The resident memory of one process of the service: whether hostile requests leave something behind, and how much a
 * storm of heavy documents leaves. What a process keeps is read after it has collected its garbage (`collect.ts`).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { refuse } from '../../../../conformance/command-line.ts';
import { createIndexes } from '../../../../handlers/data/store.ts';
import { inTurn } from '../../../testbed/ask.ts';
import type { Keys } from '../../../testbed/hostile.ts';
import { SeededRandom } from '../../../testbed/random.ts';
import { type FairTenant, heavyValues, makeTenant } from '../../faults/fair-tenants.ts';
import { steadyGrowth } from '../../statistics.ts';
import { Client, type TimedAnswer, times } from '../load.ts';
import { prepare } from '../place.ts';
import { finding, first, type Row, type Scenario, type ScenarioOptions, withProcesses } from '../scenario.ts';
import { type Flood, sendHostile } from './hostile-load.ts';
import { collectable, type KeptMemory, ResidentMemory } from './resident.ts';

const SEED = 20_260_302;
const MOST_GROWTH_MB = 1;
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
async function floods(options: ScenarioOptions): Promise<Row[]> {
  const { isQuick, say, place } = options;
  const [warmUp, portion] = isQuick ? [1_000, 200] : [40_000, 10_000];
  const { keys: all } = await prepare(place.store, 10);
  const [key = '', ...others] = all;
  const [random, keys]: [SeededRandom, Keys] = [new SeededRandom(SEED), [key, ...others]];
  return withProcesses(options, [{ ROLE: 'all', ...IMPATIENT, ...collectable }], async (processes) => {
    const server = first(processes);
    const memory = new ResidentMemory(server);
    const flood: Flood = { requests: 0, statuses: new Map() };
    const send = (count: number) => sendHostile(Number(new URL(server.url).port), { random, keys, count }, flood);
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
    return kept(readings, warmUp, PORTIONS * portion);
  });
}

/** What the readings say. Of memory that is free, the allocator gives back more or less; that is a step, not growth. */
function kept(readings: readonly (KeptMemory & { requests: number })[], warmUp: number, count: number): Row[] {
  const growth = (of: (one: KeptMemory) => number) =>
    count * steadyGrowth(readings.map((one) => ({ requests: one.requests, value: of(one) })));
  const [ofAll, ofObjects] = [growth(({ resident }) => resident), growth(({ objects }) => objects)];
  const resident = readings.map((one) => one.resident);
  const [before = Number.NaN] = resident;
  return [
    finding(`memory after ${shownCount(warmUp)} hostile requests`, before, 'MB'),
    finding(`steady growth over ${shownCount(count)} more`, ofAll, 'MB', { most: MOST_GROWTH_MB }),
    finding('… of objects and buffers that are kept', ofObjects, 'MB'),
    finding('… the largest reading, more than the first', Math.max(...resident) - before, 'MB'),
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
async function create(client: Client, side: FairTenant, kind: 'small' | 'heavy', count: number): Promise<void> {
  const [template_id, template_values] =
    kind === 'small' ? [side.smallTemplateId, { text: 'Справка' }] : [side.heavyTemplateId, heavyValues()];
  const body = JSON.stringify({ title: 'Справка', type_id: side.typeId, template_id, template_values });
  const answers: TimedAnswer[] = [];
  let next = 0;
  const send = async () => {
    while (next < count) {
      const key = inTurn(side.owner.keys, next++);
      answers.push(await client.send('/documents', { key, body }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  times(answers);
}

/** Has both printing threads print heavy documents of two tenants. */
async function storm(options: ScenarioOptions): Promise<Row[]> {
  const { isQuick, say, place } = options;
  const [each, restMs] = isQuick ? [3, 1_000] : [100, REST_MS];
  await createIndexes(place.store);
  const sides: FairTenant[] = [];
  for (const name of TENANTS) sides.push(await makeTenant(place.store, name, 10));
  return withProcesses(options, [{ ROLE: 'all', ...collectable }], async (processes) => {
    const server = first(processes);
    const memory = new ResidentMemory(server);
    using client = new Client(server.url);
    const both = (kind: 'small' | 'heavy', count: number) => () =>
      Promise.all(sides.map((side) => create(client, side, kind, count)));
    await both('small', 10)();
    say('before the storm');
    await pause(restMs);
    const before = memory.now();
    const { resident: kept } = await memory.kept();
    say('a storm of heavy documents');
    const during = await memory.peak(both('heavy', each));
    say('after the storm');
    await pause(restMs);
    const has = memory.now();
    const { resident: left } = await memory.kept();
    return [
      finding('memory after small documents of two tenants', before, 'MB'),
      finding(`peak when ${TENANTS.length * each} heavy ones are printed`, during, 'MB'),
      finding(`more than before, ${restMs / 1_000} s after the last document`, has - before, 'MB'),
      finding('… where garbage is collected before and after', left - kept, 'MB'),
    ];
  });
}

/** The scenario. */
export const memory: Scenario = {
  name: 'memory',
  about: 'resident memory of a process: what it keeps of 100,000 hostile requests, and after a storm of heavy PDFs',
  seconds: 240,
  run: async (options) => [...(await floods(options)), ...(await storm(options))],
};
