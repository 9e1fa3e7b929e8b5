/** What an error becomes on the wire (D-4). */
import { describe, expect, test } from '@jest/globals';
import {
  ApiError,
  errorBody,
  errorHeaders,
  failField,
  failFields,
  failMethod,
  MAX_VIOLATIONS,
  unavailableError,
  type Violation,
} from './errors.ts';

const SOURCE = { domain: 'api.kz' };
const TYPE = 'type.googleapis.com/google.rpc.';

function thrown(work: () => unknown): ApiError {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('the body', () => {
  test('has each further detail once, and metadata even where there is none', () => {
    const violations = [{ field: 'title', description: 'is required' }];
    const error = new ApiError('INVALID_ARGUMENT', { violations, retryAfterMs: 1_500, message: 'Invalid title.' });
    expect(errorBody(error, 'r1', { ...SOURCE, docsUrl: 'https://docs.kz/' })).toMatchObject({
      code: 3,
      message: 'Invalid title.',
      details: [
        { reason: 'INVALID_ARGUMENT', metadata: {} },
        { '@type': `${TYPE}BadRequest`, field_violations: violations },
        { '@type': `${TYPE}RetryInfo`, retryDelay: '1.500s' },
        { '@type': `${TYPE}RequestInfo` },
        { '@type': `${TYPE}Help`, links: [{ url: expect.stringMatching(/^https:\/\/docs\.kz\/#\/error-/) }] },
      ],
    });
  });

  // RetryInfo is exact, Retry-After is whole seconds and at least 1 (D-7): neither ends before the wait does.
  test.each([
    [0, '0.000s', '1'],
    [0.2, '0.001s', '1'],
    [1_000, '1.000s', '1'],
    [1_001, '1.001s', '2'],
  ])('says after %d ms to retry', (retryAfterMs, retryDelay, seconds) => {
    const error = new ApiError('RATE_LIMIT_EXCEEDED', { retryAfterMs });
    expect(errorBody(error, 'r', SOURCE)).toHaveProperty('details.1.retryDelay', retryDelay);
    expect(errorHeaders(error)).toEqual({ 'Retry-After': seconds });
  });
});

describe('the headers', () => {
  test.each<[ApiError, Record<string, string>]>([
    [new ApiError('API_KEY_INVALID'), { 'WWW-Authenticate': 'ApiKey realm="developer"' }],
    [new ApiError('FEATURE_FLAG_OFF'), {}],
    [thrown(() => failMethod(['GET', 'HEAD'])), { Allow: 'GET, HEAD' }],
    [unavailableError('storage', { retryAfterMs: 2_000, headers: { 'X-A': 'b' } }), { 'X-A': 'b', 'Retry-After': '2' }],
  ])('of %s are %j', (error, headers) => expect(errorHeaders(error)).toEqual(headers));
});

describe('wrong fields', () => {
  const refused = (violations: readonly Violation[]) => thrown(() => failFields(violations)).extras.violations;
  const wrong = (field: string, description = 'is wrong') => ({ field, description });

  test('are named in the answer, the first one in the message', () => {
    const error = thrown(() => failField('title', 'is required'));
    expect([error.errorName, error.message]).toEqual(['INVALID_ARGUMENT', 'title is required.']);
    expect(error.extras.violations).toEqual([{ field: 'title', description: 'is required' }]);
    expect(thrown(() => failFields([wrong('a'), wrong('b')])).message).toBe('a is wrong.');
  });

  test.each([
    ['body', 'is required, as a JSON object', 'The body is required, as a JSON object.'],
    ['query', 'is not valid percent-encoded UTF-8', 'The query is not valid percent-encoded UTF-8.'],
    ['request', 'comes too slowly', 'The request comes too slowly.'],
    ['lmit', 'is not a parameter; is limit meant?', 'lmit is not a parameter; is limit meant?'],
    ['', 'is not a field of this request', '"" is not a field of this request.'],
  ])('are told in a whole sentence: %j', (field, description, message) => {
    expect(thrown(() => failField(field, description)).message).toBe(message);
  });

  test('may be none, where a request is wrong as a whole', () => {
    const error = thrown(() => failFields([]));
    expect([error.extras.violations, error.message]).toEqual([[], new ApiError('INVALID_ARGUMENT').message]);
  });

  test('are named once each, with their first fault', () => {
    expect(refused([wrong('a', 'first'), wrong('b'), wrong('a', 'second')])).toEqual([wrong('a', 'first'), wrong('b')]);
  });

  test('are at most 20', () => {
    const names = Array.from({ length: MAX_VIOLATIONS + 5 }, (_, n) => `f${n}`);
    expect(MAX_VIOLATIONS).toBe(20);
    // What stands twice does not count twice.
    expect(refused(['f0', ...names].map((name) => wrong(name)))?.map(({ field }) => field)).toEqual(names.slice(0, 20));
  });

  test.each([
    ['a'.repeat(64), 'a'.repeat(64)],
    ['a'.repeat(65), `${'a'.repeat(63)}…`],
    // Half of a surrogate pair would make the answer malformed.
    [`${'a'.repeat(62)}😀b`, `${'a'.repeat(62)}\ufffd…`],
    ['a\nb\u202ec\u2028d\u2029\0', 'a\ufffdb\ufffdc\ufffdd\ufffd\ufffd'],
  ])('are echoed without what cannot be shown: %j', (field, shown) => {
    expect(refused([wrong(field)])).toEqual([wrong(shown)]);
  });
});
