import { describe, expect, test } from '@jest/globals';
import { visibleTo } from '../data/collections/employees.ts';
import type { PermissionProfile } from '../data/collections/users.ts';
import { seenDocuments, seenEmployees } from './permissions.ts';

const profile = (more: Partial<PermissionProfile>): PermissionProfile => ({
  employees: { all: false, departments: [], reports: false, self: true },
  hidden_fields: [],
  documents: 'own',
  document_types: 'all',
  ...more,
});

type Row = Readonly<Record<string, string | readonly string[]>>;

/** Whether a database finds the row by a condition of the kinds that permissions are made of. */
function finds(condition: object, row: Row): boolean {
  return Object.entries(condition).every(([field, wanted]) => {
    if (field === '$or') return (wanted as object[]).some((each) => finds(each, row));
    const values = [row[field] ?? []].flat();
    const any: readonly string[] = typeof wanted === 'string' ? [wanted] : (wanted as { $in: string[] }).$in;
    return values.some((value) => any.includes(value));
  });
}

/** The names of the rows that any of the conditions finds. */
const found = (conditions: readonly object[], rows: Readonly<Record<string, Row>>) =>
  Object.keys(rows).filter((name) => conditions.some((condition) => finds(condition, rows[name] as Row)));

describe('the employees of an owner who does not see everybody', () => {
  const me = { _id: 'me', department_id: 'd1', manager_id: 'boss' };
  const people = {
    me,
    report: { _id: 'report', department_id: 'd2', manager_id: 'me' },
    nextDesk: { _id: 'nextDesk', department_id: 'd1', manager_id: 'boss' },
    branch: { _id: 'branch', department_id: 'd3', manager_id: '' },
    stranger: { _id: 'stranger', department_id: '', manager_id: '' },
  };
  const rows = Object.fromEntries(
    Object.entries(people).map(([name, row]) => [name, { ...row, visible_to: visibleTo(row) }]),
  );

  test.each<[string, readonly string[], boolean, string, readonly string[]]>([
    ['departments, without being an employee', ['d1', 'd3'], true, '', ['me', 'nextDesk', 'branch']],
    ['nobody, without being an employee', [], true, '', []],
  ])('are %s', (_, subtree, reports, employeeId, expected) => {
    const owner = profile({ employees: { all: false, departments: [...subtree], reports, self: true } });
    expect(found(seenEmployees(owner, employeeId, subtree), rows)).toEqual(expected);
  });

  test('need no query that can find nobody', () => {
    expect(seenEmployees(profile({}), '', [])).toEqual([]);
    expect(seenEmployees(profile({}), '', ['d1'])).toHaveLength(1);
    expect(seenEmployees(profile({}), 'me', [])).toHaveLength(1);
  });
});

describe('the documents of an owner', () => {
  // Subjects see a document by `visible_to` alone; initiators and participants are actors too.
  const roles = {
    initiator: { actors: ['me'], visible_to: ['me'] },
    subject: { actors: ['x'], visible_to: ['x', 'me'] },
  };
  const rows = Object.fromEntries(
    ['order', 'leave', 'secret'].flatMap((type_id) => [
      [`${type_id} of mine`, { type_id, ...roles.initiator }],
      [`${type_id} about me`, { type_id, ...roles.subject }],
      [`${type_id} of others`, { type_id, actors: ['x'], visible_to: ['x'] }],
    ]),
  );
  const OPEN = ['order', 'leave'];
  const MINE = ['order of mine', 'leave of mine', 'secret of mine'];
  const ABOUT_ME = ['order about me', 'leave about me', 'secret about me'];
  const of = (...types: string[]) =>
    types.flatMap((type) => [`${type} of mine`, `${type} about me`, `${type} of others`]);

  test.each<[PermissionProfile['documents'], PermissionProfile['document_types'], string, readonly string[]]>([
    ['all', 'all', 'me', Object.keys(rows)],
    ['all', 'all', '', Object.keys(rows)],
    ['all', ['order', 'secret'], 'me', [...of('order', 'secret'), 'leave of mine']],
    ['all', ['order', 'secret'], '', of('order', 'secret')],
    ['all', [], 'me', MINE],
    ['all', [], '', []],
    ['all_but_confidential', 'all', 'me', [...of('order', 'leave'), 'secret of mine', 'secret about me']],
    ['all_but_confidential', 'all', '', of('order', 'leave')],
    [
      'all_but_confidential',
      ['order', 'secret'],
      'me',
      [...of('order'), 'leave of mine', 'secret of mine', 'secret about me'],
    ],
    ['all_but_confidential', ['secret'], '', []],
    ['own', 'all', 'me', [...MINE, ...ABOUT_ME]],
    ['own', ['order'], 'me', [...MINE, 'order about me']],
    ['own', [], 'me', MINE],
    ['own', 'all', '', []],
  ])('who sees %s of the types %j, as the employee "%s"', (documents, document_types, employeeId, expected) => {
    const ways = seenDocuments(profile({ documents, document_types }), employeeId, OPEN);
    expect(found(ways, rows).sort()).toEqual([...expected].sort());
  });

  test('need no query that can find nothing, and one for all of them', () => {
    expect(seenDocuments(profile({ documents: 'own' }), '', OPEN)).toEqual([]);
    expect(seenDocuments(profile({ documents: 'all', document_types: [] }), '', OPEN)).toEqual([]);
    expect(seenDocuments(profile({ documents: 'all' }), 'me', OPEN)).toHaveLength(1);
  });
});
