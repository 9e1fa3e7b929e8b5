/** Faults that the rules of scope-changes.rules.ts must catch. */
import { bodies, keyed, keyOf, parse, refuses, rows, stale } from '../mutation/alter.ts';
import { sticky } from '../mutation/alter-requests.ts';
import type { Fault, ProxiedAnswer } from '../mutation/fault.ts';

const LIST = 'listEmployees';
const BOTH = ['listEmployees', 'getEmployee'] as const;

const isHidden = ({ status }: ProxiedAnswer) => status === 404;
const isShown = (answer: ProxiedAnswer) => parse(answer.body)?.employee !== undefined;

export const faults: readonly Fault[] = [
  {
    id: 'scope-children-only',
    rule: 'SCOPE-30',
    breaks: 'departments two levels below are not in the list',
    alter: rows(LIST, (list, _json, asked, memory) => (keyOf(asked) === memory.key('department_owner') ? [] : list)),
  },
  {
    id: 'scope-grandchild-unread',
    rule: 'SCOPE-30',
    breaks: 'an employee two levels below is listed, and 404 by id',
    alter: refuses(
      'getEmployee',
      'EMPLOYEE_NOT_FOUND',
      (asked, memory) => keyOf(asked) === memory.key('department_owner'),
    ),
  },
  { id: 'scope-move-late', rule: 'SCOPE-31', breaks: 'a move of a department does not show', alter: stale(BOTH) },
  {
    id: 'scope-move-back-late',
    rule: 'SCOPE-31',
    breaks: 'an employee who came back into view stays hidden',
    alter: sticky(isHidden),
  },
  {
    id: 'scope-batch-move-late',
    rule: 'SCOPE-32',
    breaks: 'a move by a batch does not show',
    alter: sticky(isHidden),
  },
  {
    id: 'scope-batch-move-away-late',
    rule: 'SCOPE-32',
    breaks: 'a move out of view by a batch does not hide',
    alter: sticky(isShown),
  },
  {
    id: 'scope-cleared-parent-stays',
    rule: 'SCOPE-32',
    breaks: 'an empty parent leaves the department where it is',
    alter: bodies('ingestRecords', ({ records }) => {
      for (const record of records) if (record.external_parent_id === '') delete record.external_parent_id;
    }),
  },
  {
    id: 'scope-report-late',
    rule: 'SCOPE-33',
    breaks: 'a new report does not show to the manager',
    alter: sticky(isHidden),
  },
  {
    id: 'scope-former-report',
    rule: 'SCOPE-33',
    breaks: 'a former report stays in view of the manager',
    alter: sticky(isShown),
  },
  {
    id: 'scope-report-from-elsewhere-listed',
    rule: 'SCOPE-35',
    breaks: 'the list of an owner who is limited to a department shows his reports from elsewhere',
    alter: keyed(LIST, 'restricted_owner', 'full'),
  },
  {
    id: 'scope-report-from-elsewhere-read',
    rule: 'SCOPE-35',
    breaks: 'an owner who is limited to a department reads his reports from elsewhere',
    alter: keyed('getEmployee', 'restricted_owner', 'full'),
  },
];
