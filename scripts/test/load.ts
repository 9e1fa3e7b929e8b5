/** The load scenarios against a service of their own, and against limiters that are wrong, which they have to see. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fixedWindow, type Model, tokenBucket } from '../../conformance/oracle-models.ts';
import type { Report } from '../../load/report.ts';
import type { FoundTool } from '../go-tool.ts';
import { findK6 } from '../load/program.ts';
import { limiterServer } from './limiter-server.ts';
import { background, nodeScript, type Outcome, run, type Step } from './run.ts';

const EXIT = { held: 0, crossed: 1 } as const;

/** Limiters that are not what the contract promises; on average the first two admit as much or less. */
const WRONG: readonly { readonly what: string; readonly newModel: () => Model }[] = [
  { what: 'a fixed window of 30 a second', newModel: () => fixedWindow(30, 1000) },
  { what: 'a bucket without a burst', newModel: () => tokenBucket(10, 1) },
];

/** Whether a red report is red for the limiter and for nothing else. */
function blamesLimiter(file: string): boolean {
  const { thresholds } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const crossed = thresholds.filter(({ ok }) => !ok).map(({ metric }) => metric);
  return crossed.length > 0 && crossed.every((metric) => /^(burst_admitted_too|limiter_)/.test(metric));
}

/** A step that needs k6, or Go to build it; the build goes on beside the steps before it. */
export function loadStep(root: string, scratch: string): Step {
  let k6: Promise<FoundTool> | undefined;
  const find = () => {
    k6 ??= findK6((text) => console.log(text));
    return k6;
  };
  return {
    name: 'load',
    about: 'k6 scenarios hold against the service, and see limiters that are wrong',
    prepare: () => void find().catch(() => {}),
    async run() {
      const found = await find();
      if ('missing' in found) return { passed: 0, failed: 0, notRun: found.missing };
      const folder = mkdtempSync(join(scratch, 'load-'));
      const data = join(folder, 'data');
      const start = nodeScript('scripts/start/main.ts', '--port', '0', '--data', data, '--employees', '300', '--json');
      const service = await background(start, { cwd: root, env: { LOG_LEVEL: 'warn' } });
      const outcome: Outcome = { passed: 0, failed: 0 };
      try {
        const profile = join(data, 'conformance.yaml');
        // Times say nothing on a machine that does everything at once; the scenarios' own limits are for real runs.
        const load = ['--profile', profile, '--p95', '5000', '--quiet'];
        const scenario = (name: string, out: string) =>
          nodeScript('scripts/load/main.ts', name, ...load, '--out', join(folder, out));
        const ends = (what: string, came: number, due: number) => {
          outcome[came === due ? 'passed' : 'failed']++;
          console.log(`${what}: ended with ${came}${came === due ? '' : `, not ${due}`}`);
        };
        const holds = async (name: string) =>
          ends(`${name} against the service`, await run(scenario(name, name), { cwd: root }), EXIT.held);
        await holds('burst');
        const wrong = WRONG.map(async ({ what, newModel }, n) => {
          const server = await limiterServer(newModel);
          const env = { CONF_BASE_URL: server.url };
          const came = await run(scenario('burst', `wrong-${n}`), { cwd: root, env, quiet: true });
          await server.stop();
          ends(`burst against ${what}`, came, EXIT.crossed);
          const blamed = blamesLimiter(join(folder, `wrong-${n}/report.json`));
          outcome[blamed ? 'passed' : 'failed']++;
          if (!blamed) console.log(`burst against ${what}: red for something else than the limiter`);
        });
        await Promise.all([holds('smoke'), ...wrong]);
      } finally {
        if ((await service.stop()) !== 0) outcome.failed++;
        rmSync(folder, { recursive: true, force: true });
      }
      return outcome;
    },
  };
}
