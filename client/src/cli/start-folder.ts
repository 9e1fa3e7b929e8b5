/** What a running `npm start` writes for programs on its machine: the address, a key, and where deliveries may go. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface StartFolder {
  readonly folder: string;
  /** Its variables, by name: `API`, `KEY`, `RECEIVER` and those of the tours. */
  readonly facts: Readonly<Record<string, string>>;
  /** Certificate and key (PEM) for the address `RECEIVER`. */
  readonly certificate: string;
  readonly certificateKey: string;
}

/** @returns undefined if the folder is not the data folder of an `npm start` */
export function startFolder(folder: string): StartFolder | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, 'tour.env'), 'utf8');
  } catch {
    return undefined;
  }
  // Each line is an assignment of a shell, whose value is quoted.
  const facts = [...text.matchAll(/^([A-Z_]+)='((?:[^'\n]|'\\'')*)'/gm)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll("'\\''", "'"),
  ]);
  const file = (name: string) => join(folder, 'webhooks', name);
  return {
    folder,
    facts: Object.fromEntries(facts),
    certificate: file('receiver.pem'),
    certificateKey: file('receiver-key.pem'),
  };
}

const NOTE = 'listen.json';

/** The endpoint of a `listen` that was killed, by its note in the folder. */
export function leftEndpoint(folder: string): string | undefined {
  try {
    const { id, pid } = JSON.parse(readFileSync(join(folder, NOTE), 'utf8'));
    return typeof id === 'string' && typeof pid === 'number' && !isRunning(pid) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Notes the endpoint that this process deletes at its end; undefined: it has. */
export function noteEndpoint(folder: string, id: string | undefined): void {
  const file = join(folder, NOTE);
  if (id === undefined) rmSync(file, { force: true });
  else writeFileSync(file, JSON.stringify({ id, pid: process.pid }));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
