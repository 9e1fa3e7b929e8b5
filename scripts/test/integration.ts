/**
 * The integration test: the service as `npm start` runs it, two processes on one database, judged by the conformance
 * suite, and its commands to the database, judged by what a sharded cluster takes; then the same traffic, judged by
 * express-openapi-validator. Two controls show that the suite's verdict means
 * something: nobody at the address, and a mock that only knows the contract.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Status } from '../../conformance/outcome.ts';
import type { Results } from '../../conformance/results.ts';
import { startMock } from '../contract/mock.ts';
import { recording, recordOutcome } from './commands/record.ts';
import { joined, judged, nodeScript, type Outcome, run, runCheck, type Step } from './run.ts';
import { withService } from './started.ts';

const EXIT = { conformant: 0, notConformant: 1, unreachable: 3, incomplete: 6 } as const;

/** The steps that need a running service. */
export function integrationSteps(root: string, scratch: string): readonly Step[] {
  const data = join(scratch, 'data');
  const record = join(scratch, 'exchanges.jsonl');
  const suite = (profile: string, ...rest: string[]) =>
    nodeScript('conformance/main.ts', '--profile', profile, ...rest);
  const profile = join(data, 'conformance.yaml');

  return [
    {
      name: 'conformance',
      about: 'the suite against the service, two processes on one database',
      async run() {
        const out = join(scratch, 'conformance');
        const commands = join(scratch, 'commands.jsonl');
        const env = recording(commands);
        const work = async () => {
          const code = await run(suite(profile, '--out', out, '--record', record), { cwd: root, env });
          return joined([suiteOutcome(code, join(out, 'results.json')), recordOutcome(commands)]);
        };
        return withService(root, data, [], work, env);
      },
    },
    {
      name: 'referee',
      about: 'the same traffic, judged by express-openapi-validator',
      group: 'afterwards',
      run: () => runCheck('the referee', nodeScript('scripts/referee/main.ts', record), { cwd: root }),
    },
    {
      name: 'controls',
      about: 'the suite says so when nobody answers, and refuses a mock',
      group: 'afterwards',
      async run() {
        const against = (what: string, url: string, argv: string[], due: number) => {
          const place = { cwd: root, env: { CONF_BASE_URL: url }, quiet: true };
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

/** The suite's rules as checks: what is FAIL or ERROR failed, what is SKIP or UNTESTED counts for nothing. */
function suiteOutcome(code: number, file: string): Outcome {
  if (!existsSync(file)) return judged(false, `the suite ended with ${code} and left no results`);
  const { rules } = JSON.parse(readFileSync(file, 'utf8')) as Results;
  const having = (...statuses: Status[]) => rules.filter(({ status }) => statuses.includes(status));
  const failures = having('FAIL', 'ERROR').map(
    ({ rule, status, text, reason, exchange }) => `${rule} ${status}: ${text}\n${reason}\n${exchange}`,
  );
  if (failures.length === 0 && code !== EXIT.conformant && code !== EXIT.incomplete) {
    failures.push(`the suite ended with ${code}, though no rule failed`);
  }
  return { passed: having('PASS', 'WARN').length, failures };
}
