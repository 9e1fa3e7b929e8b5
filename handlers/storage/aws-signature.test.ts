/** What the folder's listener accepts: exactly what `presign.ts` signs with the same secret, until it expires. */
import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { diskPresigner } from '../../scripts/world/disk-storage.ts';
import { nowMs } from '../runtime/clock.ts';
import { checkForm, checkUrl } from './aws-signature.ts';
import { attachment } from './presign.ts';
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
  const sent = { disposition: attachment('б.pdf'), type: TYPE };
  const signedMs = Date.UTC(2026, 2, 2);
  let url: URL;

  beforeAll(async () => {
    url = new URL(await signer.signedUrl(object, sent, new Date(signedMs), 60));
  });

  const check = (
    change: (query: URLSearchParams) => void = () => {},
    { key = KEY, by = signer, atMs = signedMs } = {},
  ) => {
    const query = new URLSearchParams(url.search);
    change(query);
    return checkUrl(by, key, query, atMs);
  };
  const isRefusedAs = (code: string, ...given: Parameters<typeof check>) =>
    expect(check(...given)).rejects.toMatchObject({ code });

  test('grants what was signed, in any order, for its lifetime', async () => {
    expect(await check((query) => query.sort())).toEqual({ object, sent });
    expect(await check(undefined, { atMs: signedMs + 59_999 })).toEqual({ object, sent });
    await isRefusedAs('AccessDenied', undefined, { atMs: signedMs + 60_000 });
  });

  test('is refused for another host, path or secret', async () => {
    const [other, secret] = [diskPresigner('https://other.hooks.kz', SECRET), diskPresigner(url.origin, 'another')];
    await isRefusedAs('SignatureDoesNotMatch', undefined, { by: other });
    await isRefusedAs('SignatureDoesNotMatch', undefined, { by: secret });
    await isRefusedAs('SignatureDoesNotMatch', undefined, { key: `${KEY}x` });
  });

  test.each(['versionId', 'response-content-type', 'X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Signature', 'added'])(
    'is refused with another %s, and with a second one',
    async (name) => {
      await isRefusedAs('SignatureDoesNotMatch', (query) => query.set(name, 'x'));
      await isRefusedAs('SignatureDoesNotMatch', (query) => query.append(name, 'x'));
    },
  );

  test.each([
    ['X-Amz-Date', '20260231T000000'],
    ['X-Amz-Expires', '1e9'],
    ['X-Amz-Expires', 'x'],
  ])('is refused without %s, and with %s', async (name, value) => {
    await isRefusedAs('AccessDenied', (query) => query.delete(name));
    await isRefusedAs('AccessDenied', (query) => query.set(name, value));
  });
});
