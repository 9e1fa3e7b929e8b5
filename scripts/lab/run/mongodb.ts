/**
 * The step `mongodb`: runs everything that touches the store on a real MongoDB, as in production. It is divided into
 * parts, so that each can run as soon as the machine has room for it. Without a MongoDB the parts say so.
 */
import { join } from 'node:path';
import type { FoundTool } from '../../kit/tools.ts';
import type { SuiteRun } from './integration.ts';
import { needing, type Outcome, runCheck, type Stage, type Step } from './run.ts';
import type { ServiceDatabase } from './started.ts';
import { runJest, STORE_TESTS, UNIT_DEMAND } from './unit.ts';

interface MongodbOptions {
  readonly root: string;
  readonly scratch: string;
  readonly find: () => Promise<FoundTool>;
  readonly database: ServiceDatabase;
  readonly real: SuiteRun;
  /** The command line that runs the quick faults. */
  readonly faults: readonly string[];
}

/** The parts, named `mongodb/…`. */
export function mongodbSteps(options: MongodbOptions): readonly Step[] {
  const { root, scratch, find, database, real, faults } = options;
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
      run: withMongod(({ say, niceness }, env) =>
        runJest(root, { report: join(scratch, 'mongodb-unit'), say, args: STORE_TESTS, env, niceness }),
      ),
    },
  ];
}
