import { prefix } from '../../generated/contract.ts';
import { seenWithin } from '../engine/bounded-wait.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { rulesWith } from './rule.ts';
import { series, UNKNOWN_ID, unique } from './shared/calls.ts';
import {
  accepted,
  confirm,
  confirmed,
  contentOf,
  create,
  created,
  downloadOf,
  draft,
  draftFromUpload,
  fetchFile,
  fetchUrl,
  PDF,
  pdf,
  postForm,
  readDocument,
  refused,
  reserve,
  store,
  stored,
  uploadBody,
  uploaded,
} from './shared/document-calls.ts';
import { DAY_MS } from './shared/movable-clock.ts';
import { mustLookTheSame } from './shared/same-answer.ts';

const rule = rulesWith({ decisions: ['D-23'] });

const reservation = { filename: 'проверка.pdf', content_type: PDF, size_bytes: 1000 };

async function reserving(t: TestContext, change: object): Promise<Answer> {
  await t.mayWrite();
  return t.asAny('full').post('/files', { ...reservation, ...change });
}

rule({
  id: 'FILE-15',
  text: 'A filename in any script, and the largest and the smallest size, each as a number or as text, come back as they were given.',
  place: 'ReserveFileRequest: filename, size_bytes',
  decisions: ['D-3', 'D-23'],
  check: async (t) => {
    const right = [
      'Бұйрық №118.pdf',
      'a"b\'c;d=e.pdf',
      '.pdf',
      'без расширения',
      'caf\u00e9.pdf',
      'cafe\u0301.pdf',
      '📄 👩‍💼.pdf',
      '..',
      '%2e%2e%2f.pdf',
      'x'.repeat(255),
      'Ж'.repeat(255),
      '<script>alert(1)</script>'.replaceAll('/', ''),
      '{"$gt":""}',
      ' leading and trailing ',
    ];
    for (const filename of right) {
      const answer = await reserving(t, { filename });
      const { file } = answer.ok('reserveFile', `the filename ${filename.slice(0, 40)}`);
      t.equal(file.filename, filename, 'the filename', answer);
    }
    const most = t.values.upload_max_bytes;
    for (const size_bytes of [most, String(most), 1, '1']) {
      const { file } = (await reserving(t, { size_bytes })).ok('reserveFile', `size_bytes ${size_bytes}`);
      t.equal(file.size_bytes, String(size_bytes), 'the reserved size');
    }
  },
});

rule({
  id: 'FILE-1',
  text: 'A reservation answers with a RESERVED upload and a form that expires after the declared time. The bytes go to storage by the form alone: it works without an API key, and neither form nor address holds the key. A confirmation before that is FILE_NOT_UPLOADED, and the upload can still be finished.',
  place: 'reserveFile, PresignedUpload, confirmFile, FILE_NOT_UPLOADED',
  check: async (t, full) => {
    const bytes = pdf('FILE-2');
    const { file, upload } = await reserve(t, full, bytes.length);
    const { RESERVED } = t.spelling.file_upload_status;
    const reserved = { status: RESERVED, size_bytes: String(bytes.length), content_type: PDF };
    t.equal(file, { ...file, ...reserved }, 'the reserved upload');
    const seconds = (Date.parse(upload.expire_time) - Date.parse(file.create_time)) / 1000;
    const isTimely = Math.abs(seconds - t.values.upload_form_lifetime_s) <= 5;
    t.check(isTimely, `the form expires after ${seconds} s, not ${t.values.upload_form_lifetime_s}`);
    const text = JSON.stringify(upload);
    for (const name of t.keyNames('full')) t.check(!text.includes(t.secretOf(name)), 'the form holds an API key');
    t.check(!new URL(upload.url).pathname.startsWith(prefix), 'the form sends the bytes to the interface itself');
    (await confirm(t, full, file.id)).fails('FILE_NOT_UPLOADED', 'before the form was sent');
    await store(t, upload, bytes);
    const { status } = await confirmed(t, full, file.id);
    t.equal(status, t.spelling.file_upload_status.UPLOADED, 'the status afterwards');
  },
});

rule({
  id: 'FILE-7',
  text: 'A confirmed upload is UPLOADED, has the size of its bytes as a decimal string and is otherwise as it was reserved; confirming again, at the same time or after a document took it, changes nothing. Equal bytes are an upload each.',
  place: 'confirmFile, UploadedFile',
  decisions: ['D-3'],
  check: async (t, full) => {
    const ids: string[] = [];
    for (const [size, atOnce] of [
      [700, 1],
      [700, 5],
      [4097, 5],
    ] as const) {
      const { file } = await stored(t, full, pdf('FILE-7', size));
      const answers = await Promise.all(series(atOnce, () => confirm(t, full, file.id)));
      answers.push(await confirm(t, full, file.id));
      const document = await created(t, full, uploadBody(t, file.id));
      answers.push(await confirm(t, full, file.id));
      const expected = { ...file, status: t.spelling.file_upload_status.UPLOADED, size_bytes: String(size) };
      for (const answer of answers) t.equal(answer.ok('confirmFile').file, expected, 'the confirmed upload', answer);
      t.equal(await readDocument(full, document.id), document, 'the document afterwards');
      (await create(t, full, uploadBody(t, file.id))).fails('FILE_ALREADY_LINKED', 'a second document of it');
      ids.push(file.id);
    }
    t.equal(unique(ids).length, 3, 'uploads of three reservations, two of equal bytes');
  },
});

/** A confirmation that is refused, or shows how many bytes are stored. @param isRefused what the target declares */
function mustConfirm(t: TestContext, answer: Answer, isRefused: boolean, size: number): void {
  if (isRefused) {
    t.check(refused(answer), `expected a refusal, got ${answer.brief}`, answer);
    return;
  }
  const { status, size_bytes } = answer.ok('confirmFile').file;
  t.equal([status, size_bytes], [t.spelling.file_upload_status.UPLOADED, String(size)], 'the upload', answer);
}

rule({
  id: 'FILE-9',
  text: 'An object that is larger than its reservation is stored, and its confirmation is FILE_SIZE_MISMATCH. Whether the right bytes may follow with the same form, and what a smaller object is, is as the target declares.',
  place: 'confirmFile, FILE_SIZE_MISMATCH',
  check: async (t, full) => {
    const bytes = pdf('FILE-9', 500);
    const { file, upload } = await reserve(t, full, bytes.length);
    const posted = await postForm(t, upload, pdf('FILE-9 too large', 900));
    t.check(accepted(posted), `storage answered ${posted.status} to 900 bytes where 500 are reserved`);
    (await confirm(t, full, file.id)).fails('FILE_SIZE_MISMATCH', 'the larger object');
    (await create(t, full, uploadBody(t, file.id))).fails('FILE_INVALID_STATUS_TRANSITION', 'a document of it');
    const isFinal = t.values.refused_confirmation === 'final';
    const again = await postForm(t, upload, bytes);
    t.check(isFinal || accepted(again), `storage refused the second use of the form with ${again.status}`);
    mustConfirm(t, await confirm(t, full, file.id), isFinal, bytes.length);
    const loose = await reserve(t, full, bytes.length + 1000);
    await store(t, loose.upload, bytes);
    mustConfirm(t, await confirm(t, full, loose.file.id), t.values.upload_smaller === 'refused', bytes.length);
  },
});

rule({
  id: 'FILE-12',
  text: 'An unknown upload is FILE_NOT_FOUND for a confirmation and for a creation, and one of another owner, or of another tenant, answers exactly as an unknown one. Another key of the same owner may confirm it, or not, as the target declares.',
  place: 'confirmFile, createDocument, FILE_NOT_FOUND',
  check: async (t, full) => {
    const creation = (id: string) => create(t, full, uploadBody(t, id));
    const unconfirmed = (await confirm(t, full, UNKNOWN_ID)).fails(
      'FILE_NOT_FOUND',
      'the confirmation of an unknown id',
    );
    const unmade = (await creation(UNKNOWN_ID)).fails('FILE_NOT_FOUND', 'a creation from an unknown id');
    const { file } = await stored(t, full, pdf('FILE-12'));
    const answer = await confirm(t, t.as('second_key_same_owner'), file.id);
    if (t.values.upload_owner === 'key') answer.fails('FILE_NOT_FOUND', 'another key of the owner');
    else answer.ok('confirmFile', 'another key of the owner');
    for (const owner of ['second_owner', 'other_tenant'] as const) {
      const theirs = t.as(owner);
      const { id } = (await stored(t, theirs, pdf(owner))).file;
      const mustBeUnknown = async (what: string) => {
        const ids = [id, UNKNOWN_ID];
        mustLookTheSame(t, await confirm(t, full, id), unconfirmed, `the confirmation of ${what}`, ids);
        mustLookTheSame(t, await creation(id), unmade, `a creation from ${what}`, ids);
      };
      await mustBeUnknown(`an upload of ${owner}`);
      const { status } = await confirmed(t, theirs, id);
      t.equal(status, t.spelling.file_upload_status.UPLOADED, 'its own confirmation');
      await mustBeUnknown(`a confirmed upload of ${owner}`);
    }
  },
});

rule({
  id: 'FILE-21',
  text: 'Bytes that do not begin as a PDF are confirmed or refused as the target declares; a PDF after a few bytes, as scanners write it, is confirmed as far as the target declares, and comes back byte for byte.',
  place: 'confirmFile, downloadDocument',
  check: async (t, full) => {
    const within = t.values.upload_pdf_starts_within;
    const rest = '\n%%EOF\n';
    const late = `${' '.repeat(within)}%PDF-1.4`;
    for (const head of ['<html>', '%PDX-1.4', 'PK\u0003\u0004', '%pdf-1.4', '%PD', late]) {
      const { file } = await stored(t, full, Buffer.from(head + rest));
      const answer = await confirm(t, full, file.id);
      if (t.values.upload_not_pdf === 'accepted') answer.ok('confirmFile', head);
      else answer.fails('INVALID_ARGUMENT', `bytes that begin with ${JSON.stringify(head.trim())}`);
    }
    const heads = ['\ufeff', '\r\n', 'Content-Type: application/pdf\r\n\r\n', ' '.repeat(within - 1)];
    for (const head of heads.filter(({ length }) => length > 0 && length < within)) {
      const bytes = Buffer.concat([Buffer.from(head), pdf('FILE-21')]);
      const { id } = await draftFromUpload(t, full, bytes);
      const got = await contentOf(t, full, id);
      t.check(got.equals(bytes), `the download has other bytes than the upload after ${JSON.stringify(head.trim())}`);
    }
  },
});

rule({
  id: 'FILE-27',
  text: 'A confirmation takes no body, {} or its own id alike; another file_id than that of the path is treated as the target declares.',
  place: 'ConfirmFileRequest',
  decisions: ['D-6a'],
  check: async (t, full) => {
    const { file } = await stored(t, full, pdf('FILE-27'));
    const answer = await confirm(t, full, file.id, { file_id: UNKNOWN_ID });
    if (t.values.body_id_mismatch === 'refused') answer.blames('file_id', 'another file_id');
    else answer.ok('confirmFile', 'another file_id');
    for (const body of [undefined, {}, { file_id: file.id }, { file_id: '' }] as unknown[]) {
      const { status } = (await confirm(t, full, file.id, body)).ok('confirmFile').file;
      t.equal(status, t.spelling.file_upload_status.UPLOADED, 'the status');
    }
  },
});

rule({
  id: 'FILE-28',
  text: 'What is in storage cannot be read there without a presigned URL.',
  place: 'reserveFile',
  decisions: ['D-22'],
  check: async (t, full) => {
    const bytes = pdf('FILE-28');

    const { file, upload } = await stored(t, full, bytes);
    const key = Object.entries(upload.fields).find(([name]) => name.toLowerCase() === 'key')?.[1] ?? file.id;
    const bare = upload.url.replace(/\/$/, '');
    const addresses = [
      upload.url,
      `${bare}/${key}`,
      `${bare}/${key}?X-Amz-Expires=300`,
      `${new URL(upload.url).origin}/${key}`,
    ];
    for (const address of addresses) {
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
        const answer = await fetchUrl(t, address, method);
        const given = answer.body.includes(bytes) || (answer.status < 300 && method !== 'GET');
        t.check(!given, `storage answered ${answer.status} to a bare ${method} of ${new URL(address).pathname}`);
      }
    }
    await confirmed(t, full, file.id, 'the confirmation afterwards');
    t.check(typeof (await uploaded(t, full)) === 'string', 'the next upload');
  },
});

const KEPT_MS = 30 * DAY_MS;

const HOUR_MS = DAY_MS / 24;

/** How long is waited for what a target does from time to time, in real time. */
const PATIENCE_MS = 60_000;

// What has to be old is made in the past, so that nothing is left behind that comes from the future. A bucket has a clock
// of its own: bytes are sent before the clock is moved.
rule({
  id: 'FILE-31',
  text: 'A confirmed upload that no document took is kept for 30 days and no longer; the files of documents, from uploads and from templates, stay.',
  place: 'reserveFile, confirmFile, createDocument',
  runs: 'moving',
  check: async (t, full) => {
    const bytes = pdf('FILE-31');
    const [late, early, taken] = [
      await stored(t, full, bytes),
      await stored(t, full, bytes),
      await stored(t, full, bytes),
    ];
    const documents: (readonly [id: string, uploaded?: Buffer])[] = [];
    await t.withClock(async (advance) => {
      await advance(-KEPT_MS - HOUR_MS);
      const printed = await draft(t, full);
      for (const { file } of [late, taken]) await confirmed(t, full, file.id, 'in the past');
      const document = await created(t, full, uploadBody(t, taken.file.id));
      await advance(5 * HOUR_MS);
      await confirmed(t, full, early.file.id, 'four hours later');
      // Further bytes may arrive with a form for a while, so a target may look at an upload only later.
      await advance(KEPT_MS - 2 * HOUR_MS);
      const confirmation = await seenWithin(
        PATIENCE_MS,
        () => confirm(t, full, late.file.id),
        ({ status }) => status !== 200,
      );
      confirmation.fails(['FILE_NOT_FOUND', 'FILE_NOT_UPLOADED'], 'an upload after 30 days');
      const creation = await create(t, full, uploadBody(t, late.file.id));
      creation.fails(['FILE_NOT_FOUND', 'FILE_INVALID_STATUS_TRANSITION'], 'a document of it');
      const again = await create(t, full, uploadBody(t, taken.file.id));
      again.fails('FILE_ALREADY_LINKED', 'a second document of an upload that was taken 30 days ago');
      const last = await created(t, full, uploadBody(t, early.file.id), 'before its 30 days end');
      documents.push([document.id, bytes], [last.id, bytes], [printed.id]);
    });
    // A storage has a clock of its own, by which URLs that were made at another time are not valid.
    for (const [id, uploaded] of documents) {
      const { url, file } = await downloadOf(full, id);
      const got = await fetchFile(t, url);
      const isWhole = got.length === Number(file.size_bytes) && got.subarray(0, 5).toString() === '%PDF-';
      t.check(isWhole, `of a document of 30 days ago ${got.length} of ${file.size_bytes} bytes are left`);
      t.check(uploaded === undefined || got.equals(uploaded), 'a document has other bytes than its upload');
    }
  },
});

/** How often confirmations and creations are sent together, and how many of each. */
const ROUNDS = 4;

const AT_ONCE = 5;

rule({
  id: 'FILE-32',
  text: 'An upload serves one document. Of creations with it, at the same time or later, exactly one wins, and the others are FILE_ALREADY_LINKED; beside confirmations, each of which succeeds, they may be refused as not confirmed yet.',
  place: 'confirmFile, createDocument',
  check: async (t) => {
    const full = t.asAny('full');
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = pdf(`FILE-32 ${round}`);
      const { file } = await stored(t, full, bytes);
      const body = () => uploadBody(t, file.id);
      const isConfirmed = round % 2 === 1;
      if (isConfirmed) await confirmed(t, full, file.id);
      const pairs = series(AT_ONCE, () => Promise.all([confirm(t, full, file.id), create(t, full, body())]));
      const answers = await Promise.all(pairs);
      const creations = answers.map(([, creation]) => creation);
      for (const [answer] of answers) {
        const { status } = answer.ok('confirmFile', 'beside creations').file;
        t.equal(status, t.spelling.file_upload_status.UPLOADED, 'the status', answer);
      }
      const won = creations.filter(({ status }) => status === 200);
      const early = isConfirmed ? [] : (['FILE_INVALID_STATUS_TRANSITION'] as const);
      for (const answer of creations)
        if (answer.status !== 200) answer.fails(['FILE_ALREADY_LINKED', ...early], 'a creation beside another');
      const last = await create(t, full, body());
      if (isConfirmed || won.length > 0) last.fails('FILE_ALREADY_LINKED', 'a later creation');
      const winner = won[0] ?? last;
      t.check(won.length < 2, 'two creations succeeded', won[1]);
      const { document } = winner.ok('createDocument', 'the only creation');
      const { id, files } = document;
      t.equal(files[0]?.file_id, file.id, 'its file', winner);
      t.equal(await readDocument(full, id), document, 'the document afterwards');
      t.check((await contentOf(t, full, id)).equals(bytes), 'the document has other bytes');
    }
  },
});
