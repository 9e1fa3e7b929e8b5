/** The deployment of a test file. */
import { afterAll, expect } from '@jest/globals';
import { LONGEST_STOP_MS } from '../../handlers/runtime/stop-time.ts';
import { Database, type StartableDatabase } from './database.ts';
import { Deployment } from './deployment.ts';
import { watchStalls } from './in-time.ts';

/** With fewer milliseconds of standing still, a process that gives up its stop hangs. */
const STALLED_MS = 1_000;

/** Starts one on a database that test files share. It ends after the file's last test; each process must end well. */
export function testDeployment(): Promise<Deployment<Database>> {
  return testDeploymentOn(new Database());
}

/** The same on this database. @param timeoutMs how long the store waits for an answer of the database */
export async function testDeploymentOn<Of extends StartableDatabase>(
  database: Of,
  timeoutMs?: number,
): Promise<Deployment<Of>> {
  const deployment = await Deployment.open(database, timeoutMs);
  afterAll(async () => {
    const stalled = watchStalls();
    const endings = await deployment.end('SIGTERM');
    const isStalled = stalled() > STALLED_MS;
    // It gives up what takes too long, as everything does on a machine that stands still.
    const mayGiveUp = ({ tookMs }: (typeof endings)[number]) => isStalled && tookMs >= LONGEST_STOP_MS;
    const wrong = endings.filter(
      (one) => one.stderr !== '' || !(one.ending === 0 || (one.ending === 1 && mayGiveUp(one))),
    );
    expect(wrong).toEqual([]);
  });
  return deployment;
}
