/** Faults that the rules of documents-fields.rules.ts must catch. */

import { bodies } from '../mutation/alter.ts';
import { shown } from '../mutation/alter-documents.ts';
import { creationBody } from '../mutation/alter-requests.ts';
import type { Fault } from '../mutation/fault.ts';

const CREATE = 'createDocument';

export const faults: readonly Fault[] = [
  {
    id: 'doc-no-title',
    rule: 'DOC-29',
    breaks: 'a missing title is filled in',
    alter: bodies(CREATE, (json) => {
      if (!json.title) json.title = 'Документ';
    }),
  },
  {
    id: 'doc-status-given',
    rule: 'DOC-31',
    breaks: 'fields that only the service decides are overlooked',
    alter: bodies(CREATE, (json) => {
      for (const name of ['status', 'id', 'create_time', 'initiator_employee_id', 'route', 'files']) delete json[name];
    }),
  },
  {
    id: 'doc-date-printed-otherwise',
    rule: 'DOC-40',
    breaks: 'printed dates have month and day exchanged',
    alter: bodies(CREATE, (json) => {
      json.date = json.date?.replace(/-(\d\d)-(\d\d)$/, '-$2-$1');
    }),
  },
  {
    id: 'doc-number-printed-rounded',
    rule: 'DOC-41',
    breaks: 'printed numbers have three decimal places',
    alter: bodies(CREATE, ({ template_values }) => {
      for (const [name, value] of Object.entries(template_values ?? {}))
        if (typeof value === 'number') template_values[name] = Number(value.toFixed(3));
    }),
  },
  {
    id: 'doc-title-cut',
    rule: 'DOC-32',
    breaks: 'a title that is too long is cut',
    alter: creationBody((json) => {
      if (typeof json.title === 'string') json.title = [...json.title].slice(0, 200).join('');
    }),
  },
  {
    id: 'doc-title-blank',
    rule: 'DOC-32',
    breaks: 'a title that shows nothing is taken',
    alter: bodies('createDocument', (json) => {
      if (typeof json.title === 'string' && /^[\s\p{Default_Ignorable_Code_Point}\p{Mn}]+$/u.test(json.title))
        json.title = 'x';
    }),
  },
  {
    id: 'doc-title-trimmed',
    rule: 'DOC-32',
    breaks: 'titles are trimmed and normalised',
    alter: shown((one) => {
      one.title = one.title?.trim().normalize('NFKC').replace(/\s+/g, ' ');
    }),
  },
];
