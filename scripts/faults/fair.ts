/**
 * A greedy tenant requests as much as it can of something that tenants share, and a patient tenant requests the same
 * now and then (D-33). The patient one is measured in turn alone and beside the greedy one, on the same process, so
 * that other load on the machine affects both measurements equally.
 */
import { type Contest, contests } from './fair-contests.ts';
import { beGreedy } from './fair-greed.ts';
import { type FairTenants, makeTenant } from './fair-tenants.ts';
import { Fleet, faultsIn, pause, percentile } from './fleet.ts';

export interface FairOptions {
  readonly rounds: number;
  /** How often the patient tenant sends a request in each half of a round. */
  readonly samples: number;
  readonly slack: number;
  /** The names of the contests to run; all contests if empty. */
  readonly only: readonly string[];
  readonly say: (line: string) => void;
}

/** Milliseconds. */
export interface Times {
  readonly p50: number;
  readonly p99: number;
}

export interface ContestReport {
  readonly name: string;
  readonly alone: Times;
  readonly beside: Times;
  /** The ratio of the p99 values. */
  readonly ratio: number;
  /** What the greedy tenant requested, and how much of that it got. */
  readonly asked: number;
  readonly served: number;
}

export interface FairReport {
  readonly contests: readonly ContestReport[];
  readonly wrong: string[];
}

const MOST_RATIO = 2;
/** The time between two requests of the patient tenant, in milliseconds: its keys never reach their limit. */
const PATIENT_MS = 100;
/** How long the greedy tenant runs before the patient tenant is measured beside it. */
const HEAD_START_MS = 1_000;
const EMPLOYEES = { greedy: 5_000, patient: 1_000 };
const WARM = 10;

/**
 * Runs the suite. @throws Error when a process does not even start, or when the patient tenant is refused while it is
 * alone
 */
export async function fair({ only, ...options }: FairOptions): Promise<FairReport> {
  const fleet = await Fleet.make();
  try {
    const greedy = await makeTenant(fleet.store, 'greedy', EMPLOYEES.greedy);
    const patient = await makeTenant(fleet.store, 'patient', EMPLOYEES.patient);
    const server = await fleet.start('all');
    const tenants: FairTenants = { fleet, url: server.url, greedy, patient };
    const reports: ContestReport[] = [];
    const wrong: string[] = [];
    for (const contest of contests.filter(({ name }) => only.length === 0 || only.includes(name))) {
      const report = await held(contest, tenants, options, wrong);
      reports.push(report);
      const { name, ratio } = report;
      if (ratio > MOST_RATIO * options.slack) wrong.push(`${name}: the p99 grew to ${ratio} times what it was alone`);
    }
    return { contests: reports, wrong: [...wrong, ...faultsIn(server.log())] };
  } finally {
    await fleet.end();
  }
}

async function held(
  contest: Contest,
  tenants: FairTenants,
  { rounds, samples, say }: Omit<FairOptions, 'only'>,
  wrong: string[],
): Promise<ContestReport> {
  await contest.prepare?.(tenants);
  const times = { alone: [] as number[], beside: [] as number[] };
  let [asked, served, nth] = [0, 0, 0];
  const measured = async (count: number): Promise<number[]> => {
    const taken: number[] = [];
    for (let sample = 0; sample < count; sample++) {
      await contest.before?.(tenants);
      const fromMs = performance.now();
      await contest.patient(tenants, nth++);
      taken.push(performance.now() - fromMs);
      await pause(PATIENT_MS);
    }
    return taken;
  };
  await measured(WARM);
  for (let round = 0; round < rounds; round++) {
    times.alone.push(...(await measured(samples)));
    const greedy = await beGreedy(contest, tenants);
    await pause(HEAD_START_MS);
    // A refusal took no time, so it is not a measurement.
    await measured(samples).then(
      (taken) => times.beside.push(...taken),
      (error) => wrong.push(`${contest.name}: ${(error as Error).message}`),
    );
    const { begun, good } = await greedy.end();
    [asked, served] = [asked + begun, served + good];
    await contest.clear?.(tenants);
    const [alone, beside] = [timesOf(times.alone), timesOf(times.beside)];
    say(
      `${contest.name}, ${round + 1} of ${rounds}: p99 ${alone.p99} ms alone, ${beside.p99} ms beside the greedy one`,
    );
  }
  const [alone, beside] = [timesOf(times.alone), timesOf(times.beside)];
  return { name: contest.name, alone, beside, ratio: Math.round((100 * beside.p99) / alone.p99) / 100, asked, served };
}

function timesOf(taken: readonly number[]): Times {
  const rounded = (share: number) => Math.round(10 * percentile(taken, share)) / 10;
  return { p50: rounded(0.5), p99: rounded(0.99) };
}
