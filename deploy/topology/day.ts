/**
 * A day of work through the terminator while one member of each kind is killed and comes back. Beside the load, a probe of
 * a key of its own asks five times a second, which tells how long each loss is felt.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { endingOf } from '../../scripts/kit/run-program.ts';
import { envFile, profileFile, programLine, ROOT } from '../../scripts/operate/suite/profile.ts';
import type { Member } from '../../scripts/world/replica-set.ts';
import { statusAt } from './terminator.ts';
import type { Topology } from './topology.ts';

/** How long a process or a machine stays away before it comes back, in milliseconds. */
const AWAY_MS = 20_000;
const PROBE_EVERY_MS = 200;
/** The key of the profile that no load uses. */
const PROBE_KEY = 'CONF_KEY_SECOND_KEY_SAME_OWNER';

interface DayOptions {
  readonly durationS: number;
  /** Requests a second. */
  readonly rate: number;
}

/** A question of the probe. */
interface ProbeAnswer {
  readonly atMs: number;
  /** Absent without an answer. */
  readonly status: number | undefined;
}

/** Kills a member of the replica set, and starts it again. */
async function loseMember({ database }: Topology, member: Member | undefined): Promise<void> {
  if (member === undefined) throw new Error('The replica set has no secondary.');
  await database.kill(member);
  await pause(AWAY_MS);
  database.restart(member);
  await database.whole();
}

/** Kills a process, which stays away for a while unless what watches it starts it again at once. */
const lose =
  (name: string, awayMs = 0) =>
  ({ parts }: Topology) =>
    parts.restart(name, 'SIGKILL', () => pause(awayMs));

/** Each kind of member, with how it is lost and comes back. */
const losses: Readonly<Record<string, (topology: Topology) => Promise<unknown>>> = {
  worker: lose('worker-1', AWAY_MS),
  api: lose('api-1', AWAY_MS),
  async secondary(topology) {
    const { database } = topology;
    const [member] = database.others(await database.primary());
    await loseMember(topology, member);
  },
  primary: async (topology) => loseMember(topology, await topology.database.primary()),
  storage: lose('storage'),
  terminator: lose('terminator'),
};

const secondsSince = (beganMs: number) => Math.round((performance.now() - beganMs) / 1_000);

/** Asks again and again until it is stopped. */
async function probe(
  { suite, authority, words }: Topology,
  beganMs: number,
  stop: AbortSignal,
): Promise<ProbeAnswer[]> {
  const key = parseEnv(readFileSync(envFile(suite), 'utf8'))[PROBE_KEY] ?? '';
  const ca = readFileSync(authority, 'utf8');
  const url = `https://${words.API_LISTEN}/developer/v1/api_key/_verify`;
  const asked: Promise<ProbeAnswer>[] = [];
  while (!stop.aborted) {
    const atMs = performance.now() - beganMs;
    asked.push(statusAt(url, ca, { 'X-API-Key': key }).then((status) => ({ atMs, status })));
    await pause(PROBE_EVERY_MS);
  }
  return Promise.all(asked);
}

const isFailed = ({ status }: ProbeAnswer) => status !== 200;

/** What one loss did to the probe. */
function lossLine({ kind, fromMs, backMs }: Loss, untilMs: number, all: readonly ProbeAnswer[]): string {
  const within = all.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
  const failed = within.filter(isFailed).map(({ atMs }) => atMs);
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  const felt = failed.length === 0 ? 0 : seconds(Math.max(...failed) - Math.min(...failed));
  return (
    `${kind.padEnd(11)} killed at ${seconds(fromMs)} s, back after ${seconds(backMs - fromMs)} s: ` +
    `${failed.length} of ${within.length} questions failed, within ${felt} s`
  );
}

/** When a member was lost and came back, in milliseconds since the beginning. */
interface Loss {
  readonly kind: string;
  readonly fromMs: number;
  readonly backMs: number;
}

/** Loses one member of each kind, spread over the time, each when the one before is back. */
async function loseEach(topology: Topology, durationS: number, beganMs: number): Promise<Loss[]> {
  const { say } = topology;
  const kinds = Object.entries(losses);
  const times: Loss[] = [];
  for (const [index, [kind, lose]] of kinds.entries()) {
    const dueMs = (durationS * 1_000 * (index + 0.5)) / kinds.length;
    await pause(Math.max(0, dueMs - (performance.now() - beganMs)));
    const fromMs = performance.now() - beganMs;
    say(`${secondsSince(beganMs)} s: killing the ${kind}`);
    await lose(topology);
    times.push({ kind, fromMs, backMs: performance.now() - beganMs });
    say(`${secondsSince(beganMs)} s: the ${kind} is back`);
  }
  return times;
}

/**
 * Runs the load and loses the members.
 * @param trusting the variables by which k6 and Node trust the authority
 * @returns what was seen, a line each
 */
export async function day(
  topology: Topology,
  { durationS, rate }: DayOptions,
  trusting: Readonly<Record<string, string>>,
): Promise<string[]> {
  const { folder, suite, terminator, prometheus } = topology;
  const out = join(folder, 'day');
  const words = ['day', '--duration', `${durationS}s`, '--rate', String(rate), '--out', out, '--quiet'];
  const argv = programLine('scripts/lab/load/main.ts', ...words, '--profile', profileFile(suite));
  const stop = new AbortController();
  const beganMs = performance.now();
  const probing = probe(topology, beganMs, stop.signal);
  const env = { ...trusting, CONF_TENANT_MAX_WRITES: '1000000' };
  const loading = endingOf(argv, { cwd: ROOT, env, withinMs: 2 * durationS * 1_000 + 120_000 });
  const times = await loseEach(topology, durationS, beganMs);
  const { code: exit, said } = await loading;
  stop.abort();
  const answers = await probing;
  const firing = await prometheus?.firing();
  return [
    `${durationS} s at ${rate} requests a second through ${terminator}`,
    ...times.map((loss, index) => lossLine(loss, times[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY, answers)),
    `probe       ${answers.filter(isFailed).length} of ${answers.length} questions failed`,
    `load        ended with ${exit}\n${said.trimEnd()}`,
    ...(firing === undefined ? [] : [`at the end  ${firing.join(', ') || 'no alert'} fires`]),
  ];
}
