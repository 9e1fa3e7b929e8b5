/** Faults that the rules of whole-run.rules.ts must catch. */
import {
  after,
  answers,
  both,
  counted,
  drop,
  each,
  everything,
  header,
  heads,
  isFor,
  type Json,
  keyOf,
  put,
  refusals,
  refused,
  refuses,
  rows,
  setHeader,
  status,
} from '../mutation/alter.ts';
import { shown } from '../mutation/alter-documents.ts';
import { CARDS, SOMEBODY } from '../mutation/alter-lists.ts';
import { otherError } from '../mutation/alter-requests.ts';
import { type Alter, type Fault, faultsOf, type ProxiedAnswer } from '../mutation/fault.ts';

const employees = (change: (one: Json) => void): Alter => each(CARDS, change);
/** Changes the person, the manager or another object of each employee who has it. */
const within = (name: string, change: (held: Json, one: Json) => void): Alter =>
  employees((one) => {
    if (one[name]) change(one[name], one);
  });
const errors = (change: (json: Json, key: string | undefined) => void): Alter =>
  answers(everything, (json, asked) => change(json, keyOf(asked)), refused);
const details = (change: (all: Json[]) => Json[]): Alter =>
  errors((json) => {
    if (json.details) json.details = change(json.details);
  });
/** Changes a field of everything that is shown, where it has a value. */
const everywhere = (field: string, change: (value: string) => unknown): Alter =>
  each(everything, (one) => {
    if (one[field]) one[field] = change(one[field]);
  });

/** Changes the bytes of answers where they are ASCII. */
const inBytes = (from: string, to: string): Alter =>
  after(everything, (answer) => ({
    ...answer,
    body: Buffer.from(answer.body.toString('latin1').replace(from, to), 'latin1'),
  }));

const isAway = (answer: ProxiedAnswer) => answer.status === 503;
const isMissing = (answer: ProxiedAnswer) => answer.status === 404;
const help = { '@type': 'type.googleapis.com/google.rpc.Help', links: [{ description: 'More', url: '/docs#/errors' }] };
const inWesternOrder = ({ first_name, middle_name, last_name }: Json) =>
  [first_name, middle_name, last_name].filter(Boolean).join(' ');

/** What an answer holds under this name tells the number of an employee who was listed before. */
const namesSomebody = (name: string): Alter =>
  answers(everything, (json, _asked, { notes }) => {
    const person = json.employees?.find((one: Json) => one.person?.iin)?.person;
    if (person) notes.set('iin', person.iin);
    if (json[name] && notes.has('iin')) Object.assign([json[name]].flat()[0], { type_id: notes.get('iin') });
  });

export const faults: readonly Fault[] = faultsOf({
  'EMP-7': {
    'emp-page-too-large': [
      'a page has one row more than its limit',
      rows('listEmployees', (list, { next_page_token: token }) => (token ? [...list, list[0]] : list)),
    ],
    'types-page-too-large': [
      'a page of document types has one row more than its limit',
      rows('listDocumentTypes', (list, { next_page_token: token }) => (token ? [...list, list[0]] : list)),
    ],
  },
  'EMP-24': {
    'emp-person-always': [
      'person is there without being asked for',
      employees((one) => one.person ?? Object.assign(one, { person: SOMEBODY })),
    ],
    'emp-manager-always': [
      'a manager is there without being asked for',
      employees((one) => one.manager ?? Object.assign(one, { manager: SOMEBODY })),
    ],
  },
  'EMP-45': {
    'emp-end-date-while-active': [
      'who is active has an end_date',
      employees((one) => one.status !== 'EMPLOYEE_STATUS_ACTIVE' || Object.assign(one, { end_date: '2030-01-01' })),
    ],
  },
  'EMP-46': {
    'emp-wrong-department': [
      'the expanded department is another one',
      within('department', (held) => Object.assign(held, SOMEBODY)),
    ],
  },
  'EMP-53': {
    'emp-update-before-create': [
      'records were changed before they were created',
      employees(put('update_time', '2001-01-01T00:00:00.000Z')),
    ],
  },
  'EMP-59': {
    'emp-name-in-western-order': [
      'full names begin with the first name',
      within('person', (person) => {
        if (person.full_name && person.first_name && person.last_name) person.full_name = inWesternOrder(person);
      }),
    ],
    'emp-name-with-blank': [
      'a full name without a middle name ends with a blank',
      within('person', (person) => {
        if (person.middle_name === '' && person.full_name) person.full_name += ' ';
      }),
    ],
    'emp-name-of-manager-with-blanks': [
      'a manager’s full name has two blanks in a row',
      within('manager', (manager) => Object.assign(manager, { full_name: manager.full_name?.replace(' ', '  ') })),
    ],
  },
  'ERR-1': {
    'err-empty-message': ['the message is empty', errors((json) => Object.assign(json, { message: '' }))],
    'err-no-type': ['details have no @type', details((all) => all.map(({ '@type': _, ...one }) => one))],
    'err-no-request-info': ['errors have no RequestInfo', details((all) => all.filter((one) => !one.request_id))],
    'err-another-request-id': [
      'RequestInfo holds another id than X-Request-Id',
      details((all) => all.map((one) => (one.request_id ? { ...one, request_id: 'another' } : one))),
    ],
    'err-help-without-host': [
      'Help links to a path instead of an address',
      details((all) => [...all.filter(({ links }) => links === undefined), help]),
    ],
    'err-info-last': [
      'BadRequest comes before ErrorInfo',
      refusals('INVALID_ARGUMENT', (json) => json.details.reverse()),
    ],
  },
  'ERR-3': { 'err-key-403': ['a bad key is 403', otherError('API_KEY_INVALID', 403)] },
  'ERR-15': {
    'err-powered-by': ['a header names the software', header('X-Powered-By', 'Express')],
  },
  'FLOW-13': {
    'doc-placeholder-type': [
      'a file has the placeholder for a type',
      shown(put('files[].file_type', 'FILE_TYPE_UNSPECIFIED')),
    ],
    'flow-step-not-cancelled': [
      'a step that waits is ACTIVE as well',
      shown((one) => {
        const steps = one.route?.steps ?? [];
        const last = steps.at(-1);
        if (last && steps.length > 1 && last.status === 'STEP_STATUS_PENDING') last.status = 'STEP_STATUS_ACTIVE';
      }),
    ],
    'flow-status-unlike-route': [
      'the status does not fit the route',
      shown(put('status', (before) => (before === 'DOCUMENT_STATUS_ON_APPROVAL' ? 'DOCUMENT_STATUS_ON_SIGN' : before))),
    ],
  },
  'GEN-11': {
    'gen-500': ['what is refused is 500', status(500, refused)],
    'gen-often-away': [
      'every fourth success is UNAVAILABLE',
      both(
        header('Retry-After', '1', isAway),
        refuses(everything, 'UNAVAILABLE', (_asked, memory) => counted(memory) % 4 === 0),
      ),
    ],
  },
  'GEN-23': {
    'gen-no-zone': ['instants have no zone', everywhere('create_time', (at) => at.replace('Z', ''))],
    'gen-impossible-instant': [
      'an instant does not exist in the calendar',
      everywhere('update_time', () => '2025-02-30T10:00:00.000Z'),
    ],
    'gen-german-dates': ['dates are DD.MM.YYYY', everywhere('start_date', (day) => day.split('-').reverse().join('.'))],
    'gen-size-number': [
      'size_bytes and total_count are numbers',
      answers(everything, (json) => {
        if (json.total_count) json.total_count = Number(json.total_count);
        for (const file of [json.file, ...(json.document?.files ?? [])])
          if (file) file.size_bytes = Number(file.size_bytes);
      }),
    ],
    'gen-year-0': ['days are of the year 0', everywhere('start_date', (day) => `0000${day.slice(4)}`)],
    'gen-year-10000': ['instants are of years after 9999', everywhere('update_time', (at) => `+01${at}`)],
    'gen-year-0-by-zone': [
      'an instant is of the year 0 in UTC',
      everywhere('create_time', () => '0001-01-01T00:00:00.000+00:01'),
    ],
    'gen-nanoseconds': [
      'instants have nine fraction digits',
      everywhere('create_time', (at) => at.replace('Z', '000001Z')),
    ],
    'gen-large-number': ['a number is beyond int32', everywhere('version', () => 2 ** 31)],
    'gen-large-total': [
      'a total is beyond int64',
      answers(
        everything,
        put('total_count', () => `${2n ** 63n}`),
      ),
    ],
    'gen-nul': ['a text has a NUL', everywhere('title', (title) => `${title}\0`)],
    'gen-surrogate': ['a text has half a surrogate pair', everywhere('title', (title) => `${title}\ud83d`)],
    'gen-deep': [
      'a value has a hundred levels',
      everywhere('title', () => JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`)),
    ],
    'gen-name-twice': ['an object has a name twice', inBytes('"id":', '"id":"","id":')],
    'gen-no-utf-8': ['a body is no UTF-8', inBytes('"title":"', '"title":"\xe9')],
  },
  'GEN-12': {
    'err-cached': ['answers may be cached', header('Cache-Control', 'max-age=60')],
    'err-any-origin': ['browsers of any origin are invited', header('Access-Control-Allow-Origin', '*')],
    'err-options-open': [
      'a preflight lets any origin in',
      heads(
        (asked) => asked.method === 'OPTIONS',
        (answer) => setHeader(answer, 'Access-Control-Allow-Origin', '*'),
        () => true,
      ),
    ],
    'err-other-number': ['the number does not belong to the code', errors((json) => Object.assign(json, { code: 2 }))],
    'emp-unknown-state': ['a status is none of the eight', employees(put('status', 'EMPLOYEE_STATUS_CREATED'))],
    'err-no-reason': ['the textual code is left out', errors(drop('details.0.reason'))],
    'err-two-statuses': [
      'INVALID_ARGUMENT is 422 for a limit',
      heads(
        ({ target }) => target.includes('limit='),
        (answer) => Object.assign(answer, { status: 422 }),
        isFor('INVALID_ARGUMENT'),
      ),
    ],
    'red-camel': [
      'entries of redacted_fields have another form',
      within('person', (_, one) => Object.assign(one, { redacted_fields: ['Persons/iin'] })),
    ],
    'red-null': [
      'redacted_fields is null where nothing is hidden',
      employees(put('redacted_fields', (all) => (all.length === 0 ? null : all))),
    ],
    'gen-created-201': ['a success is 201', status(201)],
    'gen-bare-array': ['a list is a bare array', answers('listEmployees', (json) => json.employees)],
    'gen-text-plain': ['errors are text/plain', header('Content-Type', 'text/plain', refused)],
    'gen-number-ids': ['ids are numbers', everywhere('id', () => 7)],
    'gen-added-field': [
      'an answer has a field that the contract does not know',
      answers('listLoginMethods', (json) => ({ ...json, next: '' })),
    ],
    'gen-field-lost': ['an answer lacks a required field', each('listEmployees', (one) => delete one.organization_id)],
    'gen-header-lost': ['a declared header is left out', header('X-Request-Id', undefined)],
    'gen-header-value': [
      'a 401 names another scheme',
      header('WWW-Authenticate', 'Bearer', ({ status: of }) => of === 401),
    ],
    'gen-undocumented-status': ['an error has an undocumented status', status(418, isMissing)],
  },
  'PRIV-1': {
    'priv-document-says-name': ['a document holds the IIN of an employee', namesSomebody('documents')],
    'priv-type-says-name': ['a template names an employee', namesSomebody('document_templates')],
  },
  'PRIV-2': {
    'emp-external-id-shown': ['external_id is shown', employees(put('external_id', ''))],
    'priv-department-parent': [
      'an expanded department has a parent',
      within('department', (held) => Object.assign(held, { parent_id: SOMEBODY.id })),
    ],
    'priv-manager-number': [
      'an expanded manager has a position',
      within('manager', (held) => Object.assign(held, { job_title_id: SOMEBODY.id })),
    ],
    'priv-participant-name': ['a participant has a name', shown(put('route.steps[].participants[].full_name', ''))],
    'priv-participant-key': ['a participant lacks key_type', shown(drop('route.steps[].participants[].key_type'))],
  },
  'PRIV-6': {
    'err-stack': [
      'errors show a stack',
      errors((json) =>
        Object.assign(json, { message: `${json.message} at Object.<anonymous> (/srv/app/main.ts:12:3)` }),
      ),
    ],
    'err-shows-key': [
      'an error repeats the key',
      errors((json, key) => Object.assign(json, { message: `${json.message} ${key ?? ''}` })),
    ],
  },
  'RED-4': {
    'red-empty-left-out': [
      'a person without a middle name has no field for it',
      within('person', (person) => delete person.middle_name),
    ],
    'red-empty-hidden': [
      'what is hidden is there and empty',
      within(
        'person',
        (person, one) => !one.redacted_fields?.includes('persons.iin') || Object.assign(person, { iin: '' }),
      ),
    ],
    'red-masked': [
      'what is hidden is masked',
      within('person', (person, one) => {
        if (one.redacted_fields?.includes('persons.iin')) person.iin = '********';
        else one.redacted_fields = ['persons.iin'];
      }),
    ],
  },
});
