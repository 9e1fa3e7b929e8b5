/** `settings persons`: the people behind employees. */
import type { Command } from 'commander';
import type { PersonRow } from '../../handlers/data/store.ts';
import type { PersonFields } from '../../handlers/employees/write/fields.ts';
import { createPerson, updatePerson } from '../../handlers/employees/write/persons.ts';
import { limit } from './arguments.ts';
import { type Column, type Context, group, withExamples } from './context.ts';
import { misuse, refuse } from './failure.ts';
import { find, kinds } from './lookup.ts';

const columns: readonly Column<PersonRow>[] = [
  ['LAST NAME', ({ last_name }) => last_name],
  ['FIRST NAME', ({ first_name }) => first_name],
  ['MIDDLE NAME', ({ middle_name }) => middle_name],
  ['BORN', ({ birth_date }) => birth_date],
  ['IIN', ({ iin }) => iin],
  ['ID', ({ _id }) => _id],
];

interface Flags {
  firstName?: string;
  lastName?: string;
  middleName?: string;
  birthDate?: string;
  iin?: string;
  email?: string;
  phone?: string;
}

/** The given fields; `""` clears one. */
function fieldsOf(flags: Flags): Partial<PersonFields> {
  const given = {
    first_name: flags.firstName,
    last_name: flags.lastName,
    middle_name: flags.middleName,
    birth_date: flags.birthDate,
    iin: flags.iin,
    personal_email: flags.email,
    phone: flags.phone,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function addFields(command: Command): Command {
  return command
    .option('--last-name <text>', 'family name')
    .option('--first-name <text>', 'given name')
    .option('--middle-name <text>', 'patronymic')
    .option('--birth-date <date>', 'YYYY-MM-DD')
    .option('--iin <digits>', '12 digits; the checksum is not checked')
    .option('--email <address>', 'personal e-mail address')
    .option('--phone <number>', 'personal telephone number');
}

export function personsCommand({ inTenant, list }: Context): Command {
  const persons = group(
    'persons',
    'Persons: names, birth date, IIN, contacts. A change counts as a change of each employment.',
    [
      'persons list --last-name Ахметова',
      'persons create --last-name Ахметова --first-name Айгүл --birth-date 1991-04-02',
      'persons update PERSON_ID --phone +77000000001 --middle-name ""',
    ],
  );
  persons
    .command('list')
    .description('List persons of the tenant.')
    .option('--last-name <text>', 'only this family name, exactly')
    .option('--limit <N>', 'at most so many', limit, 50)
    .action(
      inTenant(async ({ store, tenant }, flags: { lastName?: string; limit: number }) => {
        const filter = { tenant_id: tenant._id, ...(flags.lastName !== undefined && { last_name: flags.lastName }) };
        const rows = await store.persons.find(filter).sort({ _id: 1 }).limit(flags.limit).toArray();
        return list(rows, columns, rows);
      }),
    );
  addFields(persons.command('create').description('Create a person; a family or given name is needed.')).action(
    inTenant(async ({ store, tenant, now }, flags: Flags) => {
      const row = await createPerson(store, tenant._id, fieldsOf(flags), now);
      return { json: row, text: `Created the person ${row.last_name} ${row.first_name}: ${row._id}` };
    }),
  );
  const update = addFields(
    persons.command('update').description('Change a person; "" clears a field.').argument('<person>', 'id or IIN'),
  ).action(
    inTenant(async (at, wanted: string, flags: Flags) => {
      const fields = fieldsOf(flags);
      if (Object.keys(fields).length === 0) misuse('Say what to change, such as --last-name or --phone.');
      const { _id } = await find<PersonRow>(at, kinds.person, wanted);
      const updated = await updatePerson(at.store, at.tenant._id, _id, fields, at.now);
      if (!updated) refuse(`There is no person ${_id} any more.`);
      const { row, changed, employments } = updated;
      const text = changed
        ? `Changed the person ${_id}; ${employments} employments changed with it.`
        : `Nothing to change in the person ${_id}.`;
      return { json: { ...row, changed, employments }, text };
    }),
  );
  withExamples(update, ['persons update PERSON_ID --last-name Омарова', 'persons update PERSON_ID --iin ""']);
  return persons;
}
