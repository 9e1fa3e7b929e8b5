/** `settings login-methods`: the methods by which the tenant's people sign in. */
import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { LoginMethodRow } from '../../handlers/data/store.ts';
import { titleOf } from './arguments.ts';
import { type At, type Column, type Context, group, withExamples } from './context.ts';
import { refuse } from './failure.ts';
import { find, kinds } from './lookup.ts';

const columns: readonly Column<LoginMethodRow>[] = [
  ['SLUG', ({ slug }) => slug],
  ['ENABLED', ({ enabled }) => (enabled ? 'yes' : 'no')],
  ['TYPE', ({ type }) => type],
  ['TITLE', ({ title }) => title],
];

function slugOf(text: string): string {
  if (/^[A-Z][A-Z0-9_]{0,62}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be upper-case Latin letters, digits and _, such as IDP_SAML_SSO.');
}

const method = (at: At, slug: string) => find<LoginMethodRow>(at, kinds.login_method, slug);

async function set(at: At, slug: string, enabled: boolean) {
  const row = await method(at, slug);
  await at.store.login_methods.updateOne({ _id: row._id, tenant_id: row.tenant_id }, { $set: { enabled } });
  return { json: { ...row, enabled }, text: `${enabled ? 'Enabled' : 'Disabled'} the login method ${row.slug}.` };
}

export function loginMethodsCommand({ inTenant, list }: Context): Command {
  const methods = group('login-methods', 'Login methods: the interface lists the enabled ones. Slugs are stable.', [
    'login-methods list',
    'login-methods add EDS_CMS_QR --title "Вход по ЭЦП" --type EDS',
    'login-methods disable EDS_CMS_QR',
  ]);
  methods
    .command('list')
    .description('List the login methods of the tenant, disabled ones included.')
    .action(
      inTenant(async ({ store, tenant }) => {
        const rows = await store.login_methods.find({ tenant_id: tenant._id }).sort({ slug: 1 }).toArray();
        return list(rows, columns, rows);
      }),
    );
  const add = methods
    .command('add')
    .description('Add a login method; it is enabled at once.')
    .argument('<slug>', 'such as OTP_MESSENGER', slugOf)
    .requiredOption('--title <text>', 'what people see', titleOf())
    .requiredOption('--type <text>', 'its kind, such as SAML, EDS or OTP', titleOf(100))
    .action(
      inTenant(async ({ store, tenant }, slug: string, flags: { title: string; type: string }) => {
        if (await store.login_methods.findOne({ tenant_id: tenant._id, slug })) {
          refuse(`The tenant ${tenant.name} has the login method ${slug} already.`);
        }
        const row: LoginMethodRow = {
          _id: randomUUID(),
          tenant_id: tenant._id,
          slug,
          ...{ title: flags.title, type: flags.type },
          enabled: true,
        };
        await store.login_methods.insertOne(row);
        return { json: row, text: `Added the login method ${slug}.` };
      }),
    );
  withExamples(add, ['login-methods add OTP_MESSENGER --title "Код в мессенджере" --type OTP']);
  methods
    .command('enable')
    .description('Enable a login method.')
    .argument('<slug>', 'its slug')
    .action(inTenant((at, slug: string) => set(at, slug, true)));
  methods
    .command('disable')
    .description('Disable a login method; the interface does not list it any more.')
    .argument('<slug>', 'its slug')
    .action(inTenant((at, slug: string) => set(at, slug, false)));
  methods
    .command('remove')
    .description('Remove a login method.')
    .argument('<slug>', 'its slug')
    .action(
      inTenant(async (at, slug: string) => {
        const row = await method(at, slug);
        await at.store.login_methods.deleteOne({ _id: row._id, tenant_id: row.tenant_id });
        return { json: row, text: `Removed the login method ${row.slug}.` };
      }),
    );
  return methods;
}
