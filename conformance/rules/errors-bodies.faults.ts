/** Faults that the rules of errors-bodies.rules.ts must catch. */
import {
  accepts,
  asks,
  bodies,
  everything,
  headerOf,
  heads,
  type Json,
  jsonBody,
  madeError,
  parse,
  reasonOf,
  refusals,
  setHeader,
} from '../mutation/alter.ts';
import { delay } from '../mutation/alter-deliveries.ts';
import type { Alter, Fault } from '../mutation/fault.ts';

/** Changes the violations that an INVALID_ARGUMENT names. */
const violations = (change: (all: Json[]) => Json[]): Alter =>
  refusals('INVALID_ARGUMENT', (json) => {
    for (const detail of json.details)
      if (detail.field_violations) detail.field_violations = change(detail.field_violations);
  });

/** Complaints about a field whose form is right. */
const OF_MEANING =
  /visible character|of the tenant|of this (document type|template version)|key's owner sees|twice|after a signing|in an approval|say something|of the path|at most 52428800|address/;

export const faults: readonly Fault[] = [
  {
    id: 'err-ingest-409',
    rule: 'ERR-12',
    breaks: 'ingest without a key is 409',
    alter: heads(
      everything,
      (answer) => {
        answer.status = 409;
      },
      (answer) => reasonOf(answer) === 'INTEGRATION.IDEMPOTENCY_REQUIRED',
    ),
  },
  {
    id: 'err-deep-body',
    rule: 'ERR-14',
    breaks: 'a body that is too large is answered 500',
    alter: heads(
      everything,
      (answer) => {
        answer.status = 500;
      },
      (answer) => answer.status === 413,
    ),
  },
  {
    id: 'err-lone-surrogate-in-number',
    rule: 'ERR-14',
    breaks: 'a lone surrogate in a number is replaced',
    alter: bodies('createDocument', (json) => {
      if (typeof json.number === 'string') json.number = json.number.toWellFormed();
    }),
  },
  {
    id: 'err-deep-body-read',
    rule: 'ERR-30',
    breaks: 'a body is read however deep it is',
    alter: bodies(everything, (json) => {
      if (typeof json.no_such_field === 'object') json.no_such_field = 1;
    }),
  },
  {
    id: 'err-deep-arrays-read',
    rule: 'ERR-30',
    breaks: 'arrays are no levels of a body',
    alter: bodies(everything, (json) => {
      if (Array.isArray(json.no_such_field)) json.no_such_field = [];
    }),
  },
  {
    id: 'err-brackets-counted',
    rule: 'ERR-30',
    breaks: 'brackets in a string count as levels',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return /\[\{[^:]*\[\{/.test(asked.body.toString('utf8')) ? madeError('INVALID_ARGUMENT') : answer;
    },
  },
  {
    id: 'err-deep-records-read',
    rule: 'ERR-30',
    breaks: 'a batch is accepted however deep its records are',
    alter: bodies('ingestRecords', (json) => {
      for (const one of json.records ?? []) delete one.deep;
    }),
  },
  {
    id: 'err-gzip-refused',
    rule: 'ERR-18',
    breaks: 'gzip bodies are refused',
    alter: async (asked, forward) =>
      headerOf(asked, 'content-encoding') === 'gzip' ? madeError('UNSUPPORTED_MEDIA_TYPE') : forward(asked),
  },
  {
    id: 'err-first-type-counts',
    rule: 'ERR-18',
    breaks: 'of two Content-Type fields the first counts',
    alter: asks(everything, (asked) => setHeader(asked, 'Content-Type', headerOf(asked, 'content-type'))),
  },
  {
    id: 'err-type-parameter-refused',
    rule: 'ERR-18',
    breaks: 'a parameter beside the charset is refused',
    alter: async (asked, forward) =>
      headerOf(asked, 'content-type')?.includes('version=') ? madeError('UNSUPPORTED_MEDIA_TYPE') : forward(asked),
  },
  {
    id: 'err-first-charset-counts',
    rule: 'ERR-18',
    breaks: 'of two charsets the first counts',
    alter: asks(everything, (asked) => {
      const type = headerOf(asked, 'content-type');
      setHeader(asked, 'Content-Type', type?.replace(/(charset=utf-8); charset=.*/, '$1'));
    }),
  },
  {
    id: 'err-blanks-in-parameter',
    rule: 'ERR-18',
    breaks: 'a parameter of a media type may have blanks',
    alter: asks(everything, (asked) => {
      setHeader(asked, 'Content-Type', headerOf(asked, 'content-type')?.replace(' = ', '='));
    }),
  },
  {
    id: 'err-mark-refused',
    rule: 'ERR-18',
    breaks: 'a byte order mark is refused',
    alter: async (asked, forward) =>
      asked.body.toString('utf8').startsWith('\ufeff{') ? madeError('INVALID_ARGUMENT', 'body') : forward(asked),
  },
  {
    id: 'err-marks-trimmed',
    rule: 'ERR-14',
    breaks: 'all byte order marks at the beginning are ignored',
    alter: asks(everything, (asked) => {
      if (!asked.body.toString('utf8').startsWith('\ufeff\ufeff')) return;
      asked.body = Buffer.from(asked.body.toString('utf8').replace(/^\ufeff+/, ''));
    }),
  },
  {
    id: 'err-any-coding',
    rule: 'ERR-18',
    breaks: 'other codings are taken as if they were none',
    alter: asks(everything, (asked) => {
      if (/^(br|deflate|zstd|compress)$/i.test(headerOf(asked, 'content-encoding') ?? ''))
        setHeader(asked, 'Content-Encoding', undefined);
    }),
  },
  {
    id: 'err-gzip-bomb',
    rule: 'ERR-24',
    breaks: 'a gzip body is counted before it is unpacked',
    alter: accepts(everything, (answer) => answer.status === 413),
  },
  {
    id: 'err-number-rounded',
    rule: 'ERR-27',
    breaks: 'a number is taken as what it is read as',
    alter: asks(everything, (asked) => {
      const json = parse(asked.body);
      if (json !== undefined) asked.body = jsonBody(json);
    }),
  },
  {
    id: 'err-number-other-notation',
    rule: 'ERR-27',
    breaks: 'a number in another notation is refused',
    alter: async (asked, forward) =>
      /1\.50|15e-1|1E2/.test(asked.body.toString())
        ? madeError('INVALID_ARGUMENT', 'template_values.n[0]')
        : forward(asked),
  },
  {
    id: 'err-number-elsewhere',
    rule: 'ERR-27',
    breaks: 'a version must be written as exactly the number that it is read as',
    alter: async (asked, forward) =>
      /"template_version":1\.0/.test(asked.body.toString())
        ? madeError('INVALID_ARGUMENT', 'template_version')
        : forward(asked),
  },
  {
    id: 'err-demanding-body',
    rule: 'ERR-31',
    breaks: 'a body with many digits takes long',
    alter: async (asked, forward) => {
      if (asked.body.includes('0'.repeat(1_000))) await delay(6_000);
      return forward(asked);
    },
  },
  {
    id: 'err-one-violation',
    rule: 'ERR-28',
    breaks: 'one field is named, whatever else is wrong',
    alter: violations((all) => all.slice(0, 1)),
  },
  {
    id: 'err-violation-of-nothing',
    rule: 'ERR-28',
    breaks: 'a field that is right is named beside those that are wrong',
    alter: violations((all) => [...all, { field: 'type_id.title', description: 'is not right' }]),
  },
  {
    id: 'err-form-first',
    rule: 'ERR-28',
    breaks: 'the meaning of fields is reported once the form of all is right',
    alter: violations((all) => {
      const ofForm = all.filter(({ description }) => !OF_MEANING.test(description));
      return ofForm.length > 0 ? ofForm : all;
    }),
  },
  {
    id: 'err-violations-unlimited',
    rule: 'ERR-29',
    breaks: 'more than 20 fields are named',
    alter: violations((all) =>
      all.length < 20 ? all : [...all, { field: 'no_such_field_999', description: 'is not a field of this request' }],
    ),
  },
  {
    id: 'err-violation-twice',
    rule: 'ERR-29',
    breaks: 'a field is named twice',
    alter: violations((all) => (all.length < 20 ? all : all.map(() => all[0] as Json))),
  },
];
