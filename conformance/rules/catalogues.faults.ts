/** Faults that the rules of catalogues.rules.ts must catch. */
import {
  accepts,
  acceptsReason,
  answers,
  type Json,
  keyed,
  queries,
  refuses,
  rows,
  without,
} from '../mutation/alter.ts';
import { isLater } from '../mutation/alter-lists.ts';
import { changedQueryValue } from '../mutation/alter-requests.ts';
import type { Fault } from '../mutation/fault.ts';

const KEY = 'INTEGRATION.API_KEY_INVALID';

const TYPES = ['listDocumentTypes', 'listDocumentCategories', 'listDocumentTemplates'] as const;

const INVALID = 'INVALID_ARGUMENT';

const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

export const faults: readonly Fault[] = [
  {
    id: 'dt-field-lost',
    rule: 'DT-1',
    breaks: 'a type has no subject_type',
    alter: rows('listDocumentTypes', (list) => list.map(({ subject_type, ...one }: Json) => one)),
  },
  {
    id: 'dt-text-boolean',
    rule: 'DT-1',
    breaks: 'allow_api is a text',
    alter: rows('listDocumentTypes', (list) => list.map((one: Json) => ({ ...one, allow_api: String(one.allow_api) }))),
  },
  {
    id: 'dt-default-50',
    rule: 'DT-2',
    breaks: 'without limit a page has ten types',
    alter: queries('listDocumentTypes', (query) => {
      if (!query.has('limit')) query.set('limit', '10');
    }),
  },
  {
    id: 'dt-limit-refused',
    rule: 'DT-3',
    breaks: 'a limit above the maximum is refused',
    alter: refuses(
      TYPES,
      INVALID,
      (asked) => /limit=\d{4,}/.test(asked.target) && !asked.target.includes('limit=1000'),
    ),
  },
  {
    id: 'dt-malformed-token',
    rule: 'DT-4',
    breaks: 'a malformed token means the first page',
    alter: acceptsReason(INVALID, TYPES),
  },
  {
    id: 'dt-category-first-only',
    rule: 'DT-5',
    breaks: 'of several categories the first counts',
    alter: queries('listDocumentTypes', (query) => {
      const [first] = query.getAll('category_id');
      if (first) query.set('category_id', first);
    }),
  },
  {
    id: 'dt-category-on-first-page-only',
    rule: 'DT-5',
    breaks: 'later pages have types of other categories',
    alter: rows('listDocumentTypes', (list, _json, asked) =>
      isLater(asked) ? list.map((one) => ({ ...one, id: UNKNOWN })) : list,
    ),
  },
  {
    id: 'dt-category-ignored',
    rule: 'DT-5',
    breaks: 'the category filter does nothing',
    alter: without(TYPES, 'category_id'),
  },
  {
    id: 'dt-templates-of-hidden-types',
    rule: 'DT-6',
    breaks: 'templates of types out of view are listed',
    alter: keyed('listDocumentTemplates', 'restricted_owner', 'full'),
  },
  {
    id: 'dt-hidden-listed',
    rule: 'DT-6',
    breaks: 'types that the owner may not see are listed',
    alter: keyed(TYPES, 'restricted_owner', 'full'),
  },
  {
    id: 'dt-type-twice',
    rule: 'DT-7',
    breaks: 'a type is listed twice',
    alter: rows('listDocumentTypes', (list) => [...list, ...list.slice(0, 1)]),
  },
  {
    id: 'dt-token-unbound',
    rule: 'DT-8',
    breaks: 'a token is taken with another category',
    alter: acceptsReason(INVALID, TYPES),
  },
  { id: 'dt-odd-limit', rule: 'DT-9', breaks: 'an odd limit means the default', alter: acceptsReason(INVALID, TYPES) },
  {
    id: 'dt-other-tenant',
    rule: 'DT-10',
    breaks: 'catalogues of another tenant are shown',
    alter: keyed([...TYPES, 'getDocumentTemplate'], 'any', 'other_tenant'),
  },
  {
    id: 'dt-template-differs',
    rule: 'DT-11',
    breaks: 'a template read alone has another title',
    alter: answers('getDocumentTemplate', (json) => {
      json.document_template.title += '.';
    }),
  },
  {
    id: 'dt-unknown-template',
    rule: 'DT-12',
    breaks: 'an unknown version shows the newest',
    alter: accepts('getDocumentTemplate', (answer) => answer.status === 404, { document_template: { id: UNKNOWN } }),
  },
  {
    id: 'dt-version-any-number',
    rule: 'DT-13',
    breaks: 'a version in any notation of numbers counts',
    alter: changedQueryValue('version', (value) =>
      value.trim() !== '' && Number.isInteger(Number(value)) && Number(value) > 0 ? String(Number(value)) : value,
    ),
  },
  {
    id: 'dt-odd-version',
    rule: 'DT-13',
    breaks: 'a version that is no number is overlooked',
    alter: acceptsReason(INVALID, 'getDocumentTemplate'),
  },
  {
    id: 'dt-type-filter-ignored',
    rule: 'DT-14',
    breaks: 'templates are not filtered by type',
    alter: without('listDocumentTemplates', 'type_id'),
  },
  {
    id: 'dt-unknown-parameter',
    rule: 'DT-15',
    breaks: 'an unknown parameter is overlooked',
    alter: acceptsReason(INVALID),
  },
  {
    id: 'login-no-type',
    rule: 'LOGIN-1',
    breaks: 'a login method has no type',
    alter: answers('listLoginMethods', (json) => {
      for (const one of json.items) delete one.type;
    }),
  },
  {
    id: 'login-needs-scope',
    rule: 'LOGIN-2',
    breaks: 'a key without scopes may not read it',
    alter: refuses('listLoginMethods', 'SCOPE_INSUFFICIENT'),
  },
  {
    id: 'login-bad-key',
    rule: 'LOGIN-3',
    breaks: 'a bad key may read it',
    alter: acceptsReason(KEY, 'listLoginMethods'),
  },
  {
    id: 'login-slug-spelling',
    rule: 'LOGIN-4',
    breaks: 'a slug is in lower case',
    alter: answers('listLoginMethods', (json) => {
      for (const one of json.items) one.slug = one.slug.toLowerCase();
    }),
  },
  {
    id: 'login-slug-twice',
    rule: 'LOGIN-5',
    breaks: 'a slug is listed twice',
    alter: rows('listLoginMethods', (list) => [...list, list[0]]),
  },
  {
    id: 'login-unstable',
    rule: 'LOGIN-5',
    breaks: 'a slug changes from call to call',
    alter: answers('listLoginMethods', (json, _asked, memory) => {
      const n = Number(memory.notes.get('n') ?? 0) + 1;
      memory.notes.set('n', n);
      json.items[0].slug += String(n);
    }),
  },
  {
    id: 'login-off-listed',
    rule: 'LOGIN-6',
    breaks: 'a method that is off is listed',
    alter: answers('listLoginMethods', (json) => {
      json.items[0].enabled = false;
    }),
  },
  {
    id: 'login-unordered',
    rule: 'LOGIN-7',
    breaks: 'login methods come in another order',
    alter: rows('listLoginMethods', (list) => list.toReversed()),
  },
];
