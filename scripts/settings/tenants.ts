/** `settings tenants`: the customers, their feature flag and time zone. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Store, TenantRow } from '../../handlers/data/store.ts';
import { switchFlag } from '../../handlers/employees/write/switch-flag.ts';
import { prepareStore } from '../../handlers/prepare-store.ts';
import { onOrOff, timeZone, titleOf } from './arguments.ts';
import { type Column, type Context, findTenant, group, withExamples } from './context.ts';
import { misuse, refuse } from './failure.ts';

const columns: readonly Column<TenantRow>[] = [
  ['NAME', ({ name }) => name],
  ['FLAG', ({ developer_api_enabled }) => (developer_api_enabled ? 'on' : 'off')],
  ['TIME ZONE', ({ time_zone }) => time_zone],
  ['ID', ({ _id }) => _id],
];

interface Flags {
  name?: string;
  flag?: boolean;
  timeZone?: string;
}

async function mustBeFree(store: Store, name: string): Promise<void> {
  const other = await store.tenants.findOne({ $or: [{ name }, { _id: name }] });
  if (other) refuse(`There is a tenant "${name}" already (${other._id}). Take another name.`);
}

const answer = (row: TenantRow, text: string) => ({ json: row, text });

export function tenantsCommand({ all, list }: Context): Command {
  const tenants = group('tenants', 'Tenants: name, feature flag, time zone.', [
    'tenants list',
    'tenants create "Тұлпар" --time-zone Asia/Almaty',
    'tenants update "Тұлпар" --flag off',
  ]);
  tenants
    .command('list')
    .description('List all tenants.')
    .action(
      all(async ({ store }) => {
        const rows = await store.tenants.find({}).sort({ name: 1 }).toArray();
        return list(rows, columns, rows);
      }),
    );
  const create = tenants
    .command('create')
    .description('Create a tenant. Its feature flag is on unless told otherwise.')
    .argument('<name>', 'its name', titleOf())
    .option('--flag <on|off>', 'the feature flag of the interface', onOrOff, true)
    .option('--time-zone <zone>', 'decides what "today" is', timeZone, 'Asia/Almaty')
    .action(
      all(async ({ store, now }, name: string, flags: Required<Flags>) => {
        await mustBeFree(store, name);
        await prepareStore(store);
        const row: TenantRow = {
          _id: randomUUID(),
          name,
          developer_api_enabled: flags.flag,
          time_zone: flags.timeZone,
          create_time: now,
          update_time: now,
        };
        await store.tenants.insertOne(row);
        return answer(row, `Created the tenant ${name}: ${row._id}`);
      }),
    );
  withExamples(create, ['tenants create "Тұлпар"', 'tenants create Trial --flag off --time-zone Europe/Berlin']);
  const update = tenants
    .command('update')
    .description('Change the name, the feature flag or the time zone. The very next request obeys.')
    .argument('<tenant>', 'id or exact name')
    .option('--name <name>', 'a new name', titleOf())
    .option('--flag <on|off>', 'the feature flag of the interface', onOrOff)
    .option('--time-zone <zone>', 'decides what "today" is', timeZone)
    .action(
      all(async ({ store, now }, wanted: string, flags: Flags) => {
        const { name, flag, timeZone: zone } = flags;
        if (name === undefined && flag === undefined && zone === undefined) {
          misuse('Say what to change: --name, --flag or --time-zone.');
        }
        const tenant = await findTenant(store, wanted);
        if (name !== undefined && name !== tenant.name) await mustBeFree(store, name);
        const switched = flag === undefined ? tenant : await switchFlag(store, tenant, flag, now);
        const set = { ...(name !== undefined && { name }), ...(zone !== undefined && { time_zone: zone }) };
        const row = { ...switched, ...set, update_time: now };
        await store.tenants.updateOne({ _id: tenant._id }, { $set: { ...set, update_time: now } });
        return answer(
          row,
          `The tenant ${row.name} (${row._id}): flag ${row.developer_api_enabled ? 'on' : 'off'}, time zone ${row.time_zone}.`,
        );
      }),
    );
  withExamples(update, ['tenants update Trial --flag on', 'tenants update Trial --name "Trial 2026" --time-zone UTC']);
  return tenants;
}
