/** `settings persons`: the people behind employees. */

import type { PersonRow } from '../../../handlers/data/collections/persons.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { createPerson, updatePerson } from '../../../handlers/employees/write/persons.ts';
import { bindingId } from '../../../handlers/ingest/bindings.ts';
import { FILLERS } from '../../../handlers/ingest/scalars.ts';
import { refuse } from '../../kit/command-line.ts';
import { type Column, command, type Group, listing, type TenantContext, take } from './command.ts';
import { erasureOfPerson, exportOfPerson } from './leaving.ts';
import { kinds, row, rowsOf } from './lookup.ts';
import { rowShape, same } from './shape.ts';
import { limitOf, text, withoutUndefined } from './values.ts';

const columns: readonly Column<PersonRow>[] = [
  ['LAST NAME', 'last_name'],
  ['FIRST NAME', 'first_name'],
  ['MIDDLE NAME', 'middle_name'],
  ['BORN', 'birth_date'],
  ['IIN', 'iin'],
  ['ID', '_id', 'id'],
];

export const personJson = rowShape(
  'first_name',
  'last_name',
  'middle_name',
  'birth_date',
  'iin',
  'personal_email',
  'phone',
  'create_time',
  'update_time',
);

const fields = {
  last_name: take.optional(text(), 'family name'),
  first_name: take.optional(text(), 'given name'),
  middle_name: take.optional(text(), 'patronymic'),
  birth_date: take.optional(text('date'), 'YYYY-MM-DD'),
  iin: take.optional(text('digits'), '12 digits; the checksum is not checked'),
  personal_email: take.optional(text('address'), 'personal e-mail address', 'email'),
  phone: take.optional(text('number'), 'personal telephone number'),
};

type JoinedPerson = Awaited<ReturnType<typeof joinedByFiller>>[number];

/** Persons whom several employments share by a filler IIN: perhaps different people, for somebody to part (D-29). */
async function joinedByFiller(at: TenantContext) {
  const keys = FILLERS.map((externalId) => bindingId(at.tenant._id, { source: 'LEDGER', kind: 'PERSON', externalId }));
  const bound = await rowsOf(at, 'external_bindings', { _id: { $in: keys } });
  const ids = { $in: bound.map(({ object_id }) => object_id) };
  const people = await rowsOf(at, 'persons', { _id: ids }, { sort: { _id: 1 } });
  const employees = await rowsOf(at, 'employees', { person_id: ids, deleted_at: null });
  const ofPerson = Map.groupBy(employees, ({ person_id }) => person_id);
  return people
    .map((person) => {
      const own = (ofPerson.get(person._id) ?? []).map(({ _id: id, employee_number }) => ({ id, employee_number }));
      return { ...person, employees: own };
    })
    .filter(({ employees: own }) => own.length > 1);
}

/** Makes the IIN of before name the person no more (D-29). */
async function endIin(store: Store, { _id: object_id, tenant_id, iin }: PersonRow, former: string): Promise<void> {
  if (former === '' || former === iin) return;
  const _id = bindingId(tenant_id, { source: 'LEDGER', kind: 'PERSON', externalId: former });
  await store.external_bindings.deleteOne({ _id, tenant_id, object_id });
}

const joinedColumns: readonly Column<JoinedPerson>[] = [
  ['EMPLOYEES', ({ employees }) => employees.map(({ id, employee_number }) => employee_number || id).join(', ')],
  ...columns,
];

export const persons: Group = {
  about: 'Persons: names, birth date, IIN, contacts. A change counts as a change of each employment.',
  examples: [
    'persons list --last-name Ахметова',
    'persons create --last-name Ахметова --first-name Айгүл --birth-date 1991-04-02',
    'persons update PERSON_ID --phone +77000000001 --middle-name ""',
    'persons erase PERSON_ID --dry-run',
  ],
  commands: {
    list: command({
      about: 'List persons of the tenant.',
      reads: true,
      json: personJson,
      takes: {
        last_name: take.optional(text(), 'only this family name, exactly'),
        limit: limitOf(50),
      },
      run: async (at, { limit, ...name }) =>
        listing(await rowsOf(at, 'persons', withoutUndefined(name), { sort: { _id: 1 }, limit }), columns),
    }),
    joined: command({
      about: 'List persons that several employees share because of a filler IIN (twelve equal digits) of LEDGER.',
      reads: true,
      json: { ...personJson, employees: ({ employees }: JoinedPerson) => employees },
      run: async (at) => listing(await joinedByFiller(at), joinedColumns),
    }),
    export: exportOfPerson,
    erase: erasureOfPerson,
    create: command({
      about: 'Create a person; a family or given name is needed.',
      json: personJson,
      takes: fields,
      async run({ store, tenant, now }, given) {
        const row = await createPerson(store, tenant._id, withoutUndefined(given), now);
        return { of: row, text: `Created the person ${row.last_name} ${row.first_name}: ${row._id}` };
      },
    }),
    update: command({
      about: 'Change a person; "" clears a field.',
      json: { ...personJson, ...same('changed', 'employments') },
      takes: { person: take.argument(row(kinds.person)), ...fields },
      lacking: 'Say what to change, such as --last-name or --phone.',
      examples: ['persons update PERSON_ID --last-name Омарова', 'persons update PERSON_ID --iin ""'],
      async run({ store, tenant, now }, { person, ...given }) {
        const { _id } = person;
        const updated = await updatePerson(store, tenant._id, _id, withoutUndefined(given), now);
        if (!updated) refuse(`There is no person ${_id} any more.`);
        const { row, changed, employments } = updated;
        if (changed && given.iin !== undefined) await endIin(store, row, person.iin);
        const text = changed
          ? `Changed the person ${_id}; ${employments} employments changed with it.`
          : `Nothing to change in the person ${_id}.`;
        return { of: { ...row, changed, employments }, text };
      },
    }),
  },
};
