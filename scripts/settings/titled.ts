/** `settings organizations`, `job-titles` and `locations`: rows that consist of a tenant and a title. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { TitledRow } from '../../handlers/data/store.ts';
import { limit, shown, titleOf } from './arguments.ts';
import { type At, type Column, type Context, group } from './context.ts';
import { refuse } from './failure.ts';
import { find, kinds } from './lookup.ts';

const columns: readonly Column<TitledRow>[] = [
  ['TITLE', ({ title }) => title],
  ['CREATED', ({ create_time }) => shown(create_time)],
  ['ID', ({ _id }) => _id],
];

interface Resource {
  readonly command: string;
  readonly kind: (typeof kinds)['organization' | 'job_title' | 'location'];
  readonly description: string;
  readonly example: string;
  /** The field of employees (and, for organisations, of departments) that refers to such a row. */
  readonly reference: 'organization_id' | 'job_title_id' | 'location_id';
}

export const titledResources: readonly Resource[] = [
  {
    command: 'organizations',
    kind: kinds.organization,
    description: 'Legal entities that employ.',
    example: 'ТОО «Тұлпар Логистика»',
    reference: 'organization_id',
  },
  {
    command: 'job-titles',
    kind: kinds.job_title,
    description: 'Job titles.',
    example: 'Бухгалтер',
    reference: 'job_title_id',
  },
  {
    command: 'locations',
    kind: kinds.location,
    description: 'Work locations.',
    example: 'Алматы, головной офис',
    reference: 'location_id',
  },
];

/** Which collections may refer to the row. */
async function user({ store, tenant }: At, resource: Resource, id: string): Promise<string | null> {
  const filter = { tenant_id: tenant._id, [resource.reference]: id };
  if (await store.employees.findOne(filter, { projection: { _id: 1 } }))
    return 'employees (drafts and deleted ones count)';
  if (resource.reference !== 'organization_id') return null;
  return (await store.departments.findOne(filter, { projection: { _id: 1 } })) ? 'departments' : null;
}

export function titledCommand({ inTenant, list }: Context, resource: Resource): Command {
  const { command, kind, description, example } = resource;
  const resources = group(command, `${description} A rename moves no update_time of an employee.`, [
    `${command} list`,
    `${command} create "${example}"`,
    `${command} rename "${example}" "${example} 2"`,
    `${command} delete ID`,
  ]);
  resources
    .command('list')
    .description(`List the ${command.replace('-', ' ')} of the tenant by title.`)
    .option('--limit <N>', 'at most so many', limit, 1000)
    .action(
      inTenant(async ({ store, tenant }, flags: { limit: number }) => {
        const rows = await store[kind.collection]
          .find({ tenant_id: tenant._id })
          .sort({ title: 1, _id: 1 })
          .limit(flags.limit)
          .toArray();
        return list(rows, columns, rows);
      }),
    );
  resources
    .command('create')
    .description(`Create one; titles need not differ.`)
    .argument('<title>', 'its title', titleOf())
    .action(
      inTenant(async ({ store, tenant, now }, title: string) => {
        const row: TitledRow = { _id: randomUUID(), tenant_id: tenant._id, title, create_time: now, update_time: now };
        await store[kind.collection].insertOne(row);
        return { json: row, text: `Created the ${kind.noun} ${title}: ${row._id}` };
      }),
    );
  resources
    .command('rename')
    .description('Change the title.')
    .argument(`<${kind.noun}>`, 'id or exact title')
    .argument('<title>', 'the new title', titleOf())
    .action(
      inTenant(async (at, wanted: string, title: string) => {
        const row = await find<TitledRow>(at, kind, wanted);
        const set = { title, update_time: at.now };
        await at.store[kind.collection].updateOne({ _id: row._id, tenant_id: row.tenant_id }, { $set: set });
        return { json: { ...row, ...set }, text: `Renamed the ${kind.noun} ${row._id}: ${row.title} → ${title}` };
      }),
    );
  resources
    .command('delete')
    .description('Delete one that nothing refers to.')
    .argument(`<${kind.noun}>`, 'id or exact title')
    .action(
      inTenant(async (at, wanted: string) => {
        const row = await find<TitledRow>(at, kind, wanted);
        const users = await user(at, resource, row._id);
        if (users)
          refuse(`The ${kind.noun} ${row.title} (${row._id}) is used by ${users}. Give them another one first.`);
        await at.store[kind.collection].deleteOne({ _id: row._id, tenant_id: row.tenant_id });
        return { json: row, text: `Deleted the ${kind.noun} ${row.title} (${row._id}).` };
      }),
    );
  return resources;
}
