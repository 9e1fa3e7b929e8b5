/**
 * Loaded before the server (`node --import`), so that the product contains no switch for faults. It gives names to the
 * moments around the server's writes and answers. At the moment that FAULT_POINT names, it sends the process SIGKILL, or
 * FAULT_SIGNAL. It writes the names of the moments that occurred to the file FAULT_SEEN. FAULT_COLLECTIONS names the
 * collections to watch, instead of the default ones. Between the last write and the answer nothing is stored, so that
 * moment is the one after the write.
 */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { onClients } from '../../world/examined.ts';

const { FAULT_POINT, FAULT_NTH = '1', FAULT_SIGNAL = 'SIGKILL', FAULT_SEEN, FAULT_COLLECTIONS } = process.env;
const SURELY_DELIVERED_MS = 1_000;
const seen = new Set<string>();
let timesReached = 0;

/** A moment at which the process may be stopped or killed: what follows happens later, or never. */
function moment(name: string): void {
  if (FAULT_SEEN !== undefined && !seen.has(name)) {
    seen.add(name);
    appendFileSync(FAULT_SEEN, `${name}\n`);
  }
  if (name !== FAULT_POINT || ++timesReached !== Number(FAULT_NTH)) return;
  process.kill(process.pid, FAULT_SIGNAL);
  // The system may deliver the signal a little later.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SURELY_DELIVERED_MS);
}

/**
 * Collections with writes that belong to a request or to its events. All others belong to the checks before a request.
 */
const DEFAULT_COLLECTIONS = 'documents,files,idempotency_claims,unclaimed_objects,deliveries';
const WATCHED = new Set((FAULT_COLLECTIONS ?? DEFAULT_COLLECTIONS).split(','));
const WRITES = new Set(['insert', 'update', 'findAndModify', 'delete']);

onClients((client) => {
  const underWay = new Map<number, string>();
  // The driver says so right before it sends a command, and right after it has read the answer.
  client.on('commandStarted', ({ requestId, commandName, command }) => {
    const collection = command[commandName];
    if (!WRITES.has(commandName) || !WATCHED.has(collection)) return;
    underWay.set(requestId, `${collection}.${commandName}`);
    moment(`before ${collection}.${commandName}`);
  });
  client.on('commandSucceeded', ({ requestId }) => {
    const write = underWay.get(requestId);
    underWay.delete(requestId);
    if (write !== undefined) moment(`after ${write}`);
  });
});

subscribe('http.server.response.finish', (message) => {
  const { req, statusCode } = (message as { readonly response: ServerResponse }).response;
  if (req.method === 'POST' && statusCode < 300) moment('after the answer');
});
