/** A body for each operation that takes one: what it cannot do without, so that a rule adds what is wrong. */
import type { OperationId } from '../../../generated/operations.ts';
import type { TestContext } from '../../engine/test-context.ts';
import type { Call } from '../../http/api.ts';
import { UNKNOWN_ID } from './calls.ts';

/** A path with a source of batches, and an id that nothing has. */
const targetOf = (path: string) => path.replace('{source_type}', 'KEDO').replace(/\{[^}]+\}/g, UNKNOWN_ID);

/** The call of an operation with a body; nothing that it addresses exists. */
export const postOf = (t: TestContext, path: string, body: object): Call => {
  const headers = { 'Idempotency-Key': `${t.rule.id}-${t.run.run_id}` };
  return { method: 'POST', path: targetOf(path), absolute: true, headers, body };
};

/** No such endpoint comes to be: its address is wrong, too. */
export const ENDPOINT = { url: 'https://127.0.0.1/', event_types: ['document.sent'] };
export const RESERVATION = { filename: 'a.pdf', content_type: 'application/pdf', size_bytes: '1' };

/** For each operation the fields without which a body is wrong. */
export const requiredFields = (t: TestContext, document: object): Partial<Record<OperationId, object>> => ({
  createDocument: document,
  setDocumentRoute: {
    steps: [{ step_type: t.spelling.step_type.SIGNING, participants: [{ employee_id: UNKNOWN_ID }] }],
  },
  rejectDocument: { comment: 'x' },
  reserveFile: RESERVATION,
  ingestRecords: { payload_type: 'PERSONS', records: [{ external_id: t.run.run_id }] },
  createWebhookEndpoint: ENDPOINT,
});
