/** At the socket, what the rules ERR, GEN and AUTH do not see: paths without a key, HTTP/1.0, the order of answers, unread bodies. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Scope } from '../../generated/contract.ts';
import { errorBody } from '../../generated/validators.js';
import type { RunningServer } from '../../scripts/world/server.ts';
import type { TestTenant } from '../../scripts/world/tenant.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { exchange, requestText, type WireAnswer } from '../../scripts/world/wire.ts';

const deployment = await testDeployment();
let server: RunningServer;
let tenant: TestTenant;

beforeAll(async () => {
  tenant = await deployment.tenant();
  server = await deployment.start({ RATE_LIMIT_STORE: 'memory', DOCS_URL: 'https://hr.example/docs/' });
});

const send = (bytes: string) => exchange(server.port, bytes, { answers: 1 });

/** Expects the headers of D-8, and the body of D-4 on every error. @param caching `no-cache` of what describes the interface */
function expectOurs(
  answer: WireAnswer | undefined,
  status: number,
  name?: string,
  caching = 'no-store',
): asserts answer is WireAnswer {
  expect({ status: answer?.status, body: answer?.body }).toMatchObject({ status });
  expect(answer?.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(answer?.headers.get('cache-control')).toBe(caching);
  expect(answer?.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer?.headers.get('date')).toMatch(/GMT$/);
  if (name === undefined) return;
  const body = JSON.parse(answer?.body ?? '');
  expect([errorBody(body), errorBody.errors]).toEqual([true, null]);
  const [info, request, help] = [body.details[0], ...body.details.slice(-2)];
  expect([info.reason, request.request_id]).toEqual([name, answer?.headers.get('x-request-id')]);
  // The address that is configured, and no other: the Host of a request is its caller's choice.
  const page = `error-${name.toLowerCase().replaceAll(/[_.]/g, '-')}`;
  expect(help.links).toEqual([{ description: expect.stringMatching(/\w/), url: `https://hr.example/docs#/${page}` }]);
}

describe('without a key', () => {
  test.each(['/healthz', '/readyz', '/openapi.yaml', '/openapi.json', '/collection.json'])(
    '%s can be read, and nothing else',
    async (path) => {
      const caching = /\.(?:json|yaml)$/.test(path) ? 'no-cache' : 'no-store';
      expectOurs((await send(requestText(`GET ${path}`))).answers[0], 200, undefined, caching);
      const [refused] = (await send(requestText(`DELETE ${path}`))).answers;
      expectOurs(refused, 405, 'METHOD_NOT_ALLOWED');
      expect(refused.headers.get('allow')).toBe('GET, HEAD');
    },
  );

  test.each(['GET /wp-login.php', 'GET /Developer/v1/employees', 'GET /healthz#x'])('%s is 404', async (line) => {
    expectOurs((await send(requestText(line))).answers[0], 404, 'PATH_NOT_FOUND');
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
});

test('a request of HTTP/1.0 is answered without a Host, and the connection is closed', async () => {
  const { answers, closed } = await exchange(server.port, 'GET /healthz HTTP/1.0\r\n\r\n');
  expectOurs(answers[0], 200);
  expect(closed).toBe(true);
});

test('an upgrade that is offered is not taken', async () => {
  const [answer] = (await send(requestText('GET /healthz', ['Connection: Upgrade', 'Upgrade: websocket']))).answers;
  expectOurs(answer, 200);
});

test('1,000 pipelined requests are answered in order, and then what is no request', async () => {
  const bytes = Array.from({ length: 1_000 }, (_, i) => requestText(`GET /x${i}`, [`X-Request-Id: n${i}`])).join('');
  const { answers, closed } = await exchange(server.port, `${bytes}NONSENSE\r\n\r\n`);
  const last = answers.pop();
  expect(answers.map(({ headers }) => headers.get('x-request-id'))).toEqual(answers.map((_, i) => `n${i}`));
  expect([answers.length, last?.status, closed]).toEqual([1_000, 400, true]);
});

describe('a body', () => {
  const post = async (more: readonly string[], body = '', scope: Scope = 'documents:write') => {
    const head = [`X-API-Key: ${await tenant.key({ scopes: [scope] })}`, 'Content-Type: application/json', ...more];
    return send(requestText('POST /developer/v1/documents', head, body));
  };

  test.each([
    ['only after the scope is checked', ['Content-Length: 5'], 'documents:read', 403],
    ['if it is not too large', ['Content-Length: 1048577'], undefined, 413],
    ['then', ['Content-Length: 5'], undefined, 100],
  ] as const)('is requested by 100 Continue %s', async (_when, head, scope, status) => {
    const { answers } = await post(['Expect: 100-continue', ...head], '', scope);
    expect(answers.map((answer) => answer.status)).toEqual([status]);
  });

  test('is read although its client expects something unknown', async () => {
    expectOurs((await post(['Expect: miracles', 'Content-Length: 5'], '[1,2]')).answers[0], 400, 'INVALID_ARGUMENT');
  });

  test.each(['Content-Length: 100000000', 'Transfer-Encoding: chunked'])(
    'that is too large ends the connection unread, and the answer arrives: %s',
    async (framing) => {
      const large = 'a'.repeat(1_100_000);
      const { answers } = await post([framing], `${large.length.toString(16)}\r\n${large}\r\n`);
      expectOurs(answers[0], 413, 'REQUEST_TOO_LARGE');
      expect(answers[0].headers.get('connection')).toBe('close');
    },
  );
});
