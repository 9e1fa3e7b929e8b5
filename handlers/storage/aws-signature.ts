/** AWS Signature Version 4, the verifying side: forms (POST policy) and presigned URLs (query form). */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { refuse } from './refusal.ts';

export const ALGORITHM = 'AWS4-HMAC-SHA256';
export const REGION = 'local';
/** Id of the only credentials; only the secret matters. */
export const ACCESS_KEY_ID = 'developer-api';

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * Whether the signature over the text is right, compared in constant time. @param date of the credential, `YYYYMMDD`
 */
function isSignedBy(secret: string, date: string, text: string, signature: string): boolean {
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secret}`, date), REGION));
  const expected = hmac(key, text);
  const given = /^[0-9a-f]{64}$/.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(0);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The day in one of our credentials. */
function credentialDate(credential: string): string {
  const [id, date = '', ...scope] = credential.split('/');
  if (id === ACCESS_KEY_ID && /^\d{8}$/.test(date) && scope.join('/') === `${REGION}/s3/aws4_request`) return date;
  return refuse('AccessDenied', 'The credential is not one of this storage.');
}

/** What a form permits. */
export interface Grant {
  readonly key: string;
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** Fields that carry the policy, so the policy cannot contain them. */
const UNCOVERED = new Set(['policy', 'x-amz-signature']);
const NEEDED = ['key', 'content-type', 'bucket', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-date'];

/**
 * Checks the fields of a form against its signed policy.
 * @param fields by their names in lower case, without `file`
 * @throws StorageRefusal when the signature is wrong, the policy has expired or does not allow what the fields say
 */
export function checkForm(fields: ReadonlyMap<string, string>, secret: string, atMs: number): Grant {
  const field = (name: string) =>
    fields.get(name) ?? refuse('AccessDenied', 'A field that the form was given with is missing.');
  const policy = field('policy');
  if (field('x-amz-algorithm') !== ALGORITHM) refuse('AccessDenied', `The algorithm must be ${ALGORITHM}.`);
  const date = credentialDate(field('x-amz-credential'));
  if (!isSignedBy(secret, date, policy, field('x-amz-signature'))) {
    refuse('SignatureDoesNotMatch', 'The signature does not fit the policy.');
  }
  const { expiration, conditions } = JSON.parse(Buffer.from(policy, 'base64').toString('utf8')) as Policy;
  if (!(Date.parse(expiration) > atMs)) refuse('AccessDenied', 'Invalid according to Policy: Policy expired.');
  const covered = new Set<string>();
  let range: readonly [number, number] | undefined;
  for (const condition of conditions) {
    if (Array.isArray(condition)) {
      const [kind, least, most] = condition;
      if (kind !== 'content-length-range') return refuse('AccessDenied', 'The policy has an unknown condition.');
      range = [least, most];
      continue;
    }
    for (const [name, value] of Object.entries(condition)) {
      if (field(name.toLowerCase()) !== value) refuse('AccessDenied', 'A field is not what the policy says.');
      covered.add(name.toLowerCase());
    }
  }
  for (const name of fields.keys()) {
    if (!covered.has(name) && !UNCOVERED.has(name)) refuse('AccessDenied', 'A field is not in the policy.');
  }
  if (range === undefined || !NEEDED.every((name) => covered.has(name))) {
    return refuse('AccessDenied', 'The policy leaves something open.');
  }
  return { key: field('key'), minBytes: range[0], maxBytes: range[1] };
}

interface Policy {
  readonly expiration: string;
  readonly conditions: readonly (Readonly<Record<string, string>> | readonly [string, number, number])[];
}

/** A strict `encodeURIComponent` (RFC 3986 §2.3), as the signature requires. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** A path as the signature sees it. */
export const encodedPath = (path: string) => path.split('/').map(encoded).join('/');

/** The parameters of a query, each at most once. @throws StorageRefusal when it is not a plain query */
export function queryOf(text: string): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const part of text === '' ? [] : text.split('&')) {
    const [name = '', ...value] = part.split('=');
    try {
      const decoded = decodeURIComponent(name);
      if (query.has(decoded)) refuse('AccessDenied', 'A parameter stands twice in the query.');
      query.set(decoded, decodeURIComponent(value.join('=')));
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      refuse('InvalidURI', 'The query is not percent-encoded UTF-8.');
    }
  }
  return query;
}

const DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/**
 * Checks a presigned URL for a GET.
 * @param path as it was signed, percent-encoded
 * @throws StorageRefusal when a parameter was changed, added or removed, or the URL has expired
 */
export function checkUrl(
  host: string,
  path: string,
  query: ReadonlyMap<string, string>,
  secret: string,
  atMs: number,
): void {
  const parameter = (name: string) =>
    query.get(name) ?? refuse('AccessDenied', 'The URL is not signed, or not as a whole.');
  const signature = parameter('X-Amz-Signature');
  if (parameter('X-Amz-Algorithm') !== ALGORITHM) refuse('AccessDenied', `The algorithm must be ${ALGORITHM}.`);
  if (parameter('X-Amz-SignedHeaders') !== 'host') refuse('AccessDenied', 'The signed headers must be host.');
  const [date, scopeDate] = [parameter('X-Amz-Date'), credentialDate(parameter('X-Amz-Credential'))];
  const signed = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const request = ['GET', path, signed, `host:${host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const digest = createHash('sha256').update(request).digest('hex');
  const text = [ALGORITHM, date, `${scopeDate}/${REGION}/s3/aws4_request`, digest].join('\n');
  if (!isSignedBy(secret, scopeDate, text, signature)) {
    refuse('SignatureDoesNotMatch', 'The signature does not fit the URL.');
  }
  const signedMs = Date.parse(date.replace(DATE, '$1-$2-$3T$4:$5:$6Z'));
  if (!(signedMs + Number(parameter('X-Amz-Expires')) * 1000 > atMs)) {
    refuse('AccessDenied', 'Request has expired.');
  }
}
