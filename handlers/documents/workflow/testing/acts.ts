/** Acts on the route of a document whose initiator is `ini`. */
import type { Act, SlotAct } from '../acts.ts';
import type { RouteStep } from '../route.ts';

export const step = (kind: 'APPROVAL' | 'SIGNING', rule: 'ALL' | 'ANY', ...people: string[]): RouteStep => ({
  step_type: `STEP_TYPE_${kind}`,
  rule: `STEP_RULE_${rule}`,
  participants: people.map((employee_id) => ({ employee_id, key_type: 'SIMPLE' })),
});

export const route = (...steps: RouteStep[]): Act => ({ kind: 'set_route', by: 'ini', steps });
export const send: Act = { kind: 'send', by: 'ini' };
export const revoke = (by: string): Act => ({ kind: 'revoke', by });

export const inSlot =
  (kind: SlotAct['kind']) =>
  (by: string, participantId?: string): SlotAct => ({
    kind,
    by,
    apiKeyId: 'key',
    participantId,
    comment: 'why',
    ...(kind === 'sign' && { signature: { pdf_sha256: 'aa', file: null, certificate_serial: '' } }),
  });
export const [approve, sign, reject, requestChanges] = [
  inSlot('approve'),
  inSlot('sign'),
  inSlot('reject'),
  inSlot('request_changes'),
];
