/** Faults that the rules of download.rules.ts must catch. */
import { after, counted, everything, header, queries, showing } from '../mutation/alter.ts';
import { type Fault, type FaultRows, faultsFor, faultsOf, inStorage } from '../mutation/fault.ts';
import { rules } from './all-rules.ts';

/** What can be wrong with each kind of file. */
const ofKind: FaultRows = {
  untitled: [
    'a file is offered under a name that is not made from the title',
    showing('downloadDocument', 'file.filename', (name) => name.replace(/^[^.]+/, 'document')),
  ],
  'other-type': [
    'the answer says another type than storage',
    showing('downloadDocument', 'file.content_type', 'application/octet-stream'),
  ],
};

const ofKinds: readonly Fault[] = rules
  .filter(({ family }) => family === 'kinds of files')
  .flatMap(({ id }) => faultsFor(id, ofKind, '', (name) => `read-${name}-${id}`));

const others: readonly Fault[] = faultsOf({
  'DREAD-9': {
    'doc-other-bytes': inStorage(
      'the download has a byte more',
      after(everything, (answer, asked) =>
        asked.method === 'GET' ? { ...answer, body: Buffer.concat([answer.body, Buffer.from('\n')]) } : answer,
      ),
    ),
    'read-any-file': [
      'a file of another document is downloaded as the own one',
      queries('downloadDocument', (query) => query.delete('file_id')),
    ],
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
    'read-name-half-encoded': inStorage(
      'the name of a download has an apostrophe that is not encoded',
      header('Content-Disposition', (given) => given.replaceAll('%27', "'")),
    ),
    'read-pdf-twice': [
      'a file is offered as .pdf.pdf',
      showing('downloadDocument', 'file.filename', (name) => `${name}.pdf`),
    ],
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

export const faults: readonly Fault[] = [...others, ...ofKinds];
