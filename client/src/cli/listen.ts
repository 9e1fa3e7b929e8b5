/** `listen`: the deliveries of an endpoint, on this machine. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventTypes } from '../../../generated/client/calls.ts';
import type { DeveloperApi } from '../client.ts';
import { ApiError, ConnectionError, TimeoutError } from '../errors.ts';
import type { WebhookEventType } from '../types.ts';
import {
  type CommandContext,
  CommandError,
  type CommandWords,
  EXIT,
  parsed,
  urlOf,
  wholeNumber,
} from './command-line.ts';
import { CONNECTION_NOTES, CONNECTION_OPTIONS, type Connection, connectionOf } from './connection.ts';
import { deliveryServer, type ReceiverOptions } from './deliveries.ts';
import { linesOf } from './lines.ts';
import { whyTestFailed } from './reasons.ts';
import { leftEndpoint, noteEndpoint } from './start-folder.ts';

const USUAL_PORT = 4_500;
const HOST = '127.0.0.1';

const OPTIONS = {
  'forward-to': ['URL', 'hand deliveries on to this http address, and answer what it answers'],
  events: ['types', 'types of events, separated by commas (default: all)'],
  'public-url': ['URL', 'the public https address of a tunnel to this machine, for the endpoint'],
  port: ['port', `where to listen on ${HOST} (default: the port that npm start allows, or ${USUAL_PORT})`],
  'secret-file': ['file', 'take the endpoint with this secret, instead of making one; a line for each secret'],
  'save-secret': ['file', 'write the secret of the new endpoint to this file, for the program behind --forward-to'],
  answer: ['status', 'the answer where nothing is forwarded (default: 204); 500 shows how events come again'],
  certificate: ['file', 'listen with TLS and this certificate (PEM) …'],
  'certificate-key': ['file', '… and its key (PEM)'],
  ...CONNECTION_OPTIONS,
} as const;

const FLAGS = {
  'no-test': 'send no test event at the beginning',
  json: 'print one line of JSON for each delivery',
} as const;

const notes = (name: string) => `
${CONNECTION_NOTES}
It makes an endpoint and deletes it at the end, at Ctrl-C too. If it is killed, the endpoint stays and takes one of the
50 places of the tenant. With npm start, the next listen deletes it; otherwise delete it by the id that was printed
(DELETE /developer/v1/webhook_endpoints/ID). The number of
an attempt is what this program has seen, or more by the age of the event. What is not genuine is answered with 400 and
not forwarded.
The service delivers only to public https addresses, npm start to one of this machine more. For any other service, start
a tunnel (such as cloudflared, ngrok, or ssh -R to a server of yours) and name its address with --public-url.
Exit codes: 0 stopped, 1 refused, 2 wrong usage, 3 the service does not answer.

Examples:
  ${name} listen --forward-to http://127.0.0.1:3000/hooks
  KEY=… ${name} listen --url https://api.docflow.example --public-url https://NAME.OF.THE.TUNNEL`;

export const LISTEN: CommandWords<keyof typeof OPTIONS, keyof typeof FLAGS> = {
  takes: '',
  about: 'Receives the events of a webhook endpoint on this machine: verifies, shows and forwards them.',
  options: OPTIONS,
  flags: FLAGS,
  notes,
};

type ListenOptions = Partial<Record<keyof typeof OPTIONS, string>>;

/** Where deliveries arrive. */
interface Place {
  readonly port: number;
  readonly tls: ReceiverOptions['tls'];
  /** Whether it is the one address of this machine that `npm start` allows. */
  readonly isOfStart: boolean;
  /** The URL of a new endpoint; undefined if it takes a tunnel that nobody has named. */
  readonly endpointUrl: string | undefined;
}

/** Which endpoint deliveries are for. */
interface EndpointAtHand {
  readonly secrets: readonly string[];
  /** Of an endpoint that this program has made and will delete. */
  readonly id?: string;
}

/** @returns the exit code */
export async function listen(argv: readonly string[], context: CommandContext): Promise<number> {
  const { options, flags } = parsed(argv, LISTEN);
  const forwardTo =
    options['forward-to'] === undefined ? undefined : urlOf('forward-to', options['forward-to'], 'http:');
  const answer = wholeNumber('answer', options.answer ?? '204', 200, 599);
  const taken = takenEndpoint(options);
  const connection = connectionOf(options, context);
  const place = placeOf(options, connection);
  if (taken === undefined && place.endpointUrl === undefined) needsTunnel(connection.url, place.port, context.name);
  const client = taken === undefined ? connection.client() : undefined;
  const stopped = context.untilStopped();
  let endpoint: EndpointAtHand | undefined = taken;
  let aheadMs: number | undefined;
  let tellSecrets: (secrets: readonly string[]) => void = () => {};
  const server = deliveryServer({
    secrets: new Promise((resolve) => {
      tellSecrets = resolve;
    }),
    path: place.endpointUrl && new URL(place.endpointUrl).pathname,
    forwardTo,
    answer,
    tls: place.tls,
    clockAheadMs: () => aheadMs,
    heard: (report) => context.stdout(flags.has('json') ? `${JSON.stringify(report)}\n` : linesOf(report)),
  });
  const port = await listening(server, place);
  try {
    aheadMs = client && (await clockAheadMs(client));
    if (client) await removeLeft(client, connection, context);
    endpoint ??= await newEndpoint(client ?? connection.client(), place.endpointUrl ?? '', options.events);
    if (client && connection.start) noteEndpoint(connection.start.folder, endpoint.id);
    saveSecret(options['save-secret'], endpoint);
    tellSecrets(endpoint.secrets);
    announce({ ...place, port, endpoint, forwardTo, isJson: flags.has('json') }, context);
    if (client && endpoint.id && !flags.has('no-test')) await tryOut(client, endpoint.id, stopped, context);
    if (!stopped.aborted) await once(stopped, 'abort');
    return EXIT.ok;
  } finally {
    // What arrives until the endpoint is deleted is still answered.
    if (client && endpoint?.id) await remove(client, endpoint.id, connection, context).finally(() => end(server));
    else end(server);
  }
}

/** The endpoint of `--secret-file`, which exists already. */
function takenEndpoint(options: ListenOptions): EndpointAtHand | undefined {
  const secretFile = options['secret-file'];
  if (secretFile === undefined) return undefined;
  if ((options.events ?? options['save-secret']) === undefined) return { secrets: secretsIn(fileText(secretFile)) };
  const why = '--events and --save-secret are for a new endpoint, --secret-file for one that exists.';
  throw new CommandError(EXIT.usage, why);
}

function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new CommandError(EXIT.refused, `There is no file ${file}.`);
  }
}

function secretsIn(text: string): string[] {
  const secrets = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (secrets.length > 0 && secrets.every((secret) => secret.startsWith('whsec_'))) return secrets;
  throw new CommandError(
    EXIT.usage,
    '--secret-file: a secret begins with whsec_; the creation of an endpoint answers it, once.',
  );
}

/** On the one address of this machine that `npm start` allows, or behind a tunnel. */
function placeOf(options: ListenOptions, { start }: Connection): Place {
  const port = options.port === undefined ? undefined : wholeNumber('port', options.port, 0, 65_535);
  const files = certificateFiles(options);
  const publicUrl = options['public-url'];
  if (publicUrl !== undefined || !start?.facts.RECEIVER) {
    const endpointUrl = publicUrl && urlOf('public-url', publicUrl, 'https:').href;
    return { port: port ?? USUAL_PORT, tls: files && tlsOf(files), isOfStart: false, endpointUrl };
  }
  const receiver = new URL(start.facts.RECEIVER);
  return {
    port: port ?? Number(receiver.port),
    tls: tlsOf(files ?? { certificate: start.certificate, key: start.certificateKey }),
    isOfStart: true,
    // A path of its own, so that deliveries for other endpoints are told apart.
    endpointUrl: new URL(`/listen/${randomUUID().slice(0, 8)}`, receiver).href,
  };
}

interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

function certificateFiles({ certificate, 'certificate-key': key }: ListenOptions): CertificateFiles | undefined {
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  if (certificate === undefined && key === undefined) return undefined;
  throw new CommandError(EXIT.usage, 'Give both --certificate and --certificate-key, or none of them.');
}

function tlsOf({ certificate, key }: CertificateFiles): ReceiverOptions['tls'] {
  return { cert: fileText(certificate), key: fileText(key) };
}

function needsTunnel(url: URL, port: number, name: string): never {
  const lines = [
    `The service at ${url.origin} cannot reach this machine without a tunnel.`,
    'It delivers only to https URLs whose addresses are public, on port 443 or from 1024 up. It refuses http, private and',
    'loopback addresses, names that do not resolve, and names such as localhost, *.local, *.internal and example.com.',
    `Start a tunnel that gives this machine a public https address and leads to http://${HOST}:${port},`,
    'such as cloudflared, ngrok, or ssh -R to a server of yours with a certificate. Then:',
    `  ${name} listen --url ${url.origin} --public-url https://NAME.OF.THE.TUNNEL`,
    'If npm start runs the service on this machine, name its data folder instead: --data FOLDER.',
  ];
  throw new CommandError(EXIT.usage, lines.join('\n'));
}

async function listening(server: Server, { port, isOfStart }: Place): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, HOST, resolve);
  }).catch((error: Error) => {
    throw new CommandError(
      EXIT.refused,
      `It cannot listen on ${HOST}:${port}: ${error.message}. ${
        isOfStart ? 'npm start delivers to this port only: end the other listen first.' : '--port takes another one.'
      }`,
    );
  });
  return (server.address() as AddressInfo).port;
}

/** How far this clock is ahead of the service's. @throws what is wrong with the key */
async function clockAheadMs(client: DeveloperApi): Promise<number | undefined> {
  const sentMs = Date.now();
  const { headers } = await client.request('GET', '/developer/v1/api_key/_verify');
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : (sentMs + Date.now()) / 2 - date;
}

async function newEndpoint(client: DeveloperApi, url: string, events: string | undefined): Promise<EndpointAtHand> {
  const event_types = (events?.split(',').map((type) => type.trim()) ?? [...eventTypes]) as WebhookEventType[];
  const { webhook_endpoint, secret } = await client.webhookEndpoints.create({ url, event_types });
  return { secrets: [secret], id: webhook_endpoint.id };
}

function saveSecret(file: string | undefined, { secrets }: EndpointAtHand): void {
  try {
    if (file !== undefined) writeFileSync(file, `${secrets.join('\n')}\n`, { mode: 0o600 });
  } catch (error) {
    throw new CommandError(EXIT.refused, `The file ${file} cannot be written: ${(error as Error).message}`);
  }
}

interface Announcement extends Place {
  readonly endpoint: EndpointAtHand;
  readonly forwardTo: URL | undefined;
  readonly isJson: boolean;
}

function announce(
  { port, tls, endpointUrl, endpoint, forwardTo, isJson }: Announcement,
  context: CommandContext,
): void {
  const listening = `${tls === undefined ? 'http' : 'https'}://${HOST}:${port}/`;
  if (isJson) {
    const { id = null } = endpoint;
    const ready = {
      event: 'ready',
      listening,
      endpoint_id: id,
      url: id && endpointUrl,
      forward_to: forwardTo?.href ?? null,
    };
    context.stdout(`${JSON.stringify(ready)}\n`);
    return;
  }
  const lines = [
    `Listening on ${listening}${forwardTo ? `, forwarding to ${forwardTo.href}` : ''}. Ctrl-C ends it.`,
    ...(endpoint.id ? [`Endpoint ${endpoint.id} at ${endpointUrl}, deleted at the end.`] : []),
  ];
  context.stderr(`${lines.join('\n')}\n`);
}

/** Sends a test event, so that a tunnel that leads nowhere shows at once. */
async function tryOut(client: DeveloperApi, id: string, signal: AbortSignal, context: CommandContext): Promise<void> {
  try {
    const { status_code, error } = await client.webhookEndpoints.test(id, {}, { signal });
    if (status_code === 0) context.stderr(`The test event failed: ${whyTestFailed(error)}\n`);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function end(server: Server): void {
  server.close();
  server.closeAllConnections();
}

/** Deletes the endpoint of a `listen` that was killed. */
async function removeLeft(client: DeveloperApi, connection: Connection, context: CommandContext): Promise<void> {
  const left = connection.start && leftEndpoint(connection.start.folder);
  if (left !== undefined) await remove(client, left, connection, context);
}

async function remove(
  client: DeveloperApi,
  id: string,
  { start }: Connection,
  { stderr }: CommandContext,
): Promise<void> {
  let left: string | undefined;
  try {
    await client.webhookEndpoints.delete(id);
    stderr(`Deleted the endpoint ${id}.\n`);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return;
    // What is left, the next one tries to delete again.
    left = id;
    const isUnreachable = error instanceof ConnectionError || error instanceof TimeoutError;
    throw new CommandError(
      isUnreachable ? EXIT.unreachable : EXIT.refused,
      `The endpoint ${id} could not be deleted, so it still gets events: ${(error as Error).message}`,
    );
  } finally {
    if (start) noteEndpoint(start.folder, left);
  }
}
