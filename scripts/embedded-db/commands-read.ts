import type { Call, Command } from './command.ts';
import { type Cursor, cursorOf, deadlineOf, FIRST_BATCH, pace } from './cursors.ts';
import { decode, encode } from './documents.ts';
import { fail } from './errors.ts';
import { explain } from './explain.ts';
import { isTruthy } from './expressions.ts';
import { distinctness } from './keys.ts';
import { document, integer, text } from './parameters.ts';
import { valueAt } from './paths.ts';
import { compileProjection } from './projections.ts';
import { mapped } from './scan.ts';
import { count, select, selectionOf } from './select.ts';
import { compilePipeline, runPipeline } from './stages.ts';
import type { Doc, Value } from './values.ts';
import { batchReply } from './wire.ts';

/** Reads the first batch and keeps the cursor if there is more. */
async function firstBatch(call: Call, cursor: Cursor, size: number, single = false): Promise<Buffer> {
  const { batch, done } = await cursor.next(size);
  const id = done || single ? 0 : call.server.cursors.keep(cursor);
  if (single && !done) cursor.close();
  return batchReply('firstBatch', batch, id, cursor.namespace);
}

async function find(call: Call): Promise<Buffer> {
  const { body, db } = call;
  const name = text('find', body.find);
  const project = compileProjection(body.projection);
  const rows = select(call.server.catalogue.find(db, name), selectionOf(body, 'filter'));
  const results = mapped(rows, ({ raw }) => project?.(raw) ?? raw);
  const cursor = cursorOf(`${db}.${name}`, results, deadlineOf(body));
  return firstBatch(call, cursor, integer('batchSize', body.batchSize, FIRST_BATCH), isTruthy(body.singleBatch));
}

async function aggregate(call: Call): Promise<Buffer> {
  const { body, db, server } = call;
  const name = text('aggregate', body.aggregate);
  if (body.cursor === undefined) fail(9, "The 'cursor' option is required");
  const context = { catalogue: server.catalogue, db };
  const pipeline = compilePipeline(body.pipeline, context);
  const results = mapped(runPipeline(pipeline, name, context), encode);
  const size = integer('cursor.batchSize', document('cursor', body.cursor).batchSize, FIRST_BATCH);
  return firstBatch(call, cursorOf(`${db}.${name}`, results, deadlineOf(body)), size);
}

async function countCommand({ body, db, server }: Call): Promise<Doc> {
  const collection = server.catalogue.find(db, text('count', body.count));
  let n = 0;
  await pace(count(collection, selectionOf(body, 'query')), deadlineOf(body), (number) => {
    n = number;
    return true;
  });
  return { n, ok: 1 };
}

async function distinct({ body, db, server }: Call): Promise<Doc> {
  const path = text('key', body.key).split('.');
  const filter = document('query', body.query);
  const rows = select(server.catalogue.find(db, text('distinct', body.distinct)), { filter });
  const fields = new Set(path.slice(0, 1));
  const isNew = distinctness();
  const values: Value[] = [];
  await pace(rows, deadlineOf(body), ({ raw }) => {
    const value = valueAt(decode(raw, fields), path);
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined && isNew(item)) values.push(item);
    return true;
  });
  return { values, ok: 1 };
}

async function getMore(call: Call): Promise<Buffer> {
  const { body, db, server } = call;
  const id =
    typeof body.getMore === 'number' ? body.getMore : fail(14, "BSON field 'getMore.getMore' is the wrong type");
  const cursor = server.cursors.take(id, `${db}.${text('collection', body.collection)}`);
  let isOver = true;
  cursor.busy = true;
  try {
    const size = integer('batchSize', body.batchSize, 0) || Number.POSITIVE_INFINITY;
    const { batch, done } = await cursor.next(size);
    isOver = done;
    return batchReply('nextBatch', batch, done ? 0 : id, cursor.namespace);
  } finally {
    cursor.busy = false;
    if (isOver) server.cursors.kill(id);
  }
}

function killCursors({ body, server }: Call): Doc {
  const ids = Array.isArray(body.cursors) ? body.cursors : fail(14, "BSON field 'cursors' must be an array");
  const killed: Value[] = [];
  const missing: Value[] = [];
  for (const id of ids) {
    const known = typeof id === 'number' && server.cursors.kill(id);
    (known ? killed : missing).push(id);
  }
  return { cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [], ok: 1 };
}

export const READ_COMMANDS: Readonly<Record<string, Command>> = {
  find: {
    fields: [
      'find',
      'filter',
      'sort',
      'projection',
      'hint',
      'skip',
      'limit',
      'batchSize',
      'singleBatch',
      'allowDiskUse',
    ],
    run: find,
  },
  aggregate: { fields: ['aggregate', 'pipeline', 'cursor'], run: aggregate },
  count: { fields: ['count', 'query', 'limit', 'hint'], run: countCommand },
  distinct: { fields: ['distinct', 'key', 'query'], run: distinct },
  getMore: { fields: ['getMore', 'collection', 'batchSize'], run: getMore },
  killCursors: { fields: ['killCursors', 'cursors'], run: killCursors },
  explain: { fields: ['explain', 'verbosity'], run: explain },
};
