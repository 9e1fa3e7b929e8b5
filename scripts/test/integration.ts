/**
 * The integration test: the service as `npm start` runs it, two processes on one database, judged by the conformance
 * suite; then the same traffic, judged by express-openapi-validator. Two controls show that the suite's verdict means
 * something: nobody at the address, and a mock that only knows the contract.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMock } from '../contract/mock.ts';
import { background, nodeScript, type Outcome, run, type Step } from './run.ts';

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
        return withService(root, data, async () => {
          const code = await run(suite(profile, '--out', out, '--record', record), { cwd: root });
          return suiteOutcome(code, join(out, 'results.json'));
        });
      },
    },
    {
      name: 'referee',
      about: 'the same traffic, judged by express-openapi-validator',
      group: 'afterwards',
      async run() {
        const code = await run(nodeScript('scripts/referee/main.ts', record), { cwd: root });
        return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
      },
    },
    {
      name: 'controls',
      about: 'the suite says so when nobody answers, and refuses a mock',
      group: 'afterwards',
      async run() {
        const nobody = await exitsWith(root, suite(profile, '--out', join(scratch, 'nobody')), EXIT.unreachable, {
          CONF_BASE_URL: 'http://127.0.0.1:1',
        });
        const mock = await startMock(join(root, 'openapi.yaml'), 0);
        try {
          const refused = await exitsWith(
            root,
            suite(profile, '--section', 'AUTH,EMP', '--out', join(scratch, 'mock')),
            EXIT.notConformant,
            {
              CONF_BASE_URL: mock.url,
            },
          );
          return { passed: nobody.passed + refused.passed, failed: nobody.failed + refused.failed };
        } finally {
          await mock.stop();
        }
      },
    },
  ];
}

/** Runs the work beside a service of its own, and sees that it ends as it should. */
async function withService(root: string, data: string, work: () => Promise<Outcome>): Promise<Outcome> {
  const start = nodeScript('scripts/start/main.ts', '--port', '0', '--data', data, '--json');
  const service = await background(start, { cwd: root, env: { LOG_LEVEL: 'warn' } });
  try {
    return await work();
  } finally {
    const code = await service.stop();
    if (code !== 0) console.error(`The service ended with code ${code} instead of 0.`);
  }
}

/** The suite's rules as numbers: whatever is neither PASS, SKIP nor UNTESTED counts as failed. */
function suiteOutcome(code: number, results: string): Outcome {
  if (!existsSync(results)) return { passed: 0, failed: 1 };
  const { rules } = JSON.parse(readFileSync(results, 'utf8')) as { rules: readonly { status: string }[] };
  const count = (...statuses: string[]) => rules.filter(({ status }) => statuses.includes(status)).length;
  const failed = count('FAIL', 'ERROR');
  const isFine = code === EXIT.conformant || code === EXIT.incomplete;
  return { passed: count('PASS', 'WARN'), failed: failed === 0 && !isFine ? 1 : failed };
}

async function exitsWith(
  root: string,
  argv: readonly string[],
  expected: number,
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const code = await run(argv, { cwd: root, env, quiet: true });
  if (code === expected) return { passed: 1, failed: 0 };
  console.error(`${argv.slice(2).join(' ')} ended with ${code} instead of ${expected}.`);
  return { passed: 0, failed: 1 };
}
