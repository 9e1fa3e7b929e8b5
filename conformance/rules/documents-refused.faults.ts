/** Faults that the rules of documents-refused.rules.ts must catch. */

import {
  accepts,
  bodies,
  denies,
  drop,
  everything,
  mistaken,
  namedBy,
  parse,
  put,
  refusals,
} from '../mutation/alter.ts';
import { burnt, lenient } from '../mutation/alter-documents.ts';
import { type Alter, type Fault, faultsOf } from '../mutation/fault.ts';
import { UNKNOWN_ID } from './shared/calls.ts';

const CREATE = 'createDocument';

const INVALID = 'INVALID_ARGUMENT';

/** The greatest length of a text of the template in most profiles' tenant: that of a name. */
const LONGEST = 200;

/** Takes creations in which only such fields are wrong. */
const overlooks = (field: RegExp): Alter =>
  accepts(
    CREATE,
    (answer) => {
      const named = namedBy(answer);
      return named.length > 0 && named.every((one) => field.test(one));
    },
    { document: { id: UNKNOWN_ID } },
  );

export const faults: readonly Fault[] = faultsOf({
  'DOC-5': {
    'doc-no-source': ['a document without template and file is made', lenient(CREATE)],
    'doc-both-sources': [
      'of template and file the template counts',
      bodies(CREATE, (json) => {
        if (json.template_id) delete json.file_id;
      }),
    ],
    'doc-null-source': ['null for file_id is treated otherwise than declared', lenient(CREATE)],
  },
  'DOC-13': {
    'doc-unknown-type': ['an unknown type is taken', lenient(CREATE)],
  },
  'DOC-16': {
    'doc-unknown-organization': ['an unknown organisation is treated otherwise than declared', lenient(CREATE)],
  },
  'DOC-17': {
    'doc-unknown-subject': [
      'an unknown subject is left out',
      bodies(CREATE, (json) => {
        if (Array.isArray(json.subject_employee_ids))
          json.subject_employee_ids = json.subject_employee_ids.filter((id: unknown) => id !== UNKNOWN_ID);
      }),
    ],
  },
  'DOC-18': {
    'doc-values-unchecked': ['values that break the schema are taken', lenient(CREATE)],
    'doc-value-unnamed': [
      'the violation does not name the value',
      refusals(
        INVALID,
        put('details[].field_violations[].field', (field) => field.replace(/^template_values.*/, 'template_values')),
      ),
    ],
    'doc-day-of-year-0': [
      'a day of the year 0 is one of another year',
      bodies(CREATE, ({ template_values }) => {
        for (const [name, value] of Object.entries<unknown>(template_values ?? {}))
          if (typeof value === 'string') template_values[name] = value.replace(/^0000-/, '2020-');
      }),
    ],
    'doc-odd-names': ['a value with an odd name is overlooked', lenient(CREATE)],
    'doc-lists-unchecked': ['entries of lists are taken as they are', overlooks(/^template_values\.\w+\[/)],
    'doc-longest-refused': [
      'a text of the greatest length is refused',
      denies(everything, INVALID, (asked) => {
        const values = Object.entries<unknown>(parse(asked.body)?.template_values ?? {});
        const [long] = values.find(([, value]) => typeof value === 'string' && value.length === LONGEST) ?? [];
        return long && `template_values.${long}`;
      }),
    ],
  },
  'DOC-20': {
    'doc-unknown-version': ['an unknown version means the newest', bodies(CREATE, drop('template_version'))],
    'doc-unknown-template': ['an unknown template is 404', mistaken(INVALID, 'DOCUMENT_TEMPLATE_NOT_FOUND', CREATE)],
  },
  'DOC-27': {
    'doc-upload-burnt-by-type': ['a creation that is refused for its type uses the upload up', burnt],
    'doc-type-not-for-api': ['a type that is not for the API is taken', lenient(CREATE)],
    'doc-upload-burnt-by-no-upload': ['a creation that is refused for its type uses the upload up', burnt],
    'doc-type-without-upload': ['a type without uploads takes one', lenient(CREATE)],
    'doc-values-beside-file': [
      'values beside a file are overlooked',
      bodies(CREATE, (json) => {
        if (json.file_id) drop('template_values', 'template_version')(json);
      }),
    ],
  },
});
