/** What every peer does around its answers: it connects, listens on a free port, says so, and ends on SIGTERM. */
import type { Server } from 'node:http';
import { MongoClient } from 'mongodb';
import { listenOnLoopback } from '../../../../conformance/processes/ports.ts';
import { Answers } from './answers.ts';

/** The answers on a connection of their own, with as many sockets as our service has. */
export async function connectedAnswers(): Promise<Answers> {
  const { MONGODB_URI = '', MONGODB_DATABASE = '', BENCH_TENANT = '' } = process.env;
  const client = await new MongoClient(MONGODB_URI, { maxPoolSize: 20 }).connect();
  return new Answers(client, MONGODB_DATABASE, BENCH_TENANT);
}

/** Listens, and says so. */
export async function listen(server: Server): Promise<void> {
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  process.stdout.write(`${JSON.stringify({ event: 'ready', url })}\n`);
  process.once('SIGTERM', () => process.exit(0));
}
