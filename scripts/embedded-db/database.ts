import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { closeFolder } from './doors.ts';

const SQLITE_BUSY = 5;
const SQLITE_CONSTRAINT = 19;

/** Somebody else holds the data. */
export class LockedError extends Error {}

/**
 * The SQLite file and its one transaction. Writes of one turn of the event loop share a transaction; whoever waits
 * for it is told after the commit, which is on disk then (synchronous=FULL).
 *
 * What is kept in memory beside the file (the catalogue) registers with `undo` how to take a change back, so that
 * memory and file agree after a rollback too.
 */
export class Database {
  readonly sql: DatabaseSync;
  private open = false;
  private readonly undoLog: (() => void)[] = [];
  private waiting: { committed: () => void; lost: (error: Error) => void }[] = [];

  /** Opens or creates the file in a folder. Throws LockedError when another process has it. */
  constructor(folder: string) {
    closeFolder(folder);
    const file = join(folder, 'data.sqlite');
    // SQLite gives the files beside it the mode that this one has.
    closeSync(openSync(file, 'a', 0o600));
    this.sql = new DatabaseSync(file);
    try {
      // The exclusive lock is the operating system's: it ends with the process, however that ends.
      this.sql.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL');
      this.sql.exec(
        'PRAGMA cache_size=-196608; PRAGMA wal_autocheckpoint=8000; PRAGMA journal_size_limit=67108864; BEGIN IMMEDIATE; COMMIT',
      );
    } catch (error) {
      this.sql.close();
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
      throw new LockedError(`another process is using the database in ${folder}`);
    }
  }

  /** Whether a transaction is open, that is, whether anything read now may not be on disk yet. */
  get pending(): boolean {
    return this.open;
  }

  /** Makes sure that a transaction is open; it is committed at the end of this turn of the event loop. */
  begin(): void {
    if (this.open) return;
    this.sql.exec('BEGIN IMMEDIATE');
    this.open = true;
    setImmediate(() => this.commit());
  }

  /** Registers how to take back a change of what is in memory if the change in the file is rolled back. */
  undo(action: () => void): void {
    this.undoLog.push(action);
  }

  /** Calls back when everything written so far is on disk, or when it is lost. */
  whenCommitted(committed: () => void, lost: (error: Error) => void): void {
    if (this.open) this.waiting.push({ committed, lost });
    else committed();
  }

  /** Commits now. Nothing is acknowledged when that fails. */
  commit(): void {
    if (!this.open) return;
    const waiting = this.waiting;
    this.waiting = [];
    try {
      this.sql.exec('COMMIT');
      this.open = false;
      this.undoLog.length = 0;
    } catch (error) {
      this.rollBack();
      for (const each of waiting) each.lost(error as Error);
      return;
    }
    for (const each of waiting) each.committed();
  }

  private rollBack(): void {
    if (this.sql.isTransaction) this.sql.exec('ROLLBACK');
    this.open = false;
    this.revert(0);
  }

  private revert(length: number): void {
    while (this.undoLog.length > length) this.undoLog.pop()?.();
  }

  /** Runs a step that happens wholly or not at all; an error takes it back and is thrown on. */
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
        // SQLite itself gave the transaction up (disk full, I/O error): all of this turn's writes are gone.
        const waiting = this.waiting;
        this.waiting = [];
        this.rollBack();
        for (const each of waiting) each.lost(error as Error);
      }
      throw error;
    }
  }

  /** Gives the memory of the page cache back; what is read again comes from the operating system's. */
  rest(): void {
    this.sql.exec('PRAGMA shrink_memory');
  }

  close(): void {
    this.commit();
    this.sql.close();
  }
}

/** Whether an error is the breach of a UNIQUE or PRIMARY KEY. */
export function isConstraint(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && (code & 0xff) === SQLITE_CONSTRAINT;
}
