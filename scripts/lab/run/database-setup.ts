/**
 * Runs before Jest's first unit test. If `TEST_MONGODB` asks for a real MongoDB, finds one and starts a process that
 * all test files share, because a process for each file would take seconds. `database-teardown.ts` ends it.
 */

/** What the teardown, which runs in the same process, has to end. */
declare global {
  var endSharedDatabase: (() => Promise<void>) | undefined;
}

async function start(): Promise<void> {
  const { TEST_MONGODB: wanted = '' } = process.env;
  if (wanted === '' || wanted === 'embedded') return;
  const { findMongod } = await import('../../kit/mongod-tool.ts');
  const found = await findMongod((text) => process.stderr.write(`${text}\n`));
  if ('path' in found) process.env.MONGOD = found.path;
  const isNamed = wanted === 'mongod' || wanted === 'standalone';
  // With a connection string no server is started: tests that would disturb that database run on the embedded one.
  if (!isNamed) return;
  if ('missing' in found) throw new Error(`TEST_MONGODB is ${wanted}, but ${found.missing}`);
  const { OwnDatabase } = await import('../../world/database.ts');
  const database = new OwnDatabase();
  process.env.TEST_MONGODB_SHARED = await database.start();
  globalThis.endSharedDatabase = () => database.remove();
}

export default start;
