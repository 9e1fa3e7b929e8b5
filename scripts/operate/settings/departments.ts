/** `settings departments`: the department tree that permission profiles refer to. */
import type { DepartmentRow } from '../../../handlers/data/collections/departments.ts';
import { createDepartment, deleteDepartment, moveDepartment } from '../../../handlers/employees/write/departments.ts';
import { command, type Group, listing, take } from './command.ts';
import { kinds, row, rowOrNone, rowsOf, setFields } from './lookup.ts';
import { rowShape, same } from './shape.ts';
import { count, title } from './values.ts';

interface Line extends DepartmentRow {
  readonly depth: number;
}

/** Parents before children, siblings by title. Departments whose parent is missing come last. */
function inTreeOrder(rows: readonly DepartmentRow[]): Line[] {
  const children = Map.groupBy(rows, ({ parent_id }) => parent_id);
  const byTitle = (a: DepartmentRow, b: DepartmentRow) => a.title.localeCompare(b.title) || (a._id < b._id ? -1 : 1);
  const lines: Line[] = [];
  const seen = new Set<string>();
  function add(row: DepartmentRow, depth: number): void {
    if (seen.has(row._id)) return;
    seen.add(row._id);
    lines.push({ ...row, depth });
    for (const child of (children.get(row._id) ?? []).toSorted(byTitle)) add(child, depth + 1);
  }
  for (const row of (children.get('') ?? []).toSorted(byTitle)) add(row, 0);
  for (const row of rows) add(row, 0);
  return lines;
}

const json = rowShape('title', 'parent_id', 'organization_id', 'create_time', 'update_time');

const department = take.argument(row(kinds.department));
const parent = rowOrNone(kinds.department);
const PARENT = 'id or exact title; none for the top';

export const departments: Group = {
  about: 'Departments: a tree. A rename or a move does not change update_time of an employee.',
  examples: [
    'departments list',
    'departments create "Отдел качества" --parent "Департамент производства"',
    'departments move "Отдел качества" --parent none',
  ],
  commands: {
    list: command({
      about: 'List the departments of the tenant as a tree.',
      reads: true,
      json,
      takes: { limit: take.defaulting(count(), 'the maximum number of lines', 1000) },
      async run(at, { limit }) {
        const lines = inTreeOrder(await rowsOf(at, 'departments')).slice(0, limit);
        return listing(lines, [
          ['TITLE', ({ title, depth }) => `${'· '.repeat(depth)}${title}`],
          ['ID', '_id', 'id'],
        ]);
      },
    }),
    create: command({
      about: 'Create a department; its organization is its parent’s by default.',
      json,
      takes: {
        title: take.argument(title(), 'its title'),
        parent: take.defaulting(parent, PARENT, 'none'),
        organization: take.optional(row(kinds.organization)),
      },
      examples: [
        'departments create "Отдел качества" --parent PARENT_ID',
        'departments create "Бас кеңсе" --organization "АО «Тұлпар»"',
      ],
      async run({ store, tenant, now }, { title, parent, organization }) {
        const organization_id = organization?._id ?? parent?.organization_id ?? '';
        const fields = { title, parent_id: parent?._id ?? '', organization_id };
        const row = await createDepartment(store, tenant._id, fields, now);
        return { of: row, text: `Created the department ${title}: ${row._id}` };
      },
    }),
    rename: command({
      about: 'Change the title.',
      json,
      takes: { department, title: take.argument(title(), 'the new title') },
      async run(at, { department, title }) {
        const of = await setFields(at, 'departments', department, { title, update_time: at.now });
        return { of, text: `Renamed the department ${of._id}: ${department.title} → ${title}` };
      },
    }),
    move: command({
      about: 'Move a department with all departments below it. Repeat the command if it was interrupted.',
      json: same('id', 'departments_rewritten'),
      takes: { department, parent: take.required(parent, PARENT) },
      examples: ['departments move DEPARTMENT_ID --parent PARENT_ID', 'departments move DEPARTMENT_ID --parent none'],
      async run({ store, tenant, now }, { department: { _id, title }, parent }) {
        const rewritten = (await moveDepartment(store, tenant._id, _id, parent?._id ?? '', now)) ?? 0;
        return {
          of: { id: _id, departments_rewritten: rewritten },
          text: `Moved the department ${title} (${_id}); ${rewritten} departments rewritten.`,
        };
      },
    }),
    delete: command({
      about: 'Delete a department that nothing refers to.',
      json,
      takes: { department },
      async run({ store, tenant }, { department }) {
        await deleteDepartment(store, tenant._id, department._id);
        return { of: department, text: `Deleted the department ${department.title} (${department._id}).` };
      },
    }),
  },
};
