/** What every peer does around its answers: it connects, listens on a free port, says so, and ends on SIGTERM. */
import type { Server } from 'node:http';
import { MongoClient } from 'mongodb';
import { listenOnLoopback } from '../../../../conformance/processes/ports.ts';
import { Answers } from './answers.ts';

/** What the bench tells a peer, as environment variables. */
export const surroundings = () => ({
  uri: process.env.MONGODB_URI ?? '',
  database: process.env.MONGODB_DATABASE ?? '',
  tenant: process.env.BENCH_TENANT ?? '',
});

/** The answers on a connection of their own, with as many sockets as our service has. */
export async function connectedAnswers(): Promise<Answers> {
  const { uri, database, tenant } = surroundings();
  const client = await new MongoClient(uri, { maxPoolSize: 20 }).connect();
  return new Answers(client, database, tenant);
}

/** Says that the peer is ready. */
export function ready(port: number): void {
  process.stdout.write(`${JSON.stringify({ event: 'ready', url: `http://127.0.0.1:${port}` })}\n`);
  process.once('SIGTERM', () => process.exit(0));
}

export async function listen(server: Server): Promise<void> {
  ready(await listenOnLoopback(server));
}
