/** `settings users`: the users who may own keys, and what each of them sees. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { UserRow } from '../../handlers/data/store.ts';
import { onOrOff, shown, titleOf } from './arguments.ts';
import { type At, type Column, type Context, group, withExamples } from './context.ts';
import { misuse, refuse } from './failure.ts';
import { find, findUser, kinds } from './lookup.ts';
import {
  addProfileOptions,
  hasProfileFlags,
  NARROWEST,
  type ProfileFlags,
  profileFrom,
  profileLine,
} from './profile.ts';

const columns: readonly Column<UserRow>[] = [
  ['LABEL', ({ label }) => label],
  ['SUPER', ({ super_admin }) => (super_admin ? 'yes' : '')],
  ['EMPLOYEE', ({ employee_id }) => employee_id],
  ['REMOVED', ({ removed_at }) => shown(removed_at)],
  ['ID', ({ _id }) => _id],
  ['PROFILE', ({ profile }) => profileLine(profile)],
];

interface Flags extends ProfileFlags {
  label?: string;
  employee?: string;
  superAdmin?: boolean;
}

/** The id of the employee that the user is; `''` for `none`, a user who is not an employee. */
async function employeeId(at: At, wanted: string): Promise<string> {
  if (wanted === 'none') return '';
  const { _id, deleted_at } = await find<{ _id: string; tenant_id: string; deleted_at: Date | null }>(
    at,
    kinds.employee,
    wanted,
  );
  if (deleted_at !== null) refuse(`The employee ${_id} is deleted. Take another one, or none.`);
  return _id;
}

async function mustBeFree({ store, tenant }: At, label: string): Promise<void> {
  const other = await store.users.findOne({ tenant_id: tenant._id, label });
  if (other) refuse(`There is a user "${label}" already (${other._id}). Take another label.`);
}

async function save({ store, now }: At, row: UserRow, set: Partial<UserRow>, text: string) {
  const changed = { ...set, update_time: now };
  await store.users.updateOne({ _id: row._id, tenant_id: row.tenant_id }, { $set: changed });
  return { json: { ...row, ...changed }, text };
}

export function usersCommand({ inTenant, list }: Context): Command {
  const users = group('users', 'Users: who owns keys, and the permission profile that decides what their keys see.', [
    'users list',
    'users create "HR robot" --employees all --documents all',
    'users create "Team lead" --employee 000123 --employees reports self --hide persons.iin,persons.phone',
    'users update "HR robot" --employees departments:DEPARTMENT_ID --hide persons.iin',
    'users remove "HR robot"',
  ]);
  users
    .command('list')
    .description('List the users of the tenant, removed ones included.')
    .action(
      inTenant(async ({ store, tenant }) => {
        const rows = await store.users.find({ tenant_id: tenant._id }).sort({ _id: 1 }).toArray();
        return list(rows, columns, rows);
      }),
    );
  const create = users
    .command('create')
    .description('Create a user. Without flags it sees only itself and its own documents.')
    .argument('<label>', 'what to call the user', titleOf())
    .option('--employee <employee>', 'the employee that the user is: id or personnel number')
    .option('--super-admin <on|off>', 'whether keys that the user creates may carry ingest:write', onOrOff, false);
  addProfileOptions(create).action(
    inTenant(async (at, label: string, flags: Flags) => {
      await mustBeFree(at, label);
      const row: UserRow = {
        _id: randomUUID(),
        tenant_id: at.tenant._id,
        label,
        employee_id: flags.employee === undefined ? '' : await employeeId(at, flags.employee),
        super_admin: flags.superAdmin ?? false,
        profile: await profileFrom(at, NARROWEST, flags),
        removed_at: null,
        create_time: at.now,
        update_time: at.now,
      };
      await at.store.users.insertOne(row);
      return { json: row, text: `Created the user ${label}: ${row._id}\n${profileLine(row.profile)}` };
    }),
  );
  withExamples(create, [
    'users create Administrator --super-admin on --employees all --documents all',
    'users create "Team lead" --employee 000123 --employees reports self --hide persons.birth_date',
    `users create Robot --profile '{"employees":{"all":true},"hidden_fields":["persons.iin"],"documents":"own"}'`,
  ]);
  const update = users
    .command('update')
    .description('Change a user. What its keys see changes with the very next request.')
    .argument('<user>', 'id or label')
    .option('--label <label>', 'a new label', titleOf())
    .option('--employee <employee>', 'the employee that the user is: id or personnel number, or none')
    .option('--super-admin <on|off>', 'whether the user is a super-administrator', onOrOff);
  addProfileOptions(update).action(
    inTenant(async (at, wanted: string, flags: Flags) => {
      const { label, employee, superAdmin } = flags;
      if (label === undefined && employee === undefined && superAdmin === undefined && !hasProfileFlags(flags)) {
        misuse(
          'Say what to change: --label, --employee, --super-admin, --employees, --hide, --documents, --document-types or --profile.',
        );
      }
      const row = await findUser(at, wanted);
      if (label !== undefined && label !== row.label) await mustBeFree(at, label);
      const set: Partial<UserRow> = {
        ...(label !== undefined && { label }),
        ...(employee !== undefined && { employee_id: await employeeId(at, employee) }),
        ...(superAdmin !== undefined && { super_admin: superAdmin }),
        profile: await profileFrom(at, row.profile, flags),
      };
      return save(
        at,
        row,
        set,
        `Changed the user ${label ?? row.label} (${row._id}).\n${profileLine(set.profile ?? row.profile)}`,
      );
    }),
  );
  withExamples(update, [
    'users update "Team lead" --employees departments:ID,ID self',
    'users update "Team lead" --employees none --hide persons.iin',
    'users update "Team lead" --super-admin off --employee none',
  ]);
  users
    .command('remove')
    .description('Remove a user from the tenant: its keys answer 401 from the next request on.')
    .argument('<user>', 'id or label')
    .action(
      inTenant(async (at, wanted: string) => {
        const row = await findUser(at, wanted);
        return save(at, row, { removed_at: row.removed_at ?? at.now }, `Removed the user ${row.label} (${row._id}).`);
      }),
    );
  users
    .command('restore')
    .description('Undo the removal: the keys that are not revoked work again.')
    .argument('<user>', 'id or label')
    .action(
      inTenant(async (at, wanted: string) => {
        const row = await findUser(at, wanted);
        return save(at, row, { removed_at: null }, `Restored the user ${row.label} (${row._id}).`);
      }),
    );
  return users;
}
