import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { updateEmployees } from './shared/calls.ts';
import {
  type Actor,
  act,
  approval,
  cast,
  type Document,
  done,
  outline,
  routed,
  sent,
  setRoute,
  signing,
  slotOf,
  unchanged,
} from './shared/document-calls.ts';

/** An owner whose employment this rule may end, and the employee. */
type Leaver = Omit<Actor, 'name'>;

const EMPLOYED = { status: 'EMPLOYEE_STATUS_ACTIVE', end_date: '' };
const LEFT = { status: 'EMPLOYEE_STATUS_TERMINATED', end_date: '2026-01-31' };

/** The slots of a leaver count as none, whatever the leaver has done before; reading goes on. */
async function actsNoMore(t: TestContext, { api, id }: Leaver, document: Document): Promise<void> {
  const participant_id = slotOf(t, document, 0, { api, id, name: 'full' });
  for (const action of ['_approve', '_reject', '_sign'] as const) {
    const comment = action === '_reject' ? { comment: 'Нет.' } : {};
    for (const body of [comment, { ...comment, participant_id }]) {
      (await act(api, document.id, action, body)).blames('participant_id', `${action} by a leaver`);
    }
  }
  await unchanged(api, document, 'what a leaver asked for');
}

/** The slot of a leaver is given to somebody else, who acts in it. */
async function givenOn(t: TestContext, leaver: Leaver, document: Document): Promise<void> {
  const { full, second, restricted } = cast(t);
  const fill = { document_id: document.id, employee_id: leaver.id, to_employee_id: restricted.id };
  await t.admin('reassign_slot', fill);
  const given = (await full.api.get(`/documents/${document.id}`)).ok('getDocument').document;
  const expected = 'ON_APPROVAL ACTIVE [APPROVAL ACTIVE SKIPPED ACTIVE ACTIVE] [SIGNING PENDING PENDING]';
  t.equal(outline(t, given), expected, 'statuses after a slot was given to somebody else');
  t.check(given.update_time > document.update_time, 'update_time did not move forward');
  await done(restricted.api, document.id, '_approve', { participant_id: slotOf(t, given, 0, restricted) });
  await done(second.api, document.id, '_approve');
  const end = await done(full.api, document.id, '_sign');
  t.equal(end.status, t.spelling.document_status.COMPLETED, 'the status when all others have acted');
}

rule({
  id: 'FLOW-48',
  text: 'Whose employment has ended acts for nobody: its active slots count as none, also in steps that begin later, its documents are neither routed nor sent, and a route with it must be set again before it is sent. It goes on reading, and acts again when it is back. A slot that waits for it can be given to somebody else, who stands in its place.',
  place: 'sendDocument, setDocumentRoute, approveDocument, signDocument, rejectDocument',
  decisions: ['D-37', 'D-19', 'D-18'],
  runs: 'changing',
  holds: ['narrowable'],
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const api = t.as('narrowable');
    const own = await routed(t, { api, id: '', name: 'full' }, [signing(second)]);
    const leaver: Leaver = { api, id: own.initiator_employee_id };
    const one: Actor = { ...leaver, name: 'full' };
    const waiting = await sent(t, full, [approval(one, second), signing(full)]);
    const given = await sent(t, full, [approval(one, second), signing(full)]);
    const later = await sent(t, full, [approval(second), signing(one)]);
    const acted = await done(api, (await sent(t, full, [approval(one), signing(one)])).id, '_approve');
    const unsent = await routed(t, full, [signing(restricted), signing(one)]);
    await updateEmployees(t, 'left', [[leaver.id, LEFT]]);
    try {
      await actsNoMore(t, leaver, waiting);
      (await act(api, acted.id, '_sign')).fails('DOCUMENT_INVALID_STATUS_TRANSITION', 'a leaver who has acted before');
      const begun = await done(second.api, later.id, '_approve');
      t.equal(
        outline(t, begun),
        'ON_SIGN ACTIVE [APPROVAL COMPLETED APPROVED] [SIGNING ACTIVE ACTIVE]',
        'a later step',
      );
      (await act(api, later.id, '_sign')).blames('participant_id', 'a step that began after the end');
      const steps = [signing(second)];
      (await act(api, own.id, '_set_route', { steps })).fails('DOCUMENT_ACTION_NOT_ALLOWED', 'a route by a leaver');
      (await act(api, own.id, '_send')).fails('DOCUMENT_ACTION_NOT_ALLOWED', 'a sending by a leaver');
      await unchanged(full.api, own, 'what its initiator asked for who has left');
      (await act(full.api, unsent.id, '_send')).fails('DOCUMENT_INVALID_STATUS_TRANSITION', 'a sending to a leaver');
      await unchanged(full.api, unsent, 'a sending to a leaver');
      await setRoute(full.api, unsent.id, [signing(restricted)]);
      await done(full.api, unsent.id, '_send');
      if (t.has('reassign_slot')) await givenOn(t, leaver, given);
    } finally {
      await updateEmployees(t, 'back', [[leaver.id, EMPLOYED]]);
    }
    await done(api, waiting.id, '_approve');
    await done(api, own.id, '_send');
  },
});
