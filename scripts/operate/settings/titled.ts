/** `settings organizations`, `job-titles` and `locations`: rows that consist of a tenant and a title. */
import { randomUUID } from 'node:crypto';
import { refuse } from '../../../conformance/command-line.ts';
import type { TitledRow } from '../../../handlers/data/collection.ts';
import { type Column, command, type Group, listing, type TenantContext, take } from './command.ts';
import { kinds, row } from './lookup.ts';
import { rowShape } from './shape.ts';
import { count, shown, title } from './values.ts';

const columns: readonly Column<TitledRow>[] = [
  ['TITLE', ({ title }) => title],
  ['CREATED', ({ create_time }) => shown(create_time)],
  ['ID', ({ _id }) => _id, 'id'],
];

const json = rowShape<TitledRow>()('title', 'create_time', 'update_time');

interface Resource {
  readonly name: string;
  readonly kind: (typeof kinds)['organization' | 'job_title' | 'location'];
  readonly about: string;
  readonly example: string;
  /** The field of employees (and, for organisations, of departments) that refers to such a row. */
  readonly reference: 'organization_id' | 'job_title_id' | 'location_id';
}

/** Which collections may refer to the row. */
async function user(
  { store, tenant }: TenantContext,
  reference: Resource['reference'],
  id: string,
): Promise<string | null> {
  const filter = { tenant_id: tenant._id, [reference]: id };
  if (await store.employees.findOne(filter, { projection: { _id: 1 } }))
    return 'employees (drafts and deleted ones count)';
  if (reference !== 'organization_id') return null;
  return (await store.departments.findOne(filter, { projection: { _id: 1 } })) ? 'departments' : null;
}

function titled({ name, kind, about, example, reference }: Resource): Group {
  const { noun, collection } = kind;
  return {
    about: `${about} A rename does not change update_time of an employee.`,
    examples: [
      `${name} list`,
      `${name} create "${example}"`,
      `${name} rename "${example}" "${example} 2"`,
      `${name} delete ID`,
    ],
    commands: {
      list: command({
        about: `List the ${name.replace('-', ' ')} of the tenant by title.`,
        reads: true,
        json,
        takes: { limit: take.defaulting(count(), 'the maximum number', 1000) },
        async run({ store, tenant }, { limit }) {
          const rows = store[collection].find({ tenant_id: tenant._id }).sort({ title: 1, _id: 1 }).limit(limit);
          return listing(await rows.toArray(), columns);
        },
      }),
      create: command({
        about: 'Create one; several may have the same title.',
        json,
        takes: { title: take.argument(title(), 'its title') },
        async run({ store, tenant, now }, { title }) {
          const times = { create_time: now, update_time: now };
          const row: TitledRow = { _id: randomUUID(), tenant_id: tenant._id, title, ...times };
          await store[collection].insertOne(row);
          return { of: row, text: `Created the ${noun} ${title}: ${row._id}` };
        },
      }),
      rename: command({
        about: 'Change the title.',
        json,
        takes: { row: take.argument(row(kind)), title: take.argument(title(), 'the new title') },
        async run({ store, now }, { row, title }) {
          const set = { title, update_time: now };
          await store[collection].updateOne({ _id: row._id, tenant_id: row.tenant_id }, { $set: set });
          return { of: { ...row, ...set }, text: `Renamed the ${noun} ${row._id}: ${row.title} → ${title}` };
        },
      }),
      delete: command({
        about: 'Delete one that nothing refers to.',
        json,
        takes: { row: take.argument(row(kind)) },
        async run(at, { row }) {
          const users = await user(at, reference, row._id);
          if (users) refuse(`The ${noun} ${row.title} (${row._id}) is used by ${users}. Give them another one first.`);
          await at.store[collection].deleteOne({ _id: row._id, tenant_id: row.tenant_id });
          return { of: row, text: `Deleted the ${noun} ${row.title} (${row._id}).` };
        },
      }),
    },
  };
}

export const organizations = titled({
  name: 'organizations',
  kind: kinds.organization,
  about: 'Legal entities that employ.',
  example: 'ТОО «Тұлпар Логистика»',
  reference: 'organization_id',
});

export const jobTitles = titled({
  name: 'job-titles',
  kind: kinds.job_title,
  about: 'Job titles.',
  example: 'Бухгалтер',
  reference: 'job_title_id',
});

export const locations = titled({
  name: 'locations',
  kind: kinds.location,
  about: 'Work locations.',
  example: 'Алматы, головной офис',
  reference: 'location_id',
});
