/** The table of fault suites: the promise of each, its sizes, and how its result is printed. */
import { findMongod } from '../mongod-tool.ts';
import { away } from './away.ts';
import { crash } from './crash.ts';
import { deliveries } from './deliveries.ts';
import { failover } from './failover.ts';
import { fair } from './fair.ts';
import { contests } from './fair-contests.ts';
import { ingest } from './ingest.ts';
import { runRaces } from './races.ts';
import { isCompleting } from './races-table.ts';
import { slow } from './slow.ts';
import { stop } from './stop.ts';

/** A number that a suite takes as an option. */
export interface Size {
  readonly name: string;
  readonly about: string;
  readonly usual: number;
  /** The value that `quick` uses. */
  readonly quick: number;
}

export interface SuiteOptions {
  readonly seed: string;
  readonly isQuick: boolean;
  readonly say: (line: string) => void;
  /** The value of one of the suite's sizes. */
  readonly size: (name: string) => number;
  /** The parts of the suite to run; all if none is named. */
  readonly only: readonly string[];
}

/** The result of a suite. */
export interface Result {
  /** Lines about the measurements. */
  readonly lines: readonly string[];
  /** Sentences that each describe a promise that was broken. */
  readonly wrong: readonly string[];
  /** What `--json` prints. */
  readonly report: object;
}

export interface Suite {
  readonly name: string;
  readonly about: string;
  readonly sizes: readonly Size[];
  /** Parts of the suite that can be run alone. */
  readonly parts?: readonly string[];
  /** Whether the suite is part of `quick`. */
  readonly inQuick: boolean;
  run(options: SuiteOptions): Promise<Result>;
}

const size = (name: string, about: string, usual: number, quick = usual): Size => ({ name, about, usual, quick });
/** The promised times apply to a machine that does nothing else. */
const slack = size('slack', 'how many times longer than promised things may take on this machine', 1, 8);

const FINDINGS = ['lost', 'doubled', 'stuck', 'dangling', 'leftOver'] as const;

export const suites: readonly Suite[] = [
  {
    name: 'crash',
    about: 'Kills server and database at named moments and at random times while documents are made and signed.',
    sizes: [size('cycles', 'how often', 100, 6)],
    inQuick: true,
    async run({ size, seed, say }) {
      const report = await crash({ cycles: size('cycles'), seed, say });
      const { documents, acknowledged, repeats, moments, diedAt } = report;
      const places = Object.keys(diedAt).filter((place) => place !== 'a random time').length;
      const counts = FINDINGS.map((kind) => `${report[kind].length} ${kind}`).join(', ');
      return {
        lines: [
          `${report.cycles} kills of server and database (${places} of ${moments} moments reached): ` +
            `${documents} documents, ${acknowledged} steps acknowledged, ${repeats} asked for again; ${counts}.`,
        ],
        wrong: FINDINGS.flatMap((kind) => report[kind].map((what) => `${kind}: ${what}`)),
        report,
      };
    },
  },
  {
    name: 'races',
    about: 'Lets several act on one document at once, and compares with what some order of the acts gives.',
    sizes: [
      size('rounds', 'of each race', 1_000, 20),
      size('completions', 'rounds of races with a signature, which take long', 100, 5),
    ],
    // A unit test already runs a few rounds.
    inQuick: false,
    async run({ size, seed, say }) {
      const rounds = { rounds: size('rounds'), completions: size('completions') };
      const races = await runRaces({
        rounds: (race) => (isCompleting(race) ? rounds.completions : rounds.rounds),
        seed,
        say,
      });
      const lines = races.map(({ race, rounds: done, outcomes }) => {
        const counts = Object.entries(outcomes).map(([what, times]) => `${times} × ${what}`);
        return `${race}, ${done} rounds: ${counts.join('; ')}.`;
      });
      const wrong = races.flatMap((report) => report.wrong.map((what) => `${report.race}: ${what}`));
      return { lines: [...lines, `${wrong.length} outcomes that no order of the acts has.`], wrong, report: { races } };
    },
  },
  {
    name: 'deliveries',
    about: 'Kills workers and the database while events are delivered: each arrives, hardly any twice.',
    sizes: [
      size('events', 'how many changes of employees', 10_000, 200),
      size('kills', 'of one of two workers', 20, 2),
      size('database-kills', 'of the database', 5, 1),
    ],
    inQuick: true,
    async run({ size, seed, say, isQuick }) {
      const sizes = { events: size('events'), kills: size('kills'), databaseKills: size('database-kills') };
      const report = await deliveries({ ...sizes, seed, hurry: isQuick, say });
      const { events, kills, databaseKills, repeated, mayRepeat, afterDisabling, mostAttempts, drainSeconds } = report;
      return {
        lines: [
          `${events} events, ${kills} kills of workers, ${databaseKills} of the database: ${report.deliveries} deliveries, ` +
            `${repeated} events more than once (${mayRepeat} may), ${afterDisabling} after disabling, at most ` +
            `${mostAttempts} attempts; all was out ${drainSeconds} s after the last kill.`,
        ],
        wrong: report.wrong,
        report,
      };
    },
  },
  {
    name: 'ingest',
    about: 'Kills the server while batches are applied: what comes of them is what comes of them undisturbed.',
    sizes: [size('records', 'employees, and as many persons', 10_000, 500), size('kills', 'of the server', 20, 3)],
    inQuick: true,
    async run({ size, seed, say }) {
      const report = await ingest({ records: size('records'), kills: size('kills'), seed, say });
      const { kills, batches, objects, events, undisturbedSeconds, diedAt } = report;
      return {
        lines: [
          `${kills} kills at ${Object.keys(diedAt).length} kinds of moments while ${batches} batches were applied: ` +
            `${objects} objects and ${events} events as without kills (${undisturbedSeconds} s).`,
        ],
        wrong: report.wrong,
        report,
      };
    },
  },
  {
    name: 'away',
    about: 'Takes the database away for a while under light load: 503 soon, and all is whole soon after its return.',
    sizes: [size('seconds', 'how long the database is away', 30, 3), slack],
    inQuick: true,
    async run({ size, say }) {
      const report = await away({ seconds: size('seconds'), slack: size('slack'), say });
      const { refused, slowestMs, answeredMs, deliveredMs, appliedMs } = report;
      return {
        lines: [
          `${report.seconds} s without the database: ${refused} requests refused, the slowest in ${slowestMs} ms; after ` +
            `its return the first answer in ${answeredMs} ms, a delivery in ${deliveredMs} ms, a batch in ${appliedMs} ms.`,
        ],
        wrong: report.wrong,
        report,
      };
    },
  },
  {
    name: 'failover',
    about: 'Has a replica set of three real MongoDBs, of its own, lose its primary or a secondary, under load.',
    sizes: [
      size('rounds', 'of each of four kinds of faults', 20, 1),
      size('election-ms', 'how long members wait for a primary before they elect another', 10_000, 2_000),
      slack,
    ],
    // It takes minutes.
    inQuick: false,
    async run({ size, seed, say }) {
      const found = await findMongod(say);
      if ('missing' in found) throw new Error(found.missing);
      const sizes = { rounds: size('rounds'), electionMs: size('election-ms'), slack: size('slack') };
      const report = await failover({ program: found.path, ...sizes, seed, say });
      const { documents, signed, batches, events, repeated, electionMs } = report;
      const kinds = Object.entries(report.kinds).map(
        ([kind, { rounds, refused, requests, slowestRefusalMs, electedMs, followedMs, wholeMs }]) =>
          `${kind}, ${rounds} rounds: ${refused} of ${requests} requests refused, the slowest in ${slowestRefusalMs} ms; a ` +
          `primary within ${electedMs} ms, followed by a majority within ${followedMs} ms, whole ${wholeMs.p50} ms after ` +
          `that (at most ${wholeMs.max} ms).`,
      );
      return {
        lines: [
          ...kinds,
          `Elections after ${electionMs} ms; ${documents} documents, ${signed} of them signed, ${batches} batches, ` +
            `${events} deliveries, ${repeated} events more than once.`,
        ],
        wrong: report.wrong,
        report,
      };
    },
  },
  {
    name: 'stop',
    about: 'Stops a process under load with SIGTERM: nothing that is under way fails.',
    sizes: [
      // Receivers have 10 seconds to answer, and the stop has 9: few enough requests for a slow machine.
      size('requests', 'under way', 100, 40),
      size('deliveries', 'under way; at most 50', 50, 20),
      size('rounds', 'how often', 5, 1),
      slack,
    ],
    inQuick: true,
    async run({ size, say }) {
      const sizes = { requests: size('requests'), deliveries: size('deliveries'), rounds: size('rounds') };
      const report = await stop({ ...sizes, slack: size('slack'), say });
      return {
        lines: [
          `${report.rounds} stops with ${report.requests} requests and ${report.deliveries} deliveries under way: ` +
            `${report.failed} failed, ended with ${report.codes.join(', ')} within ${report.longestMs} ms.`,
        ],
        wrong: report.wrong,
        report,
      };
    },
  },
  {
    name: 'slow',
    about: "Lets one tenant's receivers hang: another tenant's deliveries do not get slower.",
    sizes: [
      size('receivers', 'that hang', 500, 100),
      size('rounds', 'with and without them, in turn', 6, 2),
      size('events', 'of the other tenant in each half of a round', 100, 20),
    ],
    // A ratio of latencies is meaningful only on an idle machine.
    inQuick: false,
    async run({ size, say }) {
      const sizes = { receivers: size('receivers'), rounds: size('rounds'), events: size('events') };
      const report = await slow({ ...sizes, say });
      const { without, among } = report;
      return {
        lines: [
          `${report.receivers} receivers that hang, up to ${report.hanging} at once; the other tenant's events from the ` +
            `change to the receiver, p50/p99: ${without.p50}/${without.p99} ms without, ${among.p50}/${among.p99} ms ` +
            `among them (ratio ${report.ratio}); from the queue: p99 ${without.queueP99} and ${among.queueP99} ms.`,
        ],
        wrong: report.wrong,
        report,
      };
    },
  },
  {
    name: 'fair',
    about: 'Lets one tenant ask for all it can get of what tenants share: another one waits at most twice as long.',
    sizes: [
      size('rounds', 'alone and beside the greedy tenant, in turn', 3, 1),
      size('samples', 'of the patient tenant in each half of a round', 60, 10),
      slack,
    ],
    parts: contests.map(({ name }) => name),
    // It takes minutes, and a ratio of latencies is meaningful only on an idle machine.
    inQuick: false,
    async run({ size, say, only }) {
      const report = await fair({ rounds: size('rounds'), samples: size('samples'), slack: size('slack'), only, say });
      return {
        lines: report.contests.map(
          ({ name, alone, beside, ratio, asked, served }) =>
            `${name}: p50/p99 ${alone.p50}/${alone.p99} ms alone, ${beside.p50}/${beside.p99} ms beside the greedy tenant ` +
            `(ratio ${ratio}), who got ${served} of ${asked}.`,
        ),
        wrong: report.wrong,
        report,
      };
    },
  },
];
