/**
 * Runs one of the project's programs on the Node version that the project pins, no matter which Node the machine has.
 * If dependencies are missing or out of date, it installs them first: `node scripts/run.mjs PROGRAM [arguments]`. This
 * file is plain JavaScript that old versions of Node understand. A program exports `main(argv)`, which returns the exit
 * code.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST_NODE = 20;
const PINNED_NODE = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const major = Number(process.versions.node.split('.')[0]);

/** The versions of the packages in a lock file that every machine must have. */
function versions(file) {
  const { packages } = JSON.parse(readFileSync(join(root, file), 'utf8'));
  return new Map(
    Object.entries(packages)
      .filter(([path, entry]) => path !== '' && !entry.optional && !entry.peer && !entry.devOptional)
      .map(([path, entry]) => [path, entry.version]),
  );
}

/** Whether node_modules holds what the lock file states. */
function isInstalled() {
  try {
    const installed = versions('node_modules/.package-lock.json');
    return [...versions('package-lock.json')].every(([path, version]) => installed.get(path) === version);
  } catch {
    return false;
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function install() {
  process.stderr.write('Installing the dependencies, once …\n');
  const npm = process.env.npm_execpath;
  const [command, before] = npm ? [process.execPath, [npm]] : ['npm', []];
  // Installs the versions of the lock file and does not change that file. `npm ci` would refuse if a registry lacks the
  // optional packages of other platforms.
  const words = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync(command, [...before, ...words], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    fail(`The dependencies could not be installed${error ? `: ${error.message}` : ''}. Run npm install to see why.`);
  }
}

/** Runs the program on the pinned Node. Signals to this process are passed on to it. */
function runOnPinnedNode(args) {
  const pinned = join(root, 'node_modules/node/bin/node');
  if (!existsSync(pinned)) fail(`Node ${PINNED_NODE} is not in node_modules. Run npm install, which brings it.`);
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => fail(`Node ${PINNED_NODE} cannot be started: ${error.message}`));
  child.once('close', (code) => process.exit(code ?? 1));
}

const args = process.argv.slice(2);
const [program, ...argv] = args;
if (program === undefined) fail('Say which program: node scripts/run.mjs PROGRAM [arguments]');
if (major < OLDEST_NODE) {
  fail(
    `Node ${process.versions.node} is too old: this project needs Node ${OLDEST_NODE} or newer to install Node ${PINNED_NODE} for itself. See https://nodejs.org.`,
  );
}
if (!isInstalled()) install();
if (major < PINNED_NODE) {
  runOnPinnedNode(args);
} else {
  // Half of the start time is compiling.
  nodeModule.enableCompileCache(join(root, 'node_modules/.cache/compiled'));
  const { main } = await import(pathToFileURL(resolve(root, program)).href);
  process.exit(await main(argv));
}
