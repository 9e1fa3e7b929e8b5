/** Faults that the rules of files-forms.rules.ts must catch. */

import { after, anyForm, everything, showing, storageAnswer } from '../mutation/alter.ts';
import { repeated } from '../mutation/alter-lists.ts';
import { type Fault, faultsOf, inStorage } from '../mutation/fault.ts';

/** The bytes of the part of a form that holds the file. */
function fileOf(form: Buffer): Buffer {
  const at = form.indexOf('name="file"');
  const end = form.lastIndexOf('\r\n--');
  return form.subarray(form.indexOf('\r\n\r\n', at) + 4, end);
}

export const faults: readonly Fault[] = faultsOf({
  'FILE-16': {
    'file-form-unchecked': inStorage('storage takes a form that was altered', anyForm),
  },
  'FILE-30': {
    'file-last-field': inStorage('storage wants the file to be the last field', async (asked, forward) => {
      const isLast = asked.body.lastIndexOf('Content-Disposition') === asked.body.indexOf('name="file"') - 32;
      return asked.method === 'POST' && !isLast ? storageAnswer(400) : forward(asked);
    }),
  },
  'FILE-23': {
    'file-storage-any-size': inStorage('storage takes more than the largest size', anyForm),
  },
  'FILE-24': {
    'file-form-overwrites': inStorage(
      'the form overwrites what was confirmed',
      after(everything, (answer, asked, memory) => {
        if (asked.method === 'POST') {
          memory.notes.set('bytes', fileOf(asked.body));
          return storageAnswer(204);
        }
        return { ...answer, body: (memory.notes.get('bytes') as Buffer | undefined) ?? answer.body };
      }),
    ),
    'file-grows-after': [
      'a repeated confirmation takes the size of what came since',
      repeated(
        ({ operation, target }) => (operation === 'confirmFile' ? target : undefined),
        showing('confirmFile', 'file.size_bytes', '900'),
      ),
    ],
  },
});
