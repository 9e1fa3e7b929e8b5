/** Ports of this machine. */
import { randomInt } from 'node:crypto';
import { type AddressInfo, createServer, type Server } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** Whether a server can listen there; always true for port 0. */
export async function isFree(host: string, port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(port, host, resolve));
    return true;
  } catch {
    return false;
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}

/** A loopback port that is free, and stays free while nothing listens there: systems choose higher ports. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    if (await isFree(LOOPBACK, port)) return port;
  }
}

/** Has a server listen on a loopback port that the system picks. @returns the port */
export async function listenOnLoopback(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, LOOPBACK, resolve));
  return (server.address() as AddressInfo).port;
}
