/** Faults that the rules of documents-fields.rules.ts must catch. */

import { asking, bodies, type Json, put } from '../mutation/alter.ts';
import { shown } from '../mutation/alter-documents.ts';
import { creationBody } from '../mutation/alter-requests.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const CREATE = 'createDocument';

/** Changes each value of the template; undefined leaves it out. */
const values = (change: (value: Json) => unknown) =>
  bodies(CREATE, ({ template_values }) => {
    for (const [name, value] of Object.entries(template_values ?? {})) template_values[name] = change(value);
  });

const isFalsy = (value: Json) => !value || (Array.isArray(value) && value.length === 0);

/** Changes each list. */
const lists = (change: (entries: readonly Json[]) => Json[]) =>
  values((value) => (Array.isArray(value) ? change(value) : value));

export const faults: readonly Fault[] = faultsOf({
  'DOC-40': {
    'doc-date-printed-otherwise': [
      'printed dates have month and day exchanged',
      asking(CREATE, 'date', (date) => date.replace(/-(\d\d)-(\d\d)$/, '-$2-$1')),
    ],
  },
  'DOC-41': {
    'doc-number-printed-rounded': [
      'printed numbers have three decimal places',
      values((value) => (typeof value === 'number' ? Number(value.toFixed(3)) : value)),
    ],
  },
  'DOC-43': {
    'doc-falsy-dropped': [
      'values that are 0, false or empty are dropped',
      values((value) => (isFalsy(value) ? undefined : value)),
    ],
    'doc-falsy-as-absent': [
      'a body without a value is that with its false or empty value',
      values((value) => (isFalsy(value) && value !== 0 ? undefined : value)),
    ],
    'doc-zero-printed-otherwise': ['a printed 0 is another number', values((value) => (value === 0 ? 2 : value))],
  },
  'DOC-32': {
    'doc-title-cut': [
      'a title that is too long is cut',
      creationBody((json) => {
        if (typeof json.title === 'string') json.title = [...json.title].slice(0, 200).join('');
      }),
    ],
    'doc-title-blank': [
      'a title that shows nothing is taken',
      bodies('createDocument', (json) => {
        if (typeof json.title === 'string' && /^[\s\p{Default_Ignorable_Code_Point}\p{Mn}]+$/u.test(json.title))
          json.title = 'x';
      }),
    ],
    'doc-title-trimmed': [
      'titles are trimmed and normalised',
      shown(put('title', (title) => title.trim().normalize('NFKC').replace(/\s+/g, ' '))),
    ],
  },
  'DOC-44': {
    'doc-last-entry-lost': ['the last entry of a list is not printed', lists((entries) => entries.slice(0, -1))],
    'doc-entries-reversed': ['the entries of a list are printed backwards', lists((entries) => entries.toReversed())],
  },
});
