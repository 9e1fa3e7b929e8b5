/** `settings login-methods`: the methods by which the tenant's people sign in. */
import { randomUUID } from 'node:crypto';
import { invalid, refuse } from '../../../conformance/command-line.ts';
import type { LoginMethodRow } from '../../../handlers/data/collections/login_methods.ts';
import { type Column, command, type Group, listing, take, type ValueType } from './command.ts';
import { kinds, row } from './lookup.ts';
import { same } from './shape.ts';
import { title } from './values.ts';

const columns: readonly Column<LoginMethodRow>[] = [
  ['SLUG', ({ slug }) => slug],
  ['ENABLED', ({ enabled }) => (enabled ? 'yes' : 'no')],
  ['TYPE', ({ type }) => type],
  ['TITLE', ({ title }) => title],
];

const json = same<LoginMethodRow>()('slug', 'title', 'type', 'enabled');

const newSlug: ValueType<string> = {
  placeholder: 'slug',
  read(text) {
    if (/^[A-Z][A-Z0-9_]{0,62}$/.test(text)) return text;
    return invalid('It must be upper-case Latin letters, digits and _, such as IDP_SAML_SSO.');
  },
};

const method = take.argument(row(kinds.login_method));

function switching(about: string, enabled: boolean) {
  return command({
    about,
    json,
    takes: { method },
    async run({ store }, { method: { _id, tenant_id, ...row } }) {
      await store.login_methods.updateOne({ _id, tenant_id }, { $set: { enabled } });
      const text = `${enabled ? 'Enabled' : 'Disabled'} the login method ${row.slug}.`;
      return { of: { _id, tenant_id, ...row, enabled }, text };
    },
  });
}

export const loginMethods: Group = {
  about: 'Login methods: the interface lists the enabled ones. Slugs are stable.',
  examples: [
    'login-methods list',
    'login-methods add EDS_CMS_QR --title "Вход по ЭЦП" --type EDS',
    'login-methods disable EDS_CMS_QR',
  ],
  commands: {
    list: command({
      about: 'List the login methods of the tenant, disabled ones included.',
      reads: true,
      json,
      run: async ({ store, tenant }) =>
        listing(await store.login_methods.find({ tenant_id: tenant._id }).sort({ slug: 1 }).toArray(), columns),
    }),
    add: command({
      about: 'Add a login method; it is enabled immediately.',
      json,
      takes: {
        slug: take.argument(newSlug, 'such as OTP_MESSENGER'),
        title: take.required(title('text'), 'what people see'),
        type: take.required(title('text', 100), 'its kind, such as SAML, EDS or OTP'),
      },
      examples: ['login-methods add OTP_MESSENGER --title "Код в мессенджере" --type OTP'],
      async run({ store, tenant }, { slug, title, type }) {
        if (await store.login_methods.findOne({ tenant_id: tenant._id, slug })) {
          refuse(`The tenant ${tenant.name} has the login method ${slug} already.`);
        }
        const row: LoginMethodRow = { _id: randomUUID(), tenant_id: tenant._id, slug, title, type, enabled: true };
        await store.login_methods.insertOne(row);
        return { of: row, text: `Added the login method ${slug}.` };
      },
    }),
    enable: switching('Enable a login method.', true),
    disable: switching('Disable a login method; the interface does not list it any more.', false),
    remove: command({
      about: 'Remove a login method.',
      json,
      takes: { method },
      async run({ store }, { method }) {
        await store.login_methods.deleteOne({ _id: method._id, tenant_id: method.tenant_id });
        return { of: method, text: `Removed the login method ${method.slug}.` };
      },
    }),
  },
};
