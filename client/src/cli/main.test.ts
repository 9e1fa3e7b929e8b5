/** The commands: which endpoint is made and deleted, what is refused with which exit code, what causes events. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import nock from 'nock';
import { eventTypes } from '../../../generated/client/calls.ts';
import { keptOutput } from '../../../scripts/kit/command-line.ts';
import { eventually } from '../../../scripts/kit/eventually.ts';
import { closeServer, listenOnLoopback } from '../../../scripts/kit/ports.ts';
import { testFolder } from '../../../scripts/kit/testing/test-folder.ts';
import {
  ID,
  interceptNetwork,
  KEY,
  ORIGIN,
  PREFIX,
  recorded,
  refusal,
  rejection,
  SECRET,
  signatureOf,
} from '../../testing/fixture.ts';
import { webhookCommands } from './main.ts';
import type { EventCause } from './trigger.ts';

const PUBLIC = 'https://laptop.tunnel.test/in';
const folder = testFolder();
const noStart = ['--url', ORIGIN];
const listen = ['listen', ...noStart, '--public-url', PUBLIC, '--port', '0'];

interceptNetwork();
beforeEach(() => nock.enableNetConnect('127.0.0.1'));

/** Starts a command. */
function started(
  argv: readonly string[],
  { env = { KEY } as Record<string, string>, cause }: { env?: Record<string, string>; cause?: EventCause } = {},
) {
  const stopping = new AbortController();
  const { written, ...output } = keptOutput();
  const context = { ...output, name: 'the-program', env, untilStopped: () => stopping.signal };
  return { ended: webhookCommands(argv, context, cause), written, stop: () => stopping.abort() };
}

/** Runs a command to its end. */
async function run(argv: readonly string[], given: Parameters<typeof started>[1] = {}) {
  const { ended, written } = started(argv, given);
  return { code: await ended, ...written };
}

const verified = () => recorded().get(`${PREFIX}/api_key/_verify`).reply(200, {}, { Date: new Date().toUTCString() });
const created = (body: object) =>
  recorded()
    .post(`${PREFIX}/webhook_endpoints`, body as never)
    .reply(200, { webhook_endpoint: { id: ID }, secret: SECRET });
const tested = (answer: object) => recorded().post(`${PREFIX}/webhook_endpoints/${ID}/_test`).reply(200, answer);
const deleted = (status = 200, body: object = {}) =>
  recorded().delete(`${PREFIX}/webhook_endpoints/${ID}`).reply(status, body);

/** Starts listening behind a tunnel, with a new endpoint. @param more further words of the command */
function listening(more: readonly string[] = ['--no-test'], event_types: readonly string[] = eventTypes) {
  verified();
  created({ url: PUBLIC, event_types: [...event_types] });
  return started([...listen, ...more]);
}

/** How a command ends that is told to stop. */
function stopped(running: ReturnType<typeof started>): Promise<number> {
  running.stop();
  return running.ended;
}

/** Where a command listens, once it says so. */
const portOf = ({ written }: ReturnType<typeof started>) =>
  eventually('a port', () => Number(/127\.0\.0\.1:(\d+)/.exec(written.err + written.out)?.[1]) || undefined);

async function deliver(port: number, type = 'employee.changed'): Promise<number> {
  const event = { id: ID, type, occurred_at: new Date().toISOString(), data: { employee_id: ID } };
  const body = JSON.stringify(event);
  const headers = { 'Service-Signature': signatureOf(body, { atMs: Date.now() }) };
  return (await fetch(`http://127.0.0.1:${port}/in`, { method: 'POST', headers, body })).status;
}

describe('listen', () => {
  test('makes an endpoint for all events, tries it out, shows what comes, and deletes it at the end', async () => {
    tested({ status_code: 204, error: '' });
    const running = listening([]);
    expect(await deliver(await portOf(running))).toBe(204);
    deleted();
    expect(await stopped(running)).toBe(0);
    expect(running.written.out).toMatch(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}employee\\.changed {2}employee_id=${ID} `),
    );
    expect(running.written.err).toContain(`Endpoint ${ID} at ${PUBLIC}`);
    expect(running.written.err).not.toContain('event failed');
    expect(running.written.out + running.written.err).not.toContain(SECRET);
  });

  test('--events, --no-test, --save-secret and --json', async () => {
    const file = join(folder, 'saved');
    const events = ['document.completed', 'document.rejected'];
    const running = listening(['--no-test', '--json', '--save-secret', file, '--events', events.join()], events);
    await deliver(await portOf(running));
    deleted(404, refusal('WEBHOOK_ENDPOINT_NOT_FOUND'));
    expect(await stopped(running)).toBe(0);
    const [ready, delivery] = running.written.out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(ready).toMatchObject({ event: 'ready', endpoint_id: ID, url: PUBLIC, forward_to: null });
    expect(delivery).toMatchObject({
      event: 'delivery',
      fault: '',
      status: 204,
      envelope: { data: { employee_id: ID } },
    });
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([`${SECRET}\n`, 0o600]);
  });

  test('says what is wrong with a tunnel that leads nowhere, and goes on', async () => {
    tested({ status_code: 0, error: 'tls_error' });
    const running = listening([]);
    await eventually('its words', () => running.written.err.includes('event failed: the certificate') || undefined);
    expect(await deliver(await portOf(running))).toBe(204);
    deleted();
    expect(await stopped(running)).toBe(0);
  });

  test('takes an endpoint whose secret it is given, and leaves it alone', async () => {
    const file = join(folder, 'secrets');
    writeFileSync(file, `whsec_of-the-one-before\n${SECRET}\n`);
    const running = started(['listen', ...noStart, '--secret-file', file, '--port', '0', '--answer', '500'], {
      env: {},
    });
    expect(await deliver(await portOf(running))).toBe(500);
    expect(await stopped(running)).toBe(0);
    expect(running.written.out).toContain('500, as --answer asks for');
  });

  test('an endpoint that could not be deleted is named', async () => {
    const running = listening();
    const port = await portOf(running);
    deleted(403, refusal('FEATURE_FLAG.NOT_AVAILABLE'));
    expect(await stopped(running)).toBe(1);
    expect(running.written.err).toContain(`The endpoint ${ID} could not be deleted`);
    // Otherwise the process would not end.
    expect(await rejection(deliver(port))).toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  test('what the service refuses is exit code 1, with its reason', async () => {
    verified();
    const violation = { field: 'url', description: 'must be public' };
    const bad = { '@type': 'type.googleapis.com/google.rpc.BadRequest', field_violations: [violation] };
    recorded()
      .post(`${PREFIX}/webhook_endpoints`)
      .reply(400, refusal('INVALID_ARGUMENT', [bad]));
    expect(await run(listen)).toMatchObject({ code: 1, err: expect.stringContaining('url must be public') });
    recorded().get(`${PREFIX}/api_key/_verify`).reply(401, refusal('INTEGRATION.API_KEY_INVALID'));
    const refused = await run(listen);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('does not accept the key') });
    expect(refused.err).not.toContain(KEY);
  });

  test('a service that does not answer is exit code 3', async () => {
    const url = 'http://127.0.0.1:1';
    const words = ['listen', '--url', url, '--public-url', PUBLIC, '--port', '0'];
    expect(await run(words)).toMatchObject({ code: 3, err: expect.stringContaining('Does it run') });
  });

  test('a port that is taken is named', async () => {
    const other = createServer();
    const port = await listenOnLoopback(other);
    const words = ['listen', ...noStart, '--public-url', PUBLIC, '--port', String(port)];
    expect(await run(words)).toMatchObject({ code: 1, err: expect.stringContaining(`127.0.0.1:${port}`) });
    await closeServer(other);
  });

  const wrong = join(folder, 'wrong');
  writeFileSync(wrong, 'dapi_key\n');

  test.each<[string, readonly string[], number, string]>([
    ['no tunnel', noStart, 2, '--public-url https://NAME.OF.THE.TUNNEL'],
    ['a public URL without TLS', [...noStart, '--public-url', 'http://a.b'], 2, 'https://'],
    ['an address to forward to with TLS', ['--forward-to', 'https://127.0.0.1/'], 2, 'http://'],
    ['a file that is no secret', ['--secret-file', wrong], 2, 'whsec_'],
    ['no such file', ['--secret-file', join(folder, 'none')], 1, 'none'],
    ['a secret and a new endpoint', ['--secret-file', wrong, '--events', 'document.sent'], 2, 'one that exists'],
    ['no such answer', ['--answer', '99'], 2, 'from 200 to 599'],
    ['no such port', [...noStart, '--public-url', PUBLIC, '--port', '70000'], 2, '65535'],
    ['half a certificate', [...noStart, '--public-url', PUBLIC, '--certificate', wrong], 2, '--certificate-key'],
    ['a folder that is none of npm start', ['--data', folder], 1, 'tour.env'],
    ['an unknown option', ['--secret', SECRET], 2, '--help'],
    ['a word too many', ['more'], 2, '--help'],
  ])('does not start with %s', async (_, words, code, said) => {
    const result = await run(['listen', ...words]);
    expect(result).toEqual({ code, out: '', err: expect.stringContaining(said) });
    expect(result.err).not.toContain(SECRET);
  });

  test.each([
    ['without a key', {}, 'variable KEY'],
    ['with a key that cannot be sent', { KEY: `${KEY}\r` }, 'line end'],
  ])('does not start %s', async (_, env, said) => {
    const result = await run(listen, { env });
    expect(result).toEqual({ code: 2, out: '', err: expect.stringContaining(said) });
    expect(result.err).not.toContain(KEY);
  });

  test('a secret that cannot be saved leaves no endpoint behind', async () => {
    deleted();
    const { ended, written } = listening(['--save-secret', join(folder, 'none', 'secret')]);
    expect(await ended).toBe(1);
    for (const said of ['cannot be written', `Deleted the endpoint ${ID}`]) expect(written.err).toContain(said);
    expect(written.err).not.toContain(SECRET);
  });

  test.each([
    ['was killed', spawnSync(process.execPath, ['--version']).pid, true],
    ['runs', process.pid, false],
  ])('beside npm start, it deletes the endpoint of a listen only if that one %s', async (what, pid, isDeleted) => {
    const data = join(folder, what);
    mkdirSync(data);
    writeFileSync(join(data, 'tour.env'), `API='http://127.0.0.1:8080'\nKEY='${KEY}'\n`);
    writeFileSync(join(data, 'listen.json'), JSON.stringify({ id: 'left', pid }));
    const service = nock('http://127.0.0.1:8080');
    service.get(`${PREFIX}/api_key/_verify`).reply(200, {});
    const left = service.delete(`${PREFIX}/webhook_endpoints/left`).reply(200, {});
    service.post(`${PREFIX}/webhook_endpoints`).reply(200, { webhook_endpoint: { id: ID }, secret: SECRET });
    const words = ['--data', data, '--public-url', PUBLIC, '--port', '0', '--no-test'];
    const running = started(['listen', ...words], { env: {} });
    await portOf(running);
    expect(JSON.parse(readFileSync(join(data, 'listen.json'), 'utf8'))).toMatchObject({ id: ID });
    service.delete(`${PREFIX}/webhook_endpoints/${ID}`).reply(200, {});
    expect(await stopped(running)).toBe(0);
    expect([running.written.err.includes('endpoint left'), left.isDone()]).toEqual([isDeleted, isDeleted]);
    expect(existsSync(join(data, 'listen.json'))).toBe(false);
    nock.cleanAll();
  });

  test.each([
    ['a person', [], '\\u001b[31m\\u000a\\u009b2J\\u202e'],
    ['a program', ['--json'], '\\u001b[31m\\n\\u009b2J\\u202e'],
  ])('nothing that steers a terminal reaches it: for %s', async (_, words, expected) => {
    const running = listening(['--no-test', ...words]);
    await deliver(await portOf(running), 'red \u001b[31m\n\u009b2J\u202e');
    deleted(400, { ...refusal('INVALID_ARGUMENT'), message: 'no \u001b]0;title\u0007' });
    expect(await stopped(running)).toBe(1);
    const shown = running.written.out + running.written.err;
    expect(shown).toContain(`red ${expected}`);
    expect(shown).toContain('no \\u001b]0;title\\u0007');
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});

describe('trigger', () => {
  /** What an npm start has written. */
  const data = join(folder, 'start');
  mkdirSync(data);
  writeFileSync(join(data, 'tour.env'), `API='http://127.0.0.1:1/developer/v1'\nKEY='k' # who\nTYPE='it'\\''s'\n`);
  chmodSync(join(data, 'tour.env'), 0o600);

  test.each([
    [204, '', 0, 'answered with 204'],
    [500, '', 1, 'answered with 500'],
    [0, 'dns_error', 1, 'does not resolve'],
  ])('sends a test event anywhere: %i %s', async (status_code, error, code, words) => {
    tested({ status_code, error });
    const result = await run(['trigger', ...noStart, '--endpoint', ID]);
    expect(result).toMatchObject({ code, out: expect.stringMatching(`^webhook_endpoint.test  .*${words}`) });
  });

  test('causes each event where something can, with what npm start has written', async () => {
    const asked: string[] = [];
    const cause: EventCause = async (type, { facts }) => {
      asked.push(`${type} ${facts.TYPE}`);
      return { document_id: ID };
    };
    const result = await run(['trigger', '--data', data, '--json', 'all'], { cause });
    expect(asked).toEqual(eventTypes.map((type) => `${type} it's`));
    expect(result.code).toBe(0);
    const [first] = result.out.split('\n');
    expect(JSON.parse(first ?? '')).toEqual({ event: 'caused', type: 'employee.changed', data: { document_id: ID } });
  });

  test('gives the key of npm start to no other service', async () => {
    const result = await run(['trigger', '--data', data, ...noStart, '--endpoint', ID], { env: {} });
    expect(result).toMatchObject({ code: 2, err: expect.stringContaining('variable KEY') });
  });

  test.each([
    ['an event of elsewhere', [...noStart, 'document.sent'], 'change an employee or a document yourself'],
    ['an event that nothing here can cause', ['--data', data, 'document.sent'], 'npm run webhooks -- trigger'],
    ['an unknown event', [...noStart, 'document.read'], 'no event document.read'],
    ['a test without an endpoint', noStart, '--endpoint'],
  ])('refuses %s', async (_, words, said) => {
    expect(await run(['trigger', ...words])).toMatchObject({ code: 2, out: '', err: expect.stringContaining(said) });
  });
});

test('help names every command, option and exit code', async () => {
  expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringMatching(/listen[\s\S]*trigger/) });
  for (const word of ['liste', 'toString']) {
    expect(await run([word])).toMatchObject({ code: 2, err: expect.stringContaining(`no command ${word}`) });
  }
  const listen = await run(['listen', '--help']);
  expect(listen.out).toContain('Usage: the-program listen [options]\n');
  for (const option of ['forward-to <URL>', 'public-url <URL>', 'events <types>', 'json', 'no-test']) {
    expect(listen.out).toContain(`--${option}`);
  }
  expect(listen.out).toContain('Exit codes: 0');
  expect((await run(['trigger', '--help'])).out).toContain('document.change_requested');
});
