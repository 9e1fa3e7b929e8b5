/**
 * Before Jest runs the first unit test: where `TEST_MONGODB` asks for a real MongoDB, finds one and starts the process that
 * the test files share, since a process for each would take seconds. `database-teardown.ts` ends it.
 */

/** What the teardown ends, which runs in the same process. */
declare global {
  var endSharedDatabase: (() => Promise<void>) | undefined;
}

async function start(): Promise<void> {
  const { TEST_MONGODB: wanted = '' } = process.env;
  if (wanted === '' || wanted === 'embedded') return;
  const { findMongod } = await import('../mongod-tool.ts');
  const found = await findMongod((text) => process.stderr.write(`${text}\n`));
  if ('path' in found) process.env.MONGOD = found.path;
  const isNamed = wanted === 'mongod' || wanted === 'standalone';
  // With a connection string, what disturbs its database takes the embedded one.
  if (!isNamed) return;
  if ('missing' in found) throw new Error(`TEST_MONGODB is ${wanted}, but ${found.missing}`);
  const { OwnDatabase } = await import('../../handlers/testing/database.ts');
  const database = new OwnDatabase();
  process.env.TEST_MONGODB_SHARED = await database.start();
  globalThis.endSharedDatabase = () => database.remove();
}

export default start;
