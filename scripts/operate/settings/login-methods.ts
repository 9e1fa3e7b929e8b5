/** `settings login-methods`: the methods by which the tenant's people sign in. */
import { randomUUID } from 'node:crypto';
import type { LoginMethodRow } from '../../../handlers/data/collections/login_methods.ts';
import { invalid, refuse } from '../../kit/command-line.ts';
import { type Column, command, type Group, take, type ValueType } from './command.ts';
import { kinds, listOf, removeRow, row, setFields } from './lookup.ts';
import { same } from './shape.ts';
import { title } from './values.ts';

const columns: readonly Column<LoginMethodRow>[] = [
  ['SLUG', 'slug'],
  ['ENABLED', ({ enabled }) => (enabled ? 'yes' : 'no')],
  ['TYPE', 'type'],
  ['TITLE', 'title'],
];

const json = same('slug', 'title', 'type', 'enabled');

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
    async run(at, { method }) {
      const of = await setFields(at, 'login_methods', method, { enabled });
      return { of, text: `${enabled ? 'Enabled' : 'Disabled'} the login method ${of.slug}.` };
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
    list: listOf(
      'login_methods',
      'List the login methods of the tenant, disabled ones included.',
      { slug: 1 },
      json,
      columns,
    ),
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
      async run(at, { method }) {
        await removeRow(at, 'login_methods', method);
        return { of: method, text: `Removed the login method ${method.slug}.` };
      },
    }),
  },
};
