/**
 * A bucket of an S3-compatible service in the process of a test, with the faults that a real server cannot be given: its
 * clock, its lifecycle, its rights. It checks no signature, but for what a proxy breaks: the Host for which a URL is signed.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenOnLoopback } from '../kit/ports.ts';

export interface StubFaults {
  /** How far its clock is ahead, in milliseconds. */
  aheadMs?: number;
  isUnversioned?: boolean;
  /** The rules of its lifecycle, as XML; none if absent. */
  lifecycle?: string;
  /** Whether it keeps what is removed, as an object lock does. */
  isLocked?: boolean;
  /** What it sends in place of the bytes of an object. */
  sends?: string;
  /** Whether it gives objects to whoever asks. */
  isPublic?: boolean;
  /** Actions that it refuses, such as `s3:PutObject`. */
  denied?: readonly string[];
  /** The Host for which clients' URLs are signed; by default the stub's own. */
  publicHost?: string;
  /** Whether bodies beyond this many bytes are refused with 413, as a proxy does. */
  mostBytes?: number;
}

export interface S3Stub {
  readonly url: string;
  readonly bucket: string;
  /** Each object and version that it holds. */
  readonly objects: Map<string, Buffer>;
  faults: StubFaults;
  stop(): Promise<void>;
}

export const ABORTS_UPLOADS =
  '<Rule><ID>a</ID><Status>Enabled</Status><Filter></Filter><AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>';

const xml = (name: string, content: string) => `<?xml version="1.0" encoding="UTF-8"?><${name}>${content}</${name}>`;
const refusal = (code: string) => xml('Error', `<Code>${code}</Code>`);
const STATUS: Readonly<Record<string, number>> = {
  NoSuchKey: 404,
  NoSuchBucket: 404,
  NoSuchLifecycleConfiguration: 404,
};

/** What a request asks to do, as AWS calls it. */
function actionOf(method: string, query: URLSearchParams): string {
  const of = (name: string) => query.has(name);
  if (of('versioning')) return 's3:GetBucketVersioning';
  if (of('lifecycle')) return 's3:GetLifecycleConfiguration';
  if (of('versions')) return 's3:ListBucketVersions';
  if (of('delete')) return 's3:DeleteObjectVersion';
  if (of('uploadId')) return 's3:AbortMultipartUpload';
  if (method === 'GET') return of('versionId') ? 's3:GetObjectVersion' : 's3:GetObject';
  return method === 'HEAD' ? 's3:GetObject' : 's3:PutObject';
}

interface StubCall {
  readonly stub: S3Stub;
  readonly method: string;
  readonly query: URLSearchParams;
  readonly key: string;
  readonly body: Buffer;
  readonly res: ServerResponse;
}

const end = (res: ServerResponse, body = '', status = 200) =>
  void res.writeHead(status, { 'Content-Type': 'application/xml' }).end(body);
const refuse = (res: ServerResponse, code: string) => end(res, refusal(code), STATUS[code] ?? 403);

/** Makes a further version. @returns its id */
function stored({ objects }: S3Stub, key: string, bytes: Buffer): string {
  const version = `v${objects.size + 1}`;
  objects.set(`${key}?${version}`, bytes);
  return version;
}

/** The fields of a form, the last of which is the file. */
const fieldsOf = (body: Buffer) =>
  new Map(
    [...body.toString('latin1').matchAll(/name="([\w-]+)"[^\r]*\r\n\r\n(.*?)\r\n--/gs)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

function put({ stub, method, query, key, body, res }: StubCall): void {
  if (query.has('uploads')) end(res, xml('InitiateMultipartUploadResult', '<UploadId>u</UploadId>'));
  else if (method === 'POST') {
    const fields = fieldsOf(body);
    stored(stub, fields.get('key') ?? '', Buffer.from(fields.get('file') ?? '', 'latin1'));
    end(res, '', 204);
  } else {
    res.setHeader('x-amz-version-id', stored(stub, key, body));
    end(res);
  }
}

function get({ stub, method, query, key, res }: StubCall): void {
  const latest = [...stub.objects.keys()].findLast((name) => name.startsWith(`${key}?`));
  const name = query.has('versionId') ? `${key}?${query.get('versionId')}` : (latest ?? '');
  const bytes = stub.objects.has(name) && stub.faults.sends ? Buffer.from(stub.faults.sends) : stub.objects.get(name);
  if (bytes === undefined) {
    refuse(res, 'NoSuchKey');
    return;
  }
  res.writeHead(200, { 'Content-Length': bytes.length, 'x-amz-version-id': name.split('?')[1] ?? '' });
  res.end(method === 'HEAD' ? undefined : bytes);
}

const ANSWERS: Readonly<Record<string, (call: StubCall) => void>> = {
  's3:GetBucketVersioning': ({ stub, res }) =>
    end(res, xml('VersioningConfiguration', stub.faults.isUnversioned ? '' : '<Status>Enabled</Status>')),
  's3:GetLifecycleConfiguration': ({ stub: { faults }, res }) =>
    faults.lifecycle === undefined
      ? refuse(res, 'NoSuchLifecycleConfiguration')
      : end(res, xml('LifecycleConfiguration', faults.lifecycle)),
  's3:ListBucketVersions': ({ stub, query, res }) => {
    const listed = [...stub.objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? ''));
    const versions = listed.map((name) => {
      const [key, version] = name.split('?');
      return `<Version><Key>${key}</Key><VersionId>${version}</VersionId></Version>`;
    });
    end(res, xml('ListVersionsResult', `<IsTruncated>false</IsTruncated>${versions.join('')}`));
  },
  's3:DeleteObjectVersion': ({ stub, body, res }) => {
    const named = body.toString().matchAll(/<Key>(.*?)<\/Key><VersionId>(.*?)<\/VersionId>/g);
    if (!stub.faults.isLocked) for (const [, key, version] of named) stub.objects.delete(`${key}?${version}`);
    end(res, xml('DeleteResult', ''));
  },
  's3:AbortMultipartUpload': ({ res }) => end(res, '', 204),
  's3:GetObject': get,
  's3:GetObjectVersion': get,
  's3:PutObject': put,
};

async function answer(stub: S3Stub, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { aheadMs = 0, mostBytes = Number.POSITIVE_INFINITY, denied = [], publicHost } = stub.faults;
  const { searchParams: query, pathname, host } = new URL(req.url ?? '', stub.url);
  const isSigned = !query.has('X-Amz-Signature') || req.headers.host === (publicHost ?? host);
  const [, bucket, ...path] = decodeURIComponent(pathname).split('/');
  const { method = '' } = req;
  res.setHeader('Date', new Date(Date.now() + aheadMs).toUTCString());
  if (Number(req.headers['content-length']) > mostBytes) {
    return void res.writeHead(413, { Connection: 'close' }).end('<html>413</html>');
  }
  const body = await buffer(req);
  const action = actionOf(method, query);
  const isAnonymous = !query.has('X-Amz-Signature') && !req.headers.authorization && method === 'GET';
  if (!isSigned) refuse(res, 'SignatureDoesNotMatch');
  else if (isAnonymous && !stub.faults.isPublic) refuse(res, 'AccessDenied');
  else if (bucket !== stub.bucket) refuse(res, 'NoSuchBucket');
  else if (denied.includes(action)) refuse(res, 'AccessDenied');
  else ANSWERS[action]?.({ stub, method, query, key: path.join('/'), body, res });
}

/** Listens on loopback, with one empty bucket that keeps versions. */
export async function s3Stub(): Promise<S3Stub> {
  const server = createServer((req, res) => void answer(stub, req, res).catch(() => res.destroy()));
  const port = await listenOnLoopback(server);
  const stub: S3Stub = {
    url: `http://127.0.0.1:${port}`,
    bucket: 'files',
    objects: new Map(),
    faults: {},
    stop: () => closeServer(server),
  };
  return stub;
}
