import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import {
  accepted,
  confirm,
  create,
  draft,
  draftFromUpload,
  pdf,
  postForm,
  reserve,
  stored,
  templateBody,
  titleOf,
  uploadBody,
} from './shared/document-calls.ts';
import { act, approval, cast, completed, done, routed, sent, signing, signingOfAny } from './shared/flow-calls.ts';
import { need, together } from './shared/needs.ts';

rule({
  id: 'ERR-5',
  level: 'MUST',
  text: 'An upload or file that is not the owner’s or not the document’s is FILE_NOT_FOUND.',
  place: 'FILE_NOT_FOUND',
  decisions: ['D-5'],
  needs: together(need.template, need.uploads, { operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    (await confirm(t, full, UNKNOWN_ID)).fails('FILE_NOT_FOUND', 'confirm an unknown upload');
    (await confirm(t, full, 'x')).fails('FILE_NOT_FOUND', 'confirm a malformed id');
    (await create(t, full, uploadBody(t, UNKNOWN_ID))).fails('FILE_NOT_FOUND', 'create from an unknown upload');
    const own = await draft(t, full);
    const other = await draft(t, full);
    const foreign = other.files[0]?.file_id ?? UNKNOWN_ID;
    for (const file_id of [UNKNOWN_ID, foreign, 'x']) {
      (await full.get(`/documents/${own.id}/_download`, { file_id })).fails('FILE_NOT_FOUND', `download ${file_id}`);
    }
  },
});

rule({
  id: 'ERR-6',
  level: 'MUST',
  text: 'Naming an upload that was never confirmed is FILE_INVALID_STATUS_TRANSITION.',
  place: 'FILE_INVALID_STATUS_TRANSITION',
  decisions: ['D-5'],
  needs: together(need.template, need.uploads, { operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const bytes = pdf(titleOf(t));
    const { file } = await reserve(t, full, bytes.length);
    (await create(t, full, uploadBody(t, file.id))).fails('FILE_INVALID_STATUS_TRANSITION', 'only reserved');
    const sentTo = await stored(t, full, bytes);
    (await create(t, full, uploadBody(t, sentTo.file.id))).fails('FILE_INVALID_STATUS_TRANSITION', 'not confirmed');
  },
});

rule({
  id: 'ERR-7',
  level: 'MUST',
  text: 'Naming an upload that another document has is FILE_ALREADY_LINKED.',
  place: 'FILE_ALREADY_LINKED',
  decisions: ['D-5'],
  needs: together(need.template, need.uploads, { operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const file_id = (await draftFromUpload(t, full)).files[0]?.file_id ?? UNKNOWN_ID;
    (await create(t, full, uploadBody(t, file_id))).fails('FILE_ALREADY_LINKED');
  },
});

rule({
  id: 'ERR-8',
  level: 'MUST',
  text: 'Confirming an upload without bytes is FILE_NOT_UPLOADED.',
  place: 'FILE_NOT_UPLOADED',
  decisions: ['D-5'],
  needs: together(need.template, need.uploads, { operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const { file } = await reserve(t, full, 1000);
    (await confirm(t, full, file.id)).fails('FILE_NOT_UPLOADED');
  },
});

rule({
  id: 'ERR-9',
  level: 'MUST',
  text: 'Confirming more bytes than were reserved is FILE_SIZE_MISMATCH.',
  place: 'FILE_SIZE_MISMATCH',
  decisions: ['D-5'],
  needs: together(need.template, need.uploads, { operations: ['createDocument'] }),
  check: async (t) => {
    const full = t.as('full');
    const bytes = pdf(titleOf(t), 2000);
    const { file, upload } = await reserve(t, full, bytes.length - 1);
    if (!accepted(await postForm(upload, bytes)))
      t.untested('not_exercised', 'storage itself refuses what is larger than its reservation');
    (await confirm(t, full, file.id)).fails('FILE_SIZE_MISMATCH');
  },
});

rule({
  id: 'ERR-10',
  level: 'MUST',
  text: 'An owner without an employee, or whose employee is terminated, gets DOCUMENT_INITIATOR_NOT_FOUND.',
  place: 'DOCUMENT_INITIATOR_NOT_FOUND',
  decisions: ['D-5', 'D-17'],
  needs: together(need.template, { operations: ['createDocument'], keys: ['no_employee_owner', 'terminated_owner'] }),
  check: async (t) => {
    for (const name of ['no_employee_owner', 'terminated_owner'] as const) {
      (await create(t, t.as(name), await templateBody(t))).fails('DOCUMENT_INITIATOR_NOT_FOUND', name);
    }
  },
});

rule({
  id: 'ERR-26',
  level: 'MUST',
  text: 'Document operations check in the declared order: body, then visibility, then who may, then the state; a creation checks its initiator before its type and file.',
  place: 'createDocument, setDocumentRoute, sendDocument, approveDocument, signDocument, rejectDocument',
  decisions: ['D-6', 'D-17', 'D-19'],
  needs: together(need.threeOwners, { keys: ['no_employee_owner'] }),
  check: async (t) => {
    const who = cast(t);
    const { full, second, restricted } = who;
    const nobody = t.as('no_employee_owner');
    const unknown = { type_id: UNKNOWN_ID, template_id: UNKNOWN_ID, template_values: {} };
    (await create(t, nobody, unknown)).blames(['title', 'type_id', 'template_id'], 'the body before the initiator');
    (await create(t, nobody, { title: 'x', ...unknown })).fails(
      'DOCUMENT_INITIATOR_NOT_FOUND',
      'the initiator before type and template',
    );
    (await create(t, nobody, uploadBody(t, UNKNOWN_ID))).fails('DOCUMENT_INITIATOR_NOT_FOUND', 'and before the file');
    (await create(t, full.api, uploadBody(t, UNKNOWN_ID, { type_id: UNKNOWN_ID }))).blames(
      'type_id',
      'type before file',
    );
    const own = await routed(t, full, [approval(second), signingOfAny(restricted, full)]);
    const wrong = { steps: [{ step_type: 'x', participants: [] }] };
    (await act(second.api, own.id, '_set_route', wrong)).fails('INVALID_ARGUMENT', 'the body before visibility');
    (await act(second.api, own.id, '_send', { x: 1 })).fails('INVALID_ARGUMENT', 'the body before visibility');
    (await act(second.api, own.id, '_reject', {})).fails('INVALID_ARGUMENT', 'the comment before visibility');
    (await act(second.api, own.id, '_send')).fails('DOCUMENT_NOT_FOUND', 'visibility before who may');
    await done(full.api, own.id, '_send');
    (await act(second.api, own.id, '_send', { x: 1 })).fails('INVALID_ARGUMENT', 'the body before who may');
    (await act(second.api, own.id, '_send')).fails('DOCUMENT_ACTION_NOT_ALLOWED', 'who may before the state');
    await done(second.api, own.id, '_approve');
    (await act(second.api, own.id, '_approve', { participant_id: UNKNOWN_ID })).fails(
      ['DOCUMENT_INVALID_STATUS_TRANSITION', 'INVALID_ARGUMENT'],
      'a foreign slot after one’s own has acted',
    );
    (await act(second.api, own.id, '_approve')).fails(
      'DOCUMENT_INVALID_STATUS_TRANSITION',
      'a slot that has acted before the kind of step',
    );
    const end = await completed(t, who);
    (await act(second.api, end.id, '_approve')).fails(
      'DOCUMENT_INVALID_STATUS_TRANSITION',
      'a slot that has acted before the document’s status',
    );
    const other = await sent(t, full, [signing(restricted)]);
    (await act(restricted.api, other.id, '_sign', { signature: { format: 'X', value: '' } })).fails(
      'INVALID_ARGUMENT',
      'a malformed signature',
    );
  },
});
