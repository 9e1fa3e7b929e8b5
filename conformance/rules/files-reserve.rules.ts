import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { rule } from './rule.ts';
import { PDF } from './shared/document-calls.ts';

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
