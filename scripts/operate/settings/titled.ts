/** `settings organizations`, `job-titles` and `locations`: rows that consist of a tenant and a title. */
import type { TitledRow } from '../../../handlers/data/collection.ts';
import { refuse } from '../../kit/command-line.ts';
import { type Column, command, type Group, type TenantContext, take } from './command.ts';
import { insertTitled, kinds, listOf, newRow, removeRow, row, rowsOf, setFields } from './lookup.ts';
import { rowShape } from './shape.ts';
import { title } from './values.ts';

const columns: readonly Column<TitledRow>[] = [
  ['TITLE', 'title'],
  ['CREATED', 'create_time'],
  ['ID', '_id', 'id'],
];

const json = rowShape('title', 'create_time', 'update_time');

/** Such a kind; employees (and, for organizations, departments) refer to its rows by the field of its name. */
type TitledKind = 'organization' | 'job_title' | 'location';

/** Which collections may refer to the row. */
async function user(at: TenantContext, kind: TitledKind, id: string): Promise<string | null> {
  const filter = { [`${kind}_id`]: id };
  const options = { projection: { _id: 1 }, limit: 1 };
  if ((await rowsOf(at, 'employees', filter, options)).length > 0) return 'employees (drafts and deleted ones count)';
  if (kind !== 'organization') return null;
  return (await rowsOf(at, 'departments', filter, options)).length > 0 ? 'departments' : null;
}

function titled(kind: TitledKind, about: string, example: string): Group {
  const { noun, collection } = kinds[kind];
  const name = collection.replace('_', '-');
  return {
    about: `${about} A rename does not change update_time of an employee.`,
    examples: [
      `${name} list`,
      `${name} create "${example}"`,
      `${name} rename "${example}" "${example} 2"`,
      `${name} delete ID`,
    ],
    commands: {
      list: listOf(
        collection,
        `List the ${name.replace('-', ' ')} of the tenant by title.`,
        { title: 1, _id: 1 },
        json,
        columns,
        1000,
      ),
      create: command({
        about: 'Create one; several may have the same title.',
        json,
        takes: { title: take.argument(title(), 'its title') },
        run: (at, { title }) => insertTitled(at, kinds[kind], { ...newRow(at), title }),
      }),
      rename: command({
        about: 'Change the title.',
        json,
        takes: { row: take.argument(row(kinds[kind])), title: take.argument(title(), 'the new title') },
        async run(at, { row, title }) {
          const of = await setFields(at, collection, row, { title, update_time: at.now });
          return { of, text: `Renamed the ${noun} ${row._id}: ${row.title} → ${title}` };
        },
      }),
      delete: command({
        about: 'Delete one that nothing refers to.',
        json,
        takes: { row: take.argument(row(kinds[kind])) },
        async run(at, { row }) {
          const users = await user(at, kind, row._id);
          if (users) refuse(`The ${noun} ${row.title} (${row._id}) is used by ${users}. Give them another one first.`);
          await removeRow(at, collection, row);
          return { of: row, text: `Deleted the ${noun} ${row.title} (${row._id}).` };
        },
      }),
    },
  };
}

export const organizations = titled('organization', 'Legal entities that employ.', 'ТОО «Тұлпар Логистика»');
export const jobTitles = titled('job_title', 'Job titles.', 'Бухгалтер');
export const locations = titled('location', 'Work locations.', 'Алматы, головной офис');
