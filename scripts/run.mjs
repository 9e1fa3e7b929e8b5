/**
 * Runs one of the project's programs on the Node version that the project pins, no matter which Node the machine has.
 * If dependencies are missing or out of date, it installs them first: `node scripts/run.mjs PROGRAM [arguments]`. This
 * file is plain JavaScript that old versions of Node understand. A program of the project exports `main(argv)`, which
 * returns the exit code; a tool of a package is run as it is.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST_NODE = 20;
const PINNED_NODE = 24;
/** What a production installation (`npm ci --omit=dev`) is enough for. A test compares it with what they import. */
const FOR_PRODUCTION = [
  'handlers/main.ts',
  'scripts/operate/eds/main.ts',
  'scripts/operate/seed/main.ts',
  'scripts/operate/settings/main.ts',
  'scripts/operate/start/main.ts',
  'scripts/operate/start/restart.ts',
  'scripts/operate/suite/logs.ts',
  'scripts/operate/suite/restart.ts',
  'scripts/operate/suite/runner.ts',
  'scripts/operate/webhooks/main.ts',
];
const PARENT_CHECK_MS = 500;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const major = Number(process.versions.node.split('.')[0]);

/** The packages of a lock file that every machine must have. @returns pairs of path and entry */
function packages(file) {
  const entries = Object.entries(JSON.parse(readFileSync(join(root, file), 'utf8')).packages);
  return entries.filter(([path, { optional, peer, devOptional }]) => path !== '' && !optional && !peer && !devOptional);
}

/**
 * What node_modules holds of what the lock file states.
 * @returns `lacks`: the kinds of packages of which something is missing or has another version; `isProduction`: whether
 * the development packages were left out on purpose
 */
function installation() {
  let present;
  try {
    present = packages('node_modules/.package-lock.json');
  } catch {
    return { lacks: { production: true, development: true }, isProduction: false };
  }
  const versions = new Map(present.map(([path, { version }]) => [path, version]));
  const missing = packages('package-lock.json').filter(([path, { version }]) => versions.get(path) !== version);
  return {
    lacks: { production: missing.some(([, { dev }]) => !dev), development: missing.some(([, { dev }]) => dev) },
    isProduction: present.length > 0 && !present.some(([, { dev }]) => dev),
  };
}

/** Says why the program cannot run, and ends with exit code 1. */
function fail(message) {
  process.stderr.write(`${message}\n`, () => process.exit(1));
  return new Promise(() => {});
}

/** @param omitted options that leave packages out */
async function install(omitted) {
  process.stderr.write('Installing the dependencies, once …\n');
  const npm = process.env.npm_execpath;
  const [command, before] = npm ? [process.execPath, [npm]] : ['npm', []];
  // Installs the versions of the lock file and does not change that file. `npm ci` would refuse if a registry lacks the
  // optional packages of other platforms.
  const words = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...omitted];
  const { status, error } = spawnSync(command, [...before, ...words], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    await fail(
      `The dependencies could not be installed${error ? `: ${error.message}` : ''}. Run npm install to see why.`,
    );
  }
}

/** Installs what the program needs and node_modules lacks. A production installation stays one. */
async function prepare(program) {
  const { lacks, isProduction } = installation();
  const isEnough = FOR_PRODUCTION.includes(relative(root, resolve(root, program)).split(sep).join('/'));
  if (isProduction && !isEnough) {
    await fail(
      `${program} needs development packages, which this installation leaves out (npm ci --omit=dev). Run npm install to add them.`,
    );
  }
  if (lacks.production || (lacks.development && !isProduction)) await install(isProduction ? ['--omit=dev'] : []);
}

/**
 * Starts a child in place of this process: it has the same input and output, it gets the signals, and its exit code
 * counts.
 * @param detached whether it leads a process group, so that signals reach all that it has started, too
 */
function replaceBy(args, { detached = false, env = process.env } = {}) {
  const child = spawn(args[0], args.slice(1), { stdio: 'inherit', env, detached });
  const pass = (signal) => {
    try {
      if (detached) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // It has ended.
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => pass(signal));
  child.once('error', (error) => fail(`${args[0]} cannot be started: ${error.message}`));
  child.once('close', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

async function runOnPinnedNode(args) {
  const pinned = join(root, 'node_modules/node/bin/node');
  if (!existsSync(pinned)) await fail(`Node ${PINNED_NODE} is not in node_modules. Run npm install, which brings it.`);
  replaceBy([pinned, fileURLToPath(import.meta.url), ...args]);
}

async function run(program, argv) {
  const path = resolve(root, program);
  if (path.startsWith(join(root, 'node_modules'))) {
    const options = [process.env.NODE_OPTIONS, '--disable-warning=ExperimentalWarning'].filter(Boolean).join(' ');
    // In a terminal, Ctrl-C reaches all processes anyway, and only those of its foreground may read from it.
    const detached = !process.stdin.isTTY;
    return replaceBy([process.execPath, path, ...argv], { detached, env: { ...process.env, NODE_OPTIONS: options } });
  }
  // Half of the start time is compiling, also of the programs that it starts.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compiled');
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  const [{ main }, { runMain }] = await Promise.all([import(pathToFileURL(path).href), import('./kit/ending.ts')]);
  return runMain(main, argv);
}

// npm hands on only SIGINT and SIGTERM. What ends npm in another way ends the program, too.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS).unref();
}

const args = process.argv.slice(2);
const [program, ...argv] = args;
if (program === undefined) await fail('Say which program: node scripts/run.mjs PROGRAM [arguments]');
if (major < OLDEST_NODE) {
  await fail(
    `Node ${process.versions.node} is too old: this project needs Node ${OLDEST_NODE} or newer to install Node ${PINNED_NODE} for itself. See https://nodejs.org.`,
  );
}
await prepare(program);
await (major < PINNED_NODE ? runOnPinnedNode(args) : run(program, argv));
