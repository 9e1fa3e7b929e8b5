/**
 * Requests that show whether an operation is built. They are valid in form; a built operation refuses them or has no
 * effect.
 */
import { type OperationId, operations } from '../../generated/contract.ts';
import type { Spelling } from '../profile/spelling.ts';
import type { Call } from './api.ts';

/** Nothing has this id. */
export const NOBODY = '00000000-0000-4000-8000-000000000000';

const bodies = ({ step_type }: Spelling): Readonly<Partial<Record<OperationId, object>>> => ({
  createDocument: { title: 'probe', type_id: NOBODY, template_id: NOBODY },
  setDocumentRoute: { steps: [{ step_type: step_type.SIGNING, participants: [{ employee_id: NOBODY }] }] },
  rejectDocument: { comment: 'probe' },
  // A type of file that is not accepted.
  reserveFile: { filename: 'probe.txt', content_type: 'text/plain', size_bytes: '1' },
  // A pair that is accepted and skipped.
  ingestRecords: { payload_type: 'NOTHING', records: [{ external_id: 'probe' }] },
  // An address that is never public.
  createWebhookEndpoint: { url: 'https://127.0.0.1/', event_types: ['document.sent'] },
});

/** @param runId makes the Idempotency-Key of this run */
export function probeOf(operationId: OperationId, runId: string, spelling: Spelling): Call {
  const { method, path, idempotency, body } = operations[operationId];
  return {
    method: method.toUpperCase(),
    path: path.replace('{source_type}', 'KEDO').replace(/\{[^}]+\}/g, NOBODY),
    absolute: true,
    headers: idempotency === 'required' ? { 'Idempotency-Key': `probe-${runId}` } : {},
    body: body === 'none' ? undefined : (bodies(spelling)[operationId] ?? {}),
  };
}
