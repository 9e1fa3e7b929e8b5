/** Faults that the rules of webhooks-answers.rules.ts must catch. */
import { answers } from '../mutation/alter.ts';
import { isTest } from '../mutation/alter-deliveries.ts';
import type { Fault } from '../mutation/fault.ts';

const TEST = 'testWebhookEndpoint';

/** The call of `_test` before whose answer 32 interim ones come. */
const AFTER_32 = 11;

export const faults: readonly Fault[] = [
  {
    id: 'whk-interim-is-failed',
    rule: 'WHK-30',
    breaks: 'an interim answer counts as a failed connection',
    alter: answers(TEST, (json) => {
      Object.assign(json, { status_code: 0, error: 'connect_error' });
    }),
  },
  {
    id: 'whk-many-interim-are-refused',
    rule: 'WHK-30',
    breaks: '32 interim answers are too many',
    alter: answers(TEST, (json, _asked, memory) => {
      const n = Number(memory.notes.get('n') ?? 0) + 1;
      memory.notes.set('n', n);
      if (n === AFTER_32) Object.assign(json, { status_code: 0, error: 'protocol_error' });
    }),
  },
  {
    id: 'whk-protocol-unnamed',
    rule: 'WHK-31',
    breaks: 'an answer that is no HTTP is reported as a failed connection',
    alter: answers(TEST, (json) => {
      if (json.error === 'protocol_error') json.error = 'connect_error';
    }),
  },
  {
    id: 'whk-closed-is-failed',
    rule: 'WHK-32',
    breaks: 'a connection that the receiver has closed meanwhile is a failure',
    alter: answers(TEST, (json) => {
      if (json.status_code === 201) Object.assign(json, { status_code: 0, error: 'connect_error' });
    }),
  },
  {
    id: 'whk-each-test-twice',
    rule: 'WHK-32',
    breaks: 'a test event is sent again on the connection that brought it',
    delivery: async (one, forward) => {
      if (isTest(one)) (await forward(one)).rest.resume();
      return forward(one);
    },
  },
];
