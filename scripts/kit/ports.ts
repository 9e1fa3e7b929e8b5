/** Ports of this machine. */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import type { Server as HttpServer } from 'node:http';
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

/**
 * Reserves a loopback port for a program that listens there later, or again and again, until this process ends. What is
 * held is the UDP port of the same number, which such a program does not need, and which the system frees however this
 * process ends.
 * @returns false if another process, or this one, has reserved it
 */
export function claimPort(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: LOOPBACK, exclusive: true }, () => {
      socket.unref();
      resolve(true);
    });
  });
}

/**
 * A loopback port that is free, and stays free while nothing listens there: the system itself chooses higher ones, and
 * no other caller gets it before this process ends.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    if ((await isFree(LOOPBACK, port)) && (await claimPort(port))) return port;
  }
}

/** Has a server listen on a loopback port that the system picks. @returns the port */
export async function listenOnLoopback(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, LOOPBACK, resolve));
  return (server.address() as AddressInfo).port;
}

/** Ends a server of requests with its connections. */
export function closeServer(server: Pick<HttpServer, 'close' | 'closeAllConnections'>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}
