/** Faults that the rules of webhooks-creation.rules.ts must catch. */

import { accepts, answers, noted, parse, pretends, put, refuses, showing } from '../mutation/alter.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';
import { UNKNOWN_ID } from './shared/calls.ts';

const CREATE = 'createWebhookEndpoint';

const ENDPOINT = { webhook_endpoint: { id: UNKNOWN_ID }, secret: 'x' };

const madeUp = accepts(CREATE, (answer) => answer.status === 400, ENDPOINT);

export const faults: readonly Fault[] = faultsOf({
  'WHK-1': {
    'whk-one-type-lost': [
      'one event type cannot be subscribed',
      refuses(CREATE, 'INVALID_ARGUMENT', (asked) => asked.body.includes('person.changed')),
    ],
    'whk-born-disabled': [
      'a new endpoint is not ACTIVE',
      showing(CREATE, 'webhook_endpoint.status', 'WEBHOOK_ENDPOINT_STATUS_DISABLED'),
    ],
  },
  'WHK-2': {
    'whk-http': ['http URLs are accepted', madeUp],
  },
  'WHK-3': {
    'whk-private': ['private addresses are accepted', madeUp],
    'whk-private-octal': [
      'a private address in another notation is accepted',
      accepts(
        CREATE,
        (answer, asked) => answer.status === 400 && /0x|\/\/0\d|\/\/\d{6,}/.test(asked.body.toString()),
        ENDPOINT,
      ),
    ],
  },
  'WHK-4': {
    'whk-private-names': ['names that lead nowhere are accepted', madeUp],
  },
  'WHK-9': {
    'whk-secret-in-test': [
      '_test repeats the secret',
      answers(['testWebhookEndpoint', 'deleteWebhookEndpoint'], (json, _asked, memory) => {
        json.secret = parse(memory.successes.get(CREATE)?.body ?? Buffer.from('{}')).secret;
      }),
    ],
  },
  'WHK-10': {
    'whk-one-secret': [
      'all endpoints have one secret',
      answers(CREATE, (json, _asked, memory) => put('secret', (secret) => noted(memory, 's', () => secret))(json)),
    ],
    'whk-short-secret': [
      'of a secret twelve bytes are random',
      showing(CREATE, 'secret', (secret) => secret.slice(0, 22) + 'A'.repeat(27)),
    ],
    'whk-same-url-once': ['a second endpoint at a URL is the first', pretends(CREATE)],
  },
  'WHK-18': {
    'whk-any-port': ['low ports are accepted', madeUp],
  },
  'WHK-28': {
    'whk-url-as-given': [
      'an endpoint shows its URL as it was given',
      answers(CREATE, (json, asked) => {
        json.webhook_endpoint.url = parse(asked.body).url;
      }),
    ],
    'whk-public-refused': ['a public address is refused', refuses(CREATE, 'INVALID_ARGUMENT')],
  },
});
