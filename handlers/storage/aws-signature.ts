/** AWS Signature Version 4, the verifying side: forms (POST policy) and presigned URLs (query form). */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Presigner } from './presign.ts';
import { refuse } from './refusal.ts';

const ALGORITHM = 'AWS4-HMAC-SHA256';
export const REGION = 'local';
/** Id of the only credentials; only the secret matters. */
export const ACCESS_KEY_ID = 'developer-api';

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Whether the signature is right, compared in constant time. @param date of the credential, `YYYYMMDD` */
function isSignedBy(secret: string, date: string, text: string, signature: string): boolean {
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secret}`, date), REGION));
  const expected = hmac(key, text);
  const given = /^[0-9a-f]{64}$/.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(0);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The day in a credential, and who has it; undefined if it is not for this storage. */
function credentialOf(text: string): { readonly id: string; readonly date: string } | undefined {
  const [id = '', date = '', ...scope] = text.split('/');
  return /^\d{8}$/.test(date) && scope.join('/') === `${REGION}/s3/aws4_request` ? { id, date } : undefined;
}

export interface Grant {
  readonly key: string;
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** Fields that sign a form: all of them, or none. */
const SIGNING = ['policy', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-date', 'x-amz-signature'];
/** Fields that the policy does not contain: what carries it, and what S3 ignores. */
const UNCOVERED = /^(?:policy|x-amz-signature|x-ignore-.*)$/s;

/** The policy of a form, once its signature is right. @throws StorageRefusal with the codes of S3 */
function policyOf(fields: ReadonlyMap<string, string>, secret: string): Policy {
  const needs = (name: string) =>
    fields.has(name) || refuse('InvalidArgument', `The form must have a field ${name} before the file.`);
  needs('key');
  if (!SIGNING.some((name) => fields.has(name))) refuse('AccessDenied', 'The form is not signed.');
  SIGNING.forEach(needs);
  const field = (name: string) => fields.get(name) ?? '';
  if (field('x-amz-algorithm') !== ALGORITHM) refuse('InvalidArgument', `The algorithm must be ${ALGORITHM}.`);
  if (!DATE.test(field('x-amz-date'))) refuse('InvalidArgument', 'The date of the form is none.');
  const credential =
    credentialOf(field('x-amz-credential')) ?? refuse('InvalidArgument', 'The credential is not for this storage.');
  if (credential.id !== ACCESS_KEY_ID) refuse('InvalidAccessKeyId', 'The credential is not one of this storage.');
  if (!isSignedBy(secret, credential.date, field('policy'), field('x-amz-signature'))) {
    refuse('SignatureDoesNotMatch', 'The signature does not fit the policy.');
  }
  return JSON.parse(Buffer.from(field('policy'), 'base64').toString('utf8')) as Policy;
}

/**
 * Checks the fields of a form, by their names in lower case, against its signed policy.
 * @param bucket to which the form was sent; its field need not say it
 * @throws StorageRefusal
 */
export function checkForm(fields: ReadonlyMap<string, string>, bucket: string, secret: string, atMs: number): Grant {
  const { expiration, conditions } = policyOf(fields, secret);
  if (!(Date.parse(expiration) > atMs)) refuse('AccessDenied', 'Invalid according to Policy: Policy expired.');
  const exact = conditions.flatMap((condition) => (Array.isArray(condition) ? [] : Object.entries(condition)));
  const covered = new Map(exact.map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of covered) {
    const given = name === 'bucket' ? bucket : fields.get(name);
    if (given !== value) refuse('AccessDenied', 'Invalid according to Policy: a field is not what it says.');
  }
  // So a policy that leaves a field open permits no form with it.
  for (const name of fields.keys()) {
    if (!covered.has(name) && !UNCOVERED.test(name)) {
      refuse('AccessDenied', 'Invalid according to Policy: Extra input fields.');
    }
  }
  // `content-length-range`, the one condition of this kind that is ever signed.
  const [, minBytes = 1, maxBytes = 0] = conditions.find((condition) => Array.isArray(condition)) ?? [];
  return { key: fields.get('key') ?? '', minBytes, maxBytes };
}

interface Policy {
  readonly expiration: string;
  readonly conditions: readonly (Readonly<Record<string, string>> | readonly [string, number, number])[];
}

const DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** The longest lifetime of a presigned URL, in seconds. */
const LONGEST_S = 7 * 24 * 60 * 60;

/** A text that is the same for queries with the same parameters, in any order. */
const digestOf = (query: URLSearchParams) => hash('sha256', JSON.stringify([...query].sort()), 'buffer');

/**
 * Checks a presigned URL for a GET: it must be what the signer makes of the same object at the same time.
 * @returns what it grants @throws StorageRefusal
 */
export async function checkUrl(signer: Presigner, key: string, query: URLSearchParams, atMs: number) {
  const parameter = (name: string) =>
    query.get(name) ?? refuse('AccessDenied', 'The URL is not signed, or not as a whole.');
  const object = { key, version: parameter('versionId') };
  const sent = { disposition: parameter('response-content-disposition'), type: parameter('response-content-type') };
  const signedMs = Date.parse(parameter('X-Amz-Date').replace(DATE, '$1-$2-$3T$4:$5:$6Z'));
  const seconds = Number(parameter('X-Amz-Expires'));
  if (!(seconds <= LONGEST_S && signedMs + seconds * 1000 > atMs)) refuse('AccessDenied', 'Request has expired.');
  const right = new URL(await signer.signedUrl(object, sent, new Date(signedMs), seconds)).searchParams;
  if (!timingSafeEqual(digestOf(query), digestOf(right))) {
    refuse('SignatureDoesNotMatch', 'The signature does not fit the URL.');
  }
  return { object, sent };
}
