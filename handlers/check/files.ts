/** Checks of stored files: the folder, and a round trip with a presigned form and URL at the address of clients. */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { diskStorage } from '../storage/disk.ts';
import { openFolder } from '../storage/folder.ts';
import type { Storage } from '../storage/storage.ts';
import { CHECK_KEYS } from './bucket.ts';
import { certificateAt } from './certificate.ts';
import type { CheckContext, DeploymentCheck } from './check.ts';
import { CheckSkip, doubtful, fine, type Judgement, LOOPBACK, reasonFor, skipped, timed, wrong } from './finding.ts';
import { type AskedAnswer, ask, isLate } from './http.ts';

/** Less free space than this share, and than so many bytes, is little. */
const LITTLE = { share: 0.05, bytes: 5 * 2 ** 30 };
const OTHERS = 0o077;

/** The storage with the addresses of clients. @throws CheckSkip where no process serves it yet */
async function clientStorage(context: CheckContext): Promise<Storage> {
  const { config, database } = context;
  const { STORAGE_DIR, STORAGE_URL, STORAGE_PORT, HOST } = config;
  if (STORAGE_DIR === undefined) return context.bucket().storage;
  const { store } = await database.opened();
  const row = await store.deployment_secrets.findOne({ _id: 'storage' });
  const isThere = existsSync(join(resolve(STORAGE_DIR), 'objects'));
  if (row === null || !isThere) throw new CheckSkip('no process has served files yet');
  if (STORAGE_URL === undefined && STORAGE_PORT === 0)
    throw new CheckSkip('STORAGE_PORT is any free port, which only the process knows');
  const url = STORAGE_URL ?? `http://${HOST}:${STORAGE_PORT}`;
  return diskStorage({
    folder: await openFolder(resolve(STORAGE_DIR)),
    url,
    secret: async () => row.value,
  });
}

const LIFETIME_MS = 60_000;
const PDF = 'application/pdf';
const BOUNDARY = 'check-of-the-deployment';

/** What an answer that is no success says about the way to the storage. */
function refusalOf(what: string, at: URL, answer: AskedAnswer): Judgement | undefined {
  if ('failure' in answer) {
    return wrong(
      `nothing can be reached at ${at.origin}, where clients are sent with a ${what}: ${answer.failure}`,
      'Correct S3_PUBLIC_ENDPOINT or STORAGE_URL, or what answers there.',
    );
  }
  if (answer.status >= 200 && answer.status < 300) return undefined;
  const code = /<Code>(\w+)<\/Code>/.exec(answer.text)?.[1];
  if (code === 'SignatureDoesNotMatch') {
    return wrong(
      `the ${what} is refused at ${at.origin}: SignatureDoesNotMatch`,
      'What is in front of it changes Host or the path: hand on both as they came (nginx: proxy_set_header Host $http_host).',
    );
  }
  const said = code ?? (answer.text.startsWith('<?xml') ? 'an error of S3' : 'no answer of a storage');
  return wrong(
    `the ${what} is refused at ${at.origin} with ${answer.status} (${said})`,
    'See what answers there, and its log.',
  );
}

/** The largest form of an upload, with its fields. */
const LARGEST_BYTES = 52_500_000;
/** How long it has time to refuse that size, in milliseconds. */
const REFUSED_WITHIN_MS = 500;

export const fileChecks: readonly DeploymentCheck[] = [
  {
    name: 'files.folder',
    about: 'STORAGE_DIR can be written to and has room',
    async run({ config, undo }) {
      const { STORAGE_DIR } = config;
      if (STORAGE_DIR === undefined) return skipped('files are kept in a bucket');
      const root = resolve(STORAGE_DIR);
      const there = await stat(root).catch((error: NodeJS.ErrnoException) => error);
      if (there instanceof Error) {
        if (there.code !== 'ENOENT') return wrong(`cannot be used: ${there.code}`, 'Correct STORAGE_DIR.');
        const isPossible = await access(dirname(root), constants.W_OK).then(
          () => true,
          () => false,
        );
        return isPossible
          ? fine('is not there yet: the first process that starts makes it')
          : wrong('is not there, and this user may not make it', 'Make it, or correct STORAGE_DIR: is it mounted?');
      }
      const probe = join(root, `check-${randomUUID()}`);
      undo(probe, () => rm(probe, { force: true }));
      try {
        await writeFile(probe, 'check', { mode: 0o600, flush: true, flag: 'wx' });
        await rm(probe);
      } catch (error) {
        return wrong(
          `this user cannot write to it: ${reasonFor(error)}`,
          'Give it to the user that runs the service, and mount it for writing.',
        );
      }
      const { bavail, blocks, bsize } = await statfs(root);
      const free = bavail * bsize;
      const words = `${(free / 2 ** 30).toFixed(1)} GiB are free`;
      if (bavail / blocks < LITTLE.share && free < LITTLE.bytes)
        return doubtful(words, 'Make room: on a full disk, every upload is refused.');
      if ((there.mode & OTHERS) !== 0)
        return doubtful('other users of this machine can enter it', `chmod 700 ${STORAGE_DIR}`);
      return fine(`can be written to; ${words}`);
    },
  },
  {
    name: 'files.round_trip',
    about: 'a presigned form and URL work at the address of clients, and no other way',
    async run(context) {
      const storage = await clientStorage(context);
      const key = `${CHECK_KEYS}${randomUUID()}`;
      const content = randomBytes(48).toString('base64url');
      const form = await storage.uploadForm(key, PDF, content.length, LIFETIME_MS);
      const at = new URL(form.url);
      context.undo(`the stored file ${key}`, () => storage.remove(key));
      const fields = Object.entries({ ...form.fields, file: content }).map(([name, value]) => {
        const filename = name === 'file' ? '; filename="check.pdf"' : '';
        return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${value}\r\n`;
      });
      const type = `multipart/form-data; boundary=${BOUNDARY}`;
      const posted = await ask(at, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body: `${fields.join('')}--${BOUNDARY}--\r\n`,
        signal: context.signal,
      });
      const refusal = refusalOf('form', at, posted);
      if (refusal !== undefined) return refusal;
      const stored = await storage.latest(key).catch(() => undefined);
      if (stored === undefined)
        return wrong(
          `what ${at.origin} took is not in the storage`,
          'That address leads to another storage: correct it.',
        );
      const url = new URL(await storage.downloadUrl(stored, { filename: 'check.pdf', content_type: PDF }, LIFETIME_MS));
      const { signal } = context;
      const got = await ask(url, { signal });
      const other = refusalOf('URL', at, got);
      if (other !== undefined) return other;
      if ('text' in got && got.text !== content)
        return wrong(`${at.origin} sent other bytes than were stored`, 'See what is in front of it.');
      const unsigned = await ask(new URL(url.pathname, url), { signal });
      if ('text' in unsigned && unsigned.text.includes(content)) {
        return wrong(
          `${at.origin} gives files to everybody, without a signature`,
          'Remove the policy or the ACL of the bucket that allows it, or the cache in front of it.',
        );
      }
      const isOpen = at.protocol === 'http:' && !LOOPBACK.test(at.hostname);
      if (isOpen) return doubtful(`files travel in the open: ${at.origin}`, 'Put a TLS terminator in front of it.');
      const certificate = at.protocol === 'https:' ? await certificateAt(at, signal, true) : undefined;
      if (certificate?.verdict === 'WARN') return certificate;
      return fine(`a form and a URL work at ${at.origin}, and nothing without a signature`);
    },
  },
  {
    name: 'files.size',
    about: 'nothing in front of the storage cuts uploads of 50 MB',
    /** Whether something in front of the storage cuts large files: it says so when it has read the head. */
    async run(context) {
      const storage = await clientStorage(context);
      const form = await storage.uploadForm(`${CHECK_KEYS}${randomUUID()}`, PDF, 1, LIFETIME_MS);
      const at = new URL(form.url);
      const headers = {
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
        'Content-Length': String(LARGEST_BYTES),
      };
      // The body is not sent to its end, so nothing is stored.
      const answer = await ask(at, {
        method: 'POST',
        headers,
        body: `--${BOUNDARY}\r\n`,
        withinMs: REFUSED_WITHIN_MS,
        signal: context.signal,
      });
      if ('failure' in answer && !isLate(answer)) return skipped(`not reached: ${answer.failure}`);
      if ('status' in answer && answer.status === 413) {
        return wrong(
          `${at.origin} refuses uploads of 50 MB with 413`,
          'Let bodies of 52.5 MB through (nginx: client_max_body_size 53m).',
        );
      }
      return timed(fine('an upload of 50 MB may begin'), isLate(answer));
    },
  },
];
