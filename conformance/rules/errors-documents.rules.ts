import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import {
  act,
  approval,
  cast,
  completed,
  create,
  done,
  routed,
  sent,
  signing,
  signingOfAny,
  uploadBody,
} from './shared/document-calls.ts';

rule({
  id: 'ERR-26',
  text: 'Document operations check in the declared order: body, then visibility, then who may, then the state; a creation checks its initiator before its type and file.',
  place: 'createDocument, setDocumentRoute, sendDocument, approveDocument, signDocument, rejectDocument',
  decisions: ['D-6', 'D-17', 'D-19'],
  check: async (t) => {
    const who = cast(t);
    const { full, second, restricted } = who;
    const nobody = t.as('no_employee_owner');
    const unknown = { type_id: UNKNOWN_ID, template_id: UNKNOWN_ID, template_values: {} };
    (await create(t, nobody, unknown)).blames(['title', 'type_id', 'template_id'], 'the body before the initiator');
    const initiator = await create(t, nobody, { title: 'x', ...unknown });
    initiator.fails('DOCUMENT_INITIATOR_NOT_FOUND', 'the initiator before type and template');
    (await create(t, nobody, uploadBody(t, UNKNOWN_ID))).fails('DOCUMENT_INITIATOR_NOT_FOUND', 'and before the file');
    const type = await create(t, full.api, uploadBody(t, UNKNOWN_ID, { type_id: UNKNOWN_ID }));
    type.blames('type_id', 'type before file');
    const own = await routed(t, full, [approval(second), signingOfAny(restricted, full)]);
    const wrong = { steps: [{ step_type: 'x', participants: [] }] };
    (await act(second.api, own.id, '_set_route', wrong)).fails('INVALID_ARGUMENT', 'the body before visibility');
    (await act(second.api, own.id, '_send', { x: 1 })).fails('INVALID_ARGUMENT', 'the body before visibility');
    (await act(second.api, own.id, '_reject', {})).fails('INVALID_ARGUMENT', 'the comment before visibility');
    (await act(second.api, own.id, '_send')).fails('DOCUMENT_NOT_FOUND', 'visibility before who may');
    await done(full.api, own.id, '_send');
    (await act(second.api, own.id, '_send', { x: 1 })).fails('INVALID_ARGUMENT', 'the body before who may');
    (await act(second.api, own.id, '_send')).fails('DOCUMENT_ACTION_NOT_ALLOWED', 'who may before the state');
    await done(second.api, own.id, '_approve', { comment: 'согласовано' });
    (await act(second.api, own.id, '_approve', { participant_id: UNKNOWN_ID })).fails(
      ['DOCUMENT_INVALID_STATUS_TRANSITION', 'INVALID_ARGUMENT'],
      'a foreign slot after one’s own has acted',
    );
    const acted = await act(second.api, own.id, '_approve');
    acted.fails('DOCUMENT_INVALID_STATUS_TRANSITION', 'a slot that has acted before the kind of step');
    const end = await completed(t, who);
    const late = await act(second.api, end.id, '_approve');
    late.fails('DOCUMENT_INVALID_STATUS_TRANSITION', 'a slot that has acted before the document’s status');
    const other = await sent(t, full, [signing(restricted)]);
    const malformed = await act(restricted.api, other.id, '_sign', { signature: { format: 'X', value: '' } });
    malformed.fails('INVALID_ARGUMENT', 'a malformed signature');
  },
});
