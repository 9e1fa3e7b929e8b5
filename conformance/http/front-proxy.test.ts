import { describe, expect, test } from '@jest/globals';
import type { TestContext } from '../engine/test-context.ts';
import { HarnessFault, Violation } from '../judge/outcome.ts';
import { improperRequests } from '../rules/errors-requests.rules.ts';
import { contextIn, runWith, served } from '../testing/small-target.ts';
import { Api } from './api.ts';
import { CHECKS_IN_FRONT, inFrontText } from './front-proxy.ts';

/** What a proxy answers in its own form. */
const OWN_FORM = '<html><body>400 Bad Request</body></html>';
let status = 400;
const target = served((_req, res) => res.writeHead(status, { 'Content-Type': 'text/html' }).end(OWN_FORM));

function contextOf(id: string, terminator: boolean | undefined): TestContext {
  const run = runWith({ base_url: target.baseUrl, terminator }, {});
  void run.close();
  return contextIn(run, id);
}

/** Sends TRACE as a check of a rule, and demands the contract's error. */
async function refusal(context: TestContext, inFront?: string): Promise<unknown> {
  const call = { method: 'TRACE', path: '/employees', inFront };
  try {
    (await new Api(context, { names: [] }).send(call)).fails('METHOD_NOT_ALLOWED');
    return context.judged.size;
  } catch (error) {
    return error;
  }
}

describe('a check that a terminator may answer', () => {
  test('holds with any refusal, is judged by no other rule, and says so', async () => {
    status = 400;
    const context = contextOf('ERR-17', true);
    expect(await refusal(context, 'TRACE')).toBe(0);
    expect([...context.inFront]).toEqual(['TRACE']);
  });

  test.each([200, 302, 502, 503])('does not hold with %i', async (answered) => {
    status = answered;
    expect(await refusal(contextOf('ERR-17', true), 'TRACE')).toBeInstanceOf(Violation);
  });

  test.each([undefined, false])('is like any other where the profile says %s', async (terminator) => {
    status = 400;
    const context = contextOf('ERR-17', terminator);
    expect(await refusal(context, 'TRACE')).toBeInstanceOf(Violation);
    expect(context.judged.has('ERR-1')).toBe(true);
  });
});

test('nothing else is exempt: a check without a name, and one that is not on the list of its rule', async () => {
  status = 400;
  const context = contextOf('ERR-17', true);
  expect(await refusal(context)).toBeInstanceOf(Violation);
  expect(context.judged.has('ERR-1')).toBe(true);
  expect(await refusal(contextOf('ERR-17', true), 'PROPFIND')).toBeInstanceOf(HarnessFault);
  expect(await refusal(contextOf('ERR-19', true), 'TRACE')).toBeInstanceOf(HarnessFault);
});

test('the list holds only TRACE, %00, %zz (no URI by RFC 3986), and requests of ERR-21 that are no valid HTTP', () => {
  const { 'ERR-21': improper, ...others } = CHECKS_IN_FRONT;
  expect([...new Set(Object.values(others).flat())]).toEqual(['%00', '%zz', 'TRACE', 'TRACE on an unknown path']);
  const known = improperRequests().map(([what]) => what);
  // RFC 9110 and 9112 allow these; only their size, or a coding that nobody has to know, is wrong with them.
  const valid = ['gzip, then chunked', 'a header of 20 kB', '3,000 headers', 'a path of 20 kB'];
  expect(known.filter((what) => !valid.includes(what))).toEqual([...improper]);
  for (const name of [...improper, '%00', 'TRACE']) expect(inFrontText()).toContain(name);
});
