/**
 * The step `mongodb`: runs everything that touches the store on a real MongoDB, as in production. It is divided into
 * parts, so that each can run as soon as the machine has room for it. Without a MongoDB the parts say so.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from '../../../conformance/report/results.ts';
import type { FoundTool } from '../../testbed/go-tool.ts';
import type { SuiteRun } from './integration.ts';
import { needing, type Outcome, runCheck, type Stage, type Step } from './run.ts';
import type { ServiceDatabase } from './started.ts';
import { runJest, STORE_TESTS, UNIT_DEMAND } from './unit.ts';

interface MongodbOptions {
  readonly root: string;
  readonly scratch: string;
  readonly find: () => Promise<FoundTool>;
  readonly database: ServiceDatabase;
  /** The run on the embedded database. */
  readonly embedded: SuiteRun;
  readonly real: SuiteRun;
  /** The command line that runs the quick faults. */
  readonly faults: readonly string[];
}

/** The parts, named `mongodb/…`. */
export function mongodbSteps(options: MongodbOptions): readonly Step[] {
  const { root, scratch, find, database, embedded, real, faults } = options;
  const withMongod = (run: (stage: Stage, env: Readonly<Record<string, string>>) => Promise<Outcome>) =>
    needing(find, (stage, MONGOD) => run(stage, { TEST_MONGODB: 'mongod', MONGOD }));
  const prepare = () => void find().catch(() => {});
  return [
    {
      name: 'mongodb/conformance',
      about: 'the suite against the service on a real MongoDB',
      cores: 1,
      // Not beside the other run of the suite: together they keep two cores busy, so answers come late.
      after: ['conformance'],
      prepare,
      run: withMongod((stage) => real.run(stage, database, 'all')),
    },
    {
      name: 'mongodb/verdicts',
      about: 'the rules that ran on both databases have the same verdicts',
      cores: 0.1,
      after: ['conformance', 'mongodb/conformance'],
      run: withMongod(async () => sameVerdicts(readResults(embedded.results), readResults(real.results))),
    },
    {
      name: 'mongodb/faults',
      about: 'processes that are killed, stopped or without database, on a real MongoDB',
      cores: 1,
      prepare,
      run: withMongod(({ say }, env) => runCheck('faults', faults, { cwd: root, hear: say, env })),
    },
    {
      name: 'mongodb/unit',
      about: 'unit tests that use the store, on a real MongoDB',
      ...UNIT_DEMAND,
      prepare,
      run: withMongod(({ say }, env) =>
        runJest(root, { report: join(scratch, 'mongodb-unit'), say, args: STORE_TESTS, env, isPatient: true }),
      ),
    },
  ];
}

function readResults(file: string): Pick<Results, 'rules'> {
  return JSON.parse(readFileSync(file, 'utf8')) as Results;
}

/**
 * Verdicts that say nothing about the target. A rule about the rate limit gets one of them where the machine answers
 * too slowly to judge.
 */
const SILENT: readonly (string | undefined)[] = ['UNTESTED', 'SKIP'];

/** Each rule as one check, which passes if its verdicts on the two databases do not contradict each other. */
export function sameVerdicts(embedded: Pick<Results, 'rules'>, real: Pick<Results, 'rules'>): Outcome {
  const others = new Map(real.rules.map((result) => [result.rule, result]));
  const failures = embedded.rules.flatMap(({ rule, status, reason }) => {
    const other = others.get(rule);
    const isSilent = other !== undefined && [status, other.status].some((said) => SILENT.includes(said));
    if (other?.status === status || isSilent) return [];
    const said = `${status} on the embedded database, ${other?.status ?? 'not judged'} on MongoDB`;
    return [`${rule} ${said}\n${[reason, other?.reason].filter(Boolean).join('\n')}`];
  });
  return { passed: embedded.rules.length - failures.length, failures };
}
