import { arrived, observer } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { type Document, draft } from './shared/document-calls.ts';
import { eventsAbout, marker } from './shared/event-calls.ts';
import {
  act,
  approval,
  approvalOfAny,
  cast,
  completed,
  done,
  moves,
  routed,
  sent,
  setRoute,
  signing,
  slotOf,
  unchanged,
} from './shared/flow-calls.ts';
import { need, together } from './shared/needs.ts';
import { mustLookTheSame } from './shared/same-answer.ts';

const COMMENT = { comment: 'Не указан замещающий сотрудник.' };

rule({
  id: 'REJ-1',
  level: 'MUST',
  text: 'The holder of the active slot of an approval step can reject; everything becomes REJECTED.',
  place: 'rejectDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const { id } = await sent(t, full, [approval(second), approval(full), signing(restricted)]);
    const document = await moves(
      second,
      id,
      '_reject',
      'REJECTED REJECTED [APPROVAL REJECTED REJECTED] [APPROVAL CANCELLED PENDING] [SIGNING CANCELLED PENDING]',
      COMMENT,
    );
    t.equal([document.completed_at, document.route.active], ['', false], 'completed_at and route.active');
    await unchanged(full.api, document, 'the rejection, as the initiator sees it');
  },
});

rule({
  id: 'REJ-2',
  level: 'MUST',
  text: 'The holder of the active slot of a signing step can reject; everything becomes REJECTED.',
  place: 'rejectDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const going = await sent(t, full, [approval(second), signing(restricted)]);
    await done(second.api, going.id, '_approve');
    await moves(
      restricted,
      going.id,
      '_reject',
      'REJECTED REJECTED [APPROVAL COMPLETED APPROVED] [SIGNING REJECTED REJECTED]',
      { ...COMMENT, document_id: going.id, participant_id: slotOf(t, going, 1, restricted) },
    );
  },
});

/** A rejection that must be INVALID_ARGUMENT and leave the document unchanged. */
async function refused(t: TestContext, document: Document, who: 'full' | 'second' | 'restricted', when: string) {
  const actors = cast(t);
  (await act(actors[who].api, document.id, '_reject', COMMENT)).fails('INVALID_ARGUMENT', when);
  await unchanged(actors.full.api, document, when);
}

rule({
  id: 'REJ-3',
  level: 'MUST',
  text: 'A draft, with a route or without, cannot be rejected: INVALID_ARGUMENT.',
  place: 'rejectDocument',
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second } = cast(t);
    const plain = await draft(t, full.api);
    await refused(t, plain, 'full', 'rejecting a draft without a route');
    await refused(t, await setRoute(full.api, plain.id, [signing(full, second)]), 'full', 'rejecting a draft');
  },
});

rule({
  id: 'REJ-4',
  level: 'MUST',
  text: 'A completed document cannot be rejected: INVALID_ARGUMENT.',
  place: 'rejectDocument',
  needs: need.threeOwners,
  check: async (t) => {
    const end = await completed(t, cast(t));
    await refused(t, end, 'full', 'rejecting a completed document as its initiator');
    await refused(t, end, 'restricted', 'rejecting a completed document as its last signer');
  },
});

rule({
  id: 'REJ-5',
  level: 'MUST',
  text: 'A rejected document cannot be rejected again: INVALID_ARGUMENT.',
  place: 'rejectDocument',
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const { id } = await sent(t, full, [approval(second, restricted), signing(full)]);
    const rejected = await done(second.api, id, '_reject', COMMENT);
    await refused(t, rejected, 'second', 'rejecting again');
    await refused(t, rejected, 'restricted', 'rejecting in a slot that was skipped');
    await refused(t, rejected, 'full', 'rejecting in a slot that was never reached');
  },
});

rule({
  id: 'REJ-6',
  level: 'MUST',
  text: 'A revoked document, or one sent back for changes, cannot be rejected: INVALID_ARGUMENT.',
  place: 'rejectDocument',
  needs: together(need.threeOwners, { admin: ['revoke_document', 'request_changes'] }),
  check: async (t) => {
    const { full, second } = cast(t);
    const steps = [approval(second), signing(full)];
    const [revoked, stopped] = [await sent(t, full, steps), await sent(t, full, steps)];
    await Promise.all([
      t.admin('revoke_document', { document_id: revoked.id, employee_id: full.id }),
      t.admin('request_changes', { document_id: stopped.id, employee_id: second.id, comment: 'Исправьте.' }),
    ]);
    for (const [{ id }, when] of [
      [revoked, 'rejecting a revoked document'],
      [stopped, 'rejecting a document sent back for changes'],
    ] as const) {
      const now = (await full.api.get(`/documents/${id}`)).ok('getDocument').document;
      await refused(t, now, 'second', when);
      await refused(t, now, 'full', `${when}, by its initiator`);
    }
  },
});

/** Comments that must be refused, on a document that could be rejected and that stays unchanged. */
const comments = (bodies: readonly [what: string, body: unknown][]) => async (t: TestContext) => {
  const { full, second } = cast(t);
  const going = await sent(t, full, [approval(second), signing(full)]);
  for (const [what, body] of bodies) (await act(second.api, going.id, '_reject', body)).blames('comment', what);
  await unchanged(full.api, going, 'refused comments');
};

rule({
  id: 'REJ-7',
  level: 'MUST',
  text: 'A rejection without a comment, or without any body, is INVALID_ARGUMENT naming the comment.',
  place: 'rejectDocument',
  needs: need.threeOwners,
  check: async (t) => {
    await comments([['no comment', {}]])(t);
    const { full, second } = cast(t);
    const going = await sent(t, full, [approval(second), signing(full)]);
    await t.mayWrite();
    (await second.api.send({ method: 'POST', path: `/documents/${going.id}/_reject` })).fails(
      'INVALID_ARGUMENT',
      'no body at all',
    );
    await unchanged(full.api, going, 'a rejection without a body');
  },
});

rule({
  id: 'REJ-8',
  level: 'MUST',
  text: 'A rejection with an empty comment is INVALID_ARGUMENT.',
  place: 'rejectDocument',
  needs: need.threeOwners,
  check: comments([['an empty comment', { comment: '' }]]),
});

const BLANKS = [' ', '\t\r\n', '\u00a0\u2003', '\u3000', '\u200b', '\u200b\u200d \ufeff', '\u2060', '\u00ad'];

rule({
  id: 'REJ-9',
  level: 'MUST',
  text: 'A rejection with a comment of white space or characters without width is treated as the target declares.',
  place: 'rejectDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second } = cast(t);
    const going = await sent(t, full, [approval(second), signing(full)]);
    if (t.values.blank_comment === 'accepted') {
      await done(second.api, going.id, '_reject', { comment: ' ' });
      return;
    }
    for (const comment of BLANKS) {
      (await act(second.api, going.id, '_reject', { comment })).blames('comment', JSON.stringify(comment));
    }
    await unchanged(full.api, going, 'blank comments');
    await done(second.api, going.id, '_reject', { comment: '\u200b х ' });
  },
});

rule({
  id: 'REJ-10',
  level: 'MUST',
  text: 'A rejection with a comment that is no string, or is longer than allowed, is INVALID_ARGUMENT.',
  place: 'rejectDocument',
  needs: need.threeOwners,
  check: comments([
    ['a number', { comment: 7 }],
    ['a boolean', { comment: true }],
    ['null', { comment: null }],
    ['an array', { comment: ['x'] }],
    ['an object', { comment: { $ne: '' } }],
    ['2,001 characters', { comment: 'ы'.repeat(2001) }],
  ]),
});

rule({
  id: 'REJ-11',
  level: 'MUST',
  text: 'A rejection in the slot of somebody else, of another step or of another document is INVALID_ARGUMENT.',
  place: 'rejectDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const going = await sent(t, full, [approval(second, restricted), signing(second)]);
    const other = await sent(t, full, [approval(second), signing(full)]);
    for (const [what, participant_id] of [
      ['the slot of somebody else', slotOf(t, going, 0, restricted)],
      ['one’s own slot of a later step', slotOf(t, going, 1, second)],
      ['one’s own slot of another document', slotOf(t, other, 0, second)],
      ['an unknown slot', UNKNOWN_ID],
      ['the employee’s id', second.id],
    ] as const) {
      (await act(second.api, going.id, '_reject', { ...COMMENT, participant_id })).blames('participant_id', what);
    }
    await unchanged(full.api, going, 'rejections in foreign slots');
    await unchanged(full.api, other, 'a rejection elsewhere with its slot');
  },
});

rule({
  id: 'REJ-12',
  level: 'MUST',
  text: 'A rejection by an owner who sees the document but holds no active slot is INVALID_ARGUMENT.',
  place: 'rejectDocument',
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const { id } = await draft(t, full.api, { subject_employee_ids: [restricted.id] });
    await setRoute(full.api, id, [approval(second), signing(second)]);
    await done(full.api, id, '_send');
    const now = await done(second.api, id, '_approve');
    await refused(t, now, 'restricted', 'rejecting as a subject');
    await refused(t, now, 'full', 'rejecting as the initiator');
    const going = await sent(t, full, [approval(second, restricted), signing(full)]);
    await refused(t, await done(second.api, going.id, '_approve'), 'second', 'rejecting after one’s own approval');
  },
});

rule({
  id: 'REJ-13',
  level: 'MUST',
  text: 'A rejection with an empty participant_id, or without one, is treated as the target declares.',
  place: 'rejectDocument',
  decisions: ['D-6a', 'D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second } = cast(t);
    for (const body of [COMMENT, { ...COMMENT, participant_id: '' }]) {
      const { id } = await sent(t, full, [approval(second), signing(full)]);
      if (t.values.omitted_participant_id === 'active_slot') await done(second.api, id, '_reject', body);
      else (await act(second.api, id, '_reject', body)).blames('participant_id', 'no slot named');
    }
  },
});

rule({
  id: 'REJ-14',
  level: 'MUST',
  text: 'The rejection of an unknown document is 404 DOCUMENT_NOT_FOUND.',
  place: 'rejectDocument',
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second } = cast(t);
    for (const { api } of [full, second]) {
      (await act(api, UNKNOWN_ID, '_reject', COMMENT)).fails('DOCUMENT_NOT_FOUND', 'an unknown document');
    }
  },
});

rule({
  id: 'REJ-15',
  level: 'MUST',
  text: 'The rejection of a document of another tenant is 404 DOCUMENT_NOT_FOUND, and the document stays as it is.',
  place: 'rejectDocument',
  needs: together(need.threeOwners, { keys: ['other_tenant'] }),
  check: async (t) => {
    const { full, second } = cast(t);
    const going = await sent(t, full, [approval(second), signing(full)]);
    const participant_id = slotOf(t, going, 0, second);
    for (const body of [COMMENT, { ...COMMENT, participant_id }]) {
      (await act(t.as('other_tenant'), going.id, '_reject', body)).fails('DOCUMENT_NOT_FOUND', 'of another tenant');
    }
    await unchanged(full.api, going, 'rejections from another tenant');
  },
});

rule({
  id: 'REJ-16',
  level: 'MUST',
  text: 'The rejection of a document that the owner may not see is answered like that of one that does not exist.',
  place: 'rejectDocument',
  decisions: ['D-5'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const waiting = await sent(t, full, [approval(second), signing(restricted)]);
    const body = { ...COMMENT, participant_id: slotOf(t, waiting, 1, restricted) };
    const unknown = (await act(restricted.api, UNKNOWN_ID, '_reject', COMMENT)).fails(
      'DOCUMENT_NOT_FOUND',
      'an unknown id',
    );
    const early = await act(restricted.api, waiting.id, '_reject', body);
    mustLookTheSame(t, early, unknown, 'a document before its step is active', [waiting.id, UNKNOWN_ID]);
    const hidden = await routed(t, full, [approval(second), signing(full)]);
    const drafted = await act(restricted.api, hidden.id, '_reject', COMMENT);
    mustLookTheSame(t, drafted, unknown, 'a draft of somebody else', [hidden.id, UNKNOWN_ID]);
    await unchanged(full.api, waiting, 'a rejection by who does not see it');
  },
});

rule({
  id: 'REJ-17',
  level: 'MUST',
  text: 'A malformed document id in a rejection is answered as the target declares.',
  place: 'rejectDocument',
  decisions: ['D-14'],
  needs: need.threeOwners,
  check: async (t) => {
    const wanted = t.values.malformed_document_id === 'not_found' ? 'DOCUMENT_NOT_FOUND' : 'INVALID_ARGUMENT';
    const { full } = cast(t);
    for (const id of [
      'x',
      '1',
      'null',
      UNKNOWN_ID.slice(1),
      `${UNKNOWN_ID}x`,
      `{${UNKNOWN_ID}}`,
      '%7B%22$ne%22:1%7D',
    ]) {
      (await act(full.api, id, '_reject', COMMENT)).fails(wanted, `the id ${id}`);
    }
  },
});

rule({
  id: 'REJ-18',
  level: 'MUST',
  text: 'A document_id in the body of a rejection that is not the path’s is treated as the target declares.',
  place: 'rejectDocument',
  decisions: ['D-6a'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second } = cast(t);
    const steps = [approval(second), signing(full)];
    const [going, other] = [await sent(t, full, steps), await sent(t, full, steps)];
    const body = { ...COMMENT, document_id: other.id };
    if (t.values.body_id_mismatch === 'ignored') {
      await done(second.api, going.id, '_reject', body);
    } else {
      for (const document_id of [other.id, UNKNOWN_ID, 'x']) {
        (await act(second.api, going.id, '_reject', { ...COMMENT, document_id })).blames('document_id', document_id);
      }
      await unchanged(full.api, going, 'a rejection that names another document');
      const same = t.values.upper_case_id === 'understood' ? going.id.toUpperCase() : going.id;
      await done(second.api, going.id, '_reject', { ...COMMENT, document_id: same });
    }
    await unchanged(full.api, other, 'a rejection that names it in the body only');
  },
});

rule({
  id: 'REJ-19',
  level: 'MUST',
  text: 'A rejection emits document.rejected once.',
  place: 'rejectDocument',
  needs: together(need.threeOwners, need.endpoints, { callbacks: true }),
  check: async (t) => {
    const hook = await observer(t);
    const { full, second } = cast(t);
    const { id } = await sent(t, full, [signing(second)]);
    await done(second.api, id, '_reject', COMMENT);
    (await act(second.api, id, '_reject', COMMENT)).fails('INVALID_ARGUMENT', 'a second rejection');
    await arrived(t, hook, { containing: id, type: 'document.rejected' });
    await marker(t, hook);
    const { 'document.rejected': ids = [] } = await eventsAbout(t, hook, id);
    t.equal(ids.length, 1, 'how many events document.rejected there were');
  },
});

rule({
  id: 'REJ-21',
  level: 'MUST',
  text: 'A refused rejection changes nothing, not even update_time.',
  place: 'rejectDocument',
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const going = await sent(t, full, [approval(second), signing(restricted)]);
    const bodies = [{}, { comment: '' }, { ...COMMENT, participant_id: UNKNOWN_ID }, { ...COMMENT, status: 'x' }];
    for (const { api } of [full, second]) {
      for (const body of bodies) (await act(api, going.id, '_reject', body)).fails('INVALID_ARGUMENT');
    }
    await unchanged(full.api, going, 'eight refused rejections');
    await unchanged(second.api, going, 'eight refused rejections, as the participant sees it');
    await done(second.api, going.id, '_approve');
  },
});

rule({
  id: 'REJ-22',
  level: 'MUST',
  text: 'Under ANY and ALL alike one rejection is enough: the others are SKIPPED, later steps CANCELLED.',
  place: 'rejectDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    for (const [plan, isAny] of [
      [approvalOfAny(full, second), true],
      [approval(full, second), false],
    ] as const) {
      const { id } = await sent(t, full, [plan, signing(restricted), signing(full)]);
      if (!isAny) await done(full.api, id, '_approve');
      const others = isAny ? 'SKIPPED' : 'APPROVED';
      await moves(
        second,
        id,
        '_reject',
        `REJECTED REJECTED [APPROVAL REJECTED ${others} REJECTED] [SIGNING CANCELLED PENDING] [SIGNING CANCELLED PENDING]`,
        COMMENT,
      );
      (await restricted.api.get(`/documents/${id}`)).fails('DOCUMENT_NOT_FOUND', 'read by one whose turn never came');
    }
  },
});
