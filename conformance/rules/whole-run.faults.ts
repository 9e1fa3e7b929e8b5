/** Faults that the rules of whole-run.rules.ts must catch. */
import {
  answers,
  each,
  everything,
  heads,
  type Json,
  keyOf,
  reasonOf,
  refusals,
  refused,
  rows,
  setHeader,
} from '../mutation/alter.ts';
import { participants, shown, walk } from '../mutation/alter-documents.ts';
import { SOMEBODY } from '../mutation/alter-lists.ts';
import { otherError } from '../mutation/alter-requests.ts';
import type { Fault } from '../mutation/fault.ts';

const BOTH = ['listEmployees', 'getEmployee'] as const;

const LIST = 'listEmployees';

export const faults: readonly Fault[] = [
  {
    id: 'emp-page-too-large',
    rule: 'EMP-7',
    breaks: 'a page has one row more than its limit',
    alter: rows(LIST, (list, _json, asked) => {
      const limit = new URLSearchParams(asked.target.split('?')[1]).get('limit');
      return limit !== null && list.length === Number(limit) ? [...list, list[0]] : list;
    }),
  },
  {
    id: 'emp-person-always',
    rule: 'EMP-24',
    breaks: 'person is there without being asked for',
    alter: each(BOTH, (one) => {
      one.person ??= { id: SOMEBODY.id };
    }),
  },
  {
    id: 'emp-unknown-state',
    rule: 'EMP-41',
    breaks: 'a status is none of the eight',
    alter: each(BOTH, (one) => {
      one.status = 'EMPLOYEE_STATUS_CREATED';
    }),
  },
  {
    id: 'emp-external-id-shown',
    rule: 'EMP-43',
    breaks: 'external_id is shown',
    alter: each(BOTH, (one) => {
      one.external_id = '';
    }),
  },
  {
    id: 'emp-end-date-while-active',
    rule: 'EMP-45',
    breaks: 'who is active has an end_date',
    alter: each(BOTH, (one) => {
      if (one.status === 'EMPLOYEE_STATUS_ACTIVE') one.end_date = '2030-01-01';
    }),
  },
  {
    id: 'emp-wrong-department',
    rule: 'EMP-46',
    breaks: 'the expanded department is another one',
    alter: each(BOTH, (one) => {
      if (one.department) one.department.id = SOMEBODY.id;
    }),
  },
  {
    id: 'emp-name-with-blank',
    rule: 'EMP-59',
    breaks: 'a full name without a middle name ends with a blank',
    alter: each(BOTH, ({ person }) => {
      if (person?.middle_name === '' && person.full_name) person.full_name += ' ';
    }),
  },
  {
    id: 'emp-name-of-manager-with-blanks',
    rule: 'EMP-59',
    breaks: 'a manager’s full name has two blanks in a row',
    alter: each(BOTH, ({ manager }) => {
      if (manager?.full_name) manager.full_name = manager.full_name.replace(' ', '  ');
    }),
  },
  {
    id: 'emp-name-in-western-order',
    rule: 'EMP-60',
    breaks: 'full names begin with the first name',
    alter: each(BOTH, ({ person }) => {
      if (!person?.full_name || person.first_name === undefined || person.last_name === undefined) return;
      person.full_name = [person.first_name, person.middle_name, person.last_name].filter(Boolean).join(' ');
    }),
  },
  {
    id: 'emp-update-before-create',
    rule: 'EMP-53',
    breaks: 'records were changed before they were created',
    alter: each(BOTH, (one) => {
      one.update_time = '2001-01-01T00:00:00.000Z';
    }),
  },
  {
    id: 'err-no-type',
    rule: 'ERR-1',
    breaks: 'details have no @type',
    alter: answers(
      everything,
      (json) => {
        for (const one of json.details ?? []) delete one['@type'];
      },
      refused,
    ),
  },
  {
    id: 'err-no-request-info',
    rule: 'ERR-1',
    breaks: 'a 404 has no RequestInfo',
    alter: answers(
      everything,
      (json) => {
        json.details = json.details?.filter((one: Json) => !one.request_id);
      },
      ({ status }) => status === 404,
    ),
  },
  {
    id: 'err-another-request-id',
    rule: 'ERR-1',
    breaks: 'RequestInfo holds another id than X-Request-Id',
    alter: answers(
      everything,
      (json) => {
        for (const one of json.details ?? []) if (one.request_id) one.request_id = 'another';
      },
      refused,
    ),
  },
  {
    id: 'err-help-without-host',
    rule: 'ERR-1',
    breaks: 'Help links to a path instead of an address',
    alter: answers(
      everything,
      (json) => {
        const links = [{ description: 'More', url: '/docs#/errors' }];
        const details = json.details?.filter((one: Json) => one.links === undefined) ?? [];
        json.details = [...details, { '@type': 'type.googleapis.com/google.rpc.Help', links }];
      },
      refused,
    ),
  },
  {
    id: 'err-info-last',
    rule: 'ERR-1',
    breaks: 'BadRequest comes before ErrorInfo',
    alter: refusals('INVALID_ARGUMENT', (json) => json.details.reverse()),
  },
  {
    id: 'err-no-reason',
    rule: 'ERR-2',
    breaks: 'the textual code is left out',
    alter: answers(
      everything,
      (json) => {
        delete json.details[0].reason;
      },
      refused,
    ),
  },
  { id: 'err-key-403', rule: 'ERR-3', breaks: 'a bad key is 403', alter: otherError('API_KEY_INVALID', 403) },
  {
    id: 'err-two-statuses',
    rule: 'ERR-4',
    breaks: 'INVALID_ARGUMENT is 422 for a limit',
    alter: heads(
      (asked) => asked.target.includes('limit='),
      (answer) => {
        answer.status = 422;
      },
      (answer) => reasonOf(answer) === 'INVALID_ARGUMENT',
    ),
  },
  {
    id: 'err-empty-message',
    rule: 'ERR-13',
    breaks: 'the message is empty',
    alter: answers(
      everything,
      (json) => {
        json.message = '';
      },
      refused,
    ),
  },
  {
    id: 'err-stack',
    rule: 'ERR-15',
    breaks: 'errors show a stack',
    alter: answers(
      everything,
      (json) => {
        json.message += ' at Object.<anonymous> (/srv/app/main.ts:12:3)';
      },
      refused,
    ),
  },
  {
    id: 'err-powered-by',
    rule: 'ERR-15',
    breaks: 'a header names the software',
    alter: heads(
      everything,
      (answer) => setHeader(answer, 'X-Powered-By', 'Express'),
      () => true,
    ),
  },
  {
    id: 'err-other-number',
    rule: 'ERR-16',
    breaks: 'the number does not belong to the code',
    alter: answers(
      everything,
      (json) => {
        json.code = 2;
      },
      refused,
    ),
  },
  {
    id: 'flow-step-not-cancelled',
    rule: 'FLOW-13',
    breaks: 'a step that waits is ACTIVE as well',
    alter: walk((one) => {
      const steps = one.route?.steps ?? [];
      const last = steps.at(-1);
      if (last && steps.length > 1 && last.status === 'STEP_STATUS_PENDING') last.status = 'STEP_STATUS_ACTIVE';
    }),
  },
  {
    id: 'flow-status-unlike-route',
    rule: 'FLOW-13',
    breaks: 'the status does not fit the route',
    alter: walk((one) => {
      if (one.status === 'DOCUMENT_STATUS_ON_APPROVAL') one.status = 'DOCUMENT_STATUS_ON_SIGN';
    }),
  },
  {
    id: 'gen-created-201',
    rule: 'GEN-2',
    breaks: 'a success is 201',
    alter: heads(everything, (answer) => {
      answer.status = 201;
    }),
  },
  {
    id: 'gen-bare-array',
    rule: 'GEN-2',
    breaks: 'a list is a bare array',
    alter: answers('listEmployees', (json) => json.employees),
  },
  {
    id: 'gen-text-plain',
    rule: 'GEN-3',
    breaks: 'errors are text/plain',
    alter: heads(everything, (answer) => setHeader(answer, 'Content-Type', 'text/plain'), refused),
  },
  {
    id: 'gen-no-zone',
    rule: 'GEN-5',
    breaks: 'instants have no zone',
    alter: each(everything, (one) => {
      if (one.create_time) one.create_time = one.create_time.replace('Z', '');
    }),
  },
  {
    id: 'gen-impossible-instant',
    rule: 'GEN-5',
    breaks: 'an instant does not exist in the calendar',
    alter: each(everything, (one) => {
      if (one.update_time) one.update_time = '2025-02-30T10:00:00.000Z';
    }),
  },
  {
    id: 'gen-german-dates',
    rule: 'GEN-6',
    breaks: 'dates are DD.MM.YYYY',
    alter: each(everything, (one) => {
      if (one.start_date) one.start_date = one.start_date.split('-').reverse().join('.');
    }),
  },
  {
    id: 'gen-number-ids',
    rule: 'GEN-7',
    breaks: 'ids are numbers',
    alter: each(everything, (one) => {
      if (one.id) one.id = 7;
    }),
  },
  {
    id: 'gen-size-number',
    rule: 'GEN-8',
    breaks: 'size_bytes and total_count are numbers',
    alter: answers(everything, (json) => {
      if (json.total_count) json.total_count = Number(json.total_count);
      if (json.file?.size_bytes) json.file.size_bytes = Number(json.file.size_bytes);
      for (const file of json.document?.files ?? []) file.size_bytes = Number(file.size_bytes);
    }),
  },
  {
    id: 'gen-500',
    rule: 'GEN-11',
    breaks: 'what is not found is 500',
    alter: heads(
      everything,
      (answer) => {
        answer.status = 500;
      },
      refused,
    ),
  },
  {
    id: 'gen-added-field',
    rule: 'GEN-12',
    breaks: 'an answer has a field that the contract does not know',
    alter: answers('listLoginMethods', (json) => {
      json.next = '';
    }),
  },
  {
    id: 'gen-field-lost',
    rule: 'GEN-12',
    breaks: 'an answer lacks a required field',
    alter: each('listEmployees', (one) => {
      delete one.organization_id;
    }),
  },
  {
    id: 'gen-header-lost',
    rule: 'GEN-12',
    breaks: 'a declared header is left out',
    alter: heads(
      everything,
      (answer) => setHeader(answer, 'X-Request-Id', undefined),
      () => true,
    ),
  },
  {
    id: 'gen-undocumented-status',
    rule: 'GEN-12',
    breaks: 'an error has an undocumented status',
    alter: heads(
      everything,
      (answer) => {
        answer.status = 418;
      },
      (answer) => answer.status === 404,
    ),
  },
  {
    id: 'priv-participant-name',
    rule: 'PRIV-2',
    breaks: 'a participant has a name',
    alter: shown((one) => {
      for (const slot of participants(one)) slot.full_name = '';
    }),
  },
  {
    id: 'priv-participant-key',
    rule: 'PRIV-2',
    breaks: 'a participant lacks key_type',
    alter: shown((one) => {
      for (const slot of participants(one)) delete slot.key_type;
    }),
  },
  {
    id: 'priv-manager-number',
    rule: 'PRIV-3',
    breaks: 'an expanded manager has a position',
    alter: each(BOTH, (one) => {
      if (one.manager) one.manager.job_title_id = SOMEBODY.id;
    }),
  },
  {
    id: 'priv-department-parent',
    rule: 'PRIV-4',
    breaks: 'an expanded department has a parent',
    alter: each(BOTH, (one) => {
      if (one.department) one.department.parent_id = SOMEBODY.id;
    }),
  },
  {
    id: 'err-shows-key',
    rule: 'PRIV-6',
    breaks: 'an error repeats the key',
    alter: answers(
      everything,
      (json, asked) => {
        json.message += ` ${keyOf(asked) ?? ''}`;
      },
      refused,
    ),
  },
  {
    id: 'red-camel',
    rule: 'RED-3',
    breaks: 'entries of redacted_fields have another form',
    alter: each(BOTH, (one) => {
      one.redacted_fields = one.redacted_fields?.map((name: string) => name.replace('persons.', 'Persons/'));
      if (one.person) one.redacted_fields = ['Persons/iin'];
    }),
  },
  {
    id: 'red-empty-hidden',
    rule: 'RED-4',
    breaks: 'what is hidden is there and empty',
    alter: each(BOTH, (one) => {
      if (one.person && one.redacted_fields?.includes('persons.iin')) one.person.iin = '';
    }),
  },
  {
    id: 'red-masked',
    rule: 'RED-4',
    breaks: 'what is hidden is masked',
    alter: each(BOTH, (one) => {
      if (one.redacted_fields?.includes('persons.iin') && one.person) one.person.iin = '********';
      else if (one.person) one.redacted_fields = ['persons.iin'];
    }),
  },
  {
    id: 'red-empty-left-out',
    rule: 'RED-5',
    breaks: 'a person without a middle name has no field for it',
    alter: each(BOTH, (one) => {
      if (one.person) delete one.person.middle_name;
    }),
  },
  {
    id: 'red-null',
    rule: 'RED-8',
    breaks: 'redacted_fields is null where nothing is hidden',
    alter: each(BOTH, (one) => {
      if (one.redacted_fields?.length === 0) one.redacted_fields = null;
    }),
  },
];
