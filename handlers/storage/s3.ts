/** Storage in a bucket of an S3-compatible service. The bucket keeps versions: a confirmed upload is pinned to one. */
import { Readable } from 'node:stream';
import {
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type ObjectIdentifier,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { ApiError, unavailableError } from '../answers/errors.ts';
import type { StoredObject } from '../data/collections/files.ts';
import { noteAway } from '../data/outages.ts';
import type { Config } from '../runtime/config.ts';
import { codeOf, reasonOf } from '../runtime/outage-reasons.ts';
import { guarded, MeasuredBytes } from './byte-streams.ts';
import { presigner } from './presign.ts';
import type { Inventory, ListedVersion, ObjectVersion, Storage } from './storage.ts';

/**
 * Limits in milliseconds: to connect; until an answer begins, which for a part of an upload (5 MiB) includes sending
 * it; and without any byte.
 */
const TIMEOUTS = { connectionTimeout: 2_000, requestTimeout: 15_000, socketTimeout: 15_000 };
const MAX_ATTEMPTS = 2;

/** The bucket and its credentials; without an endpoint, AWS' own for the region. */
type S3Config = Pick<
  Config,
  | 'S3_BUCKET'
  | 'S3_REGION'
  | 'S3_ENDPOINT'
  | 'S3_PUBLIC_ENDPOINT'
  | 'S3_FORCE_PATH_STYLE'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
>;

export interface S3Storage extends Storage {
  /** The bucket and where it is, for the operator. */
  readonly place: string;
  /**
   * Checks that the bucket exists and keeps versions.
   * @throws ApiError UNAVAILABLE when the service does not answer; Error with an explanation when it cannot be used
   */
  check(): Promise<void>;
  readonly inventory: Inventory;
  stop(): void;
}

const statusOf = (error: unknown) =>
  error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : undefined;
const isAbsent = (error: unknown) => statusOf(error) === 404 && !isFromProxy(error);

interface RawAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The answer behind an error, as it came: whatever stands in front of the service may have sent it. */
const answerOf = (error: unknown) => (error as { $response?: RawAnswer }).$response;

/** S3 answers in XML, or without a body; a page of HTML comes from something in between. */
const isFromProxy = (error: unknown) => answerOf(error)?.headers['content-type']?.includes('html') === true;

/** Why the service is away, in words, with its status and the name of the program that answered. */
function whyAway(error: unknown): string {
  const answer = answerOf(error);
  if (answer === undefined) return reasonOf(codeOf(error));
  const { server, 'content-type': type = 'no body' } = answer.headers;
  const who = `answered ${answer.statusCode}${server === undefined ? '' : ` (server: ${printable(server)})`}`;
  if (isFromProxy(error)) return `${who}: no XML error from S3: HTML from a proxy`;
  if (error instanceof S3ServiceException && type.includes('xml')) return `${who}: ${reasonOf(error.name)}`;
  return `${who}: no XML error from S3: ${printable(type)}`;
}

/** What another program calls itself: plain characters, and not many of them. */
const printable = (text: string) => text.replace(/[^\w ./;=+()-]/g, '?').slice(0, 60);

/** Refuses what the bucket does not do. @param reason what the log says of it */
function unavailable(error: unknown, reason = whyAway(error)): never {
  if (error instanceof ApiError) throw error;
  noteAway('storage', reason);
  throw unavailableError('storage', { retryAfterMs: 1000 });
}

interface BucketPlace {
  readonly client: S3Client;
  readonly Bucket: string;
}

/** How a client of the service connects, but for its limits of time. */
export function s3ClientConfig(given: S3Config): S3ClientConfig {
  const { S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = given;
  return {
    region: given.S3_REGION,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: given.S3_FORCE_PATH_STYLE,
    // For services other than AWS, which may not support more.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MAX_ATTEMPTS,
    ...endpointOf(given.S3_ENDPOINT),
  };
}

export function s3Storage(given: S3Config, timeouts: Partial<typeof TIMEOUTS> = {}): S3Storage {
  const { S3_BUCKET: Bucket = '' } = given;
  const config = s3ClientConfig(given);
  const requestHandler = { ...TIMEOUTS, ...timeouts, throwOnRequestTimeout: true };
  const client = new S3Client({ ...config, requestHandler });

  const place: BucketPlace = { client, Bucket };
  return {
    // Host and path are signed, so what clients get is signed for the address that they use.
    ...presigner({ ...config, ...endpointOf(given.S3_PUBLIC_ENDPOINT) }, Bucket),
    latest: (key) => latest(place, key),
    read: (object, range) => read(place, object, range),
    write: (key, contentType, bytes) => write(place, key, contentType, bytes),
    remove: (key, keep) => remove(place, key, keep),
    check: () => check(place),
    inventory: {
      placeOf: (key) => key,
      versions: () => listed(place),
      removeVersion: ({ place: Key, version }) => removeVersions(place, [{ Key, VersionId: version }]),
    },
    place: `${Bucket} at ${given.S3_ENDPOINT ?? `AWS ${given.S3_REGION}`}`,
    stop: () => client.destroy(),
  };
}

const endpointOf = (endpoint: string | undefined) => (endpoint === undefined ? {} : { endpoint });

/** The version that the service names; if there is none, versioning was switched off meanwhile. */
function versionIn({ VersionId }: { VersionId?: string | undefined }): string {
  if (VersionId !== undefined && VersionId !== 'null') return VersionId;
  return unavailable(undefined, 'the bucket does not keep versions any more');
}

async function latest(place: BucketPlace, key: string) {
  const { client, Bucket } = place;
  const found = await client.send(new HeadObjectCommand({ Bucket, Key: key })).catch((error: unknown) => {
    return isAbsent(error) ? undefined : unavailable(error);
  });
  return found && { key, version: versionIn(found), size_bytes: found.ContentLength ?? 0 };
}

async function read(
  { client, Bucket }: BucketPlace,
  { key, version }: ObjectVersion,
  range: { readonly start: number; readonly end: number } | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const Range = range && `bytes=${range.start}-${range.end}`;
  const command = new GetObjectCommand({ Bucket, Key: key, VersionId: version, Range });
  try {
    const { Body } = await client.send(command);
    return guarded(Body as Readable, unavailable);
  } catch (error) {
    if (statusOf(error) === 416) return Readable.from([]);
    // Services differ in how they refuse an unknown version id.
    if (isAbsent(error) || statusOf(error) === 400) throw new Error('there is no such version');
    return unavailable(error);
  }
}

async function write(
  place: BucketPlace,
  key: string,
  ContentType: string,
  bytes: AsyncIterable<Uint8Array> | Uint8Array,
): Promise<StoredObject> {
  const { client, Bucket } = place;
  const measured = new MeasuredBytes();
  let stored: { VersionId?: string | undefined };
  if (bytes instanceof Uint8Array) {
    measured.add(bytes);
    const command = new PutObjectCommand({ Bucket, Key: key, ContentType, Body: bytes });
    stored = await client.send(command).catch(unavailable);
  } else {
    let cause: unknown;
    const Body = Readable.from(measured.passing(bytes), { objectMode: false }).once('error', (error) => {
      cause = error;
    });
    // One part at a time, so that at most 5 MiB are held.
    stored = await new Upload({ client, params: { Bucket, Key: key, ContentType, Body }, queueSize: 1 })
      .done()
      .catch((error: unknown) => {
        Body.destroy();
        if (cause !== undefined) throw cause;
        return unavailable(error);
      });
  }
  return { key, version: versionIn(stored), ...measured.total() };
}

/** The versions under all keys that begin with this one, page by page. */
async function* pagesOf({ client, Bucket }: BucketPlace, key: string): AsyncIterable<ListObjectVersionsCommandOutput> {
  let page: ListObjectVersionsCommandOutput | undefined;
  do {
    const from = { KeyMarker: page?.NextKeyMarker, VersionIdMarker: page?.NextVersionIdMarker };
    page = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix: key, ...from }));
    yield page;
  } while (page.IsTruncated);
}

async function removeVersions(place: BucketPlace, Objects: ObjectIdentifier[]): Promise<void> {
  const { client, Bucket } = place;
  const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
  if (Errors.length > 0) unavailable(undefined, `did not remove a version: ${reasonOf(Errors[0]?.Code ?? '')}`);
}

async function* listed(place: BucketPlace): AsyncIterable<ListedVersion> {
  for await (const { Versions = [] } of pagesOf(place, '')) {
    for (const { Key = '', VersionId = '', Size = 0 } of Versions)
      yield { place: Key, version: VersionId, size_bytes: Size };
  }
}

async function remove(place: BucketPlace, key: string, keep: string | undefined): Promise<void> {
  try {
    for await (const page of pagesOf(place, key)) {
      const Objects = versionsIn(page, key).filter(({ VersionId }) => VersionId !== keep);
      if (Objects.length > 0) await removeVersions(place, Objects);
    }
  } catch (error) {
    unavailable(error);
  }
}

async function check({ client, Bucket }: BucketPlace): Promise<void> {
  const { Status } = await client.send(new GetBucketVersioningCommand({ Bucket })).catch((error: unknown) => {
    const status = statusOf(error) ?? 0;
    if (status === 404) throw new Error('S3_BUCKET: the service has no such bucket');
    if (status === 301 || status === 400) throw new Error('S3_REGION or S3_BUCKET: the service refuses them');
    if (status === 401 || status === 403) {
      throw new Error('S3_ACCESS_KEY_ID: the service refuses it, or it may not read the versioning of the bucket');
    }
    return unavailable(error);
  });
  if (Status !== 'Enabled') {
    throw new Error('S3_BUCKET: the bucket must keep versions; switch its versioning on');
  }
}

/** Everything under exactly this key: versions, and the markers that a plain deletion leaves. */
function versionsIn({ Versions = [], DeleteMarkers = [] }: ListObjectVersionsCommandOutput, key: string) {
  return [...Versions, ...DeleteMarkers]
    .filter(({ Key }) => Key === key)
    .map(({ VersionId }) => ({ Key: key, VersionId }));
}
