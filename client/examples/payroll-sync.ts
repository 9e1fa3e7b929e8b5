/**
 * A copy of all employees for a payroll program, in SQLite: loads everybody, then follows changes by webhooks and by
 * `updated_since`. It may be killed at any time; whatever it had not finished, it does again.
 *
 *   npm install ./developer-api-client-*.tgz
 *   cp node_modules/developer-api-client/examples/payroll-sync.ts .
 *   KEY=… API=https://api.docflow.example SECRETS=whsec_… node payroll-sync.ts      (Node 24)
 *
 * SECRETS is that of an endpoint for employee.changed, employee.deleted and person.changed, whose URL leads to PORT
 * through a TLS terminator. On a laptop: developer-api-client listen --save-secret FILE --forward-to http://127.0.0.1:3000.
 *
 * What keeps the copy right:
 * - Rows and the progress that they belong to are one transaction, and progress is never ahead of rows.
 * - An event only marks an employee, durably, before it is answered; then the employee is read. So events may come twice,
 *   late and in any order.
 * - One loop writes, and it reads nothing else while it holds a page. So nothing old overwrites what is newer.
 * - Events can be lost, for example those of a day when this was down. A round reads who changed since the last one, and
 *   once a day everybody; whom that does not show is read by id, and a row goes only when the service says 404: the
 *   employee was deleted, or the owner of the key may not see it any more.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ApiError,
  ConnectionError,
  DeveloperApi,
  type Employee,
  expressWebhook,
  TimeoutError,
  UnexpectedAnswerError,
} from 'developer-api-client';

const { KEY = '', API = 'http://127.0.0.1:8080', SECRETS = '', PORT = '3000' } = process.env;
const { DATABASE = 'payroll.db', EVERY_S = '60', FULL_EVERY_S = '86400' } = process.env;
const [EVERY_MS, FULL_EVERY_MS] = [Number(EVERY_S) * 1_000, Number(FULL_EVERY_S) * 1_000];
if (KEY === '' || SECRETS === '') throw new Error('Set KEY and SECRETS.');

const client = new DeveloperApi({ apiKey: KEY, baseUrl: API });
const stopping = new AbortController();
const { signal } = stopping;

// Whoever reads or saves the copy may lock it for a moment.
const database = new DatabaseSync(DATABASE, { timeout: 5_000 });
// A column is NULL where the owner of the key may not see the field, and '' where there is no value.
database.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS employees (
    id TEXT PRIMARY KEY, employee_number TEXT, full_name TEXT, iin TEXT, status TEXT, department_id TEXT,
    start_date TEXT, end_date TEXT, update_time TEXT, round TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS marks (id TEXT PRIMARY KEY, times INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS progress (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`);
const put = database.prepare('INSERT OR REPLACE INTO employees VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
const remove = database.prepare('DELETE FROM employees WHERE id = ?');
const mark = database.prepare('INSERT INTO marks VALUES (?, 1) ON CONFLICT DO UPDATE SET times = times + 1');
const marked = database.prepare('SELECT id, times FROM marks');
const unmark = database.prepare('DELETE FROM marks WHERE id = ? AND times = ?');
const markUnseen = database.prepare('INSERT OR IGNORE INTO marks SELECT id, 1 FROM employees WHERE round <> ?');
const progress = database.prepare('SELECT value FROM progress WHERE name = ?');
const setProgress = database.prepare('INSERT OR REPLACE INTO progress VALUES (?, ?)');

/** Writes all of it or nothing. The work must not wait for anything, or events would write in between. */
function together(work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** @param round the round that has shown the employee; '' if it was read by its id */
function save(employee: Employee, round: string): void {
  const { id, employee_number, person, status, department_id, start_date, end_date, update_time } = employee;
  const names = [person?.full_name ?? null, person?.iin ?? null];
  put.run(id, employee_number, ...names, status, department_id, start_date, end_date, update_time, round);
}

const saved = (name: 'since' | 'full_at') => progress.get(name)?.value as string | undefined;

/** A clock that was set back must not put the round off. */
function isFullDue(): boolean {
  const ageMs = Date.now() - Number(saved('full_at') ?? 0);
  return ageMs < 0 || ageMs >= FULL_EVERY_MS;
}

/** Reads who changed since the last round, or everybody. Events that come meanwhile are served between the pages. */
async function readRound(isFull: boolean): Promise<void> {
  const [round, startedMs] = [randomUUID(), Date.now()];
  const since = isFull ? undefined : saved('since');
  const changes = client.employees.changes({ since, limit: 1000, expand: ['person'] }, { signal });
  for await (const page of changes.pages()) {
    together(() => {
      for (const employee of page.employees) save(employee, round);
      if (page.next_page_token !== '') return;
      setProgress.run('since', changes.next);
      if (since !== undefined) return;
      markUnseen.run(round);
      setProgress.run('full_at', String(startedMs));
    });
    await readMarked();
  }
}

/** Reads the employees that are marked. A mark that was set again meanwhile stays. */
async function readMarked(): Promise<void> {
  for (const { id, times } of marked.all() as { id: string; times: number }[]) {
    const employee = await current(id);
    together(() => {
      if (employee === undefined) remove.run(id);
      else save(employee, '');
      unmark.run(id, times);
    });
  }
}

/** @returns undefined if the employee is deleted, or out of view */
async function current(id: string): Promise<Employee | undefined> {
  try {
    return (await client.employees.get(id, { expand: ['person'] }, { signal })).employee;
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'EMPLOYEE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Whether it may go away by itself. What is left, such as a revoked key, needs a person: the program ends. */
function isTemporary(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500;
  return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof UnexpectedAnswerError;
}

let wake = () => {};

/** Waits for this time, the next event, or the end. */
function pause(ms: number): Promise<void> {
  const waking = new AbortController();
  wake = () => waking.abort();
  return delay(ms, undefined, { signal: AbortSignal.any([signal, waking.signal]) }).catch(() => {});
}

const server = createServer(
  expressWebhook({
    secrets: SECRETS.split(','),
    onEvent(event) {
      switch (event.type) {
        case 'employee.changed':
        case 'employee.deleted':
        case 'person.changed':
          // Written to disk here, since the answer tells the service not to send the event again.
          mark.run(event.data.employee_id);
          wake();
      }
    },
    onError: (error) => console.error(error instanceof Error ? error.message : error),
  }),
).listen(Number(PORT));

for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

let nextMs = 0;
while (!signal.aborted) {
  try {
    await readMarked();
    if (performance.now() >= nextMs) {
      await readRound(isFullDue());
      nextMs = performance.now() + EVERY_MS;
    }
    if (marked.get() === undefined) await pause(nextMs - performance.now());
  } catch (error) {
    if (signal.aborted) break;
    if (!isTemporary(error)) throw error;
    console.error((error as Error).message);
    await pause(Math.min(5_000, EVERY_MS));
  }
}
server.close();
server.closeAllConnections();
database.close();
