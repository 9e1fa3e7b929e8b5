#!/usr/bin/env node
/** `npx developer-api-client`. */
import { constants } from 'node:os';
import { webhookCommands } from './main.ts';

/** A terminal sends one Ctrl-C to all processes, and npx hands it on: within this time it is one request. */
const SAME_REQUEST_MS = 1_000;
const PARENT_CHECK_MS = 500;
const stopping = new AbortController();
let askedAt: number | undefined;

/** The first request to end lets a command tidy up; a second one ends it at once. */
function untilStopped(): AbortSignal {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      askedAt ??= performance.now();
      if (performance.now() - askedAt > SAME_REQUEST_MS) process.exit(128 + constants.signals[signal]);
      stopping.abort(signal);
    });
  }
  if (process.env.npm_lifecycle_event !== undefined) endWithParent();
  return stopping.signal;
}

/** Between npx and this process is a shell, which hands on no signal that came to npx alone. */
function endWithParent(): void {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid !== parent) stopping.abort('SIGTERM');
  }, PARENT_CHECK_MS);
  check.unref();
}

// Whoever reads the output may have ended, as `head` or a terminal does.
for (const output of [process.stdout, process.stderr]) output.on('error', () => stopping.abort('EPIPE'));
process.exitCode = await webhookCommands(process.argv.slice(2), {
  name: 'npx developer-api-client',
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  env: process.env,
  untilStopped,
});
