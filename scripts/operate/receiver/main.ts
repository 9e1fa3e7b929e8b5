/** `npm run receiver`: receives the events of an endpoint on this machine, verifies them and prints them. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  commandLine,
  misuse,
  type Output,
  portNumber,
  refuse,
  runProgram,
  standardOutput,
  wholeNumber,
} from '../../../conformance/command-line.ts';
import { runMain, untilStopped } from '../../../conformance/processes/ending.ts';
import { type Delivery, receiver } from './receiver.ts';

interface Flags {
  readonly secret?: string;
  readonly secretFile?: string;
  readonly port: number;
  readonly status: number;
  readonly data: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** Where a run writes its output, and how it is stopped; tests replace this. */
export interface Surroundings extends Output {
  readonly untilStopped: () => AbortSignal;
}

const NOTES = `
Takes deliveries at https://127.0.0.1:PORT/, the one address that npm start allows in addition to public ones, with
the certificate that npm start made for it. The check of the signature is scripts/operate/receiver/verify.ts: copy it.
Exit codes: 0 ended by Ctrl-C, 1 a file is missing or the port is taken, 2 wrong usage.

Examples:
  npm run receiver -- --secret whsec_…
  npm run receiver -- --secret-file secret.txt --json
  npm run receiver -- --secret-file secret.txt --status 500     # refuses everything, to watch retries`;

function fileText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return refuse(`There is no ${what} in ${file}. npm start makes it; --data says in which folder.`);
  }
}

function secretOf({ secret, secretFile }: Flags): string {
  if ((secret === undefined) === (secretFile === undefined)) misuse('Give the secret: --secret or --secret-file.');
  const text = (secret ?? fileText(secretFile ?? '', 'secret')).trim();
  if (!text.startsWith('whsec_')) misuse('A secret begins with whsec_; the creation of an endpoint answers it, once.');
  return text;
}

export function lineOf({ verdict, status, event, again }: Delivery): string {
  if (verdict === 'wrong signature')
    return `REFUSED: wrong signature, so it is not from the service or not for this secret (${status})`;
  if (verdict === 'too old') return `REFUSED: signed more than five minutes ago, perhaps a recording (${status})`;
  const { id, type, data } = event as { id: string; type: string; data: object };
  const notes = [again && 'came before', status >= 300 && `answered ${status}`].filter(Boolean);
  return [id, type, JSON.stringify(data), notes.length > 0 && `(${notes.join(', ')})`].filter(Boolean).join('  ');
}

async function receive(flags: Flags, { stdout, stderr, untilStopped }: Surroundings): Promise<void> {
  const folder = path.join(flags.data, 'webhooks');
  const server = receiver({
    secret: secretOf(flags),
    cert: fileText(flags.certificate ?? path.join(folder, 'receiver.pem'), 'certificate'),
    key: fileText(flags.key ?? path.join(folder, 'receiver-key.pem'), 'key'),
    status: flags.status,
    heard: (delivery) => stdout(`${flags.json ? JSON.stringify(delivery) : lineOf(delivery)}\n`),
  });
  const stopped = untilStopped();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(flags.port, '127.0.0.1', resolve);
  }).catch((error: Error) => refuse(`It cannot listen on 127.0.0.1:${flags.port}: ${error.message}`));
  stderr(`Listening on https://127.0.0.1:${(server.address() as AddressInfo).port}/, Ctrl-C ends it.\n`);
  await new Promise<void>((resolve) => {
    const stop = () => {
      server.close(() => resolve());
      server.closeAllConnections();
    };
    if (stopped.aborted) stop();
    else stopped.addEventListener('abort', stop, { once: true });
  });
}

/** @returns the exit code */
export function receiverMain(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const about = 'Receives the events of a webhook endpoint on this machine, verifies and prints them, one a line.';
  const program = commandLine('receiver', about, surroundings)
    .option('--secret <whsec_…>', 'secret of the endpoint')
    .option('--secret-file <file>', 'file that contains the secret, so that no list of processes shows it')
    .option('--port <port>', 'where to listen, on 127.0.0.1', portNumber, 8443)
    .option('--status <code>', 'the status with which genuine deliveries are answered', wholeNumber(200, 599), 204)
    .option('--data <folder>', 'the folder that npm start uses', '.data')
    .option('--certificate <file>', 'certificate (PEM), instead of the one in the folder')
    .option('--key <file>', 'its key (PEM)')
    .option('--json', 'print each delivery as one line of JSON')
    .addHelpText('after', NOTES)
    .action((flags: Flags) => receive(flags, surroundings));
  return runProgram(program, argv);
}

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  return receiverMain(argv, { ...standardOutput, untilStopped });
}

if (import.meta.main) await runMain(main);
