/**
 * Loaded before the server (`node --import`), so that the product contains no switch for faults. It gives names to the
 * moments around the server's writes and answers. At the moment that FAULT_POINT names, it sends the process SIGKILL, or
 * FAULT_SIGNAL. It writes the names of the moments that occurred to the file FAULT_SEEN. FAULT_COLLECTIONS names the
 * collections to watch, instead of the default ones. With FAULT_NO_ATTEMPTS, deliveries are created, but no process takes
 * them up.
 */
import { appendFileSync, promises } from 'node:fs';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { Collection } from 'mongodb';

const {
  FAULT_POINT,
  FAULT_NTH = '1',
  FAULT_SIGNAL = 'SIGKILL',
  FAULT_SEEN,
  FAULT_COLLECTIONS,
  FAULT_NO_ATTEMPTS,
  STORAGE_DIR = '',
} = process.env;
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

type Method = (...given: unknown[]) => Promise<unknown>;

/**
 * Collections with writes that belong to a request or to its events. All others belong to the checks before a request.
 */
const DEFAULT_COLLECTIONS = 'documents,files,idempotency_claims,unclaimed_objects,deliveries';
const WATCHED = new Set((FAULT_COLLECTIONS ?? DEFAULT_COLLECTIONS).split(','));
const WRITES = [
  'insertOne',
  'updateOne',
  'findOneAndUpdate',
  'replaceOne',
  'findOneAndReplace',
  'deleteOne',
  'insertMany',
  'bulkWrite',
  'deleteMany',
];

const hasUpdate = (operations: unknown) => (operations as readonly object[]).some((each) => 'updateOne' in each);

const methods = Collection.prototype as unknown as Record<string, Method>;
for (const write of WRITES) {
  const original = methods[write] as Method;
  methods[write] = async function (this: Collection, ...given: unknown[]) {
    // A claim of an attempt, which then finds that it holds nothing; without it no attempt ends either.
    const isClaim = this.collectionName === 'deliveries' && write === 'bulkWrite' && hasUpdate(given[0]);
    if (isClaim && FAULT_NO_ATTEMPTS !== undefined) return { matchedCount: 0 };
    if (!WATCHED.has(this.collectionName)) return original.apply(this, given);
    moment(`before ${this.collectionName}.${write}`);
    const result = await original.apply(this, given);
    moment(`after ${this.collectionName}.${write}`);
    return result;
  };
}

const rename = promises.rename;
promises.rename = async (from, to) => {
  const stores = STORAGE_DIR !== '' && String(to).startsWith(STORAGE_DIR);
  if (stores) moment('before storage.rename');
  await rename(from, to);
  if (stores) moment('after storage.rename');
};
syncBuiltinESMExports();

const end = ServerResponse.prototype.end as (...given: unknown[]) => ServerResponse;
ServerResponse.prototype.end = function (this: ServerResponse, ...given: unknown[]) {
  const acts = this.req?.method === 'POST' && this.statusCode < 300;
  if (acts) moment('before the answer');
  const result = end.apply(this, given);
  if (acts) moment('after the answer');
  return result;
} as typeof ServerResponse.prototype.end;
