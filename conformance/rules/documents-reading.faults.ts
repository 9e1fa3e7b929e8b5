/** Faults that the rules of documents-reading.rules.ts must catch. */

import { rows, without } from '../mutation/alter.ts';
import { changedQueryValue } from '../mutation/alter-requests.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const LIST = 'listDocuments';

export const faults: readonly Fault[] = faultsOf({
  'DREAD-6': {
    'read-search-any-letter': [
      'search is a regular expression',
      rows('listDocuments', (list, _json, asked) => {
        const text = new URLSearchParams(asked.target.split('?')[1]).get('search');
        return text === null
          ? list
          : list.filter((one) => {
              try {
                return new RegExp(text, 'i').test(`${one.title}\n${one.number}`);
              } catch {
                return false;
              }
            });
      }),
    ],
    'read-search-final-sigma': [
      'search tells a final sigma from another',
      changedQueryValue('search', (text) => text.replaceAll('ς', '!')),
    ],
    'read-search-repeated': [
      'search takes more than three equal letters for three',
      changedQueryValue('search', (text) => text.replace(/(.)\1{3,}/giu, '$1$1$1')),
    ],
    'read-search-kazakh': [
      'search keeps the case of letters beyond Russian',
      changedQueryValue('search', (text) => text.replaceAll('қ', '!')),
    ],
    'read-search-across': [
      'search finds what begins in the title and ends in the number',
      async (asked, forward) => {
        const [path, query] = asked.target.split('?', 2);
        const text = new URLSearchParams(query).get('search') ?? '';
        const at = asked.operation === LIST ? text.indexOf('№-') : 0;
        if (at <= 0) return forward(asked);
        return forward({ ...asked, target: `${path}?search=${encodeURIComponent(text.slice(at))}` });
      },
    ],
    'read-search-ignored': ['search does nothing', without(LIST, 'search')],
    'read-search-pattern': [
      'a point in search matches any character',
      changedQueryValue('search', (text) => text.slice(0, 1)),
    ],
  },
});
