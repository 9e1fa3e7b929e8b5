/** Faults that the rules of recorded.rules.ts must catch. */
import {
  answers,
  both,
  counted,
  drop,
  each,
  everything,
  header,
  heads,
  isAbsent,
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
import { deliveryFaults, envelope, signature } from '../mutation/alter-deliveries.ts';
import { shown } from '../mutation/alter-documents.ts';
import { CARDS, SOMEBODY } from '../mutation/alter-lists.ts';
import { sign } from '../mutation/callbacks.ts';
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

const isAway = (answer: ProxiedAnswer) => answer.status === 503;

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

export const faults: readonly Fault[] = [
  ...faultsOf({
    'EMP-7': {
      'emp-page-too-large': [
        'a page has one row more than its limit',
        rows('listEmployees', (list, { next_page_token: token }) => (token ? [...list, list[0]] : list)),
      ],
    },
    'EMP-24': {
      'emp-person-always': [
        'person is there without being asked for',
        employees((one) => one.person ?? Object.assign(one, { person: SOMEBODY })),
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
    },
    'ERR-1': {
      'err-empty-message': ['the message is empty', errors((json) => Object.assign(json, { message: '' }))],
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
    'ERR-3': { 'err-key-403': ['a bad key is 403', status(403, isFor('INTEGRATION.API_KEY_INVALID'))] },
    'ERR-15': {
      'err-powered-by': ['a header names the software', header('X-Powered-By', 'Express')],
    },
    'FLOW-13': {
      'flow-status-unlike-route': [
        'the status does not fit the route',
        shown(
          put('status', (before) => (before === 'DOCUMENT_STATUS_ON_APPROVAL' ? 'DOCUMENT_STATUS_ON_SIGN' : before)),
        ),
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
      'gen-no-zone': [
        'instants have no zone',
        each(
          everything,
          put('create_time', (at) => at.replace('Z', '')),
        ),
      ],
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
      'err-other-number': [
        'the number does not belong to the code',
        errors((json) => Object.assign(json, { code: 2 })),
      ],
      'err-no-reason': ['the textual code is left out', errors(drop('details.0.reason'))],
      'gen-created-201': ['a success is 201', status(201)],
      'gen-text-plain': ['errors are text/plain', header('Content-Type', 'text/plain', refused)],
      'gen-added-field': [
        'an answer has a field that the contract does not know',
        answers('listLoginMethods', (json) => ({ ...json, next: '' })),
      ],
      'gen-field-lost': [
        'an answer lacks a required field',
        each('listEmployees', (one) => delete one.organization_id),
      ],
      'gen-header-lost': ['a declared header is left out', header('X-Request-Id', undefined)],
      'gen-header-value': [
        'a 401 names another scheme',
        header('WWW-Authenticate', 'Bearer', ({ status: of }) => of === 401),
      ],
      'gen-undocumented-status': ['an error has an undocumented status', status(418, isAbsent)],
    },
    'PRIV-1': {
      'priv-document-says-name': ['a document holds the IIN of an employee', namesSomebody('documents')],
    },
    'PRIV-2': {
      'emp-external-id-shown': ['external_id is shown', employees(put('external_id', ''))],
      'priv-department-parent': [
        'an expanded department has a parent',
        within('department', (held) => Object.assign(held, { parent_id: SOMEBODY.id })),
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
    },
  }),
  ...deliveryFaults({
    'EVT-1': {
      'evt-text': ['a delivery is text/plain', signature((one) => setHeader(one, 'Content-Type', 'text/plain'))],
      'evt-added': ['an envelope has a field more', envelope(put('version', 1))],
      'evt-time-lost': ['an envelope lacks occurred_at', envelope(drop('occurred_at'))],
      'evt-other-type': ['a type that is in no list is delivered', envelope(put('type', 'document.changed'))],
    },
    'EVT-6': {
      'priv-event-title': ['a delivery holds a title', envelope(put('data.title', 'x'))],
      'evt-employee-says-more': [
        'an employee event says the status',
        envelope((json) => {
          if (json.data.employee_id) json.data.status = 'x';
        }),
      ],
    },
    'SIG-2': {
      'sig-old': ['t is ten minutes old', signature((one) => sign(one, Math.floor(Date.now() / 1000) - 600))],
      'sig-missing': ['deliveries are not signed', signature((one) => setHeader(one, 'Service-Signature', undefined))],
    },
  }),
];
