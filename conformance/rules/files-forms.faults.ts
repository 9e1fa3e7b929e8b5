/** Faults that the rules of files-forms.rules.ts must catch. */

import { answers } from '../mutation/alter.ts';
import { repeated } from '../mutation/alter-lists.ts';
import type { Fault } from '../mutation/fault.ts';

/** The bytes of the part of a form that holds the file. */
function fileOf(form: Buffer): Buffer {
  const at = form.indexOf('name="file"');
  const end = form.lastIndexOf('\r\n--');
  return form.subarray(form.indexOf('\r\n\r\n', at) + 4, end);
}

export const faults: readonly Fault[] = [
  {
    id: 'file-form-unchecked',
    rule: 'FILE-16',
    breaks: 'storage takes a form that was altered',
    storage: async (asked, forward) => {
      const answer = await forward(asked);
      return asked.method === 'POST' && answer.status >= 400
        ? { status: 204, headers: [], body: Buffer.alloc(0) }
        : answer;
    },
  },
  {
    id: 'file-last-field',
    rule: 'FILE-30',
    breaks: 'storage wants the file to be the last field',
    storage: async (asked, forward) => {
      const isLast = asked.body.lastIndexOf('Content-Disposition') === asked.body.indexOf('name="file"') - 32;
      return asked.method === 'POST' && !isLast ? { status: 400, headers: [], body: Buffer.alloc(0) } : forward(asked);
    },
  },
  {
    id: 'file-storage-any-size',
    rule: 'FILE-23',
    breaks: 'storage takes more than the largest size',
    storage: async (asked, forward) => {
      const answer = await forward(asked);
      return asked.method === 'POST' && answer.status >= 400
        ? { status: 204, headers: [], body: Buffer.alloc(0) }
        : answer;
    },
  },
  {
    id: 'file-largest-refused',
    rule: 'FILE-23',
    breaks: 'storage refuses the largest size',
    storage: async (asked, forward) => {
      const answer = await forward(asked);
      return asked.body.length > 50 * 1024 * 1024 ? { status: 400, headers: [], body: Buffer.alloc(0) } : answer;
    },
  },
  {
    id: 'file-form-overwrites',
    rule: 'FILE-24',
    breaks: 'the form overwrites what was confirmed',
    storage: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (asked.method === 'POST') {
        memory.notes.set('bytes', fileOf(asked.body));
        return { status: 204, headers: [], body: Buffer.alloc(0) };
      }
      return { ...answer, body: (memory.notes.get('bytes') as Buffer | undefined) ?? answer.body };
    },
  },
  {
    id: 'file-grows-after',
    rule: 'FILE-24',
    breaks: 'a repeated confirmation takes the size of what came since',
    alter: repeated(
      ({ operation, target }) => (operation === 'confirmFile' ? target : undefined),
      answers('confirmFile', (json) => {
        json.file.size_bytes = '900';
      }),
    ),
  },
];
