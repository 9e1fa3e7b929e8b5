import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Database } from './database.ts';
import { randomFrom, temporaryFolder } from './test-fixture.ts';

let folder: string;
let database: Database;
let commits: string[];
beforeEach(() => {
  folder = temporaryFolder();
  database = new Database(folder);
  database.sql.exec('CREATE TABLE t (x)');
  commits = [];
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const rows = (): unknown => database.get('SELECT count(*) FROM t')[0];
const write = (): void => database.atomically(() => database.sql.exec('INSERT INTO t VALUES (1)'));
const note = (name: string): void => {
  database.whenCommitted().then(
    () => commits.push(name),
    () => commits.push(`${name} lost`),
  );
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the writes of one turn share a commit, and each is confirmed after it', async () => {
  write();
  note('a');
  write();
  note('b');
  expect(commits).toEqual([]);
  await turn();
  expect(commits).toEqual(['a', 'b']);
  note('nothing to wait for');
  await turn();
  expect(commits).toHaveLength(3);
});

test('a step that fails is rolled back, in memory too, and nothing else is', () => {
  const memory = ['before'];
  write();
  expect(() =>
    database.atomically(() => {
      write();
      memory.push('inside');
      database.undo(() => memory.pop());
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(memory).toEqual(['before']);
  database.commit();
  expect(rows()).toBe(1);
});

test('a commit that fails acknowledges nothing', async () => {
  const memory = ['before'];
  write();
  memory.push('inside');
  database.undo(() => memory.pop());
  note('a');
  database.sql.exec('ROLLBACK');
  database.commit();
  await turn();
  expect(commits).toEqual(['a lost']);
  expect(memory).toEqual(['before']);
  expect(rows()).toBe(0);
  write();
  database.commit();
  expect(rows()).toBe(1);
});

/** Which of these texts, each in angle brackets, the files hold. */
function heldOf(texts: readonly string[]): string[] {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  const found = new Set(files.flatMap((file) => file.match(/<[^<>]*>/g) ?? []));
  return texts.filter((text) => found.has(text));
}

test('what is deleted or replaced is in no file once the log is emptied, nor after a clean end', () => {
  const texts = ['<deleted>', '<replaced>', '<kept>'];
  for (const text of texts) database.sql.exec(`INSERT INTO t VALUES ('${text}')`);
  database.emptyLog();
  expect(heldOf(texts)).toEqual(texts);
  database.begin();
  database.sql.exec("DELETE FROM t WHERE x = '<deleted>'; UPDATE t SET x = '<other>' WHERE x = '<replaced>'");
  database.emptyLog();
  expect(heldOf([...texts, '<other>'])).toEqual(['<kept>', '<other>']);
  database.sql.exec('DELETE FROM t');
  database.close();
  expect(heldOf([...texts, '<other>'])).toEqual([]);
  database = new Database(folder);
});

test('a file that is written anew has no copies of rows that had moved to another page', () => {
  const random = randomFrom(3);
  const text = (n: number) => `<row ${n}>`;
  const filled = (n: number) => `'${text(n)}${'.'.repeat(random.below(600))}${text(n)}'`;
  const all = Array.from({ length: 2_000 }, (_, n) => n);
  database.begin();
  database.sql.exec('CREATE TABLE r (n INTEGER PRIMARY KEY, x)');
  for (const n of all) database.sql.exec(`INSERT INTO r VALUES (${n}, ${filled(n)})`);
  for (const n of all) database.sql.exec(`UPDATE r SET x = ${filled(n)} WHERE n = ${n}`);
  const deleted = all.filter((n) => n % 3 === 0);
  database.sql.exec('DELETE FROM r WHERE n % 3 = 0');
  database.emptyLog();
  // If this fails, SQLite leaves no copies any more, and nothing needs to be written anew.
  expect(heldOf(deleted.map(text))).not.toEqual([]);
  database.rewrite();
  expect(heldOf(all.map(text))).toEqual(all.filter((n) => n % 3 !== 0).map(text));
});
