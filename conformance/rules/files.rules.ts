import { prefix } from '../../generated/operations.ts';
import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import {
  accepted,
  confirm,
  create,
  downloadOf,
  draftFromUpload,
  fetchFile,
  fetchUrl,
  pdf,
  postForm,
  readDocument,
  reserve,
  store,
  stored,
  uploadBody,
  uploaded,
} from './shared/document-calls.ts';
import { need, together } from './shared/needs.ts';
import { mustLookTheSame } from './shared/same-answer.ts';

rule({
  id: 'FILE-2',
  level: 'MUST',
  text: 'The bytes go to storage by the form alone: it works without an API key, and neither form nor address holds the key.',
  place: 'reserveFile, PresignedUpload',
  needs: need.uploads,
  check: async (t) => {
    const bytes = pdf('FILE-2');
    const { file, upload } = await reserve(t, t.as('full'), bytes.length);
    const text = JSON.stringify(upload);
    for (const name of t.keyNames('full')) t.check(!text.includes(t.secretOf(name)), 'the form holds an API key');
    t.check(!new URL(upload.url).pathname.startsWith(prefix), 'the form sends the bytes to the interface itself');
    await store(t, upload, bytes);
    (await confirm(t, t.as('full'), file.id)).ok('confirmFile');
  },
});

rule({
  id: 'FILE-6',
  level: 'MUST',
  text: 'Confirming before the form was sent is FILE_NOT_UPLOADED, and the upload can still be finished.',
  place: 'confirmFile, FILE_NOT_UPLOADED',
  needs: need.uploads,
  check: async (t) => {
    const full = t.as('full');
    const bytes = pdf('FILE-6');
    const { file, upload } = await reserve(t, full, bytes.length);
    (await confirm(t, full, file.id)).fails('FILE_NOT_UPLOADED', 'before the form was sent');
    await store(t, upload, bytes);
    t.equal(
      (await confirm(t, full, file.id)).ok('confirmFile').file.status,
      t.spelling.file_upload_status.UPLOADED,
      'the status afterwards',
    );
  },
});

rule({
  id: 'FILE-7',
  level: 'MUST',
  text: 'A confirmation answers with the upload, which is now UPLOADED and otherwise as it was reserved.',
  place: 'confirmFile',
  needs: need.uploads,
  check: async (t) => {
    const full = t.as('full');
    const { file } = await stored(t, full, pdf('FILE-7'));
    const answer = await confirm(t, full, file.id);
    t.equal(
      answer.ok('confirmFile').file,
      { ...file, status: t.spelling.file_upload_status.UPLOADED },
      'the confirmed upload',
      answer,
    );
  },
});

rule({
  id: 'FILE-8',
  level: 'MUST',
  text: 'Confirming again, also several times at once, changes nothing and answers the same.',
  place: 'confirmFile',
  needs: need.uploads,
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const { file } = await stored(t, full, pdf('FILE-8'));
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(t, full, file.id)));
    answers.push(await confirm(t, full, file.id));
    for (const answer of answers) {
      t.equal(
        answer.ok('confirmFile').file,
        { ...file, status: t.spelling.file_upload_status.UPLOADED },
        'the upload after a confirmation',
        answer,
      );
    }
  },
});

rule({
  id: 'FILE-9',
  level: 'MUST',
  text: 'An object that is larger than its reservation is stored, and its confirmation is FILE_SIZE_MISMATCH.',
  place: 'confirmFile, FILE_SIZE_MISMATCH',
  needs: together(need.uploads, { operations: ['createDocument'], fixtures: ['document_type_id'] }),
  check: async (t) => {
    const full = t.as('full');
    const { file, upload } = await reserve(t, full, 400);
    const posted = await postForm(upload, pdf('FILE-9', 600));
    t.check(accepted(posted), `storage answered ${posted.status} to 600 bytes where 400 are reserved`);
    (await confirm(t, full, file.id)).fails('FILE_SIZE_MISMATCH', 'the larger object');
    (await create(t, full, uploadBody(t, file.id))).fails('FILE_INVALID_STATUS_TRANSITION', 'a document of it');
  },
});

rule({
  id: 'FILE-10',
  level: 'MUST',
  text: 'An object that is smaller than its reservation is treated as the target declares.',
  place: 'confirmFile',
  decisions: ['D-23'],
  needs: need.uploads,
  check: async (t) => {
    const full = t.as('full');
    const bytes = pdf('FILE-10');
    const { file, upload } = await reserve(t, full, bytes.length + 1000);
    await store(t, upload, bytes);
    const answer = await confirm(t, full, file.id);
    if (t.values.upload_smaller === 'refused') {
      t.check(answer.status >= 400 && answer.status < 500, `expected a refusal, got ${answer.brief}`, answer);
      return;
    }
    const shown = answer.ok('confirmFile').file;
    t.equal(
      [shown.status, shown.size_bytes],
      [t.spelling.file_upload_status.UPLOADED, String(bytes.length)],
      'the confirmed upload',
      answer,
    );
  },
});

rule({
  id: 'FILE-11',
  level: 'MUST',
  text: 'Confirming an unknown or malformed id is FILE_NOT_FOUND.',
  place: 'confirmFile, FILE_NOT_FOUND',
  decisions: ['D-14'],
  needs: need.uploads,
  check: async (t) => {
    const full = t.as('full', { spread: true });
    for (const id of [
      UNKNOWN_ID,
      'x',
      'null',
      '%7B%22%24gt%22%3A%22%22%7D',
      `${UNKNOWN_ID}x`,
      'a'.repeat(500),
      '..%2ffiles',
    ]) {
      const answer = await confirm(t, full, id);
      if (id.includes('%2f')) answer.fails(['FILE_NOT_FOUND', 'PATH_NOT_FOUND'], id);
      else answer.fails('FILE_NOT_FOUND', id.slice(0, 60));
    }
  },
});

rule({
  id: 'FILE-12',
  level: 'MUST',
  text: 'An upload of another owner, or of another tenant, answers exactly as an unknown one.',
  place: 'confirmFile, FILE_NOT_FOUND',
  needs: together(need.uploads, { keys: ['second_owner', 'other_tenant'] }),
  check: async (t) => {
    const full = t.as('full');
    const reference = (await confirm(t, full, UNKNOWN_ID)).fails('FILE_NOT_FOUND', 'an unknown id');
    for (const owner of ['second_owner', 'other_tenant'] as const) {
      const theirs = t.as(owner);
      const bytes = pdf(owner);
      const { file } = await stored(t, theirs, bytes);
      mustLookTheSame(t, await confirm(t, full, file.id), reference, `an upload of ${owner}`, [file.id, UNKNOWN_ID]);
      t.equal(
        (await confirm(t, theirs, file.id)).ok('confirmFile').file.status,
        t.spelling.file_upload_status.UPLOADED,
        'its own confirmation',
      );
      mustLookTheSame(t, await confirm(t, full, file.id), reference, `a confirmed one of ${owner}`, [
        file.id,
        UNKNOWN_ID,
      ]);
    }
  },
});

rule({
  id: 'FILE-13',
  level: 'MUST',
  text: 'Another key of the same owner may confirm an upload, or not, as the target declares.',
  place: 'confirmFile',
  decisions: ['D-23'],
  needs: together(need.uploads, { keys: ['second_key_same_owner'] }),
  check: async (t) => {
    const { file } = await stored(t, t.as('full'), pdf('FILE-13'));
    const answer = await confirm(t, t.as('second_key_same_owner'), file.id);
    if (t.values.upload_owner === 'key') answer.fails('FILE_NOT_FOUND', 'another key of the owner');
    else t.equal(answer.ok('confirmFile').file.status, t.spelling.file_upload_status.UPLOADED, 'the status', answer);
  },
});

rule({
  id: 'FILE-14',
  level: 'MUST',
  text: 'After confirmation size_bytes is the number of stored bytes, as a decimal string.',
  place: 'UploadedFile',
  decisions: ['D-3'],
  needs: need.uploads,
  check: async (t) => {
    const full = t.as('full');
    for (const size of [700, 4097]) {
      const { file } = await stored(t, full, pdf('FILE-14', size));
      t.equal((await confirm(t, full, file.id)).ok('confirmFile').file.size_bytes, String(size), 'size_bytes');
    }
  },
});

rule({
  id: 'FILE-18',
  level: 'MUST',
  text: 'Confirming an upload that a document took changes neither the upload nor the document.',
  place: 'confirmFile',
  needs: together(need.uploads, { fixtures: ['document_type_id'], operations: ['createDocument', 'downloadDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const document = await draftFromUpload(t, full, pdf('FILE-18'));
    const id = t.present(document.files[0], 'the document has no file').file_id;
    const answer = await confirm(t, full, id);
    t.equal(answer.ok('confirmFile').file.status, t.spelling.file_upload_status.UPLOADED, 'the upload', answer);
    t.equal(await readDocument(full, document.id), document, 'the document afterwards');
    (await create(t, full, uploadBody(t, id))).fails('FILE_ALREADY_LINKED', 'a second document of it');
  },
});

rule({
  id: 'FILE-19',
  level: 'MUST',
  text: 'A file_id in the body that is not the one of the path is treated as the target declares.',
  place: 'ConfirmFileRequest',
  decisions: ['D-6a'],
  needs: need.uploads,
  check: async (t) => {
    const full = t.as('full');
    const { file } = await stored(t, full, pdf('FILE-19'));
    const answer = await confirm(t, full, file.id, { file_id: UNKNOWN_ID });
    if (t.values.body_id_mismatch === 'refused') answer.blames('file_id', 'another file_id');
    else answer.ok('confirmFile', 'another file_id');
  },
});

rule({
  id: 'FILE-20',
  level: 'MUST',
  text: 'After a refused confirmation the right bytes may follow with the same form, as the target declares.',
  place: 'confirmFile',
  decisions: ['D-23'],
  needs: need.uploads,
  check: async (t) => {
    const full = t.as('full');
    const bytes = pdf('FILE-20', 500);
    const { file, upload } = await reserve(t, full, bytes.length);
    const taken = accepted(await postForm(upload, pdf('FILE-20 too large', 900)));
    (await confirm(t, full, file.id)).fails(taken ? 'FILE_SIZE_MISMATCH' : 'FILE_NOT_UPLOADED', 'the larger object');
    const again = await postForm(upload, bytes);
    const answer = await confirm(t, full, file.id);
    if (t.values.refused_confirmation === 'final') {
      t.check(answer.status >= 400 && answer.status < 500, `expected a refusal, got ${answer.brief}`, answer);
      return;
    }
    t.check(accepted(again), `storage refused the second use of the form with ${again.status}`);
    const shown = answer.ok('confirmFile', 'the right bytes afterwards').file;
    t.equal(
      [shown.status, shown.size_bytes],
      [t.spelling.file_upload_status.UPLOADED, '500'],
      'the confirmed upload',
      answer,
    );
  },
});

rule({
  id: 'FILE-21',
  level: 'MUST',
  text: 'Bytes that do not begin as a PDF are confirmed or refused as the target declares.',
  place: 'confirmFile',
  decisions: ['D-23'],
  needs: need.uploads,
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const rest = '\n%%EOF\n';
    const late = `${' '.repeat(t.values.upload_pdf_starts_within)}%PDF-1.4`;
    for (const head of ['<html>', '%PDX-1.4', 'PK\u0003\u0004', '%pdf-1.4', '%PD', late]) {
      const { file } = await stored(t, full, Buffer.from(head + rest));
      const answer = await confirm(t, full, file.id);
      if (t.values.upload_not_pdf === 'accepted') answer.ok('confirmFile', head);
      else answer.fails('INVALID_ARGUMENT', `bytes that begin with ${JSON.stringify(head.trim())}`);
    }
  },
});

rule({
  id: 'FILE-29',
  level: 'MUST',
  text: 'A PDF that begins after a few bytes, as scanners write it, is confirmed as far as the target declares, and comes back byte for byte.',
  place: 'confirmFile, downloadDocument',
  decisions: ['D-23'],
  needs: together(need.uploads, { fixtures: ['document_type_id'], operations: ['createDocument', 'downloadDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const within = t.values.upload_pdf_starts_within;
    const heads = ['\ufeff', '\r\n', 'Content-Type: application/pdf\r\n\r\n', ' '.repeat(within - 1)];
    for (const head of heads.filter(({ length }) => length > 0 && length < within)) {
      const bytes = Buffer.concat([Buffer.from(head), pdf('FILE-29')]);
      const { id } = await draftFromUpload(t, full, bytes);
      const got = await fetchFile(t, (await downloadOf(full, id)).url);
      t.check(got.equals(bytes), `the download has other bytes than the upload after ${JSON.stringify(head.trim())}`);
    }
  },
});

rule({
  id: 'FILE-27',
  level: 'MUST',
  text: 'A confirmation takes no body, {} or its own id alike; an unknown field is INVALID_ARGUMENT.',
  place: 'ConfirmFileRequest',
  decisions: ['D-6a'],
  needs: need.uploads,
  check: async (t) => {
    const full = t.as('full');
    const { file } = await stored(t, full, pdf('FILE-27'));
    for (const name of ['status', 'size_bytes', '$set']) {
      (await confirm(t, full, file.id, { [name]: 'x' })).fails('INVALID_ARGUMENT', `with the unknown field ${name}`);
    }
    for (const value of [1, [], {}, 'x']) {
      (await confirm(t, full, file.id, { file_id: value })).blames('file_id', JSON.stringify(value));
    }
    const bodies: unknown[] = [undefined, {}, { file_id: file.id }, { file_id: '' }];
    for (const body of bodies) {
      t.equal(
        (await confirm(t, full, file.id, body)).ok('confirmFile').file.status,
        t.spelling.file_upload_status.UPLOADED,
        'the status',
      );
    }
  },
});

rule({
  id: 'FILE-28',
  level: 'MUST',
  text: 'What is in storage cannot be read there without a presigned URL.',
  place: 'reserveFile',
  needs: need.uploads,
  check: async (t) => {
    const bytes = pdf('FILE-28');
    const full = t.as('full');
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
        const answer = await fetchUrl(address, method);
        const given = answer.body.includes(bytes) || (answer.status < 300 && method !== 'GET');
        t.check(!given, `storage answered ${answer.status} to a bare ${method} of ${new URL(address).pathname}`);
      }
    }
    (await confirm(t, full, file.id)).ok('confirmFile', 'the confirmation afterwards');
    t.check(typeof (await uploaded(t, full)) === 'string', 'the next upload');
  },
});
