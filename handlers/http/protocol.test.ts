/** Tests at the socket: every byte sequence gets an answer in our form, in order, or a closed connection. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { errorBody } from '../../generated/validators.js';
import type { RunningServer } from '../../scripts/testbed/server.ts';
import { TestTenant } from '../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';
import { exchange, requestText, type WireAnswer } from '../../scripts/testbed/wire.ts';

const deployment = await testDeployment();
const { store } = deployment;
let server: RunningServer;
let tenant: TestTenant;

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  server = await deployment.start({ RATE_LIMIT_STORE: 'memory' });
});

const VERIFY = '/developer/v1/api_key/_verify';

/** Expects the headers of D-8, and the body of D-4 on every error. */
function expectOurs(answer: WireAnswer | undefined, status: number, name?: string): asserts answer is WireAnswer {
  expect({ status: answer?.status, body: answer?.body }).toMatchObject({ status });
  expect(answer?.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(answer?.headers.get('cache-control')).toBe('no-store');
  expect(answer?.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer?.headers.get('date')).toMatch(/GMT$/);
  if (status === 200 || answer?.body === '') return;
  const body = JSON.parse(answer?.body ?? '');
  expect([errorBody(body), errorBody.errors]).toEqual([true, null]);
  expect(body.details.at(-1).request_id).toBe(answer?.headers.get('x-request-id'));
  if (name !== undefined) expect(body.details[0].reason).toBe(name);
}

async function one(bytes: string | Buffer, isHead = false): Promise<WireAnswer | undefined> {
  return (await exchange(server.port, bytes, { answers: 1, isHead })).answers[0];
}

describe('a malformed request', () => {
  test.each([
    ['garbage', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['an unknown method', requestText(`BREW ${VERIFY}`), 400],
    ['bare line feeds', `GET ${VERIFY} HTTP/1.1\nHost: a\n\n`, 400],
    ['no Host', `GET ${VERIFY} HTTP/1.1\r\n\r\n`, 400],
    ['two Hosts', requestText(`GET ${VERIFY}`, ['Host: other']), 400],
    ['an absolute URI without Host', `GET http://localhost${VERIFY} HTTP/1.1\r\n\r\n`, 400],
    ['a user in the target', requestText(`GET http://a:b@localhost${VERIFY}`), 400],
    ['another scheme', requestText(`GET ftp://localhost${VERIFY}`), 400],
    ['1 MB of header', requestText(`GET ${VERIFY}`, [`X-A: ${'a'.repeat(1_000_000)}`]), 431],
    [
      '300 headers',
      requestText(
        `GET ${VERIFY}`,
        Array.from({ length: 300 }, (_, i) => `X-${i}: a`),
      ),
      431,
    ],
  ])('%s is refused with our body', async (_what, bytes, status) => {
    expectOurs(await one(bytes), status, status === 431 ? 'HEADERS_TOO_LARGE' : 'INVALID_ARGUMENT');
  });

  test.each([
    ['CONNECT', 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['an absolute URI with a fragment', requestText(`GET http://localhost${VERIFY}#x`)],
    ['an asterisk', requestText('OPTIONS *')],
    ['a fragment', requestText(`GET ${VERIFY}#x`)],
    ['another case of the prefix', requestText('GET /Developer/v1/employees')],
    ['nothing of ours', requestText('GET /wp-login.php')],
  ])('%s is 404, without a key', async (_what, bytes) => {
    expectOurs(await one(bytes), 404, 'PATH_NOT_FOUND');
  });

  test('does not lose the answer to the request before it', async () => {
    const key = await tenant.key();
    const good = requestText(`GET ${VERIFY}`, [`X-API-Key: ${key}`]);
    const { answers, closed } = await exchange(server.port, `${good}NONSENSE\r\n\r\n`);
    expect([answers.map(({ status }) => status), closed]).toEqual([[200, 400], true]);
  });

  test('a broken body is refused and ends the connection', async () => {
    const head = [`X-API-Key: ${await tenant.key()}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
    const bytes = requestText('POST /developer/v1/documents', head, '2\r\n{}\r\nzz\r\n');
    const { answers, closed } = await exchange(server.port, bytes);
    expectOurs(answers[0], 400, 'INVALID_ARGUMENT');
    expect(closed).toBe(true);
  });
});

describe('a request as HTTP allows it', () => {
  test('HEAD is GET without a body, also when it fails', async () => {
    const key = await tenant.key();
    const head = await one(requestText(`HEAD ${VERIFY}`, [`X-API-Key: ${key}`]), true);
    expectOurs(head, 200);
    expect(head.headers.get('content-length')).toBe('2');
    const refused = await exchange(server.port, requestText(`HEAD ${VERIFY}`, ['Connection: close']), { isHead: true });
    expect(refused.text.endsWith('\r\n\r\n')).toBe(true);
    expect(refused.answers[0]?.status).toBe(401);
  });

  test.each([
    ['TRACE', VERIFY, 'GET, HEAD'],
    ['PATCH', '/developer/v1/documents', 'GET, HEAD, POST'],
    ['GET', '/developer/v1/files', 'POST'],
    ['OPTIONS', '/healthz', 'GET, HEAD'],
    ['POST', '/openapi.yaml', 'GET, HEAD'],
    ['DELETE', '/openapi.json', 'GET, HEAD'],
  ])('%s %s is 405 with Allow: %s', async (method, path, allowed) => {
    const answer = await one(requestText(`${method} ${path}`, [`X-API-Key: ${await tenant.key()}`]));
    expectOurs(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(allowed.split(', ').toSorted());
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each(['/healthz', '/readyz', '/openapi.yaml', '/openapi.json'])(
    '%s has the headers of every answer',
    async (path) => {
      expectOurs(await one(requestText(`GET ${path}`)), 200);
    },
  );

  test('is answered without the upgrade that it offers', async () => {
    const head = ['Connection: Upgrade', 'Upgrade: websocket'];
    expectOurs(await one(requestText(`GET ${VERIFY}`, [...head, `X-API-Key: ${await tenant.key()}`])), 200);
  });

  test('the contract is served in two forms, each with its media type', async () => {
    const read = async (kind: string) => {
      const answer = await fetch(`${server.url}/openapi.${kind}`);
      expect(answer.headers.get('content-type')).toBe(`application/${kind}`);
      return answer.text();
    };
    const [yaml, json] = [parse(await read('yaml')), JSON.parse(await read('json'))];
    expect(Object.keys(json.paths)).toEqual(Object.keys(yaml.paths));
    expect(Object.keys(yaml.paths)).toContain('/developer/v1/employees');
  });

  test('has the path and query of its target in absolute-form (RFC 9112 §3.2.2)', async () => {
    const head = [`X-API-Key: ${await tenant.key()}`];
    expectOurs(await one(requestText(`GET https://other.example:1${VERIFY}`, head)), 200);
    const limited = await one(requestText('GET http://localhost/developer/v1/employees?limit=0', head));
    expectOurs(limited, 400, 'INVALID_ARGUMENT');
    expect(limited.body).toContain('limit');
    expectOurs(await one(requestText('GET http://localhost/healthz')), 200);
  });

  test('of HTTP/1.0 is answered without a Host, and the connection is closed', async () => {
    const { answers, closed } = await exchange(server.port, 'GET /healthz HTTP/1.0\r\n\r\n');
    expectOurs(answers[0], 200);
    expect(closed).toBe(true);
  });

  test('has the request id of its caller when that is safe, else one of ours', async () => {
    const id = async (...given: string[]) =>
      (
        await one(
          requestText(
            'GET /healthz',
            given.map((value) => `X-Request-Id: ${value}`),
          ),
        )
      )?.headers.get('x-request-id');
    expect(await id('a.B_c-9')).toBe('a.B_c-9');
    for (const bad of ['', 'a b', 'é', 'a'.repeat(129)]) expect(await id(bad)).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id('a', 'b')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is answered in order, also as one of 1,000 pipelined ones', async () => {
    const bytes = Array.from({ length: 1_000 }, (_, i) => requestText(`GET /x${i}`, [`X-Request-Id: n${i}`])).join('');
    const { answers } = await exchange(server.port, bytes, { answers: 1_000 });
    expect(answers.map(({ headers }) => headers.get('x-request-id'))).toEqual(answers.map((_, i) => `n${i}`));
    expect(answers).toHaveLength(1_000);
  });
});

describe('bodies', () => {
  const POST = 'POST /developer/v1/documents';
  const head = async (...more: string[]) => [
    `X-API-Key: ${await tenant.key()}`,
    'Content-Type: application/json',
    ...more,
  ];

  test('are requested by 100 Continue only after key and scope are checked', async () => {
    const expecting = ['Expect: 100-continue', 'Content-Length: 5'];
    const reader = await tenant.key({ scopes: ['documents:read'] });
    const refused = await exchange(server.port, requestText(POST, [`X-API-Key: ${reader}`, ...expecting]), {
      answers: 1,
    });
    expect(refused.answers.map(({ status }) => status)).toEqual([403]);
    const invited = await exchange(server.port, requestText(POST, await head(...expecting)), { answers: 1 });
    expect(invited.answers.map(({ status }) => status)).toEqual([100]);
    const large = ['Expect: 100-continue', 'Content-Length: 1048577'];
    const unwanted = await exchange(server.port, requestText(POST, await head(...large)));
    expect(unwanted.answers.map(({ status }) => status)).toEqual([413]);
    const unknown = requestText(POST, await head('Expect: miracles', 'Content-Length: 5'), '[1,2]');
    expectOurs(await one(unknown), 400, 'INVALID_ARGUMENT');
  });

  test('that are too large end the connection unread, and the answer arrives', async () => {
    const large = 'a'.repeat(1_100_000);
    for (const bytes of [
      requestText(POST, await head('Content-Length: 100000000'), large),
      requestText(POST, await head('Transfer-Encoding: chunked'), `${large.length.toString(16)}\r\n${large}\r\n`),
    ]) {
      const { answers, closed } = await exchange(server.port, bytes);
      expectOurs(answers[0], 413, 'REQUEST_TOO_LARGE');
      expect([answers[0].headers.get('connection'), closed]).toEqual(['close', true]);
    }
  });
});

describe('media types and codings (D-6a)', () => {
  const ask = async (body: string | Buffer, type = 'application/json', coding?: string) => {
    const answer = await fetch(`${server.url}/developer/v1/documents`, {
      method: 'POST',
      headers: {
        'X-API-Key': await tenant.key(),
        'Content-Type': type,
        ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    const { details } = (await answer.json()) as { details: { field_violations?: { field: string }[] }[] };
    return [answer.status, details[1]?.field_violations?.[0]?.field].filter((part) => part !== undefined);
  };
  /** The answer if the body `{}` is understood: it names what the body lacks. */
  const UNDERSTOOD = [400, 'title'];

  test.each([
    ['application/json; charset=utf-8; x=y', UNDERSTOOD],
    ['application/json;CHARSET="UTF\\-8";', UNDERSTOOD],
    ['application/json; charset=utf-16', [415]],
    ['application/json; charset=utf-8; charset=latin1', [415]],
    ['application/json; charset =utf-8', [415]],
    ['application/jsonp', [415]],
  ])('%s', async (type, expected) => expect(await ask('{}', type)).toEqual(expected));

  test('the message of a refusal names the header', async () => {
    const head = [`X-API-Key: ${await tenant.key()}`, 'Content-Length: 2'];
    for (const [type, message] of [
      ['application/json; charset=utf-16', 'The charset in Content-Type must be utf-8, or none.'],
      ['text/plain', 'Content-Type must be application/json.'],
      ['json', 'Content-Type is malformed; it must be application/json.'],
      ['', 'Content-Type is missing; it must be application/json.'],
    ]) {
      const bytes = requestText('POST /developer/v1/documents', [...head, `Content-Type: ${type}`], '{}');
      expect(JSON.parse((await one(bytes))?.body ?? '')).toMatchObject({ message });
    }
  });

  test.each([
    ['identity', 'identity', Buffer.from('{}'), UNDERSTOOD],
    ['an empty list', ' , ', Buffer.from('{}'), UNDERSTOOD],
    ['gzip in a list', ', GZIP, identity', gzipSync('{}'), UNDERSTOOD],
    ['gzip by its old name', 'X-Gzip', gzipSync('{}'), UNDERSTOOD],
    ['gzip twice', 'gzip, gzip', gzipSync(gzipSync('{}')), [415]],
    ['gzip in gzip', 'gzip', gzipSync(gzipSync('{}')), [400, 'body']],
    ['no gzip at all', 'gzip', Buffer.from('{}'), [400, 'body']],
    ['half of it', 'gzip', gzipSync('{"a":"bcdefghijkl"}').subarray(0, 20), [400, 'body']],
  ])('%s', async (_what, coding, bytes, expected) => {
    expect(await ask(bytes, 'application/json', coding)).toEqual(expected);
  });

  test.each([
    ['nothing', ''],
    ['a byte order mark alone', '\u{feff}'],
    ['100,000 levels', '['.repeat(100_000)],
  ])('%s is no body of a creation', async (_what, body) => expect(await ask(body)).toEqual([400, 'body']));

  test('of 100,000 unknown fields are refused, with 20 of them by name and none as a prototype', async () => {
    const fields = Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join();
    const answer = await fetch(`${server.url}/developer/v1/documents`, {
      method: 'POST',
      headers: { 'X-API-Key': await tenant.key(), 'Content-Type': 'application/json' },
      body: `{"__proto__":{"polluted":1},"constructor":{"prototype":{}},${fields}}`,
    });
    const { details } = (await answer.json()) as { details: { field_violations?: unknown[] }[] };
    expect([answer.status, details[1]?.field_violations?.length]).toEqual([400, 20]);
  });
});

test('one answer names everything that is wrong with a request', async () => {
  const answer = await fetch(`${server.url}/developer/v1/employees?limit=0&expand=x&status[$ne]=1&include_total=1`, {
    headers: { 'X-API-Key': await tenant.key() },
  });
  const { details } = (await answer.json()) as { details: { field_violations?: unknown[] }[] };
  expect(details[1]?.field_violations).toEqual(
    expect.arrayContaining([
      { field: 'limit', description: 'must be at least 1' },
      { field: 'expand', description: 'must be one of: person, department, job_title, manager' },
      { field: 'status[$ne]', description: 'is not a parameter of this operation' },
      { field: 'include_total', description: 'must be true or false' },
    ]),
  );
});
