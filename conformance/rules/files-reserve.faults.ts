/** Faults that the rules of files-reserve.rules.ts must catch. */
import { answers, bodies, stale } from '../mutation/alter.ts';
import { lenient } from '../mutation/alter-documents.ts';
import type { Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = [
  {
    id: 'file-born-uploaded',
    rule: 'FILE-1',
    breaks: 'a reservation is UPLOADED at once',
    alter: answers('reserveFile', (json) => {
      json.file.status = 'FILE_UPLOAD_STATUS_UPLOADED';
    }),
  },
  {
    id: 'file-type-with-parameter',
    rule: 'FILE-3',
    breaks: 'a content type with a parameter is taken',
    alter: bodies('reserveFile', (json) => {
      if (/^application\/pdf\s*;/i.test(json.content_type)) json.content_type = 'application/pdf';
    }),
  },
  { id: 'file-any-type', rule: 'FILE-3', breaks: 'another content type is reserved', alter: lenient('reserveFile') },
  {
    id: 'file-too-large',
    rule: 'FILE-4',
    breaks: 'a byte more than the largest size is reserved',
    alter: lenient('reserveFile'),
  },
  {
    id: 'file-size-rounded-up',
    rule: 'FILE-5',
    breaks: 'a size with a fraction is rounded',
    alter: bodies('reserveFile', (json) => {
      if (typeof json.size_bytes === 'number') json.size_bytes = Math.round(json.size_bytes);
    }),
  },
  {
    id: 'file-size-any-text',
    rule: 'FILE-5',
    breaks: 'a size is read from any text that begins with digits',
    alter: bodies('reserveFile', (json) => {
      if (typeof json.size_bytes === 'string' && /^\s*\+?0*[1-9]/.test(json.size_bytes))
        json.size_bytes = Number.parseInt(json.size_bytes, 10);
    }),
  },
  { id: 'file-size-zero', rule: 'FILE-5', breaks: 'a size of zero is reserved', alter: lenient('reserveFile') },
  {
    id: 'file-name-ascii',
    rule: 'FILE-15',
    breaks: 'a filename comes back in ASCII',
    alter: answers('reserveFile', (json) => {
      json.file.filename = json.file.filename.replace(/[^ -~]/gu, '_');
    }),
  },
  {
    id: 'file-name-any',
    rule: 'FILE-15',
    breaks: 'a filename with separators is taken',
    alter: lenient('reserveFile'),
  },
  {
    id: 'file-reserved-once',
    rule: 'FILE-22',
    breaks: 'equal reservations are one upload',
    alter: stale('reserveFile'),
  },
  {
    id: 'file-field-left-out',
    rule: 'FILE-26',
    breaks: 'a reservation without a filename is taken',
    alter: bodies('reserveFile', (json) => {
      json.filename ??= 'file.pdf';
    }),
  },
];
