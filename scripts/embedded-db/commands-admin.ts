import { allIndexes, type Collection } from './catalogue.ts';
import type { Call, Command } from './command.ts';
import { encode, MAX_DOCUMENT_BYTES } from './documents.ts';
import { fail } from './errors.ts';
import { isTruthy } from './expressions.ts';
import { compileFilter } from './matcher.ts';
import { document, text } from './parameters.ts';
import { fillIndex } from './rows.ts';
import { type Doc, isDoc, type Value } from './values.ts';
import { batchReply, MAX_MESSAGE_BYTES } from './wire.ts';

/** The MongoDB release whose behaviour is followed, and its wire version. */
const VERSION = '7.0.0';
const WIRE_VERSION = 21;

const ok = (): Doc => ({ ok: 1 });

function hello({ body }: Call): Doc {
  return {
    ['ismaster' in body ? 'ismaster' : 'isWritablePrimary']: true,
    helloOk: true,
    maxBsonObjectSize: MAX_DOCUMENT_BYTES,
    maxMessageSizeBytes: MAX_MESSAGE_BYTES,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: 1,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
    ok: 1,
  };
}

/** The module lets a client distinguish this database from a MongoDB server. */
const buildInfo = (): Doc => ({
  version: VERSION,
  versionArray: [7, 0, 0, 0],
  maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  modules: ['embedded-db'],
  ok: 1,
});

function existing(call: Call, name: Value | undefined): Collection {
  const collection = call.server.catalogue.find(call.db, text('collection', name));
  return collection ?? fail(26, `ns does not exist: ${call.db}.${String(name)}`);
}

/** MongoDB compacts the collection that is named. Here all are in one file, which is written anew. */
function compact(call: Call): Doc {
  existing(call, call.body.compact);
  call.server.database.rewrite();
  return { bytesFreed: 0, ok: 1 };
}

function dropDatabase({ db, server }: Call): Doc {
  const collections = server.catalogue.list(db);
  server.database.atomically(() => {
    for (const collection of collections) server.catalogue.drop(collection);
  });
  return collections.length > 0 ? { dropped: db, ok: 1 } : ok();
}

const listReply = (docs: readonly Doc[], namespace: string): Buffer =>
  batchReply('firstBatch', docs.map(encode), 0, namespace);

function listCollections(call: Call): Buffer {
  const matcher = compileFilter(document('filter', call.body.filter));
  const docs = call.server.catalogue.list(call.db).map((collection): Doc => {
    const basic: Doc = { name: collection.name, type: 'collection' };
    if (isTruthy(call.body.nameOnly)) return basic;
    return { ...basic, options: {}, info: { readOnly: false }, idIndex: collection.idIndex.spec };
  });
  return listReply(
    docs.filter((doc) => matcher.test(doc)),
    `${call.db}.$cmd.listCollections`,
  );
}

function listIndexes(call: Call): Buffer {
  const collection = existing(call, call.body.listIndexes);
  return listReply(
    allIndexes(collection).map(({ spec }) => spec),
    collection.namespace,
  );
}

function createIndexes(call: Call): Doc {
  const { body, db, server } = call;
  const { catalogue, database } = server;
  const specs = Array.isArray(body.indexes)
    ? body.indexes
    : fail(40414, "BSON field 'createIndexes.indexes' is missing but a required field");
  if (specs.length === 0) fail(2, 'Must specify at least one index to create');
  const name = text('createIndexes', body.createIndexes);
  return database.atomically(() => {
    const collection = catalogue.ensure(db, name);
    const before = allIndexes(collection).length;
    for (const spec of specs) {
      if (!isDoc(spec)) return fail(14, 'an index specification must be an object');
      const index = catalogue.createIndex(collection, spec);
      if (index !== undefined) fillIndex(catalogue, collection, index);
    }
    const after = allIndexes(collection).length;
    return { numIndexesBefore: before, numIndexesAfter: after, ok: 1 };
  });
}

function dropIndexes(call: Call): Doc {
  const { server } = call;
  const collection = existing(call, call.body.dropIndexes);
  const nIndexesWas = allIndexes(collection).length;
  const found = indexNamed(collection, call.body.index);
  server.database.atomically(() => server.catalogue.dropIndex(collection, found));
  return { nIndexesWas, ok: 1 };
}

function indexNamed(collection: Collection, name: Value | undefined): Collection['indexes'][number] {
  if (typeof name !== 'string' || name === '*') return fail(115, 'indexes are dropped one by one and by name here');
  if (name === '_id_') return fail(72, 'cannot drop _id index');
  const found = collection.indexes.find((index) => index.name === name);
  return found ?? fail(27, `index not found with name [${name}]`);
}

export const ADMIN_COMMANDS: Readonly<Record<string, Command>> = {
  hello: { run: hello },
  ismaster: { run: hello },
  ping: { run: ok },
  buildInfo: { run: buildInfo },
  endSessions: { run: ok },
  compact: { fields: ['compact'], run: compact },
  dropDatabase: { fields: ['dropDatabase'], run: dropDatabase },
  listCollections: {
    fields: ['listCollections', 'filter', 'nameOnly', 'authorizedCollections', 'cursor'],
    run: listCollections,
  },
  listIndexes: { fields: ['listIndexes', 'cursor'], run: listIndexes },
  createIndexes: { fields: ['createIndexes', 'indexes'], run: createIndexes },
  dropIndexes: { fields: ['dropIndexes', 'index'], run: dropIndexes },
};
