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
  text: 'A reservation answers with a RESERVED upload and a form that expires after the declared time.',
  place: 'reserveFile',
  decisions: ['D-23'],
  check: async (t) => {
    const { file, upload } = await reserve(t, t.as('full'), 1234);
    const wanted = [t.spelling.file_upload_status.RESERVED, '1234', PDF];
    t.equal([file.status, file.size_bytes, file.content_type], wanted, 'the reserved upload');
    const seconds = (Date.parse(upload.expire_time) - Date.parse(file.create_time)) / 1000;
    t.check(
      Math.abs(seconds - t.values.upload_form_lifetime_s) <= 5,
      `the form expires after ${seconds} s, not ${t.values.upload_form_lifetime_s}`,
    );
    t.check(/^https?:$/.test(new URL(upload.url).protocol), 'the form has no address to send it to');
  },
});

rule({
  id: 'FILE-15',
  replaces: ['FILE-4'],
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
  id: 'FILE-22',
  text: 'Every reservation is a new upload, with or without an Idempotency-Key.',
  place: 'reserveFile',
  check: async (t) => {
    const headers = { 'Idempotency-Key': `C-${t.run_id}-FILE-22` };
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
