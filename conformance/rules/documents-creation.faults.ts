/** Faults that the rules of documents-creation.rules.ts must catch. */

import { after, answers, bodies, drop, each, everything, mistaken, put, showing, status } from '../mutation/alter.ts';
import { burnt, shown } from '../mutation/alter-documents.ts';
import { type Fault, faultsOf, inStorage, type ProxiedRequest } from '../mutation/fault.ts';
import { UNKNOWN_ID } from './shared/calls.ts';

const CREATE = 'createDocument';

const INVALID = 'INVALID_ARGUMENT';

const isOdd = (asked: ProxiedRequest) => asked.operation === CREATE && /\u200b/.test(asked.body.toString());

export const faults: readonly Fault[] = faultsOf({
  'DOC-30': {
    'doc-new-is-sent': [
      'a new document is ON_APPROVAL',
      showing(CREATE, 'document.status', 'DOCUMENT_STATUS_ON_APPROVAL'),
    ],
    'doc-new-completed': [
      'a new document has completed_at',
      answers(CREATE, (json) => {
        json.document.completed_at = json.document.create_time;
      }),
    ],
    'doc-other-initiator': ['the initiator is somebody else', shown(put('initiator_employee_id', UNKNOWN_ID))],
    'doc-hour-wrong': [
      'create_time is an hour late',
      showing(CREATE, 'document.create_time', (createTime) =>
        new Date(Date.parse(createTime) + 3_600_000).toISOString(),
      ),
    ],
    'doc-no-date': ['a date that was left out stays empty', shown(put('date', ''))],
  },
  'DOC-4': {
    'doc-no-initiator': [
      'an owner without an employee gets an error that the body is wrong',
      mistaken('DOCUMENT_INITIATOR_NOT_FOUND', INVALID),
    ],
  },
  'DOC-25': {
    'err-file-unconfirmed': [
      'an upload that was not confirmed is reported as not uploaded',
      mistaken('FILE.INVALID_STATUS_TRANSITION', 'FILE_NOT_UPLOADED'),
    ],
    'doc-unconfirmed': [
      'an upload that was not confirmed is unknown',
      mistaken('FILE.INVALID_STATUS_TRANSITION', 'FILE_NOT_FOUND'),
    ],
    'doc-burns-upload': ['a refused creation uses the upload up', burnt],
  },
  'DOC-34': {
    'doc-size-wrong': ['the rendered PDF has another size than the answer says', shown(put('files[].size_bytes', '1'))],
    'doc-odd-letters': [
      'a value with an invisible character is answered 500',
      status(500, (_answer, asked) => isOdd(asked)),
    ],
    'doc-half-rendered': inStorage(
      'a file that was rendered ends before its end',
      after(everything, (answer, asked) =>
        asked.method === 'GET' ? { ...answer, body: answer.body.subarray(0, answer.body.length - 64) } : answer,
      ),
    ),
  },
  'DOC-42': {
    'doc-letters-replaced': [
      'letters that the fonts lack are replaced',
      bodies(CREATE, ({ template_values }) => {
        for (const [name, value] of Object.entries(template_values ?? {}))
          if (typeof value === 'string') template_values[name] = value.replace(/[\u0590-\u{1ffff}]/gu, '?');
      }),
    ],
    'doc-letters-unnamed': ['the refusal of a letter does not name its variable', mistaken(INVALID, INVALID, CREATE)],
  },
  'DOC-37': {
    'read-other-version': [
      'a template shows another version than it has',
      each(
        ['listDocumentTemplates', 'getDocumentTemplate'],
        put('version', (version) => version + 1),
      ),
    ],
    'doc-old-version': ['an earlier version is judged as the newest', bodies(CREATE, drop('template_version'))],
  },
});
