/** The suite as a whole, with its real runner, against a small server that is wrong in known ways. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { errors } from '../../generated/errors.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Profile } from '../profile/profile.ts';
import { excuse } from '../report/baseline.ts';
import type { Results } from '../report/results.ts';
import { lastLine } from '../report/results.ts';
import { settle } from './environment.ts';
import { reconcile } from './reporter.ts';
import { runRules } from './run.ts';
import { selectRules } from './selection.ts';

const KEY = 'dev_0123456789abcdefghijklmnopqrstuvwxyz';

function answer(res: ServerResponse, status: number, body: object): void {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'X-Request-Id': 'r',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  if (status === 401) headers['WWW-Authenticate'] = 'ApiKey realm="developer"';
  if (status === 429) headers['Retry-After'] = '1';
  res.writeHead(status, headers).end(JSON.stringify(body));
}

function refuse(res: ServerResponse, name: 'API_KEY_INVALID' | 'RATE_LIMIT_EXCEEDED' | 'PATH_NOT_FOUND'): void {
  const { httpStatus, rpcCode, reason } = errors[name];
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'test', metadata: {} };
  const request = { '@type': 'type.googleapis.com/google.rpc.RequestInfo', request_id: 'r' };
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' };
  const details = name === 'RATE_LIMIT_EXCEEDED' ? [info, retry, request] : [info, request];
  answer(res, httpStatus, { code: rpcCode, message: 'It is not allowed.', details });
}

/**
 * Has neither 1.5 nor 1.6. Handles keys correctly, except: it refuses an Authorization header, answers 429 to HEADERS
 * in capitals, and is open without a key.
 */
function wrongServer(req: IncomingMessage, res: ServerResponse): void {
  const key = req.headers['x-api-key'];
  const wrong = key !== undefined && (key !== KEY || req.headers.authorization !== undefined);
  if (req.rawHeaders.includes('X-API-KEY')) refuse(res, 'RATE_LIMIT_EXCEEDED');
  else if (wrong) refuse(res, 'API_KEY_INVALID');
  else if (/\/(files|documents)$/.test(req.url ?? '')) refuse(res, 'PATH_NOT_FOUND');
  else answer(res, 200, {});
}

const server = createServer(wrongServer);
const directory = mkdtempSync(join(tmpdir(), 'suite-'));
let results: Results;
let record: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const profile = parse(readFileSync(join(import.meta.dirname, '../profile.example.yaml'), 'utf8')) as Profile;
  const { values } = profile;
  record = join(directory, 'exchanges.jsonl');
  results = await runRules({
    loaded: {
      profile: {
        ...profile,
        base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        capabilities: ['1.3', '1.4', '1.5'],
        keys: { full: ['CONF_KEY_FULL_1'], load: 'CONF_KEY_FULL_1' },
        values: { ...values, rate_fields: 'none' },
      },
      secrets: { CONF_KEY_FULL_1: KEY },
    },
    profilePath: 'p.yaml',
    selected: selectRules(
      ['AUTH-1', 'AUTH-2', 'AUTH-4', 'AUTH-11', 'AUTH-14', 'AUTH-18', 'LIM-1', 'LIM-18', 'LIM-19', 'FILE-1', 'DREAD-7'],
      [],
    ),
    record,
  });
});

afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const outcomeOf = (id: string) => results.rules.find(({ rule }) => rule === id);

describe('a run against a server that is wrong in known ways', () => {
  test('gives each rule its correct status', () => {
    expect(Object.fromEntries(results.rules.map(({ rule, status }) => [rule, status]))).toEqual({
      'AUTH-1': 'PASS',
      'AUTH-2': 'FAIL',
      'AUTH-4': 'UNTESTED',
      'AUTH-11': 'WARN',
      'AUTH-14': 'FAIL',
      'AUTH-18': 'ERROR',
      'FILE-1': 'SKIP',
      'DREAD-7': 'FAIL',
      'LIM-1': 'PASS',
      'LIM-18': 'FAIL',
      'LIM-19': 'SKIP',
    });
    expect(results.exit_code).toBe(1);
    expect(lastLine(results)).toBe(
      'NOT CONFORMANT (in part of the rules): 6 of 10 MUST rules exercised; 2 PASS, 4 FAIL, 1 WARN, 2 SKIP, 1 UNTESTED, 1 ERROR',
    );
  });

  test('gives the reason: what was expected, what was received, and how to repeat it', () => {
    expect(outcomeOf('AUTH-2')).toMatchObject({
      reason: expect.stringContaining('expected 401 INTEGRATION.API_KEY_INVALID, got 200'),
      exchange: expect.stringContaining('> GET /developer/v1/api_key/_verify'),
      curl: expect.stringContaining("curl -sS -i --path-as-is -X GET 'http://127.0.0.1:"),
    });
    expect(outcomeOf('AUTH-4')).toMatchObject({ code: 'missing_key', reason: 'the profile has no key revoked' });
    expect(outcomeOf('AUTH-18')?.reason).toContain('unexpected 429');
  });

  test('states how finely the limit was judged, for every verdict', () => {
    expect(results.limit).toMatchObject({ probe: 'light', requests: 60, resolution_tokens: expect.any(Number) });
    expect(outcomeOf('LIM-1')?.note).toMatch(
      /^20 at once: 20 of 20 admitted \(round trip [\d.]+ ms, 95 % within [\d.]+ ms: ±\d+ tokens? resolution\)$/,
    );
    expect(outcomeOf('LIM-18')?.note).toMatch(/^40 requests over 40 new connections: 40 of 40 admitted \(round trip/);
    expect(outcomeOf('LIM-18')?.reason).toMatch(
      /40 of 40 were admitted, \d+ of them although no token .* resolution\)$/,
    );
    expect(outcomeOf('AUTH-1')?.note).toBeUndefined();
  });

  test('checks the additions that the target claims, and skips those that it neither claims nor has', () => {
    expect(outcomeOf('FILE-1')).toMatchObject({
      code: 'capability_not_claimed',
      reason: expect.stringContaining('1.6 is not claimed, and reserveFile is absent'),
    });
    expect(outcomeOf('DREAD-7')?.reason).toContain('claims 1.5, but listDocuments is absent');
  });

  test('shows no key, neither in the results nor in the recorded traffic', () => {
    expect(JSON.stringify(results)).not.toContain(KEY);
    const lines = readFileSync(record, 'utf8').trim().split('\n');
    expect(lines.length).toBe(results.exchanges);
    expect(lines.join('\n')).not.toContain(KEY);
    expect(outcomeOf('AUTH-11')?.curl).toContain('"X-API-Key: $CONF_KEY_FULL_1"');
  });

  test('shows what led to a failure, and what was observed of each operation', () => {
    expect(outcomeOf('AUTH-14')?.trail?.length).toBeLessThanOrEqual(4);
    expect(outcomeOf('AUTH-1')?.trail).toBeUndefined();
    expect(outcomeOf('AUTH-1')?.operations).toMatchObject({ verifyApiKey: { '200': expect.any(Number) } });
    const seen = results.coverage.find(({ operation }) => operation === 'verifyApiKey')?.seen;
    expect(Object.keys(seen ?? {})).toEqual(['200', '401', '429']);
    expect(results.profile).toBe('p.yaml');
  });

  test('excuses what its baseline lists, and reports the entry of a rule that holds', () => {
    expect(outcomeOf('AUTH-2')).toMatchObject({ status: 'FAIL' });
    const entry = { link: 'https://tracker.example/1', expires: '2999-12-31', note: '' };
    const entries = ['AUTH-1', 'AUTH-2'].map((rule) => ({ rule, ...entry }));
    const { results: excused, problems } = excuse(results.rules, entries, '2030-01-01');
    expect(excused.find(({ rule }) => rule === 'AUTH-2')).toMatchObject({ status: 'DEVIATION', deviation: entry });
    expect(problems.map(({ rule, problem }) => [rule, problem])).toEqual([['AUTH-1', 'stale']]);
  });

  test('matches the schema of results.json', () => {
    const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../results.schema.json'), 'utf8')) as object;
    const validate = new Ajv2020({ allErrors: true, strict: false, formats: { 'date-time': true } }).compile(schema);
    expect(validate(JSON.parse(JSON.stringify(results))) || validate.errors).toBe(true);
  });
});

const outcome = (rule: string, status: Outcome['status']): Outcome => ({
  rule,
  status,
  code: '',
  reason: '',
  exchange: '',
  curl: '',
  exchanges: 0,
  durationMs: 0,
});

describe('the verdicts of Jest and of the rules', () => {
  test('a test without an outcome, or with a failure outside its rule, is an ERROR', () => {
    const entry = (errors: unknown[]) => ({ name: 'AUTH-1', errors, status: null }) as Parameters<typeof settle>[0];
    expect(settle(entry([new Error('timed out')]), undefined)).toMatchObject({
      status: 'ERROR',
      reason: 'Error: timed out',
    });
    expect(settle(entry([new Error('late')]), outcome('AUTH-1', 'PASS')).status).toBe('ERROR');
    const untested = entry([new Error('marker')]);
    expect(settle(untested, outcome('AUTH-1', 'UNTESTED')).status).toBe('UNTESTED');
    expect(untested).toMatchObject({ status: 'skip', errors: [] });
  });

  test('a file that does not run and a disagreement are ERRORs', () => {
    const file = (tests: [string, string][]) =>
      ({
        testFilePath: '/x/a.rules.ts',
        testResults: tests.map(([title, status]) => ({ title, status })),
        failureMessage: 'cannot load',
      }) as never;
    const both = reconcile(
      {
        testResults: [
          file([]),
          file([
            ['AUTH-1', 'passed'],
            ['AUTH-2', 'passed'],
            ['AUTH-3', 'passed'],
          ]),
        ],
      },
      [outcome('AUTH-1', 'PASS'), outcome('AUTH-2', 'FAIL')],
    );
    expect(both.map(({ rule, status }) => [rule, status])).toEqual([
      ['FILE a.rules.ts', 'ERROR'],
      ['AUTH-1', 'PASS'],
      ['AUTH-2', 'ERROR'],
      ['AUTH-3', 'ERROR'],
    ]);
  });
});
