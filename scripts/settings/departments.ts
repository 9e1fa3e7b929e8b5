/** `settings departments`: the department tree that permission profiles refer to. */
import type { Command } from 'commander';
import type { DepartmentRow } from '../../handlers/data/store.ts';
import { createDepartment, deleteDepartment, moveDepartment } from '../../handlers/employees/write/departments.ts';
import { limit, titleOf } from './arguments.ts';
import { type At, type Context, group, withExamples } from './context.ts';
import { find, kinds } from './lookup.ts';

interface Line {
  readonly row: DepartmentRow;
  readonly depth: number;
}

/** Parents before children, siblings by title. Departments whose parent is missing come last. */
export function inTreeOrder(rows: readonly DepartmentRow[]): Line[] {
  const children = Map.groupBy(rows, ({ parent_id }) => parent_id);
  const byTitle = (a: DepartmentRow, b: DepartmentRow) => a.title.localeCompare(b.title) || (a._id < b._id ? -1 : 1);
  const lines: Line[] = [];
  const seen = new Set<string>();
  function add(row: DepartmentRow, depth: number): void {
    if (seen.has(row._id)) return;
    seen.add(row._id);
    lines.push({ row, depth });
    for (const child of (children.get(row._id) ?? []).toSorted(byTitle)) add(child, depth + 1);
  }
  for (const row of (children.get('') ?? []).toSorted(byTitle)) add(row, 0);
  for (const row of rows) add(row, 0);
  return lines;
}

const department = (at: At, wanted: string) => find<DepartmentRow>(at, kinds.department, wanted);

/** The parent's id; `''` for the top of the tree. */
async function parentId(at: At, wanted: string): Promise<string> {
  return wanted === 'none' ? '' : (await department(at, wanted))._id;
}

export function departmentsCommand({ inTenant, list }: Context): Command {
  const departments = group(
    'departments',
    'Departments: a tree. Neither a rename nor a move changes update_time of an employee.',
    [
      'departments list',
      'departments create "Отдел качества" --parent "Департамент производства"',
      'departments move "Отдел качества" --parent none',
    ],
  );
  departments
    .command('list')
    .description('List the departments of the tenant as a tree.')
    .option('--limit <N>', 'at most so many lines', limit, 1000)
    .action(
      inTenant(async ({ store, tenant }, flags: { limit: number }) => {
        const rows = await store.departments.find({ tenant_id: tenant._id }).toArray();
        const lines = inTreeOrder(rows).slice(0, flags.limit);
        return list(
          lines,
          [
            ['TITLE', ({ row, depth }) => `${'· '.repeat(depth)}${row.title}`],
            ['ID', ({ row }) => row._id],
          ],
          lines.map(({ row }) => row),
        );
      }),
    );
  const create = departments
    .command('create')
    .description('Create a department; its organization is its parent’s unless told otherwise.')
    .argument('<title>', 'its title', titleOf())
    .option('--parent <department>', 'id or exact title; none for the top', 'none')
    .option('--organization <organization>', 'id or exact title')
    .action(
      inTenant(async (at, title: string, flags: { parent: string; organization?: string }) => {
        const parent = flags.parent === 'none' ? null : await department(at, flags.parent);
        const organization_id =
          flags.organization === undefined
            ? (parent?.organization_id ?? '')
            : (await find<DepartmentRow>(at, kinds.organization, flags.organization))._id;
        const fields = { title, parent_id: parent?._id ?? '', organization_id };
        const row = await createDepartment(at.store, at.tenant._id, fields, at.now);
        return { json: row, text: `Created the department ${title}: ${row._id}` };
      }),
    );
  withExamples(create, [
    'departments create "Отдел качества" --parent PARENT_ID',
    'departments create "Бас кеңсе" --organization "АО «Тұлпар»"',
  ]);
  departments
    .command('rename')
    .description('Change the title.')
    .argument('<department>', 'id or exact title')
    .argument('<title>', 'the new title', titleOf())
    .action(
      inTenant(async (at, wanted: string, title: string) => {
        const row = await department(at, wanted);
        const set = { title, update_time: at.now };
        await at.store.departments.updateOne({ _id: row._id, tenant_id: row.tenant_id }, { $set: set });
        return { json: { ...row, ...set }, text: `Renamed the department ${row._id}: ${row.title} → ${title}` };
      }),
    );
  const move = departments
    .command('move')
    .description('Move a department with all below it. Repeat the command if it was interrupted.')
    .argument('<department>', 'id or exact title')
    .requiredOption('--parent <department>', 'id or exact title; none for the top')
    .action(
      inTenant(async (at, wanted: string, flags: { parent: string }) => {
        const row = await department(at, wanted);
        const rewritten = await moveDepartment(
          at.store,
          at.tenant._id,
          row._id,
          await parentId(at, flags.parent),
          at.now,
        );
        return {
          json: { _id: row._id, departments_rewritten: rewritten ?? 0 },
          text: `Moved the department ${row.title} (${row._id}); ${rewritten ?? 0} departments rewritten.`,
        };
      }),
    );
  withExamples(move, [
    'departments move DEPARTMENT_ID --parent PARENT_ID',
    'departments move DEPARTMENT_ID --parent none',
  ]);
  departments
    .command('delete')
    .description('Delete a department that nothing refers to.')
    .argument('<department>', 'id or exact title')
    .action(
      inTenant(async (at, wanted: string) => {
        const row = await department(at, wanted);
        await deleteDepartment(at.store, at.tenant._id, row._id);
        return { json: row, text: `Deleted the department ${row.title} (${row._id}).` };
      }),
    );
  return departments;
}
