/** Runs the load scenarios against a service of their own, and against wrong limiters, which they must detect. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fixedWindow, type Model, tokenBucket } from '../../../conformance/judge/oracle-models.ts';
import { errors, rateLimit } from '../../../generated/contract.ts';
import type { Report } from '../../../load/report.ts';
import { closeServer, listenOnLoopback } from '../../kit/ports.ts';
import { nodeScript } from '../../kit/program.ts';
import { findK6 } from '../load/k6.ts';
import { joined, judged, needing, once, runCheck, type Step } from './run.ts';
import { type ServiceDatabase, withService } from './started.ts';

const EXIT = { held: 0, crossed: 1 } as const;

/** Limiters that do not keep what the contract promises: the first admits too much, the second too little. */
const WRONG: readonly { readonly what: string; readonly newModel: () => Model }[] = [
  { what: 'a fixed window of three times the rate', newModel: () => fixedWindow(3 * rateLimit.perSecond, 1000) },
  { what: 'a bucket without a burst', newModel: () => tokenBucket(rateLimit.perSecond, 1) },
];

const { reason, rpcCode, message, httpStatus } = errors.RATE_LIMIT_EXCEEDED;
const REFUSAL = JSON.stringify({ code: rpcCode, message, details: [{ '@type': 'ErrorInfo', reason }] });

/**
 * Starts a server with nothing but a rate limiter for each key, right or wrong. A probe of the limit must distinguish
 * them.
 * @param newModel makes the limiter of a key
 */
async function limiterServer(newModel: () => Model): Promise<{ url: string; stop(): Promise<void> }> {
  const models = new Map<string, Model>();
  const server = createServer((request, response) => {
    const key = String(request.headers['x-api-key']);
    const model = models.get(key) ?? newModel();
    models.set(key, model);
    const { admitted, delayMs } = model.take(performance.now());
    response.setHeader('Content-Type', 'application/json');
    setTimeout(() => response.writeHead(admitted ? 200 : httpStatus).end(admitted ? '{}' : REFUSAL), delayMs);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => closeServer(server),
  };
}

/** Whether a report is red because of the limiter and nothing else. */
function blamesLimiter(file: string): boolean {
  const { thresholds } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const crossed = thresholds.filter(({ ok }) => !ok).map(({ metric }) => metric);
  return crossed.length > 0 && crossed.every((metric) => metric.startsWith('limiter_'));
}

/** A step that needs k6, or Go to build it. The build runs in the background during the steps before it. */
export function loadStep(root: string, scratch: string, database: ServiceDatabase): Step {
  const find = once(() => findK6((text) => console.log(text)));
  return {
    name: 'load',
    about: 'k6 scenarios pass against the service, and detect wrong limiters',
    // Its measurements are not valid beside steps that are not patient.
    cores: Number.POSITIVE_INFINITY,
    prepare: () => void find().catch(() => {}),
    run: needing(find, ({ say }) => {
      const data = join(scratch, 'load');
      const reports = join(scratch, 'load-reports');
      const profile = join(data, 'conformance.yaml');
      // Response times mean nothing while one machine runs everything at once. The scenarios' own limits are for real
      // runs.
      const load = ['--profile', profile, '--p95', '5000', '--quiet'];
      const scenario = (name: string, out: string) =>
        nodeScript('scripts/run.mjs', 'scripts/lab/load/main.ts', name, ...load, '--out', join(reports, out));
      const holds = (name: string) =>
        runCheck(`${name} against the service`, scenario(name, name), { cwd: root, hear: say }, EXIT.held);
      const sees = async ({ what, newModel }: (typeof WRONG)[number], out: string) => {
        const server = await limiterServer(newModel);
        const place = { cwd: root, env: { CONF_BASE_URL: server.url } };
        const red = await runCheck(`burst against ${what}`, scenario('burst', out), place, EXIT.crossed);
        await server.stop();
        const isBlamed = blamesLimiter(join(reports, out, 'report.json'));
        return joined([red, judged(isBlamed, `burst against ${what} is red for something else than the limiter`)]);
      };
      return withService(root, { data, database, options: ['--employees', '300'] }, say, async () => {
        const burst = await holds('burst');
        const wrong = WRONG.map((limiter, n) => sees(limiter, `wrong-${n}`));
        return joined([burst, ...(await Promise.all([holds('smoke'), ...wrong]))]);
      });
    }),
  };
}
