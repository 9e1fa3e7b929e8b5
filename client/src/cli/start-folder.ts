/** What a running `npm start` writes for programs on its machine: the address, a key, and where deliveries may go. */
import { readFileSync } from 'node:fs';
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

export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
