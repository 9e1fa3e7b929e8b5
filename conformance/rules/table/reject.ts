/** REJ: rejecting a document. */
import { type Extra, type Rule, row, threeOwners } from '../rule.ts';

const reject = (id: string, text: string, extra: Extra = {}): Rule =>
  row(id, 'MUST', text, 'rejectDocument', { ...extra, needs: { ...threeOwners, ...extra.needs } });

export const rejectRules: readonly Rule[] = [
  reject('REJ-1', 'Who holds the active slot of an approval step can reject; everything becomes REJECTED.', {
    decisions: ['D-19'],
  }),
  reject('REJ-2', 'Who holds the active slot of a signing step can reject likewise.', { decisions: ['D-19'] }),
  reject('REJ-3', 'A draft, with a route or without, cannot be rejected: INVALID_ARGUMENT.'),
  reject('REJ-4', 'A completed document cannot be rejected: INVALID_ARGUMENT.'),
  reject('REJ-5', 'A rejected document cannot be rejected again: INVALID_ARGUMENT.'),
  reject('REJ-6', 'A revoked document, or one sent back for changes, cannot be rejected: INVALID_ARGUMENT.', {
    needs: { admin: ['revoke_document', 'request_changes'] },
  }),
  reject('REJ-7', 'Without a comment it is INVALID_ARGUMENT naming the comment, also without any body.'),
  reject('REJ-8', 'An empty comment is INVALID_ARGUMENT.'),
  reject('REJ-9', 'A comment of white space or characters without width is treated as the target declares.', {
    decisions: ['D-19'],
  }),
  reject('REJ-10', 'A comment that is no string, or is longer than allowed, is INVALID_ARGUMENT.'),
  reject('REJ-11', 'The slot of somebody else, of another step or of another document is INVALID_ARGUMENT.', {
    decisions: ['D-19'],
  }),
  reject('REJ-12', 'Who sees the document but holds no active slot gets INVALID_ARGUMENT.'),
  reject('REJ-13', 'A participant_id that is left out or empty is treated as the target declares.', {
    decisions: ['D-6a', 'D-19'],
  }),
  reject('REJ-14', 'An unknown document is 404 DOCUMENT_NOT_FOUND.'),
  reject('REJ-15', 'A document of another tenant is 404 DOCUMENT_NOT_FOUND, and stays as it is.', {
    needs: { keys: [...threeOwners.keys, 'other_tenant'] },
  }),
  reject('REJ-16', 'A document that the owner may not see is answered like one that does not exist.', {
    decisions: ['D-5'],
  }),
  reject('REJ-17', 'A malformed document id is answered as the target declares.', { decisions: ['D-14'] }),
  reject('REJ-18', 'A document_id in the body that is not the path’s is treated as the target declares.', {
    decisions: ['D-6a'],
  }),
  reject('REJ-19', 'document.rejected is emitted once.', {
    needs: { callbacks: true, operations: ['createWebhookEndpoint', 'deleteWebhookEndpoint'] },
  }),
  reject('REJ-20', 'Of simultaneous rejections of one slot exactly one succeeds.', { decisions: ['D-19'] }),
  reject('REJ-21', 'A refused rejection changes nothing, not even update_time.'),
  reject('REJ-22', 'Under ANY and ALL alike one rejection is enough: the others are SKIPPED, later steps CANCELLED.', {
    decisions: ['D-19'],
  }),
  reject('REJ-23', 'Of a rejection and an approval of one slot at the same time exactly one succeeds.', {
    decisions: ['D-19'],
  }),
];
