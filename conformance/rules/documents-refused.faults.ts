/** Faults that the rules of documents-refused.rules.ts must catch. */

import { bodies, made, madeError, mistaken, parse, reasonOf, refusals } from '../mutation/alter.ts';
import { lenient } from '../mutation/alter-documents.ts';
import { creationBody } from '../mutation/alter-requests.ts';
import type { Fault } from '../mutation/fault.ts';

const CREATE = 'createDocument';

const INVALID = 'INVALID_ARGUMENT';

const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

export const faults: readonly Fault[] = [
  {
    id: 'doc-no-source',
    rule: 'DOC-5',
    breaks: 'a document without template and file is made',
    alter: lenient(CREATE),
  },
  {
    id: 'doc-both-sources',
    rule: 'DOC-6',
    breaks: 'of template and file the template counts',
    alter: bodies(CREATE, (json) => {
      if (json.template_id) delete json.file_id;
    }),
  },
  {
    id: 'doc-null-source',
    rule: 'DOC-7',
    breaks: 'null for file_id is treated otherwise than declared',
    alter: lenient(CREATE),
  },
  {
    id: 'doc-unknown-file',
    rule: 'DOC-9',
    breaks: 'an unknown file is a wrong field',
    alter: mistaken('FILE_NOT_FOUND', INVALID),
  },
  {
    id: 'doc-foreign-file-tells',
    rule: 'DOC-10',
    breaks: 'an upload of another owner is reported as taken',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      const id = parse(asked.body)?.file_id;
      if (asked.operation === 'confirmFile' && answer.status === 200)
        memory.notes.set(parse(answer.body).file.id, true);
      return reasonOf(answer) === 'FILE_NOT_FOUND' && id && memory.notes.has(id)
        ? made(409, { ...parse(answer.body), code: 9, message: 'taken' })
        : answer;
    },
  },
  { id: 'doc-unknown-type', rule: 'DOC-13', breaks: 'an unknown type is taken', alter: lenient(CREATE) },
  {
    id: 'doc-date-with-time',
    rule: 'DOC-14',
    breaks: 'an instant is taken for a day',
    alter: creationBody((json) => {
      if (typeof json.date === 'string') json.date = json.date.slice(0, 10);
    }),
  },
  {
    id: 'doc-impossible-date',
    rule: 'DOC-14',
    breaks: 'a day that does not exist is taken',
    alter: bodies(CREATE, (json) => {
      if (typeof json.date === 'string' && !/^\d{4}-(0[1-9]|1[0-2])-([01]\d|2[0-8])$/.test(json.date))
        json.date = '2026-01-15';
    }),
  },
  {
    id: 'doc-number-as-text',
    rule: 'DOC-15',
    breaks: 'a number is taken for a text',
    alter: bodies(CREATE, (json) => {
      if (typeof json.number === 'number') json.number = String(json.number);
    }),
  },
  {
    id: 'doc-type-error-elsewhere',
    rule: 'DOC-15',
    breaks: 'the violation names the body and not the field',
    alter: refusals(INVALID, (json) => {
      for (const one of json.details) for (const violation of one.field_violations ?? []) violation.field = 'body';
    }),
  },
  {
    id: 'doc-unknown-organization',
    rule: 'DOC-16',
    breaks: 'an unknown organisation is treated otherwise than declared',
    alter: lenient(CREATE),
  },
  {
    id: 'doc-subject-twice',
    rule: 'DOC-17',
    breaks: 'a subject may be named twice',
    alter: bodies(CREATE, (json) => {
      if (Array.isArray(json.subject_employee_ids)) json.subject_employee_ids = [...new Set(json.subject_employee_ids)];
    }),
  },
  {
    id: 'doc-subject-in-capitals',
    rule: 'DOC-17',
    breaks: 'a subject may be named twice, if once in capitals',
    alter: bodies(CREATE, (json) => {
      if (!Array.isArray(json.subject_employee_ids)) return;
      const [first, ...others]: string[] = json.subject_employee_ids;
      json.subject_employee_ids = [first, ...others.filter((id) => id === first || id.toLowerCase() !== first)];
    }),
  },
  {
    id: 'doc-unknown-subject',
    rule: 'DOC-17',
    breaks: 'an unknown subject is left out',
    alter: bodies(CREATE, (json) => {
      if (Array.isArray(json.subject_employee_ids))
        json.subject_employee_ids = json.subject_employee_ids.filter((id: unknown) => id !== UNKNOWN);
    }),
  },
  {
    id: 'doc-values-unchecked',
    rule: 'DOC-18',
    breaks: 'values that break the schema are taken',
    alter: lenient(CREATE),
  },
  {
    id: 'doc-value-unnamed',
    rule: 'DOC-18',
    breaks: 'the violation does not name the value',
    alter: refusals(INVALID, (json) => {
      for (const one of json.details)
        for (const violation of one.field_violations ?? [])
          violation.field = violation.field.replace(/^template_values.*/, 'template_values');
    }),
  },
  {
    id: 'doc-unknown-version',
    rule: 'DOC-19',
    breaks: 'an unknown version means the newest',
    alter: bodies(CREATE, (json) => {
      delete json.template_version;
    }),
  },
  {
    id: 'doc-unknown-template',
    rule: 'DOC-20',
    breaks: 'an unknown template is 404',
    alter: mistaken(INVALID, 'DOCUMENT_TEMPLATE_NOT_FOUND', CREATE),
  },
  {
    id: 'doc-upload-burnt-by-type',
    rule: 'DOC-27',
    breaks: 'a creation that is refused for its type uses the upload up',
    alter: async (asked, forward, memory) => {
      const id = parse(asked.body)?.file_id;
      if (asked.operation !== CREATE || !id) return forward(asked);
      if (memory.notes.has(id)) return madeError('FILE_ALREADY_LINKED');
      const answer = await forward(asked);
      if (answer.status !== 200) memory.notes.set(id, true);
      return answer;
    },
  },
  {
    id: 'doc-type-not-for-api',
    rule: 'DOC-27',
    breaks: 'a type that is not for the API is taken',
    alter: lenient(CREATE),
  },
  {
    id: 'doc-upload-burnt-by-no-upload',
    rule: 'DOC-28',
    breaks: 'a creation that is refused for its type uses the upload up',
    alter: async (asked, forward, memory) => {
      const id = parse(asked.body)?.file_id;
      if (asked.operation !== CREATE || !id) return forward(asked);
      if (memory.notes.has(id)) return madeError('FILE_ALREADY_LINKED');
      const answer = await forward(asked);
      if (answer.status !== 200) memory.notes.set(id, true);
      return answer;
    },
  },
  { id: 'doc-type-without-upload', rule: 'DOC-28', breaks: 'a type without uploads takes one', alter: lenient(CREATE) },
  {
    id: 'doc-values-beside-file',
    rule: 'DOC-33',
    breaks: 'values beside a file are overlooked',
    alter: bodies(CREATE, (json) => {
      if (json.file_id) {
        delete json.template_values;
        delete json.template_version;
      }
    }),
  },
  { id: 'doc-odd-names', rule: 'DOC-35', breaks: 'a value with an odd name is overlooked', alter: lenient(CREATE) },
];
