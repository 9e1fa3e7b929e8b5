/** Faults that the rules of errors-documents.rules.ts must catch. */
import { made, mistaken, parse, reasonOf } from '../mutation/alter.ts';
import type { Fault } from '../mutation/fault.ts';

const INVALID = 'INVALID_ARGUMENT';

export const faults: readonly Fault[] = [
  {
    id: 'err-file-unknown',
    rule: 'ERR-5',
    breaks: 'a file of another document is a wrong argument',
    alter: mistaken('FILE_NOT_FOUND', INVALID),
  },
  {
    id: 'err-file-unconfirmed',
    rule: 'ERR-6',
    breaks: 'an upload that was not confirmed is reported as not uploaded',
    alter: mistaken('FILE.INVALID_STATUS_TRANSITION', 'FILE_NOT_UPLOADED'),
  },
  {
    id: 'err-file-linked',
    rule: 'ERR-7',
    breaks: 'an upload that is taken is reported as unknown',
    alter: mistaken('FILE.ALREADY_LINKED', 'FILE_NOT_FOUND'),
  },
  {
    id: 'err-file-not-uploaded',
    rule: 'ERR-8',
    breaks: 'missing bytes are reported as a wrong size',
    alter: mistaken('FILE.NOT_UPLOADED', 'FILE_SIZE_MISMATCH'),
  },
  {
    id: 'err-file-size',
    rule: 'ERR-9',
    breaks: 'too many bytes are reported as missing',
    alter: mistaken('FILE.SIZE_MISMATCH', 'FILE_NOT_UPLOADED'),
  },
  {
    id: 'err-initiator-late',
    rule: 'ERR-10',
    breaks: 'an owner without an employee is reported otherwise',
    alter: mistaken('DOCUMENT_INITIATOR_NOT_FOUND', 'INVALID_ARGUMENT'),
  },
  {
    id: 'err-document-order',
    rule: 'ERR-26',
    breaks: 'the state is reported before who may',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return reasonOf(answer) === 'DOCUMENT.ACTION_NOT_ALLOWED'
        ? made(409, { ...parse(answer.body), code: 9 })
        : answer;
    },
  },
];
