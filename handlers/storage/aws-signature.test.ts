/** What the folder's listener accepts: exactly what `presign.ts` signs with the same secret, until it expires. */
import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { diskPresigner } from '../../scripts/world/disk-storage.ts';
import { nowMs } from '../runtime/clock.ts';
import { checkForm, checkUrl, encodedPath, queryOf } from './aws-signature.ts';
import { StorageRefusal } from './refusal.ts';

const [SECRET, BUCKET, TYPE] = ['secret of a test', 'files', 'application/pdf'];
const KEY = "uploads/t/a b!'()*ж";
const signer = diskPresigner('https://files.hooks.kz', SECRET);

/** The code with which something is refused; undefined if it is not. */
function refused(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof StorageRefusal)) throw error;
    // Messages quote nothing of the request.
    expect(error.message).not.toContain('hooks');
    return error.code;
  }
}

describe('a form', () => {
  let fields: ReadonlyMap<string, string>;
  let endMs: number;

  beforeAll(async () => {
    const form = await signer.uploadForm(KEY, TYPE, 1_000, 60_000);
    fields = new Map(Object.entries(form.fields).map(([name, value]) => [name.toLowerCase(), value]));
    endMs = form.expire_time.getTime();
  });

  const check = (changes: Readonly<Record<string, string | undefined>> = {}, secret = SECRET, atMs = nowMs()) => {
    const sent = [...fields, ...Object.entries(changes)].filter(
      ([name]) => !(name in changes && changes[name] === undefined),
    );
    return checkForm(new Map(sent as [string, string][]), BUCKET, secret, atMs);
  };
  /** The form with another policy, signed right. */
  const signedPolicy = (change: (policy: { conditions: unknown[] }) => object) => {
    const policy = JSON.parse(Buffer.from(fields.get('policy') ?? '', 'base64').toString());
    const text = Buffer.from(JSON.stringify(change(policy))).toString('base64');
    const [, date = ''] = (fields.get('x-amz-credential') ?? '').split('/');
    const hmac = (key: string | Buffer, part: string) => createHmac('sha256', key).update(part).digest();
    const signing = [date, 'local', 's3', 'aws4_request', text].reduce<string | Buffer>(hmac, `AWS4${SECRET}`);
    return { policy: text, 'x-amz-signature': (signing as Buffer).toString('hex') };
  };

  test('grants its key and its sizes', () => {
    expect(check()).toEqual({ key: KEY, minBytes: 1, maxBytes: 1_000 });
    // The policy as it was, signed by this test: what is signed is the standard's text.
    expect(check(signedPolicy((policy) => policy))).toEqual(check());
  });

  test('ends with its policy', () => {
    expect(refused(() => check({}, SECRET, endMs - 1))).toBeUndefined();
    expect(refused(() => check({}, SECRET, endMs))).toBe('AccessDenied');
    expect(refused(() => check(signedPolicy(({ conditions }) => ({ conditions }))))).toBe('AccessDenied');
  });

  test.each<[string, Readonly<Record<string, string | undefined>>]>([
    ['the bucket of the address', { bucket: 'other' }],
    ['what S3 ignores', { 'x-ignore-me': 'x' }],
  ])('may say anything in %s', (_, changes) => {
    expect(refused(() => check(changes))).toBeUndefined();
  });

  // What the tests of every storage send as well is not repeated.
  test.each<[string, string, Readonly<Record<string, string | undefined>>]>([
    [
      'InvalidArgument',
      'a credential of another region',
      { 'x-amz-credential': 'developer-api/20260302/us/s3/aws4_request' },
    ],
    [
      'InvalidArgument',
      'a credential without a day',
      { 'x-amz-credential': 'developer-api/2026030/local/s3/aws4_request' },
    ],
    [
      'InvalidArgument',
      'a credential with a longer day',
      { 'x-amz-credential': 'developer-api/120260302/local/s3/aws4_request' },
    ],
    [
      'SignatureDoesNotMatch',
      'the day of another credential',
      { 'x-amz-credential': 'developer-api/20250302/local/s3/aws4_request' },
    ],
    ['AccessDenied', 'a name that only ends like an ignored one', { 'my-x-ignore-me': 'x' }],
    ['AccessDenied', 'a name that only begins like the policy', { 'policy-2': 'x' }],
  ])('is refused as %s with %s', (code, _, changes) => {
    expect(refused(() => check(changes))).toBe(code);
  });

  test('is refused with a longer signature, and by another secret', () => {
    const signature = fields.get('x-amz-signature') ?? '';
    expect(refused(() => check({ 'x-amz-signature': `${signature}0` }))).toBe('SignatureDoesNotMatch');
    expect(refused(() => check({}, 'another'))).toBe('SignatureDoesNotMatch');
  });

  test('is refused for another bucket', () => {
    expect(refused(() => checkForm(fields, 'other', SECRET, nowMs()))).toBe('AccessDenied');
  });

  test.each(['key', 'content-type', 'bucket', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-date'])(
    'is refused if its policy leaves open: %s',
    (open) => {
      const left = signedPolicy((policy) => ({
        ...policy,
        conditions: policy.conditions.filter((one) => Object.keys(one as object)[0]?.toLowerCase() !== open),
      }));
      expect(refused(() => check(left))).toBe('AccessDenied');
    },
  );
});

describe('a URL', () => {
  const object = { key: KEY, version: 'v 1' };
  let url: URL;
  let signedMs: number;

  beforeAll(async () => {
    url = new URL(await signer.downloadUrl(object, { filename: 'б.pdf', content_type: TYPE }, 60_000));
    const date = url.searchParams.get('X-Amz-Date') ?? '';
    signedMs = Date.parse(date.replace(/^(....)(..)(.....)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  });

  const PATH = `/files/${encodedPath(KEY)}`;
  const check = (
    change: (query: Map<string, string>) => void = () => {},
    host = url.host,
    path = PATH,
    atMs = nowMs(),
  ) => {
    const query = new Map(queryOf(url.search.slice(1)));
    change(query);
    checkUrl(host, path, query, SECRET, atMs);
  };

  test('is accepted as it was signed, for its lifetime', () => {
    expect(refused(() => check())).toBeUndefined();
    expect(refused(() => check(undefined, url.host, PATH, signedMs + 59_999))).toBeUndefined();
    expect(refused(() => check(undefined, url.host, PATH, signedMs + 60_000))).toBe('AccessDenied');
  });

  test('is refused for another host, path or secret', () => {
    expect(refused(() => check(undefined, 'other.hooks.kz'))).toBe('SignatureDoesNotMatch');
    expect(refused(() => check(undefined, url.host, `${PATH}x`))).toBe('SignatureDoesNotMatch');
    const query = queryOf(url.search.slice(1));
    expect(refused(() => checkUrl(url.host, PATH, query, 'another', nowMs()))).toBe('SignatureDoesNotMatch');
  });

  test.each(['X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Date', 'X-Amz-SignedHeaders', 'X-Amz-Signature'])(
    'is refused without %s, and with another one',
    (name) => {
      expect(refused(() => check((query) => query.delete(name)))).toBe('AccessDenied');
      const other = refused(() => check((query) => query.set(name, 'x')));
      expect(other).toBe(/Date|Signature$/.test(name) ? 'SignatureDoesNotMatch' : 'AccessDenied');
    },
  );

  test('is refused with a credential of somebody else', () => {
    const credential = url.searchParams.get('X-Amz-Credential') ?? '';
    const other = credential.replace('developer-api', 'other');
    expect(refused(() => check((query) => query.set('X-Amz-Credential', other)))).toBe('AccessDenied');
  });

  test.each(['versionId', 'added'])('is refused with another %s', (name) => {
    expect(refused(() => check((query) => query.set(name, '99999')))).toBe('SignatureDoesNotMatch');
  });
});

describe('a query', () => {
  test.each<[string, [string, string][]]>([
    ['', []],
    ['a=b', [['a', 'b']]],
    [
      'a=b=c&d=',
      [
        ['a', 'b=c'],
        ['d', ''],
      ],
    ],
    ['a', [['a', '']]],
    ['a%20b=%D0%B6%2B', [['a b', 'ж+']]],
    // In a signed URL a plus is a plus.
    ['a=b+c', [['a', 'b+c']]],
  ])('%j', (text, parameters) => expect([...queryOf(text)]).toEqual(parameters));

  test.each([
    ['a=1&a=2', 'AccessDenied'],
    ['a=1&%61=1', 'AccessDenied'],
    ['a=%', 'InvalidURI'],
    ['%ff=1', 'InvalidURI'],
  ])('%j is refused as %s', (text, code) => expect(refused(() => queryOf(text))).toBe(code));
});

test('a path is percent-encoded as RFC 3986 §2.3 says, but for its slashes', () => {
  expect(encodedPath("a b/!'()*/~-._/ж?%")).toBe('a%20b/%21%27%28%29%2A/~-._/%D0%B6%3F%25');
});
