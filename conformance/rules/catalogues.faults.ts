/** Faults that the rules of catalogues.rules.ts must catch. */

import { accepts, answers, counted, drop, isAbsent, keyed, rows, showing } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';
import { UNKNOWN_ID } from './shared/calls.ts';

const TYPES = ['listDocumentTypes', 'listDocumentCategories', 'listDocumentTemplates'] as const;

export const faults: readonly Fault[] = faultsOf({
  'DT-6': {
    'dt-templates-of-hidden-types': [
      'templates of types out of view are listed',
      keyed('listDocumentTemplates', 'restricted_owner', 'full'),
    ],
    'dt-hidden-listed': ['types that the owner may not see are listed', keyed(TYPES, 'restricted_owner', 'full')],
  },
  'DT-11': {
    'dt-version-zero': [
      'versions of templates are counted from 0',
      rows('listDocumentTemplates', (list) => list.map((one) => ({ ...one, version: one.version - 1 }))),
    ],
    'dt-unknown-template': [
      'an unknown version shows the newest',
      accepts('getDocumentTemplate', isAbsent, { document_template: { id: UNKNOWN_ID } }),
    ],
  },
  'DT-16': {
    'dt-parent-of-nobody': [
      'categories have a parent that does not exist',
      rows('listDocumentCategories', (list) => list.map((one) => ({ ...one, parent_id: one.parent_id && UNKNOWN_ID }))),
    ],
    'dt-template-of-another-type': [
      'types name the template of another one',
      rows('listDocumentTypes', (list) => {
        const [first, ...others] = list.map(({ template_id }) => template_id).filter(Boolean);
        const next = new Map([first, ...others].map((id, n) => [id, [...others, first][n]]));
        return list.map((one) => ({ ...one, template_id: next.get(one.template_id) ?? '' }));
      }),
    ],
    'dt-category-of-template': [
      'templates have no category',
      rows('listDocumentTemplates', (list) => list.map((one) => ({ ...one, category_id: '' }))),
    ],
  },
  'DT-17': {
    'dt-upload-for-api': [
      'allow_api shows whether a type takes uploads',
      rows('listDocumentTypes', (list) => list.map((one) => ({ ...one, allow_api: one.allow_upload }))),
    ],
    'dt-all-active': [
      'archived types are shown as active',
      rows('listDocumentTypes', (list) => list.map((one) => ({ ...one, status: 'ACTIVE' }))),
    ],
  },
  'LOGIN-4': {
    'login-off-listed': ['a method that is off is listed', showing('listLoginMethods', 'items.0.enabled', false)],
    'login-no-type': ['a login method has no type', answers('listLoginMethods', drop('items[].type'))],
    'login-slug-spelling': [
      'a slug is in lower case',
      showing('listLoginMethods', 'items[].slug', (slug) => slug.toLowerCase()),
    ],
    'login-slug-twice': ['a slug is listed twice', rows('listLoginMethods', (list) => [...list, list[0]])],
    'login-unstable': [
      'a slug changes from call to call',
      answers('listLoginMethods', (json, _asked, memory) => {
        json.items[0].slug += String(counted(memory));
      }),
    ],
    'login-unordered': ['login methods come in another order', rows('listLoginMethods', (list) => list.toReversed())],
  },
});
