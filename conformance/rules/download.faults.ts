/** Faults that the rules of download.rules.ts must catch. */
import { after, counted, everything, header } from '../mutation/alter.ts';
import { faultsOf, inStorage } from '../mutation/fault.ts';

export const faults = faultsOf({
  'DREAD-9': {
    'doc-other-bytes': inStorage(
      'the download has a byte more',
      after(everything, (answer, asked) =>
        asked.method === 'GET' ? { ...answer, body: Buffer.concat([answer.body, Buffer.from('\n')]) } : answer,
      ),
    ),
  },
  'DREAD-33': {
    'read-range-too-long': inStorage(
      'a range that ends behind the file is announced longer than it is',
      header(
        'Content-Range',
        (given) => given.replace(/-\d+/, '$&0'),
        ({ status }) => status === 206,
      ),
    ),
    'read-range-from-one': inStorage(
      'a range begins one byte later',
      after(everything, (answer) => (answer.status === 206 ? { ...answer, body: answer.body.subarray(1) } : answer)),
    ),
  },
  'DREAD-16': {
    'read-inline': inStorage('a download is shown instead of saved', header('Content-Disposition', 'inline')),
    'read-pdf-twice-in-the-header': inStorage(
      'storage offers a file as .pdf.pdf',
      header('Content-Disposition', (given) => given.replaceAll('.pdf', '.pdf.pdf')),
    ),
    'read-once': inStorage(
      'a file is given once',
      after(everything, (answer, asked, memory) =>
        counted(memory, asked.target.split('?')[0]) > 1 ? { ...answer, status: 403 } : answer,
      ),
    ),
  },
  'DREAD-18': {
    'read-altered-url': inStorage(
      'an altered URL is good',
      after(everything, (answer) =>
        answer.status >= 400 ? { ...answer, status: 200, body: Buffer.from('%PDF-') } : answer,
      ),
    ),
  },
  'DREAD-22': {
    'read-sniffed': inStorage(
      'browsers may guess at the type of a download',
      header('X-Content-Type-Options', undefined),
    ),
  },
});
