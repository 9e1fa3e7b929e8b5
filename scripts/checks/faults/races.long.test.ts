/** A few rounds of every race; `npm run faults:machine -- races` runs more. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type RaceReport, runRaces } from './races.ts';
import { isCompleting, type RaceName, races } from './races-table.ts';

const ROUNDS = 10;
/** Few, because a completion prints a PDF. */
const ROUNDS_WITH_SIGNATURES = 3;
const names = Object.keys(races) as RaceName[];
const roundsOf = (race: RaceName) => (isCompleting(race) ? ROUNDS_WITH_SIGNATURES : ROUNDS);
let reports: RaceReport[];

beforeAll(async () => {
  reports = await runRaces({ rounds: roundsOf, seed: 'unit' });
});

describe('every interleaving has the outcome of some sequential order', () => {
  test.each(names)('%s', (name) => {
    const report = reports.find(({ race }) => race === name);
    expect(report).toMatchObject({ rounds: roundsOf(name), wrong: [] });
  });
});
