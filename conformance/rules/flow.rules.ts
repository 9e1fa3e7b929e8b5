import fc from 'fast-check';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { LEFT, UNKNOWN_ID, updateEmployees } from './shared/calls.ts';
import { cms } from './shared/cms-commands.ts';
import {
  type Action,
  type Actor,
  type ActorName,
  act,
  actions,
  approval,
  cast,
  type Document,
  done,
  downloadOf,
  draft,
  draftFromUpload,
  fetchFile,
  operationOfAction,
  outline,
  pdf,
  readDocument,
  rejection,
  routed,
  sent,
  setRoute,
  signing,
  slotOf,
  titleOf,
  unchanged,
} from './shared/document-calls.ts';
import { after, allowed, fresh, outlineOf, type PlannedStep, refusals } from './shared/flow-model.ts';
import { bodyOf, broughtTo, states } from './shared/flow-states.ts';
import { textOfPdf } from './shared/pdf-text.ts';

/** A signing sheet has the ids of all slots and of their employees, which may be broken at the end of a line. */
async function mustNameAll(t: TestContext, { route }: Document, sheet: Buffer): Promise<void> {
  const text = (await textOfPdf(sheet)).replace(/\s/g, '');
  const ids = route.steps.flatMap(({ participants }) =>
    participants.flatMap(({ id, employee_id }) => [id, employee_id]),
  );
  const missing = ids.filter((id) => !text.includes(id));
  if (missing.length === ids.length) t.untested('no_such_data', 'the text of the signing sheet cannot be read');
  t.equal(missing, [], 'the participants and employees that the sheet lacks');
}

rule({
  id: 'FLOW-9',
  text: 'A document from an upload goes through the same states as one from a template; completed_at is the time of its completion, and then its PDF and the signed PDF can be fetched. The signing sheet in it has the ids of everybody who approved or signed.',
  place: 'signDocument, downloadDocument',
  decisions: ['D-19', 'D-22'],
  check: async (t) => {
    const who = cast(t);
    const bytes = pdf(titleOf(t));
    const completed = t.present(
      states.find(({ id }) => id === 'REJ-4'),
      'the table has no completed document',
    );
    const start = await draftFromUpload(t, who.full.api, bytes);
    const { document: end } = await broughtTo(t, who, completed, { start });
    const late = Date.parse(end.update_time) - Date.parse(end.completed_at);
    t.check(late >= 0 && late < 60_000, `completed at ${end.completed_at}, last changed at ${end.update_time}`);
    t.check(Date.parse(end.completed_at) > Date.parse(start.update_time), 'completed before it was sent');
    for (const { file_id, file_type } of end.files) {
      const { file, url } = await downloadOf(who.restricted.api, end.id, file_id);
      t.equal([file.file_id, file.file_type], [file_id, file_type], 'the file that is to be downloaded');
      const got = await fetchFile(t, url);
      t.equal([got.toString('latin1', 0, 5), String(got.length)], ['%PDF-', file.size_bytes], `the ${file_type}`);
      if (file_type === t.spelling.file_type.PDF) t.check(got.equals(bytes), 'the PDF is not what was uploaded');
      else await mustNameAll(t, end, got);
    }
  },
});

rule({
  id: 'FLOW-33',
  text: 'Send, approve and sign need no body; a field that they do not know, and a signature in a SIMPLE slot, is refused and nothing moves.',
  place: 'sendDocument, approveDocument, signDocument',
  decisions: ['D-6a', 'D-21'],
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
    (await bare(second.api, '_approve')).ok('approveDocument', 'approve without a body');
    (await act(restricted.api, id, '_sign', { comment: 'x' })).blames('comment', 'sign with a comment');
    const value = Buffer.from('no signature').toString('base64');
    (await act(restricted.api, id, '_sign', cms(t, value))).blames('signature', 'a signature in a SIMPLE slot');
    const signed = (await bare(restricted.api, '_sign')).ok('signDocument', 'sign without a body').document;
    t.equal(signed.status, t.spelling.document_status.COMPLETED, 'the status at the end');
    const kept = signed.files.some(({ file_type }) => file_type === t.spelling.file_type.SIGNATURE);
    t.check(!kept, 'there is a signature file of simple signatures');
  },
});

/** An owner whose employment this rule may end, and the employee. */
type Leaver = Omit<Actor, 'name'>;

const EMPLOYED = { status: 'EMPLOYEE_STATUS_ACTIVE', end_date: '' };

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
  const given = await readDocument(full.api, document.id);
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

const WALKS = 6;

const actor = fc.constantFrom<ActorName>('full', 'second', 'restricted');

const who = fc.uniqueArray(actor, { minLength: 1, maxLength: 3 });

const stepsOfType = (type: PlannedStep['type'], minLength: number) =>
  fc.array(fc.record({ type: fc.constant(type), any: fc.boolean(), who }), { minLength, maxLength: 2 });

const route = fc
  .tuple(stepsOfType('APPROVAL', 0), stepsOfType('SIGNING', 1))
  .map((parts): PlannedStep[] => parts.flat());

/** A turn makes either one of the allowed moves or any move at all. */
interface Turn {
  any: { by: ActorName; action: Action };
  plan: PlannedStep[];
  pick: number;
  wild: boolean;
}

const turn: fc.Arbitrary<Turn> = fc.record({
  any: fc.record({ by: actor, action: fc.constantFrom(...actions) }),
  plan: route,
  pick: fc.nat(1000),
  // In two thirds of the turns the move is an allowed one.
  wild: fc.integer({ min: 0, max: 2 }).map((n) => n === 0),
});

async function walk(t: TestContext, turns: readonly Turn[], log: string[]): Promise<void> {
  const actors = cast(t);
  const { id } = await draft(t, actors.full.api);
  let model = fresh();
  for (const { any, plan, pick, wild } of turns) {
    const possible = allowed(model, plan);
    // A rejection ends a walk, so it is seldom chosen.
    const choices = possible.filter(({ action }) => action !== '_reject' || pick % 7 === 0);
    const move = (!wild && choices[pick % Math.max(1, choices.length)]) || { ...any, plan };
    const errors = refusals(model, move);
    const { api, id: employeeId } = actors[move.by];
    // Only who may reject has a slot to name.
    const isRejection = move.action === '_reject' && errors.length === 0;
    const body = isRejection ? await rejection(api, id, employeeId) : bodyOf(t, actors, move.action, plan);
    if (errors.length === 0) model = after(model, move);
    const wanted = errors.length === 0 ? outlineOf(model) : errors.join(' or ');
    log.push(`${move.action} by ${move.by} ${JSON.stringify(body)} → ${wanted}`);
    const answer = await act(api, id, move.action, body);
    if (errors.length > 0) answer.fails(errors);
    else {
      t.equal(outline(t, answer.ok(operationOfAction[move.action]).document), wanted, 'statuses', answer);
    }
  }
  const end = await readDocument(actors.full.api, id);
  t.equal(outline(t, end), outlineOf(model), 'the document at the end of the walk');
}

rule({
  id: 'FLOW-14',
  text: 'On random walks the service allows exactly the moves of the table, and each leads exactly where the table says.',
  place: 'setDocumentRoute, sendDocument, approveDocument, signDocument',
  decisions: ['D-15', 'D-18', 'D-19'],
  check: async (t) => {
    const seed = Number.parseInt(t.run_id, 16) | 0;
    const property = fc.asyncProperty(fc.array(turn, { minLength: 10, maxLength: 16, size: 'max' }), async (turns) => {
      const log: string[] = [];
      try {
        await walk(t, turns, log);
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'Violation') throw error;
        const lines = log.map((line, n) => `${n + 1}. ${line}`).join('\n');
        error.message = `${error.message}; walk (seed ${seed}):\n${lines}`;
        throw error;
      }
    });
    // The first failing walk is reported as it is: finding a shorter one would cost the target many more walks.
    const details = await fc.check(property, { numRuns: WALKS, seed, endOnFailure: true });
    if (details.failed) throw details.errorInstance;
  },
});

const COMMENT = { comment: 'Не указан замещающий сотрудник.' };

const BLANKS = [' ', '\t\r\n', '\u00a0\u2003', '\u3000', '\u200b', '\u200b\u200d \ufeff', '\u2060', '\u00ad'];

rule({
  id: 'REJ-9',
  text: 'A rejection with a comment of white space or characters without width is treated as the target declares.',
  decisions: ['D-19'],
  place: 'rejectDocument',
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
  id: 'REJ-13',
  text: 'A rejection with an empty participant_id, or without one, is treated as the target declares.',
  decisions: ['D-6a', 'D-19'],
  place: 'rejectDocument',
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
  id: 'REJ-18',
  text: 'A document_id in the body of a rejection that is not the path’s is treated as the target declares.',
  decisions: ['D-6a'],
  place: 'rejectDocument',
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
