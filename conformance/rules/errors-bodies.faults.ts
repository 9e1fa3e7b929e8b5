/** Faults that the rules of errors-bodies.rules.ts must catch. */
import { setTimeout as sleep } from 'node:timers/promises';
import { headerOf } from '../http/exchange.ts';
import {
  accepts,
  asks,
  bodies,
  denies,
  drop,
  everything,
  failing,
  type Json,
  jsonBody,
  parse,
  refusals,
  setHeader,
  status,
} from '../mutation/alter.ts';
import { type Alter, type Fault, faultsOf } from '../mutation/fault.ts';

/** Changes the violations that an INVALID_ARGUMENT names. */
const violations = (change: (all: Json[]) => Json[]): Alter =>
  refusals('INVALID_ARGUMENT', (json) => {
    for (const detail of json.details)
      if (detail.field_violations) detail.field_violations = change(detail.field_violations);
  });

/** Complaints about a field whose form is right. */
const OF_MEANING =
  /visible character|of the tenant|of this (document type|template version)|key's owner sees|twice|after a signing|in an approval|say something|of the path|at most 52428800|address/;

export const faults: readonly Fault[] = faultsOf({
  'ERR-14': {
    'err-gzip-bomb': [
      'a gzip body is counted before it is unpacked',
      accepts(everything, (answer) => answer.status === 413),
    ],
    'err-deep-body': ['a body that is too large is answered 500', status(500, (answer) => answer.status === 413)],
    'err-marks-trimmed': [
      'all byte order marks at the beginning are ignored',
      asks(everything, (asked) => {
        if (!asked.body.toString('utf8').startsWith('\ufeff\ufeff')) return;
        asked.body = Buffer.from(asked.body.toString('utf8').replace(/^\ufeff+/, ''));
      }),
    ],
  },
  'ERR-30': {
    'err-deep-body-read': [
      'a body is read however deep it is',
      bodies(everything, (json) => {
        if (typeof json.no_such_field === 'object') json.no_such_field = 1;
      }),
    ],
    'err-deep-arrays-read': [
      'arrays are no levels of a body',
      bodies(everything, (json) => {
        if (Array.isArray(json.no_such_field)) json.no_such_field = [];
      }),
    ],
    'err-brackets-counted': [
      'brackets in a string count as levels',
      failing((_answer, asked) => /\[\{[^:]*\[\{/.test(asked.body.toString('utf8')), 'INVALID_ARGUMENT'),
    ],
    'err-deep-records-read': [
      'a batch is accepted however deep its records are',
      bodies('ingestRecords', drop('records[].deep')),
    ],
  },
  'ERR-18': {
    'err-gzip-refused': [
      'gzip bodies are refused',
      denies((asked) => headerOf(asked, 'content-encoding') === 'gzip', 'UNSUPPORTED_MEDIA_TYPE'),
    ],
    'err-first-type-counts': [
      'of two Content-Type fields the first counts',
      asks(everything, (asked) => setHeader(asked, 'Content-Type', headerOf(asked, 'content-type'))),
    ],
    'err-type-parameter-refused': [
      'a parameter beside the charset is refused',
      denies((asked) => headerOf(asked, 'content-type')?.includes('version=') === true, 'UNSUPPORTED_MEDIA_TYPE'),
    ],
    'err-first-charset-counts': [
      'of two charsets the first counts',
      asks(everything, (asked) => {
        const type = headerOf(asked, 'content-type');
        setHeader(asked, 'Content-Type', type?.replace(/(charset=utf-8); charset=.*/, '$1'));
      }),
    ],
    'err-blanks-in-parameter': [
      'a parameter of a media type may have blanks',
      asks(everything, (asked) => {
        setHeader(asked, 'Content-Type', headerOf(asked, 'content-type')?.replace(' = ', '='));
      }),
    ],
    'err-mark-refused': [
      'a byte order mark is refused',
      denies((asked) => asked.body.toString('utf8').startsWith('\ufeff{'), 'INVALID_ARGUMENT', 'body'),
    ],
    'err-any-coding': [
      'other codings are taken as if they were none',
      asks(everything, (asked) => {
        if (/^(br|deflate|zstd|compress)$/i.test(headerOf(asked, 'content-encoding') ?? ''))
          setHeader(asked, 'Content-Encoding', undefined);
      }),
    ],
  },
  'ERR-27': {
    'err-number-rounded': [
      'a number is taken as what it is read as',
      asks(everything, (asked) => {
        const json = parse(asked.body);
        if (json !== undefined) asked.body = jsonBody(json);
      }),
    ],
    'err-number-other-notation': [
      'a number in another notation is refused',
      denies((asked) => /1\.50|15e-1|1E2/.test(asked.body.toString()), 'INVALID_ARGUMENT', 'template_values.n[0]'),
    ],
    'err-number-elsewhere': [
      'a version must be written as exactly the number that it is read as',
      denies((asked) => /"template_version":1\.0/.test(asked.body.toString()), 'INVALID_ARGUMENT', 'template_version'),
    ],
  },
  'ERR-31': {
    'err-demanding-body': [
      'a body with many digits takes long',
      async (asked, forward, memory) => {
        if (asked.body.includes('0'.repeat(1_000))) {
          memory.mark();
          await sleep(6_000);
        }
        return forward(asked);
      },
    ],
  },
  'ERR-28': {
    'err-one-violation': ['one field is named, whatever else is wrong', violations((all) => all.slice(0, 1))],
    'err-violation-of-nothing': [
      'a field that is right is named beside those that are wrong',
      violations((all) => [...all, { field: 'type_id.title', description: 'is not right' }]),
    ],
    'err-form-first': [
      'the meaning of fields is reported once the form of all is right',
      violations((all) => {
        const ofForm = all.filter(({ description }) => !OF_MEANING.test(description));
        return ofForm.length > 0 ? ofForm : all;
      }),
    ],
    'err-violations-unlimited': [
      'more than 20 fields are named',
      violations((all) =>
        all.length < 20 ? all : [...all, { field: 'no_such_field_999', description: 'is not a field of this request' }],
      ),
    ],
    'err-violation-twice': [
      'a field is named twice',
      violations((all) => (all.length < 20 ? all : all.map(() => all[0] as Json))),
    ],
  },
});
