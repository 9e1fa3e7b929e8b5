import type { Answers } from '../../generated/handlers.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { rule } from './rule.ts';
import { unique } from './shared/calls.ts';
import { PDF, reserve } from './shared/document-calls.ts';

const reservation = { filename: 'проверка.pdf', content_type: PDF, size_bytes: 1000 };

async function reserving(t: TestContext, change: object): Promise<Answer> {
  await t.mayWrite();
  return t.as('full', { spread: true }).post('/files', { ...reservation, ...change });
}

rule({
  id: 'FILE-1',
  level: 'MUST',
  text: 'A reservation answers with a RESERVED upload and a form that expires after the declared time.',
  place: 'reserveFile',
  decisions: ['D-23'],
  needs: { operations: ['reserveFile'] },
  check: async (t) => {
    const { file, upload } = await reserve(t, t.as('full'), 1234);
    t.equal(
      [file.status, file.size_bytes, file.content_type],
      [t.spelling.file_upload_status.RESERVED, '1234', PDF],
      'the reserved upload',
    );
    const seconds = (Date.parse(upload.expire_time) - Date.parse(file.create_time)) / 1000;
    t.check(
      Math.abs(seconds - t.values.upload_form_lifetime_s) <= 5,
      `the form expires after ${seconds} s, not ${t.values.upload_form_lifetime_s}`,
    );
    t.check(/^https?:$/.test(new URL(upload.url).protocol), 'the form has no address to send it to');
  },
});

rule({
  id: 'FILE-3',
  level: 'MUST',
  text: 'A reservation with a content type other than application/pdf is INVALID_ARGUMENT.',
  place: 'ReserveFileRequest',
  needs: { operations: ['reserveFile'] },
  check: async (t) => {
    for (const content_type of [
      'text/plain',
      'application/PDFX',
      'image/png',
      'application/octet-stream',
      'application/pdf; charset=utf-8',
      '',
      '*/*',
    ]) {
      (await reserving(t, { content_type })).blames('content_type', `the content type '${content_type}'`);
    }
  },
});

rule({
  id: 'FILE-4',
  level: 'MUST',
  text: 'The largest size may be reserved, as a number and as text; one byte more is INVALID_ARGUMENT.',
  place: 'ReserveFileRequest: size_bytes',
  decisions: ['D-3', 'D-23'],
  needs: { operations: ['reserveFile'] },
  check: async (t) => {
    const most = t.values.upload_max_bytes;
    for (const size_bytes of [most, String(most), 1, '1']) {
      const { file } = (await reserving(t, { size_bytes })).ok('reserveFile', `size_bytes ${size_bytes}`);
      t.equal(file.size_bytes, String(size_bytes), 'the reserved size');
    }
    for (const size_bytes of [most + 1, String(most + 1), 99_999_999, 2 ** 53, '9223372036854775808']) {
      (await reserving(t, { size_bytes })).blames('size_bytes', `size_bytes ${size_bytes}`);
    }
  },
});

rule({
  id: 'FILE-5',
  level: 'MUST',
  text: 'A reserved size that is zero, negative, no whole decimal number or of another JSON type is INVALID_ARGUMENT.',
  place: 'ReserveFileRequest: size_bytes',
  decisions: ['D-3', 'D-23'],
  needs: { operations: ['reserveFile'] },
  check: async (t) => {
    const odd = [
      0,
      -1,
      1.5,
      1e21,
      '0',
      '-1',
      '1.5',
      '1e3',
      '01',
      '0x10',
      ' 5',
      '5 ',
      '+5',
      '',
      'x',
      '٥',
      true,
      null,
      [],
      {},
    ];
    for (const size_bytes of odd) {
      (await reserving(t, { size_bytes })).blames('size_bytes', `size_bytes ${JSON.stringify(size_bytes)}`);
    }
  },
});

rule({
  id: 'FILE-15',
  level: 'MUST',
  text: 'A filename in any script comes back as it was given; one with separators, control characters or of a wrong length is INVALID_ARGUMENT.',
  place: 'ReserveFileRequest: filename',
  decisions: ['D-23'],
  needs: { operations: ['reserveFile'] },
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
      t.equal(
        answer.ok('reserveFile', `the filename ${filename.slice(0, 40)}`).file.filename,
        filename,
        'the filename',
        answer,
      );
    }
    const wrong = [
      '../x.pdf',
      'a/b.pdf',
      'a\\b.pdf',
      'a\r\nb.pdf',
      'a\u0000b',
      'a\u2028b',
      'a\u0085b',
      'tab\t.pdf',
      '',
      'x'.repeat(256),
    ];
    for (const filename of wrong) {
      const shown = JSON.stringify(filename.slice(0, 20));
      (await reserving(t, { filename })).fails('INVALID_ARGUMENT', `the filename ${shown}`);
    }
  },
});

rule({
  id: 'FILE-22',
  level: 'MUST',
  text: 'Every reservation is a new upload, with or without an Idempotency-Key.',
  place: 'reserveFile',
  needs: { operations: ['reserveFile'] },
  check: async (t) => {
    const headers = { 'Idempotency-Key': `C-${t.run.run_id}-FILE-22` };
    const files: Answers['reserveFile'][] = [];
    for (const more of [{}, {}, { headers }, { headers }]) {
      await t.mayWrite();
      files.push((await t.as('full').post('/files', reservation, more)).ok('reserveFile'));
    }
    t.equal(unique(files.map(({ file }) => file.id)).length, files.length, 'uploads, each counted once');
    const forms = files.map(({ upload }) => JSON.stringify(upload.fields));
    t.equal(unique(forms).length, forms.length, 'forms, each counted once');
  },
});

rule({
  id: 'FILE-26',
  level: 'MUST',
  text: 'A reservation without one of its fields, with one of another JSON type, or with an unknown one is INVALID_ARGUMENT naming it.',
  place: 'ReserveFileRequest',
  decisions: ['D-6a'],
  needs: { operations: ['reserveFile'] },
  check: async (t) => {
    for (const name of ['filename', 'content_type', 'size_bytes']) {
      (await reserving(t, { [name]: undefined })).blames(name, `without ${name}`);
      for (const value of [null, [], {}, true]) {
        (await reserving(t, { [name]: value })).blames(name, `${name} ${JSON.stringify(value)}`);
      }
    }
    for (const name of ['id', 'owner_id', 'tenant_id', 'status', 'document_id', '$where', 'Filename']) {
      (await reserving(t, { [name]: 'x' })).fails('INVALID_ARGUMENT', `with the unknown field ${name}`);
    }
  },
});
