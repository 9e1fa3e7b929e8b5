/**
 * A day of work through the terminator while one member of each kind is killed and comes back. Beside the load, a probe of
 * a key of its own asks five times a second, which tells how long each loss is felt.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseEnvText } from '../../scripts/operate/suite/key-ring.ts';
import { envFile, programLine, ROOT } from '../../scripts/operate/suite/profile.ts';
import { run } from '../../scripts/testbed/run-program.ts';
import { statusAt } from './terminator.ts';
import type { Topology } from './topology.ts';

/** How long a process or a machine stays away before it comes back, in milliseconds. */
const AWAY_MS = 20_000;
/** Of a worker in a day that is long enough: until Prometheus tells people that a process is away. */
const MISSED_MS = 170_000;
const LONG_DAY_S = 600;
const ALERTS_EVERY_MS = 5_000;
const PROBE_EVERY_MS = 200;
/** The key of the profile that no load uses. */
const PROBE_KEY = 'CONF_KEY_SECOND_KEY_SAME_OWNER';

interface DayOptions {
  readonly durationS: number;
  /** Requests a second. */
  readonly rate: number;
  readonly say: (text: string) => void;
  /** Ends the load; the members that are left are not lost any more. */
  readonly stop: AbortSignal;
}

/** A question of the probe. */
interface ProbeAnswer {
  readonly atMs: number;
  /** Absent without an answer. */
  readonly status: number | undefined;
}

/** When an alert fired, in seconds since the beginning. */
interface SeenAlert {
  readonly name: string;
  readonly from_s: number;
  /** When it was seen last; it has cleared if that is before the end. */
  until_s: number;
}

/** What one loss did to the probe. */
interface LossReport {
  readonly kind: string;
  /** Seconds since the beginning. */
  readonly at_s: number;
  /** Until it was back and ready. */
  readonly back_after_s: number;
  readonly asked: number;
  readonly failed: number;
  /** From the first to the last failure. */
  readonly felt_s: number;
}

interface DayReport {
  readonly terminator: string;
  readonly duration_s: number;
  readonly rate: number;
  readonly losses: readonly LossReport[];
  readonly probe: { readonly asked: number; readonly failed: number };
  /** Absent without Prometheus. */
  readonly alerts?: readonly SeenAlert[];
  /** Those that still fired at the end. */
  readonly firing?: readonly string[];
  /** Of the load; absent if it did not come to an end. */
  readonly requests?: number;
  readonly checks?: { readonly passed: number; readonly failed: number };
  readonly operations?: readonly object[];
  readonly deliveries?: { readonly received: number; readonly completed: number; readonly problems: readonly string[] };
  readonly problems?: readonly string[];
  readonly load_exit: number | string;
}

/** Each kind of member, with how it is lost and comes back. */
const losses: Readonly<Record<string, (topology: Topology, durationS: number) => Promise<unknown>>> = {
  worker: (topology, durationS) =>
    topology.restartProcess('worker-1', 'SIGKILL', () => pause(durationS < LONG_DAY_S ? AWAY_MS : MISSED_MS)),
  api: (topology) => topology.restartProcess('api-1', 'SIGKILL', () => pause(AWAY_MS)),
  secondary: async (topology) => {
    const [member] = topology.database.others(await topology.database.primary());
    if (member !== undefined) await topology.killMember(member, () => pause(AWAY_MS));
  },
  primary: async (topology) => topology.killMember(await topology.database.primary(), () => pause(AWAY_MS)),
  storage: (topology) => topology.killStorage(),
  terminator: (topology) => topology.killTerminator(),
};

const secondsSince = (beganMs: number) => Math.round((performance.now() - beganMs) / 1_000);

/** Asks again and again until it is stopped. */
async function probe(topology: Topology, answers: ProbeAnswer[], beganMs: number, stop: AbortSignal): Promise<void> {
  const key = parseEnvText(readFileSync(envFile(topology.suiteFolder), 'utf8'))[PROBE_KEY] ?? '';
  const ca = readFileSync(topology.authorityFile, 'utf8');
  const url = `${topology.addresses.url}/developer/v1/api_key/_verify`;
  const asked = new Set<Promise<unknown>>();
  while (!stop.aborted) {
    const atMs = performance.now() - beganMs;
    const asking = statusAt(url, ca, { 'X-API-Key': key }).then((status) => {
      answers.push({ atMs, status });
      asked.delete(asking);
    });
    asked.add(asking);
    await pause(PROBE_EVERY_MS);
  }
  await Promise.all(asked);
}

/** Looks at the alerts again and again until it is stopped. */
async function watchAlerts(
  { prometheus }: Topology,
  seen: SeenAlert[],
  beganMs: number,
  stop: AbortSignal,
): Promise<void> {
  while (prometheus !== undefined && !stop.aborted) {
    const at_s = secondsSince(beganMs);
    for (const name of await prometheus.firing().catch(() => [])) {
      const known = seen.find((one) => one.name === name && at_s - one.until_s < 60);
      if (known === undefined) seen.push({ name, from_s: at_s, until_s: at_s });
      else known.until_s = at_s;
    }
    await pause(ALERTS_EVERY_MS);
  }
}

const isFailed = ({ status }: ProbeAnswer) => status !== 200;

function lossReport(
  kind: string,
  fromMs: number,
  backMs: number,
  untilMs: number,
  all: readonly ProbeAnswer[],
): LossReport {
  const within = all.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
  const failed = within.filter(isFailed).map(({ atMs }) => atMs);
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  return {
    kind,
    at_s: seconds(fromMs),
    back_after_s: seconds(backMs - fromMs),
    asked: within.length,
    failed: failed.length,
    felt_s: failed.length === 0 ? 0 : seconds(Math.max(...failed) - Math.min(...failed)),
  };
}

/** Loses one member of each kind, spread over the time, each when the one before is back. */
async function loseEach(topology: Topology, { durationS, say, stop }: DayOptions, beganMs: number) {
  const kinds = Object.entries(losses);
  const times: { kind: string; fromMs: number; backMs: number }[] = [];
  for (const [index, [kind, lose]] of kinds.entries()) {
    const dueMs = (durationS * 1_000 * (index + 0.5)) / kinds.length;
    await pause(Math.max(0, dueMs - (performance.now() - beganMs)), undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) break;
    const fromMs = performance.now() - beganMs;
    say(`${secondsSince(beganMs)} s: killing the ${kind}`);
    await lose(topology, durationS);
    times.push({ kind, fromMs, backMs: performance.now() - beganMs });
    say(`${secondsSince(beganMs)} s: the ${kind} is back`);
  }
  return times;
}

/** Runs the load and loses the members. @param trusting the variables by which k6 and Node trust the authority */
export async function day(
  topology: Topology,
  options: DayOptions,
  trusting: Readonly<Record<string, string>>,
): Promise<DayReport> {
  const { durationS, rate, say } = options;
  const out = join(topology.options.folder, 'day');
  const words = ['day', '--duration', `${durationS}s`, '--rate', String(rate), '--out', out, '--quiet'];
  const argv = programLine('scripts/checks/load/main.ts', ...words, '--profile', topology.addresses.profile);
  const stop = new AbortController();
  const answers: ProbeAnswer[] = [];
  const beganMs = performance.now();
  const alerts: SeenAlert[] = [];
  const probing = Promise.all([
    probe(topology, answers, beganMs, stop.signal),
    watchAlerts(topology, alerts, beganMs, stop.signal),
  ]);
  const env = { ...trusting, CONF_TENANT_MAX_WRITES: '1000000' };
  const loading = run(argv, { cwd: ROOT, env, withinMs: 2 * durationS * 1_000 + 120_000, stop: options.stop });
  const times = await loseEach(topology, options, beganMs);
  const load_exit = await loading;
  stop.abort();
  await probing;
  const { prometheus } = topology;
  const firing = await prometheus?.firing();
  const file = join(out, 'report.json');
  if (!existsSync(file)) say(`The load has left no report; it ended with ${load_exit}.`);
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const counted = (what: 'passes' | 'fails') =>
    (report.checks as readonly { passes: number; fails: number }[]).reduce((sum, check) => sum + check[what], 0);
  return {
    terminator: topology.options.terminator,
    duration_s: durationS,
    rate,
    losses: times.map(({ kind, fromMs, backMs }, index) =>
      lossReport(kind, fromMs, backMs, times[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY, answers),
    ),
    probe: { asked: answers.length, failed: answers.filter(isFailed).length },
    load_exit,
    ...(firing && { alerts, firing }),
    ...(report && {
      requests: report.requests,
      checks: { passed: counted('passes'), failed: counted('fails') },
      operations: report.operations,
      deliveries: report.deliveries,
      problems: report.problems,
    }),
  };
}

/** The report for people. */
export function dayText(report: DayReport): string {
  const {
    terminator,
    duration_s,
    rate,
    losses: each,
    probe: asked,
    requests,
    checks,
    deliveries,
    problems = [],
  } = report;
  const rows = each.map(
    ({ kind, at_s, back_after_s, asked: of, failed, felt_s }) =>
      `${kind.padEnd(11)} killed at ${at_s} s, back after ${back_after_s} s: ${failed} of ${of} questions failed, within ${felt_s} s`,
  );
  return [
    `${duration_s} s at ${rate} requests a second through ${terminator}`,
    ...rows,
    `probe       ${asked.failed} of ${asked.asked} questions failed`,
    `load        ${requests ?? 'no'} requests; ${checks?.failed ?? '?'} of ${(checks?.failed ?? 0) + (checks?.passed ?? 0)} checks failed`,
    `deliveries  ${deliveries?.received ?? 0} received, ${deliveries?.completed ?? 0} documents completed, ${deliveries?.problems.length ?? 0} problems`,
    ...(report.alerts ?? []).map(
      ({ name, from_s, until_s }) => `alert       ${name} fired from ${from_s} to ${until_s} s`,
    ),
    ...(report.firing === undefined ? [] : [`at the end  ${report.firing.join(', ') || 'no alert'} fires`]),
    ...problems.slice(0, 20).map((line) => `  ${line}`),
  ].join('\n');
}
