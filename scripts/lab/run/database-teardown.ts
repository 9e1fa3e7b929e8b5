/** Runs after the last unit test: ends the database that the test files shared, if there was one. */
import './database-setup.ts';

async function end(): Promise<void> {
  await globalThis.endSharedDatabase?.();
}

export default end;
