/** `settings audit`: who changed or exported what in the settings. */
import type { AuditEntryRow } from '../../../handlers/data/collections/audit_entries.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { type Column, commandForAllTenants, type Group, listing, take } from './command.ts';
import { rowShape, type Shape, same } from './shape.ts';
import { instant, limitOf, text } from './values.ts';

const columns: readonly Column<AuditEntryRow>[] = [
  ['AT', 'at'],
  ['OPERATOR', 'operator'],
  ['COMMAND', 'command'],
  ['OUTCOME', 'outcome'],
  ['ABOUT', ({ about, results }) => [...new Set([...Object.values(about), ...results])].join(' '), 'id'],
  ['FIELDS', 'fields'],
  ['ID', '_id', 'id'],
];

const json: Shape<AuditEntryRow> = {
  ...rowShape('at', 'ended_at', 'command', 'outcome', 'operator', 'os_user', 'host', 'pid'),
  tenant: ({ tenant_id }) => tenant_id,
  ...same('about', 'results', 'fields'),
};

export const audit: Group = {
  about: 'The audit log: every command that changed or exported something, who gave it, and how it ended.',
  examples: ['audit list', 'audit list --tenant "Тұлпар" --since 2026-01-01T00:00:00+05:00 --json'],
  commands: {
    list: commandForAllTenants({
      about: 'List entries, newest first, of all tenants or of the one that --tenant names.',
      reads: true,
      json,
      takes: {
        since: take.optional(instant, 'only entries from this time on'),
        command: take.optional(text('name'), 'only of this command, such as "keys revoke"'),
        limit: limitOf(100),
      },
      note: `
An entry holds ids and names of options, never values. BEGUN: the tool was killed, and what it names may be changed.
Of a tenant that was deleted, --tenant takes the id. Entries are kept for three years.`,
      examples: ['audit list --limit 20', 'audit list --command "keys create" --since 2026-01-01T00:00:00Z'],
      async run({ store, namedTenant }, { since, command, limit }) {
        const rows = store.audit_entries.find({
          at: { $gte: since ?? new Date(0) },
          ...(namedTenant && { tenant_id: await idOfNamed(store, namedTenant) }),
          ...(command && { command }),
        });
        return listing(await rows.sort({ at: -1 }).limit(limit).toArray(), columns);
      },
    }),
  },
};

/** The id of the tenant with this name; an id stays one, also if its tenant is gone. */
async function idOfNamed({ tenants }: Store, named: string): Promise<string> {
  return (await tenants.findOne({ name: named }))?._id ?? named;
}
