/** The deployment of a test file. */
import { afterAll, expect } from '@jest/globals';
import { Database, type StartableDatabase } from './database.ts';
import { Deployment } from './deployment.ts';

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
    const endings = await deployment.end('SIGTERM');
    expect(endings).toEqual(endings.map(() => ({ ending: 0, stderr: '' })));
  });
  return deployment;
}
