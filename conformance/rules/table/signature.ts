/** SIG: how a receiver knows who sent a delivery. */
import { causesEvents, type Extra, ofTemplate, type Rule, row } from '../rule.ts';

const endpoints = ['createWebhookEndpoint', 'testWebhookEndpoint', 'deleteWebhookEndpoint'] as const;

const signed = (id: string, text: string, extra: Extra = {}): Rule =>
  row(id, 'MUST', text, 'Service-Signature', {
    ...extra,
    needs: {
      ...extra.needs,
      callbacks: true,
      operations: [...endpoints, ...(extra.needs?.operations ?? causesEvents)],
      fixtures: extra.needs?.fixtures ?? [...ofTemplate, 'owner_employee_id'],
    },
  });

export const signatureRules: readonly Rule[] = [
  signed('SIG-1', 'The header reads t=<ten digits>,v1=<64 lower-case hexadecimal digits>.'),
  signed('SIG-2', 'v1 is the HMAC-SHA256 of t, a dot and the raw bytes of the body, keyed with the whole secret.', {
    decisions: ['D-24'],
  }),
  signed('SIG-3', 't is the time of the attempt: never more than five minutes from its arrival.', {
    decisions: ['D-27'],
  }),
  signed('SIG-4', 'A repeated attempt is signed anew: with a later t, and verifiably.', { decisions: ['D-27'] }),
  signed(
    'SIG-5',
    'Another secret, other bytes, another t or another joint does not verify, so a receiver can tell a forgery.',
    { needs: { fixtures: [], operations: [] } },
  ),
  signed('SIG-6', 'Two endpoints get one event each signed with its own secret.', { decisions: ['D-24'] }),
  signed('SIG-7', 'Every delivery of the run was signed, tests and repeats included.', {
    decisions: ['D-25', 'D-27'],
  }),
  signed(
    'SIG-8',
    'To replace a secret, a second endpoint at the same URL receives with its own until the first is deleted.',
    { decisions: ['D-24'] },
  ),
];
