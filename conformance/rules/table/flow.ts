/** FLOW: routes, and how a document moves along them. */
import { causesEvents, type Extra, type Rule, row, threeOwners } from '../rule.ts';

const moves = 'setDocumentRoute, sendDocument, approveDocument, signDocument';
const flow = (id: string, text: string, place = moves, extra: Extra = {}): Rule =>
  row(id, 'MUST', text, place, { ...extra, needs: { ...threeOwners, ...extra.needs } });

export const flowRules: readonly Rule[] = [
  flow(
    'FLOW-1',
    'From template to COMPLETED: draft, route, send, approvals, signatures; every status is right at every point.',
    moves,
    { decisions: ['D-18', 'D-19'] },
  ),
  flow('FLOW-2', 'A document made from an upload takes the same way.', moves, { decisions: ['D-19'] }),
  flow('FLOW-3', 'A draft without a route cannot be sent, approved or signed, and stays a draft.', 'sendDocument', {
    decisions: ['D-19'],
  }),
  flow(
    'FLOW-4',
    'A repeated send is a state error wherever the document stands, and changes nothing.',
    'sendDocument',
    {
      decisions: ['D-19'],
    },
  ),
  flow(
    'FLOW-5',
    'A repeated approval is a state error, also after completion or rejection, and changes nothing.',
    'approveDocument',
    { decisions: ['D-19'] },
  ),
  flow('FLOW-6', 'A repeated signature is a state error, also after completion, and creates nothing.', 'signDocument', {
    decisions: ['D-19'],
  }),
  flow('FLOW-7', 'A slot whose turn has not come cannot act.', 'approveDocument, signDocument', {
    decisions: ['D-15', 'D-19'],
  }),
  flow('FLOW-8', 'Nobody can act in the slot of another, nor without a slot.', 'approveDocument, signDocument', {
    decisions: ['D-19'],
  }),
  flow(
    'FLOW-9',
    'completed_at is set with COMPLETED and not before; then the signed PDF is listed and can be fetched.',
    'signDocument, downloadDocument',
    { decisions: ['D-19', 'D-22'] },
  ),
  flow(
    'FLOW-10',
    'A request for changes stops the route; only after it is set again can the document be sent, and then completed.',
    moves,
    { decisions: ['D-19', 'D-20'], needs: { admin: ['request_changes'] } },
  ),
  flow('FLOW-11', 'A revoked document is REVOKED, its route CANCELLED, and nothing moves it any more.', moves, {
    decisions: ['D-19', 'D-20'],
    needs: { admin: ['revoke_document'] },
  }),
  flow('FLOW-12', 'A deleted document is 404 for everybody and every operation, and in no list.', moves, {
    decisions: ['D-20'],
    needs: { admin: ['delete_document'] },
  }),
  row(
    'FLOW-13',
    'MUST',
    'Every document ever shown agrees with itself: its status, its route, its steps and its participants fit together.',
    'Document',
    { decisions: ['D-1', 'D-19'], needs: { ...threeOwners, operations: causesEvents } },
  ),
  flow(
    'FLOW-14',
    'On random walks the service allows exactly the moves of the table, and each leads exactly where the table says.',
    moves,
    { decisions: ['D-15', 'D-18', 'D-19'] },
  ),
  flow('FLOW-15', 'A route cannot be set once the document was sent, wherever it stands.', 'setDocumentRoute', {
    decisions: ['D-18'],
  }),
  flow('FLOW-16', 'Of simultaneous approvals of one slot exactly one succeeds.', 'approveDocument', {
    decisions: ['D-19'],
  }),
  flow('FLOW-17', 'Setting the route again replaces the whole route of a draft.', 'setDocumentRoute', {
    decisions: ['D-18'],
  }),
  flow(
    'FLOW-18',
    'Under ANY the first who acts completes the step and the others are SKIPPED; under ALL it waits for everybody.',
    'approveDocument, signDocument',
    { decisions: ['D-19'] },
  ),
  flow(
    'FLOW-19',
    'A route that breaks a rule of routes is INVALID_ARGUMENT naming the place, and leaves the route before.',
    'setDocumentRoute',
    { decisions: ['D-18'] },
  ),
  flow(
    'FLOW-20',
    'Only the initiator sets the route and sends: who sees the document is not allowed, who does not finds none.',
    'setDocumentRoute, sendDocument',
    { decisions: ['D-18', 'D-19'] },
  ),
  flow('FLOW-21', 'Approving in a signing step, or signing in an approval step, is INVALID_ARGUMENT.', moves, {
    decisions: ['D-19'],
  }),
  flow('FLOW-22', 'REJECTED is final: nothing moves a rejected document.', moves, { decisions: ['D-19'] }),
  flow(
    'FLOW-23',
    'Every action on an unknown, foreign or invisible document is 404, on a malformed id as the target declares.',
    moves,
    { decisions: ['D-5', 'D-14'], needs: { keys: [...threeOwners.keys, 'other_tenant'] } },
  ),
  flow(
    'FLOW-24',
    'A participant must be an employee whom the initiator sees and who is neither deleted, a draft, terminated nor another tenant’s.',
    'setDocumentRoute',
    {
      decisions: ['D-18'],
      needs: {
        fixtures: [
          ...threeOwners.fixtures,
          'employee_hidden_from_restricted_id',
          'employee_deleted_id',
          'employee_draft_id',
          'employee_terminated_id',
          'employee_other_tenant_id',
        ],
      },
    },
  ),
  flow('FLOW-25', 'Of simultaneous sends exactly one succeeds.', 'sendDocument', { decisions: ['D-19'] }),
  flow('FLOW-26', 'Simultaneous signatures of different participants are all kept.', 'signDocument', {
    decisions: ['D-19'],
  }),
  flow(
    'FLOW-27',
    'What a route leaves out is filled in: rule ALL, key type SIMPLE, indexes from 0, ids of its own.',
    'setDocumentRoute',
    { decisions: ['D-1', 'D-18', 'D-19'] },
  ),
  flow(
    'FLOW-28',
    'Subjects see the document from the first send, participants from the moment their step is active, for good.',
    'getDocument, listDocuments',
    { decisions: ['D-15'] },
  ),
  flow(
    'FLOW-29',
    'Every accepted action moves update_time forward and leaves create_time, title, number and the rest alone.',
    moves,
    { decisions: ['D-19'] },
  ),
  flow(
    'FLOW-30',
    'A qualified signature is verified and kept: the slot is SIGNED and the CMS is a file of the document.',
    'signDocument',
    { decisions: ['D-21'], needs: { admin: ['sign_cms'] } },
  ),
  flow(
    'FLOW-31',
    'A qualified signature that is missing, damaged, over other bytes, of another person, another authority, expired, or accepted before for another document is INVALID_ARGUMENT, and the slot stays open.',
    'signDocument',
    { decisions: ['D-21'], needs: { admin: ['sign_cms'] } },
  ),
  flow('FLOW-32', 'A signature in a SIMPLE slot is INVALID_ARGUMENT.', 'signDocument', { decisions: ['D-21'] }),
  flow(
    'FLOW-33',
    'Send, approve and sign need no body; a field that they do not know is refused and nothing moves.',
    'sendDocument, approveDocument, signDocument',
    { decisions: ['D-6a'] },
  ),
  flow('FLOW-34', 'Every move emits its event once.', 'webhooks', {
    needs: { callbacks: true, operations: ['createWebhookEndpoint', 'deleteWebhookEndpoint', ...causesEvents] },
  }),
  flow(
    'FLOW-35',
    'The initiator’s manager can revoke too, also while changes are requested, and then the initiator can do nothing.',
    moves,
    { decisions: ['D-19', 'D-20'], needs: { admin: ['request_changes', 'revoke_document'] } },
  ),
  flow(
    'FLOW-36',
    'Under ANY exactly one of simultaneous approvals by different participants counts.',
    'approveDocument',
    {
      decisions: ['D-19'],
    },
  ),
  flow(
    'FLOW-37',
    'A route that is set at the moment of the send is either the one that is sent, or refused.',
    'setDocumentRoute, sendDocument',
    { decisions: ['D-18', 'D-19'] },
  ),
  flow(
    'FLOW-38',
    'Odd values in any field of any move are refused as the caller’s mistake, and nothing moves.',
    moves,
    { decisions: ['D-6a', 'D-18', 'D-19'] },
  ),
];
