/** Faults that the rules of webhooks-creation.rules.ts must catch. */

import { answers, noted, pretends, put } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const CREATE = 'createWebhookEndpoint';

export const faults: readonly Fault[] = faultsOf({
  'WHK-10': {
    'whk-one-secret': [
      'all endpoints have one secret',
      answers(CREATE, (json, _asked, memory) => put('secret', (secret) => noted(memory, 's', () => secret))(json)),
    ],
    'whk-same-url-once': ['a second endpoint at a URL is the first', pretends(CREATE)],
  },
});
