import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { closeFolder } from './listeners.ts';

const SQLITE_BUSY = 5;
const SQLITE_CONSTRAINT = 19;

export type SqlValue = number | string | Uint8Array | null;
type SqlRow = SqlValue[];

/** Another process has locked the data. */
export class LockedError extends Error {}

/**
 * The SQLite file and its single transaction. The writes of one turn of the event loop share a transaction. Callers
 * that wait for it are notified after the commit, when the data is on disk (synchronous=FULL).
 *
 * Code that keeps data in memory besides the file (the catalogue) registers with `undo` how to take a change back, so
 * that memory and file also agree after a rollback.
 */
export class Database {
  readonly sql: DatabaseSync;
  private open = false;
  /** Prepared statements by their text. SQLite prepares one again when its table is another one. */
  private readonly statements = new Map<string, StatementSync>();
  private readonly undoLog: (() => void)[] = [];
  private readonly waiting: Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>[] = [];

  /** Opens or creates the file in a folder. Throws LockedError when another process has locked it. */
  constructor(folder: string) {
    closeFolder(folder);
    const file = join(folder, 'data.sqlite');
    // SQLite gives its other files the same mode as this one.
    closeSync(openSync(file, 'a', 0o600));
    this.sql = new DatabaseSync(file, { returnArrays: true });
    try {
      // The exclusive lock is held by the operating system, so it ends with the process, however the process ends.
      this.sql.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL');
      // With secure_delete, what is deleted or replaced is overwritten with zeros.
      this.sql.exec(
        'PRAGMA secure_delete=ON; PRAGMA cache_size=-196608; PRAGMA wal_autocheckpoint=8000; PRAGMA journal_size_limit=67108864; BEGIN IMMEDIATE; COMMIT',
      );
    } catch (error) {
      this.sql.close();
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
      throw new LockedError(`another process is using the database in ${folder}`);
    }
  }

  /** Makes sure that a transaction is open. It is committed at the end of this turn of the event loop. */
  begin(): void {
    if (this.open) return;
    this.sql.exec('BEGIN IMMEDIATE');
    this.open = true;
    setImmediate(() => this.commit());
  }

  /** Registers how to take back a change in memory if the change in the file is rolled back. */
  undo(action: () => void): void {
    this.undoLog.push(action);
  }

  /** Waits until everything written so far is on disk. Fails if it is lost. */
  async whenCommitted(): Promise<void> {
    if (this.open) await new Promise<void>((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  /** Commits now. If the commit fails, nothing is acknowledged. */
  commit(): void {
    if (!this.open) return;
    try {
      this.sql.exec('COMMIT');
      this.open = false;
      this.undoLog.length = 0;
    } catch (error) {
      this.rollBack(error as Error);
    }
    for (const each of this.waiting.splice(0)) each.resolve();
  }

  /** Takes back all writes of this turn; whoever waits for them hears why they are lost. */
  private rollBack(error: Error): void {
    if (this.sql.isTransaction) this.sql.exec('ROLLBACK');
    this.open = false;
    this.revert(0);
    for (const each of this.waiting.splice(0)) each.reject(error);
  }

  private revert(length: number): void {
    while (this.undoLog.length > length) this.undoLog.pop()?.();
  }

  /** Runs a step completely or not at all. An error takes the step back and is thrown again. */
  atomically<T>(step: () => T): T {
    this.begin();
    const length = this.undoLog.length;
    this.sql.exec('SAVEPOINT step');
    try {
      const result = step();
      this.sql.exec('RELEASE step');
      return result;
    } catch (error) {
      if (this.sql.isTransaction) {
        this.sql.exec('ROLLBACK TO step; RELEASE step');
        this.revert(length);
      } else {
        // SQLite itself has rolled back the transaction (disk full, I/O error): all writes of this turn are lost.
        this.rollBack(error as Error);
      }
      throw error;
    }
  }

  /** Commits, and empties the write-ahead log: until then it holds pages as they were, with what was deleted since. */
  emptyLog(): void {
    this.commit();
    this.sql.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /**
   * Writes the file anew, so that it holds nothing but the present data. Zeros in the place of deleted rows are not enough:
   * when a page is full, rows move to another one, and their copies stay on the old one.
   */
  rewrite(): void {
    this.commit();
    this.sql.exec('VACUUM');
    this.emptyLog();
  }

  /** Frees the memory of SQLite's page cache. Later reads use the operating system's cache. */
  rest(): void {
    this.sql.exec('PRAGMA shrink_memory');
  }

  /** The first row of a statement's result, as an array in the order of the columns; empty if there is none. */
  get(text: string, ...values: SqlValue[]): SqlRow {
    // With returnArrays the rows are arrays, which the types of node:sqlite do not express.
    return (this.prepared(text).get(...values) ?? []) as unknown as SqlRow;
  }

  all(text: string, ...values: SqlValue[]): SqlRow[] {
    return this.prepared(text).all(...values) as unknown as SqlRow[];
  }

  run(text: string, ...values: SqlValue[]): void {
    this.prepared(text).run(...values);
  }

  private prepared(text: string): StatementSync {
    const found = this.statements.get(text) ?? this.sql.prepare(text);
    this.statements.set(text, found);
    return found;
  }

  close(): void {
    this.commit();
    this.sql.close();
  }
}

/** Whether an error is a violation of a UNIQUE or PRIMARY KEY constraint. */
export function isConstraint(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && (code & 0xff) === SQLITE_CONSTRAINT;
}
