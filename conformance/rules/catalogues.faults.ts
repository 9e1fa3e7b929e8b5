/** Faults that the rules of catalogues.rules.ts must catch. */
import { answers, counted, keyed } from '../mutation/alter.ts';
import { faultsOf } from '../mutation/fault.ts';

const TYPES = ['listDocumentTypes', 'listDocumentCategories', 'listDocumentTemplates'] as const;

export const faults = faultsOf({
  'DT-6': {
    'dt-templates-of-hidden-types': [
      'templates of types out of view are listed',
      keyed('listDocumentTemplates', 'restricted_owner'),
    ],
    'dt-hidden-listed': ['types that the owner may not see are listed', keyed(TYPES, 'restricted_owner')],
  },
  'LOGIN-4': {
    'login-unstable': [
      'a slug changes from call to call',
      answers('listLoginMethods', (json, _asked, memory) => {
        json.items[0].slug += String(counted(memory));
      }),
    ],
  },
});
