import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Database } from './database.ts';
import { temporaryFolder } from './test-fixture.ts';

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

const rows = (): unknown => database.sql.prepare('SELECT count(*) AS n FROM t').get()?.n;
const write = (): void => database.atomically(() => database.sql.exec('INSERT INTO t VALUES (1)'));
const note = (name: string): void =>
  database.whenCommitted(
    () => commits.push(name),
    () => commits.push(`${name} lost`),
  );
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

test('a commit that fails acknowledges nothing', () => {
  const memory = ['before'];
  write();
  memory.push('inside');
  database.undo(() => memory.pop());
  note('a');
  database.sql.exec('ROLLBACK');
  database.commit();
  expect(commits).toEqual(['a lost']);
  expect(memory).toEqual(['before']);
  expect(rows()).toBe(0);
  write();
  database.commit();
  expect(rows()).toBe(1);
});
