import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, type Db, MongoClient } from 'mongodb';
import { type RunningDatabase, start } from './server.ts';

/** A database in this process, on a separate folder, with a client. */
interface Fixture {
  readonly running: RunningDatabase;
  readonly db: Db;
  /** A collection that nothing else uses. */
  readonly fresh: () => Collection;
  readonly end: () => Promise<void>;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'embedded-db-'));
}

export async function setUp(): Promise<Fixture> {
  const data = temporaryFolder();
  const running = await start({ data });
  const client = await new MongoClient(running.uri, { maxPoolSize: 20 }).connect();
  const db = client.db('test');
  let number = 0;
  return {
    running,
    db,
    fresh: () => db.collection(`c${++number}`),
    end: async () => {
      await client.close();
      await running.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The database as a process of its own. */
export interface Process {
  readonly child: ChildProcess;
  /** Its exit code; null if a signal ended it. */
  readonly exit: Promise<number | null>;
  /** All its output up to the line that says where it listens, or up to its end if it never listens. */
  readonly said: Promise<string>;
}

/** The folders and processes of one test file. */
export class Leftovers {
  readonly #folders: string[] = [];
  readonly #children: ChildProcess[] = [];

  folder(): string {
    const made = temporaryFolder();
    this.#folders.push(made);
    return made;
  }

  run(...options: string[]): Process {
    const main = join(import.meta.dirname, 'main.ts');
    const child = spawn(process.execPath, [main, ...options], { env: { ...process.env, NODE_OPTIONS: '' } });
    this.#children.push(child);
    const exit = once(child, 'close').then(([code]) => code as number | null);
    const said = new Promise<string>((resolve) => {
      let text = '';
      const add = (data: Buffer): void => {
        text += data;
        if (/listening .*\n/.test(text)) resolve(text.trim());
      };
      child.stdout.on('data', add);
      child.stderr.on('data', add);
      exit.then(() => resolve(text.trim()));
    });
    return { child, exit, said };
  }

  /** Ends all processes and removes all folders. */
  remove(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** A stream of pseudo-random numbers. With the same seed a failing run can be repeated. */
export function randomFrom(seed: number): { below: (n: number) => number; pick: <T>(list: readonly T[]) => T } {
  let state = seed;
  // The constants are those of Numerical Recipes; only the high bits are used.
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return { below, pick: (list) => list[below(list.length)] as never };
}

/** The code of the error with which a promise is rejected; undefined if it is not rejected. */
export async function codeOf(promise: Promise<unknown>): Promise<number | string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return (error as { code?: number | string }).code ?? String(error);
  }
}
