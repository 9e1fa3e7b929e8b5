/**
 * `npm run bench`: how fast one server process answers, and how much a request costs it. With `--against`, this
 * checkout and a second one are measured in turn, so that other load on the machine affects both.
 */
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { hashKey, newKey, shownPrefix } from '../../handlers/access/keys.ts';
import { createIndexes, type Store } from '../../handlers/data/store.ts';
import { commandLine, runProgram, wholeNumber } from '../command-line.ts';
import type { RunningProgram } from '../processes/program.ts';
import { seedTenant } from '../seed/main.ts';
import { startPart } from '../start/parts.ts';
import { readyLine } from '../start/server.ts';
import { type Place, withDatabase } from './database.ts';
import { load, type Measurement } from './load.ts';

const KEYS = 2_000;
const START_MS = 30_000;
const ROOT = resolve(import.meta.dirname, '../..');
const PREFIX = '/developer/v1';

interface Bench {
  readonly keys: readonly string[];
  readonly employeeIds: readonly string[];
}

/** A tenant with people, and with enough keys of its administrator that the rate limit is never reached. */
async function prepare(store: Store, employees: number): Promise<Bench> {
  await createIndexes(store);
  const { tenant_id, keys } = await seedTenant(store, { name: 'bench', seed: randomUUID(), employees });
  const sample = await store.api_keys.findOne({ key_hash: hashKey(keys[0]?.key ?? '') });
  if (sample === null) throw new Error('the invented tenant has no key');
  const secrets = Array.from({ length: KEYS }, () => newKey('bench'));
  await store.api_keys.insertMany(
    secrets.map((key) => ({ ...sample, _id: randomUUID(), key_hash: hashKey(key), prefix: shownPrefix(key) })),
  );
  const rows = await store.employees
    .find({ tenant_id, listed: true }, { projection: { _id: 1 } })
    .limit(500)
    .toArray();
  return { keys: secrets, employeeIds: rows.map(({ _id }) => _id) };
}

interface Server {
  readonly process: RunningProgram;
  readonly url: string;
}

/** @param checkout the folder of the project whose server is measured @param profiles where it writes CPU profiles */
async function startServer({ uri, database, folder }: Place, checkout: string, profiles?: string): Promise<Server> {
  const options = profiles === undefined ? '' : `--cpu-prof --cpu-prof-dir=${resolve(profiles)}`;
  const own = { RATE_LIMIT_STORE: 'memory', STORAGE_DIR: join(folder, 'files') };
  const env = { ...process.env, NODE_OPTIONS: options, MONGODB_URI: uri, MONGODB_DATABASE: database };
  const server = startPart('The server', join(checkout, 'handlers/main.ts'), {
    env: { ...own, ...env, PORT: '0', READY_JSON: 'true' },
  });
  return { process: server, url: (await server.line(readyLine, START_MS)).url };
}

function scenarios({ employeeIds }: Bench): readonly { readonly name: string; readonly path: () => string }[] {
  let turn = 0;
  const fixed = (path: string) => () => PREFIX + path;
  const all = 'expand=person&expand=department&expand=job_title&expand=manager';
  return [
    { name: 'verifyApiKey', path: fixed('/api_key/_verify') },
    { name: 'getEmployee', path: () => `${PREFIX}/employees/${employeeIds[turn++ % employeeIds.length]}` },
    { name: 'listEmployees limit=100', path: fixed('/employees?limit=100') },
    { name: 'listEmployees limit=100, all expanded', path: fixed(`/employees?limit=100&${all}`) },
    { name: 'unknown key', path: fixed('/api_key/_verify?') },
  ];
}

const better = (a: Measurement | undefined, b: Measurement) => (a === undefined || b.cpuUs < a.cpuUs ? b : a);

function row(name: string, label: string, m: Measurement, base: Measurement | undefined): string {
  const ratio = base === undefined || base === m ? '' : `  × ${(base.cpuUs / m.cpuUs).toFixed(2)} of the other`;
  const wrong = [...m.statuses].filter(([status]) => status !== 200 && status !== 401);
  const odd = wrong.map(([status, count]) => `  ${count} × ${status}!`).join('');
  const numbers = `${m.perSecond.toFixed(0).padStart(6)}/s  p50 ${m.p50Ms.toFixed(1).padStart(5)} ms  p99 ${m.p99Ms.toFixed(1).padStart(6)} ms`;
  return `${name.padEnd(38)} ${label.padEnd(6)} ${numbers}  ${m.cpuUs.toFixed(0).padStart(5)} µs CPU${ratio}${odd}`;
}

interface Flags {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  readonly employees: number;
  readonly only?: string;
  readonly against?: string;
  readonly cpuProf?: string;
}

async function main(flags: Flags): Promise<void> {
  await withDatabase({}, async (place) => {
    const servers = new Map<string, Server>();
    try {
      const bench = await prepare(place.store, flags.employees);
      if (flags.against !== undefined) servers.set('other', await startServer(place, flags.against));
      servers.set('this', await startServer(place, ROOT, flags.cpuProf));
      const { connections, seconds } = flags;
      for (const { name, path } of scenarios(bench)) {
        if (!name.includes(flags.only ?? '')) continue;
        const keys = name === 'unknown key' ? [newKey('bench')] : bench.keys;
        const best = new Map<string, Measurement>();
        for (let round = 0; round < flags.rounds; round++) {
          for (const [label, { url, process: server }] of servers) {
            const measured = await load({ url, path, keys, connections, seconds, pid: server.pid });
            best.set(label, better(best.get(label), measured));
          }
        }
        for (const [label, measured] of best) console.log(row(name, label, measured, best.get('other')));
      }
    } finally {
      for (const { process: server } of servers.values()) await server.stop();
    }
  });
}

const about =
  'Starts a server on a fresh tenant and measures requests a second, latency, and processor time for each request.';
const count = wholeNumber(1, 1_000_000);
const program = commandLine('npm run bench --', about)
  .option('--seconds <N>', 'how long each measurement takes', count, 4)
  .option('--rounds <N>', 'how often each is repeated; the best round counts', count, 3)
  .option('--connections <N>', 'concurrent requests', count, 16)
  .option('--employees <N>', 'size of the tenant', count, 3000)
  .option('--only <text>', 'only the measurements whose name contains the text')
  .option('--against <folder>', 'another checkout of the project, measured alternately with this one')
  .option('--cpu-prof <folder>', "writes a CPU profile of the server there (open it in a browser's developer tools)")
  .addHelpText('after', '\nThe database is MONGODB_URI, or an embedded one that is removed afterwards.')
  .action(main);
process.exitCode = await runProgram(program, process.argv.slice(2));
