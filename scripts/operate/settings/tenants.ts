/** `settings tenants`: the customers, their feature flag and time zone. */
import { randomUUID } from 'node:crypto';
import type { TenantRow } from '../../../handlers/data/collections/tenants.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { switchFlag } from '../../../handlers/employees/write/tenant-flag.ts';
import { prepareStore } from '../../../handlers/prepare-store.ts';
import { refuse } from '../../kit/command-line.ts';
import { type Column, commandForAllTenants, type Group, listing, take } from './command.ts';
import { deletionOfTenant, exportOfTenant } from './leaving.ts';
import { tenant } from './lookup.ts';
import { rowShape } from './shape.ts';
import { onOrOff, timeZone, title, withoutUndefined } from './values.ts';

const columns: readonly Column<TenantRow>[] = [
  ['NAME', 'name'],
  ['FLAG', ({ developer_api_enabled }) => (developer_api_enabled ? 'on' : 'off')],
  ['TIME ZONE', 'time_zone'],
  ['ID', '_id', 'id'],
];

const json = rowShape('name', 'developer_api_enabled', 'time_zone', 'create_time', 'update_time');

const FLAG = 'the feature flag of the interface';
const ZONE = 'decides what "today" is';

async function mustBeFree(store: Store, name: string): Promise<void> {
  const other = await store.tenants.findOne({ $or: [{ name }, { _id: name }] });
  if (other) refuse(`There is a tenant "${name}" already (${other._id}). Take another name.`);
}

export const tenants: Group = {
  about: 'Tenants: name, feature flag, time zone.',
  examples: ['tenants list', 'tenants create "Тұлпар" --time-zone Asia/Almaty', 'tenants update "Тұлпар" --flag off'],
  commands: {
    list: commandForAllTenants({
      about: 'List all tenants.',
      reads: true,
      json,
      run: async ({ store }) => listing(await store.tenants.find({}).sort({ name: 1 }).toArray(), columns),
    }),
    create: commandForAllTenants({
      about: 'Create a tenant. Its feature flag is on by default.',
      json,
      takes: {
        name: take.argument(title('name'), 'its name'),
        flag: take.defaulting(onOrOff, FLAG, true),
        time_zone: take.defaulting(timeZone, ZONE, 'Asia/Almaty'),
      },
      examples: ['tenants create "Тұлпар"', 'tenants create Trial --flag off --time-zone Europe/Berlin'],
      async run({ store, now }, { name, flag, time_zone }) {
        await mustBeFree(store, name);
        await prepareStore(store);
        const row: TenantRow = {
          _id: randomUUID(),
          name,
          developer_api_enabled: flag,
          time_zone,
          create_time: now,
          update_time: now,
        };
        await store.tenants.insertOne(row);
        return { of: row, text: `Created the tenant ${name}: ${row._id}` };
      },
    }),
    export: exportOfTenant,
    delete: deletionOfTenant,
    update: commandForAllTenants({
      about: 'Change the name, the feature flag or the time zone. The change applies to the next request.',
      json,
      takes: {
        tenant: take.argument(tenant),
        name: take.optional(title('name'), 'a new name'),
        flag: take.optional(onOrOff, FLAG),
        time_zone: take.optional(timeZone, ZONE),
      },
      lacking: 'Say what to change: --name, --flag or --time-zone.',
      examples: ['tenants update Trial --flag on', 'tenants update Trial --name "Trial 2026" --time-zone UTC'],
      async run({ store, now }, { tenant, flag, ...given }) {
        const set = withoutUndefined(given);
        if (set.name !== undefined && set.name !== tenant.name) await mustBeFree(store, set.name);
        const switched = flag === undefined ? tenant : await switchFlag(store, tenant, flag, now);
        const row = { ...switched, ...set, update_time: now };
        await store.tenants.updateOne({ _id: tenant._id }, { $set: { ...set, update_time: now } });
        const state = `flag ${row.developer_api_enabled ? 'on' : 'off'}, time zone ${row.time_zone}`;
        return { of: row, text: `The tenant ${row.name} (${row._id}): ${state}.` };
      },
    }),
  },
};
