import { describe, expect, test } from '@jest/globals';
import { altered, type ErrorFacts, errorProblem, pageOf, successProblem, Walk } from './checks.ts';

const facts: ErrorFacts = { pointer: '/details/0/reason', invalidArgumentStatus: 400, own: {} };
const body = (reason: string, code: number, message = 'No.') =>
  JSON.stringify({ code, message, details: [{ '@type': 'x', reason }] });

describe('an error', () => {
  test.each([
    ['is right', 404, body('EMPLOYEE_NOT_FOUND', 5), ''],
    ['has another status', 400, body('EMPLOYEE_NOT_FOUND', 5), 'must be 404'],
    ['has another code', 404, body('NOT_FOUND', 5), 'must carry EMPLOYEE_NOT_FOUND'],
    ['has another number', 404, body('EMPLOYEE_NOT_FOUND', 3), 'must have code 5'],
    ['has no message', 404, body('EMPLOYEE_NOT_FOUND', 5, ''), 'without a message'],
    ['is no JSON', 404, '<html>', 'nothing came'],
    ['has no body', 404, null, 'nothing came'],
  ])('%s', (_what, status, text, problem) => {
    const found = errorProblem(status, text, 'EMPLOYEE_NOT_FOUND', facts);
    if (problem === '') expect(found).toBe('');
    else expect(found).toContain(problem);
  });

  test('is checked by what the profile says of this target', () => {
    const own = { ...facts, invalidArgumentStatus: 422, own: { EMPLOYEE_NOT_FOUND: { status: 410, code: 'GONE' } } };
    expect(errorProblem(422, body('INVALID_ARGUMENT', 3), 'INVALID_ARGUMENT', own)).toBe('');
    expect(errorProblem(410, body('GONE', 5), 'EMPLOYEE_NOT_FOUND', own)).toBe('');
  });

  test('is reported without long texts of the target', () => {
    const secret = 'x'.repeat(200);
    expect(errorProblem(404, body(secret, 5), 'EMPLOYEE_NOT_FOUND', facts)).not.toContain(secret);
  });
});

test('a success is a status of 2xx with an object', () => {
  expect(successProblem(200, '{}', facts)).toBe('');
  expect(successProblem(200, '[]', facts)).toContain('without a JSON object');
  expect(successProblem(200, '', facts)).toContain('without a JSON object');
  expect(successProblem(500, body('INTERNAL', 13), facts)).toContain('500 "INTERNAL"');
});

describe('a walk', () => {
  const page = (nextToken: string, ...ids: string[]) => ({ ids, nextToken });

  test('over three pages passes', () => {
    const walk = new Walk(2);
    const said = [page('x', 'a', 'b'), page('y', 'c', 'd'), page('', 'e')].map((one) => walk.add(one));
    expect(said).toEqual(['', '', '']);
    expect(walk.size).toBe(5);
  });

  test.each([
    ['a row twice', page('y', 'b'), 'a row came twice'],
    ['a token twice', page('x', 'c'), 'token came twice'],
    ['a page too long', page('y', 'c', 'd', 'e'), '3 rows came for a limit of 2'],
    ['nothing in the middle', page('y'), 'an empty page'],
  ])('detects %s', (_what, second, problem) => {
    const walk = new Walk(2);
    walk.add(page('x', 'a', 'b'));
    expect(walk.add(second)).toContain(problem);
  });

  test('accepts only pages that the contract allows', () => {
    expect(pageOf('{"employees":[{"id":"a"}],"next_page_token":""}', 'employees')).toEqual({
      ids: ['a'],
      nextToken: '',
    });
    for (const wrong of ['{"employees":[{"id":1}],"next_page_token":""}', '{"employees":[]}', '{}', 'null', '']) {
      expect(pageOf(wrong, 'employees')).toBeUndefined();
    }
  });
});

test('an altered token is different and has the same length', () => {
  for (const token of ['aAa', 'abc.def.ghi', 'AAAA']) {
    expect(altered(token)).not.toBe(token);
    expect(altered(token)).toHaveLength(token.length);
  }
});
