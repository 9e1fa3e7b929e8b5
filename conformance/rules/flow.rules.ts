import { arrived, observer } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import {
  type Document,
  downloadOf,
  draft,
  draftFromUpload,
  fetchFile,
  found,
  pdf,
  titleOf,
} from './shared/document-calls.ts';
import { eventsAbout, marker } from './shared/event-calls.ts';
import {
  act,
  approval,
  approvalOfAny,
  cast,
  complete,
  done,
  moves,
  outline,
  routed,
  sent,
  setRoute,
  signing,
  signingOfAny,
  unchanged,
} from './shared/flow-calls.ts';
import { need, together } from './shared/needs.ts';

/** The whole route of one draft, with everything that must hold at each point. */
async function wholeWay(t: TestContext, start: Document): Promise<Document> {
  const { full, second, restricted } = cast(t);
  const { id } = start;
  t.equal(outline(t, start), 'DRAFT UNSPECIFIED', 'a new draft');
  t.equal([start.route.id, start.route.active, start.completed_at], ['', false, ''], 'route and completion of a draft');
  const steps = [approval(second), approval(restricted, full), signing(second, restricted)];
  await moves(
    full,
    id,
    '_set_route',
    'DRAFT DRAFT [APPROVAL PENDING PENDING] [APPROVAL PENDING PENDING PENDING] [SIGNING PENDING PENDING PENDING]',
    { steps },
  );
  const going = await moves(
    full,
    id,
    '_send',
    'ON_APPROVAL ACTIVE [APPROVAL ACTIVE ACTIVE] [APPROVAL PENDING PENDING PENDING] [SIGNING PENDING PENDING PENDING]',
  );
  await unchanged(second.api, going, 'the send, as its first participant sees it');
  await moves(
    second,
    id,
    '_approve',
    'ON_APPROVAL ACTIVE [APPROVAL COMPLETED APPROVED] [APPROVAL ACTIVE ACTIVE ACTIVE] [SIGNING PENDING PENDING PENDING]',
    { comment: 'Согласовано.' },
  );
  await moves(
    full,
    id,
    '_approve',
    'ON_APPROVAL ACTIVE [APPROVAL COMPLETED APPROVED] [APPROVAL ACTIVE ACTIVE APPROVED] [SIGNING PENDING PENDING PENDING]',
  );
  await moves(
    restricted,
    id,
    '_approve',
    'ON_SIGN ACTIVE [APPROVAL COMPLETED APPROVED] [APPROVAL COMPLETED APPROVED APPROVED] [SIGNING ACTIVE ACTIVE ACTIVE]',
  );
  await moves(
    restricted,
    id,
    '_sign',
    'ON_SIGN ACTIVE [APPROVAL COMPLETED APPROVED] [APPROVAL COMPLETED APPROVED APPROVED] [SIGNING ACTIVE ACTIVE SIGNED]',
  );
  const end = await moves(
    second,
    id,
    '_sign',
    'COMPLETED COMPLETED [APPROVAL COMPLETED APPROVED] [APPROVAL COMPLETED APPROVED APPROVED] [SIGNING COMPLETED SIGNED SIGNED]',
  );
  await unchanged(full.api, end, 'completion, as the initiator sees it');
  await unchanged(restricted.api, end, 'completion, as a participant sees it');
  return end;
}

rule({
  id: 'FLOW-1',
  level: 'MUST',
  text: 'From template to COMPLETED: draft, route, send, approvals, signatures; every status is right at every point.',
  place: 'setDocumentRoute, sendDocument, approveDocument, signDocument',
  decisions: ['D-18', 'D-19'],
  needs: need.threeOwners,
  check: async (t) => void (await wholeWay(t, await draft(t, cast(t).full.api))),
});

rule({
  id: 'FLOW-2',
  level: 'MUST',
  text: 'A document made from an upload goes through the same states as one from a template.',
  place: 'setDocumentRoute, sendDocument, approveDocument, signDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, restricted } = cast(t);
    const bytes = pdf(titleOf(t));
    const end = await wholeWay(t, await draftFromUpload(t, full.api, bytes));
    const { url } = await downloadOf(restricted.api, end.id);
    t.check((await fetchFile(t, url)).equals(bytes), 'the PDF of the completed document is not what was uploaded');
  },
});

rule({
  id: 'FLOW-9',
  level: 'MUST',
  text: 'completed_at is set with COMPLETED and not before; then the signed PDF is listed and can be fetched.',
  place: 'signDocument, downloadDocument',
  decisions: ['D-19', 'D-22'],
  needs: need.threeOwners,
  check: async (t) => {
    const who = cast(t);
    const { full, second, restricted } = who;
    const going = await sent(t, full, [approval(second), signing(restricted)]);
    t.equal(going.completed_at, '', 'completed_at after the send');
    t.equal((await done(second.api, going.id, '_approve')).completed_at, '', 'completed_at after the approval');
    const end = await done(restricted.api, going.id, '_sign');
    t.check(end.completed_at !== '', 'a completed document has no completed_at');
    const late = Date.parse(end.update_time) - Date.parse(end.completed_at);
    t.check(late >= 0 && late < 60_000, `completed at ${end.completed_at}, last changed at ${end.update_time}`);
    t.check(Date.parse(end.completed_at) >= Date.parse(going.update_time), 'completed before it was sent');
    const kinds = end.files.map(({ file_type }) => file_type);
    t.equal(kinds, [t.spelling.file_type.PDF, t.spelling.file_type.SIGNED_PDF], 'the files of a completed document');
    for (const { file_id, file_type } of end.files) {
      const { file, url } = await downloadOf(second.api, end.id, file_id);
      t.equal([file.file_id, file.file_type], [file_id, file_type], 'the file that is to be downloaded');
      const bytes = await fetchFile(t, url);
      t.equal([bytes.toString('latin1', 0, 5), String(bytes.length)], ['%PDF-', file.size_bytes], `the ${file_type}`);
    }
  },
});

rule({
  id: 'FLOW-18',
  level: 'MUST',
  text: 'Under ANY the first who acts completes the step and the others are SKIPPED; under ALL it waits for everybody.',
  place: 'approveDocument, signDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const who = cast(t);
    const { full, second, restricted } = who;
    const { id } = await sent(t, full, [
      approvalOfAny(full, second),
      approval(second, restricted),
      signingOfAny(second, restricted, full),
    ]);
    await moves(
      second,
      id,
      '_approve',
      'ON_APPROVAL ACTIVE [APPROVAL COMPLETED SKIPPED APPROVED] [APPROVAL ACTIVE ACTIVE ACTIVE] [SIGNING PENDING PENDING PENDING PENDING]',
    );
    (await act(full.api, id, '_approve')).fails('INVALID_ARGUMENT', 'approve in a slot that was skipped');
    await moves(
      restricted,
      id,
      '_approve',
      'ON_APPROVAL ACTIVE [APPROVAL COMPLETED SKIPPED APPROVED] [APPROVAL ACTIVE ACTIVE APPROVED] [SIGNING PENDING PENDING PENDING PENDING]',
    );
    await moves(
      second,
      id,
      '_approve',
      'ON_SIGN ACTIVE [APPROVAL COMPLETED SKIPPED APPROVED] [APPROVAL COMPLETED APPROVED APPROVED] [SIGNING ACTIVE ACTIVE ACTIVE ACTIVE]',
    );
    await moves(
      full,
      id,
      '_sign',
      'COMPLETED COMPLETED [APPROVAL COMPLETED SKIPPED APPROVED] [APPROVAL COMPLETED APPROVED APPROVED] [SIGNING COMPLETED SKIPPED SKIPPED SIGNED]',
    );
  },
});

rule({
  id: 'FLOW-28',
  level: 'MUST',
  text: 'Subjects see the document from the first send, participants from the moment their step is active, for good.',
  place: 'getDocument, listDocuments',
  decisions: ['D-15'],
  needs: need.threeOwners,
  check: async (t) => {
    const who = cast(t);
    const { full, second, restricted } = who;
    const { id, title } = await draft(t, full.api, { subject_employee_ids: [restricted.id] });
    await setRoute(full.api, id, [approval(full), signing(second)]);
    const sees = async (expected: { second: boolean; restricted: boolean }, when: string) => {
      for (const name of ['second', 'restricted'] as const) {
        const { api } = who[name];
        const answer = await api.get(`/documents/${id}`);
        if (expected[name]) answer.ok('getDocument', `read by ${name} ${when}`);
        else answer.fails('DOCUMENT_NOT_FOUND', `read by ${name} ${when}`);
        t.equal(await found(api, title), expected[name] ? [id] : [], `what ${name} finds ${when}`);
      }
    };
    await sees({ second: false, restricted: false }, 'before the send');
    await done(full.api, id, '_send');
    await sees({ second: false, restricted: true }, 'after the send, before the turn of second');
    await done(full.api, id, '_approve');
    await sees({ second: true, restricted: true }, 'when it is the turn of second');
    await done(second.api, id, '_sign');
    await sees({ second: true, restricted: true }, 'after completion');
  },
});

rule({
  id: 'FLOW-29',
  level: 'MUST',
  text: 'Every accepted action moves update_time forward and leaves create_time, title, number and the rest alone.',
  place: 'setDocumentRoute, sendDocument, approveDocument, signDocument',
  decisions: ['D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const who = cast(t);
    const { full, second, restricted } = who;
    const start = await draft(t, full.api, { number: `К-${t.run.run_id}` });
    const fixed = (document: Document) => {
      const { status: _s, route: _r, files: _f, update_time: _u, completed_at: _c, ...rest } = document;
      return rest;
    };
    let before = start;
    const after = (document: Document, what: string) => {
      t.equal(fixed(document), fixed(start), `what ${what} must leave alone`);
      const moved = Date.parse(document.update_time) > Date.parse(before.update_time);
      t.check(moved, `${what}: update_time ${before.update_time} → ${document.update_time}`);
      before = document;
    };
    after(await setRoute(full.api, start.id, [approval(second), signing(restricted)]), 'setting the route');
    after(await done(full.api, start.id, '_send'), 'sending');
    after(await done(second.api, start.id, '_approve'), 'approving');
    after(await done(restricted.api, start.id, '_sign'), 'signing');
    before = start;
    const other = await sent(t, full, [signing(second)]);
    const rejected = await done(second.api, other.id, '_reject', { comment: 'Нет.' });
    t.check(Date.parse(rejected.update_time) > Date.parse(other.update_time), 'rejecting: update_time has not moved');
  },
});

rule({
  id: 'FLOW-33',
  level: 'MUST',
  text: 'Send, approve and sign need no body; a field that they do not know is refused and nothing moves.',
  place: 'sendDocument, approveDocument, signDocument',
  decisions: ['D-6a'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const document = await routed(t, full, [approval(second), signing(restricted)]);
    const { id } = document;
    const bare = async (api: typeof full.api, action: string) => {
      await t.mayWrite();
      return api.send({ method: 'POST', path: `/documents/${id}/${action}` });
    };
    (await act(full.api, id, '_send', { force: true })).blames('force', 'send with a field');
    await unchanged(full.api, document, 'a refused send');
    (await bare(full.api, '_send')).ok('sendDocument', 'send without a body');
    (await act(second.api, id, '_approve', { status: 'x' })).blames('status', 'approve with an unknown field');
    (await act(second.api, id, '_approve', { comment: 'x'.repeat(2001) })).blames('comment', 'a long comment');
    (await act(second.api, id, '_approve', { participant_id: 7 })).blames('participant_id', 'a number as participant');
    (await bare(second.api, '_approve')).ok('approveDocument', 'approve without a body');
    (await act(restricted.api, id, '_sign', { comment: 'x' })).blames('comment', 'sign with a comment');
    const signed = (await bare(restricted.api, '_sign')).ok('signDocument', 'sign without a body').document;
    t.equal(signed.status, t.spelling.document_status.COMPLETED, 'the status at the end');
  },
});

rule({
  id: 'FLOW-34',
  level: 'MUST',
  text: 'Every move emits its event once.',
  place: 'webhooks',
  needs: together(need.documentEvents, need.threeOwners, { callbacks: true }),
  check: async (t) => {
    const hook = await observer(t);
    const who = cast(t);
    // Several steps of each kind: a stage begins once, however many steps it has.
    const steps = [approval(who.second), approval(who.full), signing(who.restricted), signing(who.full, who.second)];
    const document = await complete(t, await sent(t, who.full, steps), who);
    await arrived(t, hook, { containing: document.id, type: 'document.completed' });
    await marker(t, hook);
    const events = await eventsAbout(t, hook, document.id);
    const counts = Object.fromEntries(Object.entries(events).map(([type, ids]) => [type, ids.length]));
    const stages = ['document.approval_started', 'document.completed', 'document.sent', 'document.signing_started'];
    t.equal(Object.keys(counts).sort(), stages, 'the types of events');
    t.equal(Object.values(counts), [1, 1, 1, 1], 'how many events of each type there were');
  },
});
