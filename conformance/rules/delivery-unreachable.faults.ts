/** Faults that the rules of delivery-unreachable.rules.ts must catch. */
import { answers } from '../mutation/alter.ts';
import { brokenIsTaken } from '../mutation/alter-deliveries.ts';
import type { Fault } from '../mutation/fault.ts';

const TEST = 'testWebhookEndpoint';

export const faults: readonly Fault[] = [
  {
    id: 'dlv-no-connection-is-taken',
    rule: 'DLV-5',
    breaks: 'a connection that fails ends the attempts',
    delivery: brokenIsTaken,
    alone: true,
  },
  {
    id: 'whk-tls-unnamed',
    rule: 'WHK-25',
    breaks: 'a failure of TLS is reported as one of the connection',
    alter: answers(TEST, (json) => {
      if (json.error === 'tls_error') json.error = 'connect_error';
    }),
  },
  {
    id: 'whk-newest-tls-only',
    rule: 'WHK-25',
    breaks: 'a receiver that speaks TLS 1.2 at most cannot be reached',
    alter: answers(TEST, (json, _asked, memory) => {
      const successes = Number(memory.notes.get('successes') ?? 0) + Number(json.status_code === 200);
      memory.notes.set('successes', successes);
      if (successes === 1) Object.assign(json, { status_code: 0, error: 'tls_error' });
    }),
  },
  {
    id: 'whk-any-certificate',
    rule: 'WHK-25',
    breaks: 'a certificate that nobody trusts is taken',
    alter: answers(TEST, (json, _asked, memory) => {
      if (json.error !== 'tls_error') return;
      const n = Number(memory.notes.get('n') ?? 0) + 1;
      memory.notes.set('n', n);
      if (n > 1) Object.assign(json, { status_code: 200, error: '' });
    }),
  },
];
