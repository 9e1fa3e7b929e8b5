/** Faults that the rules of download.rules.ts must catch. */
import { answers, everything, headerOf, heads, queries, setHeader } from '../mutation/alter.ts';
import type { Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = [
  {
    id: 'read-any-file',
    rule: 'DREAD-9',
    breaks: 'a file of another document is downloaded as the own one',
    alter: queries('downloadDocument', (query) => query.delete('file_id')),
  },
  {
    id: 'read-inline',
    rule: 'DREAD-16',
    breaks: 'a download is shown instead of saved',
    storage: heads(everything, (answer) => setHeader(answer, 'Content-Disposition', 'inline')),
  },
  {
    id: 'read-name-half-encoded',
    rule: 'DREAD-16',
    breaks: 'the name of a download has an apostrophe that is not encoded',
    storage: heads(everything, (answer) => {
      const given = headerOf(answer, 'content-disposition') ?? '';
      setHeader(answer, 'Content-Disposition', given.replaceAll('%27', "'"));
    }),
  },
  {
    id: 'read-pdf-twice',
    rule: 'DREAD-25',
    breaks: 'a file is offered as .pdf.pdf',
    alter: answers('downloadDocument', (json) => {
      json.file.filename += '.pdf';
    }),
  },
  {
    id: 'read-pdf-twice-in-the-header',
    rule: 'DREAD-25',
    breaks: 'storage offers a file as .pdf.pdf',
    storage: heads(everything, (answer) => {
      const given = headerOf(answer, 'content-disposition') ?? '';
      setHeader(answer, 'Content-Disposition', given.replaceAll('.pdf', '.pdf.pdf'));
    }),
  },
  {
    id: 'read-altered-url',
    rule: 'DREAD-18',
    breaks: 'an altered URL is good',
    storage: async (asked, forward) => {
      const answer = await forward(asked);
      return answer.status >= 400 ? { ...answer, status: 200, body: Buffer.from('%PDF-') } : answer;
    },
  },
  {
    id: 'read-sniffed',
    rule: 'DREAD-22',
    breaks: 'browsers may guess at the type of a download',
    storage: heads(everything, (answer) => setHeader(answer, 'X-Content-Type-Options', undefined)),
  },
];
