/** The storage in a folder: the tests of every storage, then those of the folder and our listener alone. */
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { type DiskBed, newKey, openDiskBed, PDF, postForm } from '../../scripts/world/disk-storage.ts';
import { storageTests } from '../../scripts/world/storage-tests.ts';
import { exchange, requestText } from '../../scripts/world/wire.ts';
import { folderIdentity, openFolder } from './folder.ts';
import type { UploadForm } from './storage.ts';

describe('every storage', () => storageTests(() => openDiskBed()));
describe('every storage, under a path of a proxy that passes it on', () =>
  storageTests(() => openDiskBed({}, '/files/x')));

const headers = { filename: 'a.pdf', content_type: PDF };
let bed: DiskBed;
beforeAll(async () => {
  bed = await openDiskBed();
});
afterAll(() => bed.stop());

const form = (key: string) => bed.storage.uploadForm(key, PDF, 10_000, 60_000);
const incoming = (dir = bed.dir) => readdir(join(dir, 'incoming'));
const noneLeft = (dir = bed.dir) =>
  eventually('no incomplete file is left', async () => (await incoming(dir)).length === 0);

describe('the folder', () => {
  test('contains all files, for any key', async () => {
    for (const key of [
      '../../escaped',
      '/etc/escaped',
      `${'../'.repeat(20)}tmp/escaped`,
      'a\0b',
      '',
      `x${'y'.repeat(9_000)}`,
    ]) {
      const stored = await bed.storage.write(key, PDF, Buffer.from('x'));
      expect(await text(await bed.storage.read(stored))).toBe('x');
    }
    expect((await readdir(dirname(bed.dir))).filter((name) => name.includes('escaped'))).toEqual([]);
    expect(await readdir(bed.dir)).toEqual(['identity', 'incoming', 'objects']);
  });

  test('has one identity, also when several processes open it for the first time at once, and no other folder has it', async () => {
    const fresh = join(bed.dir, 'fresh');
    expect(await folderIdentity(fresh)).toBeUndefined();
    const opened = Array.from({ length: 8 }, () => openFolder(fresh).then(() => folderIdentity(fresh)));
    const identities = new Set(await Promise.all(opened));
    expect([...identities]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(identities).not.toContain(await folderIdentity(bed.dir));
    expect(await readdir(fresh)).toEqual(['identity', 'incoming', 'objects']);
    await rm(fresh, { recursive: true });
  });

  test('is readable by its owner only', async () => {
    const made = join(bed.dir, 'incoming', 'made');
    await openFolder(made);
    expect((await stat(made)).mode & 0o777).toBe(0o700);
    await rm(made, { recursive: true });
  });

  test('does not open a version that names something other than a file', async () => {
    const { key } = await bed.storage.write(newKey(), PDF, Buffer.from('x'));
    for (const version of ['../../../../etc/passwd', '.', '', '00000001', 'null']) {
      await expect(bed.storage.read({ key, version })).rejects.toThrow('no such version');
    }
  });

  test('has versions that cannot be guessed', async () => {
    const key = newKey();
    const versions = [];
    for (let i = 0; i < 3; i++) versions.push((await bed.storage.write(key, PDF, Buffer.from('x'))).version);
    expect(versions).toEqual(versions.map(() => expect.stringMatching(/^\d{8}-[0-9a-f]{32}$/)));
    expect(new Set(versions.map((version) => version.slice(9))).size).toBe(3);
    expect(versions.toSorted()).toEqual(versions);
  });

  test('has unfinished files of a killed writer, which are no objects and are removed once they are old', async () => {
    const [old, fresh] = [join(bed.dir, 'incoming', 'old'), join(bed.dir, 'incoming', 'fresh')];
    await writeFile(old, 'half of a file');
    await utimes(old, 0, 0);
    await writeFile(fresh, 'half of a file');
    const folder = await openFolder(bed.dir);
    await folder.clean();
    expect(await incoming()).toEqual(['fresh']);
    await rm(fresh);
  });

  test('can be shared: all versions of two writers are there, and the last one is the latest', async () => {
    const [one, two] = [await openFolder(bed.dir), await openFolder(bed.dir)];
    const key = newKey();
    async function* bytes(text: string) {
      yield Buffer.from(text);
    }
    const write = async (folder: typeof one, text: string) => (await folder.draft(bytes(text))).commit(key);
    const versions = await Promise.all(Array.from({ length: 20 }, (_, i) => write(i % 2 ? one : two, `${i}`)));
    expect(new Set(versions).size).toBe(20);
    const last = await write(two, 'last');
    expect(await one.latest(key)).toEqual({ version: last, size_bytes: 4 });
    // A writer may find the folder of its key gone, because another process removed the last version.
    for (let round = 0; round < 30; round++) {
      const other = newKey();
      const draft = await two.draft(bytes('x'));
      await Promise.all([draft.commit(other), one.remove(other), one.remove(other), two.remove(other)]);
    }
    const survivor = await write(one, 'survivor');
    expect((await two.latest(key))?.version).toBe(survivor);
  });

  test('makes the storage unavailable when it fails, without a path in the answer', async () => {
    const broken = await openDiskBed();
    const given = await broken.storage.uploadForm(newKey(), PDF, 100, 60_000);
    await rm(broken.dir, { recursive: true });
    await expect(broken.storage.write(newKey(), PDF, Buffer.from('x'))).rejects.toMatchObject({
      errorName: 'UNAVAILABLE',
    });
    const body = new FormData();
    for (const [name, value] of Object.entries(given.fields)) body.set(name, value);
    body.set('file', new Blob(['x']));
    const answer = await fetch(given.url, { method: 'POST', body });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await answer.text()) + broken.logged.join('')).not.toContain(broken.dir);
    await broken.stop();
  });
});

/** A form as bytes: parts in order, each with its name. */
function multipart(parts: readonly (readonly [string, string])[]): string {
  const text = parts.map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${text.join('')}--b--\r\n`;
}

function posted(body: string, ...head: string[]): string {
  const lines = ['Content-Type: multipart/form-data; boundary=b', ...head];
  if (!head.some((line) => /^(content-length|transfer-encoding)/i.test(line))) {
    lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  }
  return requestText('POST /files', lines, body);
}

describe('the HTTP of a form', () => {
  const fieldsOf = (given: UploadForm) => Object.entries(given.fields);

  test('may have a target in absolute-form (RFC 9112 §3.2.2), as a download may', async () => {
    const key = newKey();
    const body = multipart([...fieldsOf(await form(key)), ['file', 'bytes']]);
    const sent = posted(body).replace('POST ', 'POST http://other.example');
    expect((await exchange(bed.port, sent, { answers: 1 })).answers[0]?.status).toBe(204);
    const object = await bed.storage.write(newKey(), PDF, Buffer.from('bytes'));
    const read = requestText(`GET ${await bed.storage.downloadUrl(object, headers, 60_000)}`);
    expect((await exchange(bed.port, read, { answers: 1 })).answers[0]?.status).toBe(200);
  });

  test('answers Expect: 100-continue before the body is sent', async () => {
    const key = newKey();
    const body = multipart([...fieldsOf(await form(key)), ['file', 'bytes']]);
    const { answers } = await exchange(bed.port, posted(body, 'Expect: 100-continue'), { answers: 2 });
    expect(answers.map(({ status }) => status)).toEqual([100, 204]);
  });

  // What the tests of every storage send as well is not repeated.
  test.each<[string, (fields: [string, string][]) => string]>([
    ['with a field without a name', (fields) => posted(multipart([...fields, ['', 'x'], ['file', 'x']]))],
    ['that is empty', () => posted('')],
    ['that is no form', () => posted('{"key": 1}')],
    [
      'that announces far more than it may hold',
      (fields) => posted(multipart([...fields, ['file', 'x']]), 'Content-Length: 999999999999'),
    ],
  ])('answers 4xx to a form %s, and stores nothing', async (_, make) => {
    const key = newKey();
    const { answers, text } = await exchange(bed.port, make(fieldsOf(await form(key))), { answers: 1 });
    expect(answers).toHaveLength(1);
    expect(String(answers[0]?.status)).toMatch(/^4\d\d$/);
    expect(answers[0]?.body).toMatch(/^<\?xml .*\n<Error><Code>\w+<\/Code><Message>[^<&]+<\/Message>/);
    expect(text).not.toContain(bed.dir);
    expect(await bed.storage.latest(key)).toBeUndefined();
    await noneLeft();
  });

  test('stores nothing of a client that disconnects in the middle', async () => {
    const key = newKey();
    const body = multipart([...fieldsOf(await form(key)), ['file', 'x'.repeat(5_000)]]);
    const socket = connect(bed.port, '127.0.0.1');
    socket.write(posted(body).slice(0, -3_000));
    await eventually('the file is being written', async () => (await incoming()).length > 0);
    socket.destroy();
    await noneLeft();
    expect(await bed.storage.latest(key)).toBeUndefined();
  });

  test('disconnects a client that stalls, and stores nothing', async () => {
    const impatient = await openDiskBed({ transferTimeoutMs: 1_000, headersTimeoutMs: 500 });
    const key = newKey();
    const given = await impatient.storage.uploadForm(key, PDF, 10_000, 60_000);
    const body = multipart([...fieldsOf(given), ['file', 'x'.repeat(5_000)]]);
    const [stalled, headless] = await Promise.all([
      exchange(impatient.port, posted(body).slice(0, -3_000)),
      exchange(impatient.port, 'POST /files HTTP/1.1\r\nHost: x\r\n'),
    ]);
    expect([stalled.closed, headless.closed]).toEqual([true, true]);
    await noneLeft(impatient.dir);
    expect(await impatient.storage.latest(key)).toBeUndefined();
    await impatient.stop();
  });
});

test('a client that does not read its download is disconnected', async () => {
  const impatient = await openDiskBed({ transferTimeoutMs: 1_000, headersTimeoutMs: 500 });
  // More than the buffers of a connection hold.
  const object = await impatient.storage.write(newKey(), PDF, Buffer.alloc(30_000_000));
  const { pathname, search } = new URL(await impatient.storage.downloadUrl(object, headers, 60_000));
  const socket = connect(impatient.port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(requestText(`GET ${pathname}${search}`));
  const isCut = (line: string) => JSON.parse(line).aborted === true;
  expect(await eventually('the cut', () => impatient.logged.some(isCut))).toBe(true);
  socket.destroy();
  await impatient.stop();
});

describe('a download', () => {
  const url = async () =>
    bed.storage.downloadUrl(await bed.storage.write(newKey(), PDF, Buffer.from('0123456789')), headers, 60_000);

  test('has headers against sniffing, caching and running', async () => {
    const answer = await fetch(await url());
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  test('gives its size for HEAD', async () => {
    const answer = await fetch(await url(), { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '10', '']);
  });

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=5-99', 206, '56789', 'bytes 5-9/10'],
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['bytes=5-1', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
    ['bytes=10-', 416, undefined, 'bytes */10'],
    ['bytes=-0', 416, undefined, 'bytes */10'],
  ])('of Range: %s is answered with %d', async (range, status, text, contentRange) => {
    const answer = await fetch(await url(), { headers: { Range: range } });
    const body = await answer.text();
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, contentRange]);
    expect(text === undefined || body === text).toBe(true);
  });

  test('continues only from the same version', async () => {
    const address = await url();
    const etag = (await fetch(address, { method: 'HEAD' })).headers.get('etag') ?? '';
    const from = (ifRange: string) => fetch(address, { headers: { Range: 'bytes=5-', 'If-Range': ifRange } });
    expect((await from(etag)).status).toBe(206);
    expect((await from('"another"')).status).toBe(200);
  });

  test.each([
    ['GET /', 404],
    ['GET /files', 405],
    ['GET /other/x', 404],
    ['GET /files/../../../../etc/passwd', 403],
    ['GET /files/%2e%2e%2fetc?X-Amz-Signature=%zz', 403],
    ['GET /files/%zz', 400],
    ['GET /files/a?b=1&b=2', 403],
    ['DELETE /files/a', 405],
    ['PUT /files/a', 405],
    ['OPTIONS /files', 405],
    ['GET http://[', 404],
    ['GET *', 404],
  ])('%s is answered with %d', async (line, status) => {
    const { answers } = await exchange(bed.port, requestText(line), { answers: 1 });
    expect(answers.map((answer) => answer.status)).toEqual([status]);
  });

  test('a request that is no HTTP is refused', async () => {
    const { answers, closed } = await exchange(bed.port, 'hello\r\n\r\n');
    expect([answers[0]?.status, closed]).toEqual([400, true]);
  });
});

test('the log has operations and statuses, and no data of persons', async () => {
  const key = newKey();
  expect(await postForm(await form(key), 'the bytes')).toBe(204);
  const object = await bed.storage.latest(key);
  if (object === undefined) throw new Error('nothing was stored');
  await fetch(await bed.storage.downloadUrl(object, { filename: 'Ахметова.pdf', content_type: PDF }, 60_000));
  const lines = bed.logged.map((line) => JSON.parse(line));
  expect(lines).toContainEqual(expect.objectContaining({ operation_id: 'storageUpload', status: 204 }));
  expect(lines).toContainEqual(expect.objectContaining({ operation_id: 'storageDownload', status: 200 }));
  const text = decodeURIComponent(bed.logged.join('').replace(/%(?![0-9a-f]{2})/gi, '%25'));
  for (const secret of [key, object.version, 'Ахметова', 'any.pdf', 'X-Amz', 'the bytes']) {
    expect(text).not.toContain(secret);
  }
});
