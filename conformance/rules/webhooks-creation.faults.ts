/** Faults that the rules of webhooks-creation.rules.ts must catch. */
import { accepts, answers, parse, refuses } from '../mutation/alter.ts';
import type { Fault } from '../mutation/fault.ts';

const CREATE = 'createWebhookEndpoint';

const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

const ENDPOINT = { webhook_endpoint: { id: UNKNOWN }, secret: 'x' };

const madeUp = accepts(CREATE, (answer) => answer.status === 400, ENDPOINT);

const TEST = 'testWebhookEndpoint';

const DELETE = 'deleteWebhookEndpoint';

export const faults: readonly Fault[] = [
  {
    id: 'whk-born-disabled',
    rule: 'WHK-1',
    breaks: 'a new endpoint is not ACTIVE',
    alter: answers(CREATE, (json) => {
      json.webhook_endpoint.status = 'WEBHOOK_ENDPOINT_STATUS_DISABLED';
    }),
  },
  { id: 'whk-http', rule: 'WHK-2', breaks: 'http URLs are accepted', alter: madeUp },
  { id: 'whk-private', rule: 'WHK-3', breaks: 'private addresses are accepted', alter: madeUp },
  {
    id: 'whk-private-octal',
    rule: 'WHK-3',
    breaks: 'a private address in another notation is accepted',
    alter: accepts(
      CREATE,
      (answer, asked) => answer.status === 400 && /0x|\/\/0\d|\/\/\d{6,}/.test(asked.body.toString()),
      ENDPOINT,
    ),
  },
  { id: 'whk-private-names', rule: 'WHK-4', breaks: 'names that lead nowhere are accepted', alter: madeUp },
  { id: 'whk-unknown-type', rule: 'WHK-6', breaks: 'an unknown event type is accepted', alter: madeUp },
  { id: 'whk-no-types', rule: 'WHK-7', breaks: 'no event types mean all', alter: madeUp },
  {
    id: 'whk-one-type-lost',
    rule: 'WHK-8',
    breaks: 'one event type cannot be subscribed',
    alter: refuses(CREATE, 'INVALID_ARGUMENT', (asked) => asked.body.includes('person.changed')),
  },
  {
    id: 'whk-secret-in-test',
    rule: 'WHK-9',
    breaks: '_test repeats the secret',
    alter: answers([TEST, DELETE], (json, _asked, memory) => {
      json.secret = parse(memory.successes.get(CREATE)?.body ?? Buffer.from('{}')).secret;
    }),
  },
  {
    id: 'whk-one-secret',
    rule: 'WHK-10',
    breaks: 'all endpoints have one secret',
    alter: answers(CREATE, (json, _asked, memory) => {
      if (!memory.notes.has('s')) memory.notes.set('s', json.secret);
      json.secret = memory.notes.get('s');
    }),
  },
  {
    id: 'whk-short-secret',
    rule: 'WHK-10',
    breaks: 'of a secret twelve bytes are random',
    alter: answers(CREATE, (json) => {
      json.secret = json.secret.slice(0, 22) + 'A'.repeat(27);
    }),
  },
  {
    id: 'whk-same-url-once',
    rule: 'WHK-11',
    breaks: 'a second endpoint at a URL is the first',
    alter: async (asked, forward, memory) => {
      const before = memory.successes.get(CREATE);
      return asked.operation === CREATE && before ? before : forward(asked);
    },
  },
  { id: 'whk-any-port', rule: 'WHK-18', breaks: 'low ports are accepted', alter: madeUp },
  { id: 'whk-url-number', rule: 'WHK-20', breaks: 'a URL that is no text is accepted', alter: madeUp },
  {
    id: 'whk-unknown-field',
    rule: 'WHK-20',
    breaks: 'an unknown field is overlooked',
    alter: accepts(
      CREATE,
      (answer, asked) => answer.status === 400 && Object.keys(parse(asked.body) ?? {}).length > 2,
      ENDPOINT,
    ),
  },
  {
    id: 'whk-public-refused',
    rule: 'WHK-28',
    breaks: 'a public address is refused',
    alter: refuses(CREATE, 'INVALID_ARGUMENT'),
  },
];
