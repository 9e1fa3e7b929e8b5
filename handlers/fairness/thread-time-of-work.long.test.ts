/** What requests lead to holds the thread no longer (D-33): forms, PDFs, CMS, answers of receivers. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import { TenantFixture } from '../../scripts/world/documents.ts';
import { loopbackOutbound, RECEIVER, receiver, TestAuthority } from '../../scripts/world/receiver.ts';
import type { RunningServer } from '../../scripts/world/server.ts';
import { testDeployment } from '../../scripts/world/test-deployment.ts';
import { heldIn, heldTooLong, type Trial, watchedEnv } from '../../scripts/world/thread-time-trials.ts';
import { watchThread } from '../../scripts/world/thread-watch.ts';
import { verifyCms } from '../documents/signing/cms.ts';

const KIB = 1024;
const deployment = await testDeployment();
const { store } = deployment;
let server: RunningServer;
let fixture: TenantFixture;

beforeAll(async () => {
  fixture = await TenantFixture.create(store);
  server = await deployment.start({ ...watchedEnv, RATE_LIMIT_STORE: 'memory' });
});

async function post(path: string, body: object): Promise<Response> {
  return fetch(`${server.url}/developer/v1${path}`, {
    method: 'POST',
    headers: {
      'X-API-Key': await fixture.key(),
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
      'Idempotency-Key': randomUUID(),
    },
    body: gzipSync(JSON.stringify(body), { level: 1 }),
  });
}

const PDF_UNITS = ['\r\n--', '\r\n', '%PDF-', '1 0 obj\n<<>>\nendobj\n', 'xref\n', 'trailer', '-', '\0', '('];

test('upload forms and PDFs', async () => {
  const trials = PDF_UNITS.flatMap((unit): Trial[] => {
    const upload = async (bytes: Buffer, field = '') => {
      const asked = { filename: 'f.pdf', content_type: 'application/pdf', size_bytes: bytes.length };
      const reserved = await post('/files', asked);
      const { file, upload: form } = await reserved.json();
      if (reserved.status !== 200) return reserved.status;
      const body = new FormData();
      if (field !== '') body.append('x-amz-meta-note', field);
      for (const [name, value] of Object.entries<string>(form.fields)) body.append(name, value);
      body.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]));
      const stored = await fetch(form.url, { method: 'POST', body });
      await stored.arrayBuffer();
      const confirmed = await post(`/files/${file.id}/_confirm`, {});
      await confirmed.arrayBuffer();
      return stored.status;
    };
    const filled = (size: number) => unit.repeat(size / unit.length);
    const what = JSON.stringify(unit);
    return [
      {
        what: `a file of ${what}`,
        bytes: 4 * KIB * KIB,
        send: (size) => upload(Buffer.from(`%PDF-1.7\n${filled(size)}`)),
      },
      { what: `a file of ${what} only`, bytes: 64 * KIB, send: (size) => upload(Buffer.from(filled(size))) },
      { what: `a field of ${what}`, bytes: 64 * KIB, send: (size) => upload(Buffer.from('%PDF-'), filled(size)) },
    ];
  });
  expect(await heldTooLong(trials, { taken: () => heldIn(server) })).toEqual([]);
}, 600_000);

/** DER of a tag with contents. */
function der(tag: number, contents: Buffer): Buffer {
  const length = Buffer.from(contents.length.toString(16).padStart(6, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x83]), length, contents]);
}
const repeated = (piece: Buffer, size: number) => Buffer.alloc(Math.floor(size / piece.length) * piece.length, piece);

const hex = (text: string) => Buffer.from(text, 'hex');

/** A SignedData that begins well; what follows differs. */
const signedData = (...inside: Buffer[]) =>
  der(
    0x30,
    Buffer.concat([hex('06092a864886f70d010702'), der(0xa0, der(0x30, Buffer.concat([hex('020101'), ...inside])))]),
  );
const noSet = hex('3100');
const noContent = hex('300b06092a864886f70d010701');
const cmsKinds: readonly (readonly [string, (size: number) => Buffer])[] = [
  ['empty sequences', (size) => signedData(der(0x31, repeated(hex('3000'), size)))],
  ['sequences within each other', (size) => repeated(hex('3080'), size)],
  ['… in a SignedData', (size) => signedData(repeated(hex('3080'), size))],
  ['ends of contents', (size) => repeated(hex('0000'), size)],
  ['a long number', (size) => signedData(der(0x02, repeated(hex('7f'), size)))],
  ['a long object identifier', (size) => der(0x30, der(0x06, repeated(hex('ff'), size)))],
  ['identifiers of many arcs', (size) => signedData(der(0x31, der(0x30, der(0x06, repeated(hex('2a'), size)))))],
  ['pieces of octet strings', (size) => signedData(der(0x24, repeated(hex('040100'), size)))],
  ['certificates', (size) => signedData(noSet, noContent, der(0xa0, repeated(hex('3003020101'), size)), noSet)],
  ['signers', (size) => signedData(noSet, noContent, der(0x31, repeated(hex('3003020101'), size)))],
];

test('signatures', async () => {
  const taken = watchThread();
  const verify = (text: string) =>
    verifyCms(text, {} as never, { anchors: [], at: new Date() } as never).then(
      () => 200,
      (error) => (error.name === 'ApiError' ? 400 : Promise.reject(error)),
    );
  const of = (what: string, make: (size: number) => string): Trial => {
    const send = async (size: number) => {
      const text = make(size);
      taken();
      return verify(text);
    };
    return { what, bytes: 64 * KIB - 64, send };
  };
  const trials = [
    ...cmsKinds.map(([what, make]) => of(what, (size) => make(size).toString('base64'))),
    ...['A', '=', '\n', '-----BEGIN CMS-----\n', 'A\n', ' ', '-', '_', 'é'].map((unit) =>
      of(`texts of ${JSON.stringify(unit)}`, (size) => unit.repeat((1.5 * size) / unit.length)),
    ),
  ];
  expect(await heldTooLong(trials, { taken: async () => taken() })).toEqual([]);
}, 600_000);

const OK = 'HTTP/1.1 200 OK\r\n';
const answers: readonly (readonly [string, (size: number) => string])[] = [
  ['header fields', (size) => `${OK}${'a: b\r\n'.repeat(size / 6)}\r\n`],
  ['a long field', (size) => `${OK}a: ${'b'.repeat(size)}\r\n\r\n`],
  ['interim answers', (size) => `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(size / 25)}${OK}Content-Length: 0\r\n\r\n`],
  ['chunks of a byte', (size) => `${OK}Transfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(size / 6)}0\r\n\r\n`],
  [
    'an extension of a chunk',
    (size) => `${OK}Transfer-Encoding: chunked\r\n\r\n1;${'a=b;'.repeat(size / 4)}\r\na\r\n0\r\n\r\n`,
  ],
  ['a body', (size) => `${OK}Content-Length: ${size}\r\n\r\n${'x'.repeat(size)}`],
  ['line feeds', (size) => '\r\n'.repeat(size / 2)],
  ['no HTTP', (size) => 'x'.repeat(size)],
  ['a long reason', (size) => `HTTP/1.1 200 ${'x'.repeat(size)}\r\nContent-Length: 0\r\n\r\n`],
];

test('answers of receivers', async () => {
  const authority = new TestAuthority();
  let text = '';
  const hook = await receiver(authority.server([RECEIVER]), (socket) => void socket.end(text, 'latin1'));
  const outbound = loopbackOutbound(hook.port, authority);
  const taken = watchThread();
  const trials = answers.map(([what, make]): Trial => {
    const send = async (size: number) => {
      text = make(size);
      taken();
      const { status_code, error } = await outbound.post({ url: hook.url, body: '{}', headers: {} });
      return status_code || (error === '' ? 0 : 400);
    };
    return { what: `an answer of ${what}`, bytes: 1024 * KIB, send };
  });
  expect(await heldTooLong(trials, { taken: async () => taken() })).toEqual([]);
  outbound.stop();
  await hook.stop();
}, 600_000);
