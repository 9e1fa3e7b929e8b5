/** Whose part of long work comes next (D-33), by a clock that moves only when a test moves it. */
import { beforeEach, expect, test } from '@jest/globals';
import { type Rest, ThreadTime } from './work-in-turn.ts';

let nowMs: number;
let thread: ThreadTime;

beforeEach(() => {
  nowMs = 0;
  thread = new ThreadTime(() => nowMs);
});

/** Work of some parts, each of which takes the given time; it notes the tenant at the start of each. */
function parts(tenantId: string, count: number, partMs: number, noted: string[]): Promise<void> {
  return thread.during(tenantId, async (rest) => {
    for (let part = 0; part < count; part++) {
      noted.push(tenantId);
      nowMs += partMs;
      await rest();
    }
  });
}

test('a tenant that has used much lets a new one run all its parts first', async () => {
  const noted: string[] = [];
  const greedy = parts('greedy', 20, 50, noted);
  while (noted.length < 10) await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([greedy, parts('patient', 5, 10, noted)]);
  expect(noted.join(' ').match(/patient( patient){4}/)).not.toBeNull();
  expect(noted.filter((tenantId) => tenantId === 'greedy')).toHaveLength(20);
  expect(noted.at(-1)).toBe('greedy');
});

test('tenants that have used the same take turns', async () => {
  const noted: string[] = [];
  await Promise.all([parts('one', 4, 10, noted), parts('other', 4, 10, noted)]);
  expect(noted).toEqual(['one', 'other', 'one', 'other', 'one', 'other', 'one', 'other']);
});

test('what a tenant has used is forgotten after some seconds', async () => {
  await parts('greedy', 20, 50, []);
  nowMs += 10_000;
  const noted: string[] = [];
  await Promise.all([parts('greedy', 2, 10, noted), parts('patient', 2, 10, noted)]);
  expect(noted).toEqual(['greedy', 'patient', 'greedy', 'patient']);
});

test('a tenant waits only a limited time for one that has used less and continues', async () => {
  const ends = Promise.withResolvers<void>();
  const patient = thread.during('patient', () => ends.promise);
  const noted: string[] = [];
  await parts('greedy', 3, 200, noted);
  expect(noted).toHaveLength(3);
  ends.resolve();
  await patient;
});

test('work that fails blocks nobody', async () => {
  const failing = thread.during('patient', async (rest: Rest) => {
    await rest();
    throw new Error('the store is away');
  });
  const noted: string[] = [];
  const greedy = parts('greedy', 5, 200, noted);
  await expect(failing).rejects.toThrow('the store is away');
  await greedy;
  expect(noted).toHaveLength(5);
  // Five rests of which each lets others go first take longer.
}, 2_000);
