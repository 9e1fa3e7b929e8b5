/**
 * The integration test: the conformance suite judges the service as `npm start` runs it, two processes on one database;
 * a run with all rules is judged by express-openapi-validator, too. Two controls show that the suite's verdict means something:
 * an address where nothing listens, and a mock that knows only the contract.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { costOf } from '../../../conformance/engine/recorded.ts';
import type { Status } from '../../../conformance/judge/outcome.ts';
import { type Results, unsentInputs } from '../../../conformance/report/results.ts';
import { SECTIONS } from '../../../conformance/rules/rule.ts';
import { startMock } from '../../contract/mock.ts';
import { nodeScript } from '../../kit/program.ts';
import { run } from '../../kit/run-program.ts';
import { recording, recordOutcome } from './commands/record.ts';
import { joined, judged, type Outcome, runCheck, type Stage, type Step } from './run.ts';
import { type ServiceDatabase, withService } from './started.ts';

/**
 * Rules that meet what an earlier run leaves with the target's clock ahead: an endpoint hears of every employee,
 * employees that others made are changed, and the times of all deliveries are judged.
 */
const ON_USED = ['EVT-15', 'PAGE-19', 'EVT-6'];
/** What the engine of the database cannot change: the form of requests and answers, the limit, attempts and signatures. */
const WITHOUT_ENGINE: readonly (typeof SECTIONS)[number][] = ['AUTH', 'DLV', 'ERR', 'GEN', 'LIM', 'SIG', 'VER', 'WHK'];
const ENGINE_SECTIONS = SECTIONS.filter((name) => !WITHOUT_ENGINE.includes(name));
/** The most requests of a rule that `npm test` runs: one rule of seven sends more, and together they make half of all requests. */
const QUICK_REQUESTS = 30;
const EXIT = { conformant: 0, notConformant: 1, unreachable: 3, incomplete: 6 } as const;

const resultsIn = (out: string) => join(out, 'results.json');

/** A run of the suite, and the files in which it leaves its results. */
export type SuiteRun = ReturnType<typeof suiteRunOf>;

/** @param name names its folders in `scratch` */
export function suiteRunOf(root: string, scratch: string, name: string) {
  const data = join(scratch, name);
  const report = join(scratch, `${name}-report`);
  const profile = join(data, 'conformance.yaml');
  /** The file that records what the service and the settings tool sent to the database. */
  const commands = join(scratch, `${name}-commands.jsonl`);
  return {
    results: resultsIn(report),
    profile,

    /** Starts the service on the database and judges it. */
    run({ say, isLive }: Stage, database: ServiceDatabase, extent: SuiteExtent): Promise<Outcome> {
      const isRecorded = extent !== 'quick rules';
      const env = isRecorded ? recording(commands) : {};
      const service = { data, database, env, hasSecondValidator: extent === 'all' };
      return withService(root, service, say, async () => {
        const judge = async (out: string, ...rest: string[]) => {
          const argv = suite(profile, '--out', out, ...rest, ...(isLive ? [] : ['--quiet']));
          const code = await run(argv, { cwd: root, env, hear: say });
          return suiteOutcome(code, resultsIn(out));
        };
        const outcomes = [await judge(report, ...(await optionsOf(extent)))];
        if (extent === 'all') outcomes.push(await judge(join(data, 'again'), '--only', ON_USED.join()));
        if (isRecorded) outcomes.push(recordOutcome(commands));
        return joined(outcomes);
      });
    },
  };
}

async function optionsOf(extent: SuiteExtent): Promise<readonly string[]> {
  if (extent === 'quick rules') return ['--only', await quickRules()];
  // Each run has another order and so another company for each rule; a failure names it, so that one can have it again.
  const order = ['--order', String(Date.now())];
  return extent === 'all' ? order : [...order, '--section', ENGINE_SECTIONS.join()];
}

/** Their ids. To load every rule takes half a second, and no other run needs it. */
async function quickRules() {
  const { rules } = await import('../../../conformance/rules/all-rules.ts');
  const quick = rules.filter(({ id }) => costOf(id).requests <= QUICK_REQUESTS);
  return quick.map(({ id }) => id).join();
}

/**
 * Those that send few requests; or all, and then some once more, as of a used deployment; or those whose outcome the engine
 * may change. But for the first, also the commands to the database are judged.
 */
type SuiteExtent = 'quick rules' | 'all' | 'rules of the engine';

function suite(profile: string, ...rest: string[]): string[] {
  return nodeScript('conformance/main.ts', '--profile', profile, ...rest);
}

interface Integration {
  readonly root: string;
  readonly scratch: string;
  readonly database: ServiceDatabase;
  /** The run on this database. */
  readonly suiteRun: SuiteRun;
  readonly isAll: boolean;
  /** The run that has all rules: this one, or that on a real database. */
  whole(): Promise<SuiteRun>;
}

/** The steps that need a running service. */
export function integrationSteps(options: Integration): readonly Step[] {
  const { root, scratch, database, suiteRun, isAll, whole } = options;
  const { profile } = suiteRun;
  return [
    {
      name: 'conformance',
      about:
        'the suite against the service, two processes on one database; beside a real one, what an engine may change',
      isQuick: true,
      // Most of the time the suite only waits for the limits of its keys.
      cores: 1,
      run: async (stage) => {
        if (!isAll) return suiteRun.run(stage, database, 'quick rules');
        const isWhole = (await whole()) === suiteRun;
        return suiteRun.run(stage, database, isWhole ? 'all' : 'rules of the engine');
      },
    },
    {
      name: 'controls',
      about: 'the suite reports when nothing answers, and fails a mock',
      cores: 1,
      after: ['conformance'],
      async run() {
        const against = (what: string, url: string, argv: string[], due: number) => {
          const place = { cwd: root, env: { CONF_BASE_URL: url } };
          return runCheck(`the suite against ${what}`, argv, place, due);
        };
        const out = ['--out', join(scratch, 'controls')];
        const nobody = await against('nobody', 'http://127.0.0.1:1', suite(profile, ...out), EXIT.unreachable);
        const mock = await startMock(join(root, 'openapi.yaml'), 0);
        try {
          const some = suite(profile, '--section', 'AUTH,EMP', ...out);
          return joined([nobody, await against('a mock', mock.url, some, EXIT.notConformant)]);
        } finally {
          await mock.stop();
        }
      },
    },
  ];
}

/**
 * The suite's rules as checks: FAIL and ERROR are failures; SKIP and UNTESTED are not counted. A whole run must have sent
 * every input of the contract.
 */
export function suiteOutcome(code: number | string, file: string): Outcome {
  if (!existsSync(file)) return judged(false, `the suite ended with ${code} and left no results`);
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  const { rules } = results;
  const order = results.order === undefined ? '' : ` (--order ${results.order})`;
  const having = (...statuses: Status[]) => rules.filter(({ status }) => statuses.includes(status));
  const failures = having('FAIL', 'ERROR').map(
    ({ rule, status, text, reason, exchange }) => `${rule} ${status}${order}: ${text}\n${reason}\n${exchange}`,
  );
  if (failures.length === 0 && code !== EXIT.conformant && code !== EXIT.incomplete) {
    failures.push(`the suite ended with ${code}, though no rule failed`);
  }
  // Of a part of the rules, this says nothing.
  const unsent = results.whole ? unsentInputs(results) : [];
  failures.push(...unsent.map((name) => `${name}: the contract takes it, and no rule sends it with success`));
  return { passed: having('PASS', 'WARN').length, failures };
}
