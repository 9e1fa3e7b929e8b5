/** `settings users`: the users who may own keys, and what each of them sees. */

import type { UserRow } from '../../../handlers/data/collections/users.ts';
import { refuse } from '../../kit/command-line.ts';
import { userRow } from '../../world/tenant.ts';
import { type Column, command, type Group, type TenantContext, take, type ValueType } from './command.ts';
import { find, kinds, listOf, newRow, row, rowsOf, setFields } from './lookup.ts';
import { NARROWEST, profileFrom, profileLine, profileOptions } from './profile.ts';
import { rowShape } from './shape.ts';
import { onOrOff, title, withoutUndefined } from './values.ts';

const columns: readonly Column<UserRow>[] = [
  ['LABEL', 'label'],
  ['SUPER', 'super_admin'],
  ['EMPLOYEE', 'employee_id'],
  ['REMOVED', 'removed_at'],
  ['ID', '_id', 'id'],
  ['PROFILE', ({ profile }) => profileLine(profile)],
];

const json = rowShape('label', 'employee_id', 'super_admin', 'profile', 'removed_at', 'create_time', 'update_time');

/** The id of the employee that the user is; `''` for `none`, a user who is not an employee. */
const employeeId: ValueType<string> = {
  placeholder: 'employee',
  async resolve(at, text) {
    if (text === 'none') return '';
    const { _id, deleted_at } = await find(at, kinds.employee, text);
    if (deleted_at !== null) refuse(`The employee ${_id} is deleted. Take another one, or none.`);
    return _id;
  },
};

async function mustBeFree(at: TenantContext, label: string): Promise<void> {
  const [other] = await rowsOf(at, 'users', { label });
  if (other) refuse(`There is a user "${label}" already (${other._id}). Take another label.`);
}

async function save(at: TenantContext, row: UserRow, set: Partial<UserRow>, text: string) {
  return { of: await setFields(at, 'users', row, { ...set, update_time: at.now }), text };
}

const user = take.argument(row(kinds.user));

export const users: Group = {
  about: 'Users: the owners of keys, with the permission profile that decides what their keys see.',
  examples: [
    'users list',
    'users create "HR robot" --employees all --documents all',
    'users create "Team lead" --employee 000123 --employees reports self --hide persons.iin,persons.phone',
    'users update "HR robot" --employees departments:DEPARTMENT_ID --hide persons.iin',
    'users remove "HR robot"',
  ],
  commands: {
    list: listOf('users', 'List the users of the tenant, removed ones included.', { _id: 1 }, json, columns),
    create: command({
      about: 'Create a user. Without flags it sees only itself and its own documents.',
      json,
      takes: {
        label: take.argument(title('label'), 'name of the user'),
        employee_id: take.optional(employeeId, 'the user’s employee: id or personnel number'),
        super_admin: take.defaulting(onOrOff, 'whether keys that the user creates may have ingest:write', false),
        ...profileOptions,
      },
      examples: [
        'users create Administrator --super-admin on --employees all --documents all',
        'users create "Team lead" --employee 000123 --employees reports self --hide persons.birth_date',
      ],
      async run(at, { label, employee_id = '', super_admin, ...flags }) {
        await mustBeFree(at, label);
        const profile = await profileFrom(at, NARROWEST, flags);
        const row = userRow({ ...newRow(at), label, employee_id, super_admin, profile });
        await at.store.users.insertOne(row);
        return { of: row, text: `Created the user ${label}: ${row._id}\n${profileLine(row.profile)}` };
      },
    }),
    update: command({
      about: 'Change a user. What its keys see changes with the next request.',
      json,
      takes: {
        user,
        label: take.optional(title('label'), 'a new label'),
        employee_id: take.optional(employeeId, 'the user’s employee: id or personnel number, or none'),
        super_admin: take.optional(onOrOff, 'whether the user is a super-administrator'),
        ...profileOptions,
      },
      lacking:
        'Say what to change: --label, --employee, --super-admin, --employees, --hide, --documents or --document-types.',
      examples: [
        'users update "Team lead" --employees departments:ID,ID self',
        'users update "Team lead" --employees none --hide persons.iin',
        'users update "Team lead" --super-admin off --employee none',
      ],
      async run(at, { user, label, employee_id, super_admin, ...flags }) {
        if (label !== undefined && label !== user.label) await mustBeFree(at, label);
        const profile = await profileFrom(at, user.profile, flags);
        const set = { ...withoutUndefined({ label, employee_id, super_admin }), profile };
        return save(at, user, set, `Changed the user ${label ?? user.label} (${user._id}).\n${profileLine(profile)}`);
      },
    }),
    remove: command({
      about: 'Remove a user from the tenant: its keys get 401 from the next request on.',
      json,
      takes: { user },
      run: (at, { user }) =>
        save(at, user, { removed_at: user.removed_at ?? at.now }, `Removed the user ${user.label} (${user._id}).`),
    }),
    restore: command({
      about: 'Undo the removal: the keys that are not revoked work again.',
      json,
      takes: { user },
      run: (at, { user }) => save(at, user, { removed_at: null }, `Restored the user ${user.label} (${user._id}).`),
    }),
  },
};
