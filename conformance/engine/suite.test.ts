/** The suite as a whole, with its real runner, against a small server that is wrong in known ways. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { testFolder } from '../../scripts/kit/testing/test-folder.ts';
import { made, madeError, setHeader } from '../mutation/alter.ts';
import { refusal } from '../mutation/alter-limits.ts';
import type { ProxiedAnswer } from '../mutation/fault.ts';
import { readResults } from '../report/read.ts';
import { lastLine, type Results } from '../report/results.ts';
import { writeReports } from '../report/write.ts';
import { exampleProfile, inJson, served } from '../testing/small-target.ts';
import { runRules } from './run.ts';
import { selectRules } from './selection.ts';

const KEY = 'dev_0123456789abcdefghijklmnopqrstuvwxyz';

function give(res: ServerResponse, answer: ProxiedAnswer): void {
  if (answer.status === 401) setHeader(answer, 'WWW-Authenticate', 'ApiKey realm="developer"');
  res.writeHead(answer.status, answer.headers.flat()).end(answer.body);
}

/**
 * Has neither 1.5 nor 1.6. Handles keys correctly, except: it refuses an Authorization header, answers 429 to HEADERS
 * in capitals, and is open without a key.
 */
function wrongServer(req: IncomingMessage, res: ServerResponse): void {
  const key = req.headers['x-api-key'];
  const wrong = key !== undefined && (key !== KEY || req.headers.authorization !== undefined);
  if (req.rawHeaders.includes('X-API-KEY')) give(res, refusal());
  else if (wrong) give(res, madeError('API_KEY_INVALID'));
  else if (/\/(files|documents)$/.test(req.url ?? '')) give(res, madeError('PATH_NOT_FOUND'));
  else give(res, made(200, {}));
}

const target = served(wrongServer);
/** As a run that was killed has left it. */
let offset_ms = 7;
const clock = served(
  inJson(({ body }) => {
    if (body !== '') offset_ms = JSON.parse(body).offset_ms;
    return [200, { offset_ms }];
  }),
);
const directory = testFolder();
let results: Results;
let record: string;

beforeAll(async () => {
  const profile = exampleProfile();
  const { values } = profile;
  record = join(directory, 'exchanges.jsonl');
  results = await runRules({
    loaded: {
      profile: {
        ...profile,
        base_url: target.baseUrl,
        capabilities: ['1.3', '1.4', '1.5'],
        keys: { full: ['CONF_KEY_FULL_1'], load: 'CONF_KEY_FULL_1' },
        clock: { mode: 'control', url: clock.baseUrl },
        values: { ...values, rate_fields: 'none' },
      },
      secrets: { CONF_KEY_FULL_1: KEY },
    },
    profilePath: 'p.yaml',
    selected: selectRules(
      ['AUTH-1', 'AUTH-2', 'AUTH-4', 'AUTH-11', 'AUTH-9', 'AUTH-18', 'LIM-18', 'LIM-19', 'FILE-1', 'DREAD-7'],
      [],
    ),
    record,
  });
});

const outcomeOf = (id: string) => results.rules.find(({ rule }) => rule === id);

describe('a run against a server that is wrong in known ways', () => {
  test('gives each rule its correct status', () => {
    expect(Object.fromEntries(results.rules.map(({ rule, status }) => [rule, status]))).toEqual({
      'AUTH-1': 'PASS',
      'AUTH-2': 'FAIL',
      'AUTH-4': 'UNTESTED',
      'AUTH-11': 'WARN',
      'AUTH-9': 'FAIL',
      'AUTH-18': 'ERROR',
      'FILE-1': 'SKIP',
      'DREAD-7': 'FAIL',
      'LIM-18': 'FAIL',
      'LIM-19': 'SKIP',
    });
    expect(results.exit_code).toBe(1);
    expect(lastLine(results)).toBe(
      'NOT CONFORMANT (in part of the rules): 5 of 9 MUST rules exercised; 1 PASS, 4 FAIL, 1 WARN, 2 SKIP, 1 UNTESTED, 1 ERROR',
    );
  });

  test('puts the control clock back before anything is judged', () => {
    expect(offset_ms).toBe(0);
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
    expect(results.limit).toMatchObject({ probe: 'light', resolution_tokens: expect.any(Number) });
    // On a busy machine they are sent again, at most three times.
    expect([40, 80, 120, 160]).toContain(results.limit?.requests);
    expect(outcomeOf('LIM-18')?.note).toMatch(
      /^40 requests over 40 new connections: 40 of 40 admitted \(round trip [\d.]+ ms, 95 % within [\d.]+ ms: ±\d+ tokens? resolution\)/,
    );
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
    expect(outcomeOf('AUTH-9')?.trail?.length).toBeLessThanOrEqual(4);
    expect(outcomeOf('AUTH-1')?.trail).toBeUndefined();
    expect(outcomeOf('AUTH-1')?.operations).toMatchObject({ verifyApiKey: { '200': expect.any(Number) } });
    const seen = results.coverage.find(({ operation }) => operation === 'verifyApiKey')?.seen;
    expect(Object.keys(seen ?? {})).toEqual(['200', '401', '429']);
    expect(results.profile).toBe('p.yaml');
  });

  test('writes a results.json that fits its schema', () => {
    writeReports(results, directory);
    expect(readResults(join(directory, 'results.json'))).toMatchObject({ rules: expect.any(Array) });
  });
});
