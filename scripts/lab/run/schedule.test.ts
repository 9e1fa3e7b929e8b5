import { describe, expect, test } from '@jest/globals';
import { chosenSteps, type Demand, schedule } from './schedule.ts';

/** Runs the steps; the test decides when each of them ends. */
function stage(steps: readonly Demand[]) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const done = schedule(steps, 2, ({ name }) => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, resolve));
  });
  const end = async (name: string) => {
    ends.get(name)?.();
    // Waits, since the schedule needs a few turns of the microtask queue to look again.
    await new Promise(setImmediate);
  };
  /** Expects that these steps have begun once one has ended. */
  const expectAfter = async (name: string, ...expected: string[]) => {
    await end(name);
    expect(begun).toEqual(expected);
  };
  return { begun, end, expectAfter, done };
}

const step = (name: string, cores: number, more: Partial<Demand> = {}): Demand => ({ name, cores, ...more });

test('steps run at the same time if there is room, in the given order', async () => {
  const { begun, end, expectAfter, done } = stage([step('a', 1), step('b', 1), step('c', 2), step('d', 1)]);
  expect(begun).toEqual(['a', 'b']);
  await expectAfter('a', 'a', 'b', 'd');
  await expectAfter('b', 'a', 'b', 'd');
  await expectAfter('d', 'a', 'b', 'd', 'c');
  await end('c');
  await done;
});

describe('a step waits', () => {
  test('for the steps whose results it reads', async () => {
    const { begun, expectAfter } = stage([step('late', 1, { after: ['early'] }), step('early', 1)]);
    expect(begun).toEqual(['early']);
    await expectAfter('early', 'early', 'late');
  });

  test('not for steps that do not run', () => {
    expect(stage([step('late', 1, { after: ['early'] })]).begun).toEqual(['late']);
  });

  test('while one runs that has no room for others, but for patient ones', async () => {
    const alone = step('alone', Number.POSITIVE_INFINITY);
    const { begun, expectAfter } = stage([step('a', 0.1, { isPatient: true }), alone, step('b', 0.1)]);
    expect(begun).toEqual(['a', 'alone']);
    await expectAfter('alone', 'a', 'alone', 'b');
  });
});

test('patient steps take room only from each other', async () => {
  const patient = { isPatient: true };
  const { begun, expectAfter } = stage([step('p', 2, patient), step('q', 2, patient), step('a', 1), step('b', 1)]);
  expect(begun).toEqual(['p', 'a', 'b']);
  await expectAfter('p', 'p', 'a', 'b', 'q');
});

test('a step that needs more than the machine has runs anyway', () => {
  expect(stage([step('large', 8)]).begun).toEqual(['large']);
});

test('steps that wait for each other are reported', async () => {
  const circle = [step('a', 1, { after: ['b'] }), step('b', 1, { after: ['a'] })];
  await expect(schedule(circle, 2, async () => {})).rejects.toThrow('a,b');
});

const STEPS = [
  { name: 'lint', cores: 1 },
  { name: 'lint:contract', cores: 1 },
  { name: 'suite', cores: 1 },
  { name: 'real/suite', cores: 1 },
  { name: 'real/verdicts', cores: 1, after: ['suite', 'real/suite'] },
];
const names = (only?: string[]) => chosenSteps(STEPS, only).chosen.map(({ name }) => name);

describe('a run has', () => {
  test('all steps, in their order, if none is named', () => {
    expect(names()).toEqual(['lint', 'lint:contract', 'suite', 'real/suite', 'real/verdicts']);
  });

  test('the named steps, and no other one with the same beginning', () => {
    expect(names(['suite', 'lint'])).toEqual(['lint', 'suite']);
  });

  test('the parts of a step, and the steps whose results they read', () => {
    expect(names(['real'])).toEqual(['suite', 'real/suite', 'real/verdicts']);
  });

  test('unknown words are reported', () => {
    expect(chosenSteps(STEPS, ['lint', 'nothing', 'rea']).unknown).toEqual(['nothing', 'rea']);
  });
});
