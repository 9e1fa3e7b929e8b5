/** The state machine of documents: what the walks and tables of the conformance suite do not try. */
import { describe, expect, test } from '@jest/globals';
import { draftRow } from '../../../scripts/world/document-row.ts';
import type { DocumentRow, StoredParticipant } from '../../data/collections/documents.ts';
import type { Act } from './acts.ts';
import type { People } from './people.ts';
import type { RouteStep } from './route.ts';
import { approve, reject, requestChanges, revoke, route, send, sign, step } from './testing/acts.ts';
import { type ActRefusal, type Change, decide } from './workflow.ts';

const NOW = new Date('2026-03-02T05:00:00Z');

/** A document whose clock stands still, with its own ids. It applies changes as `change.ts` does. */
class Walk {
  row = draftRow({ _id: 'document', initiator_employee_id: 'ini' });
  /** Everybody works there, but for whom a test takes away. */
  readonly gone = new Set(['']);
  readonly people: People = {
    isThere: (id) => !this.gone.has(id),
    mayTakePart: (id) => !this.gone.has(id) && id !== 'stranger',
    initiatorManager: 'boss',
  };
  #ids = 0;

  try(act: Act): Change | ActRefusal {
    this.#ids += 1;
    const newId = () => `id-${this.#ids++}`;
    const decision = decide(this.row, act, this.people, { now: NOW, newId });
    if (!decision.refused) this.row = applied(this.row, decision);
    return decision;
  }

  /** The events of an act that must be accepted. */
  do(act: Act): string[] {
    const decision = this.try(act);
    if (decision.refused) throw new Error(`${act.kind} was refused: ${decision.error}`);
    return decision.events.map(({ type }) => type);
  }

  /** The error of an act that must be refused, with the field if the refusal names one. */
  refusal(act: Act): string {
    const before = this.row;
    const decision = this.try(act);
    expect(this.row).toBe(before);
    if (!decision.refused) throw new Error(`${act.kind} was accepted`);
    for (const { description } of decision.violations) expect(description).not.toBe('');
    return [decision.error, ...decision.violations.map(({ field }) => field)].join(' ');
  }

  steps(): string[] {
    return (this.row.route?.steps ?? []).map(({ status, participants }) =>
      [status, ...participants.map((slot) => slot.status)].join(' ').replaceAll(/(STEP|PARTICIPANT)_STATUS_/g, ''),
    );
  }

  slot(step: number, participant: number): StoredParticipant {
    return this.row.route?.steps[step]?.participants[participant] as StoredParticipant;
  }
}

/** The row after the store has applied a change. */
function applied(row: DocumentRow, { set, files, actors, viewers, events }: Change): DocumentRow {
  return {
    ...row,
    ...set,
    files: [...row.files, ...files],
    actors: [...new Set([...row.actors, ...actors])],
    visible_to: [...new Set([...row.visible_to, ...viewers])],
    pending_events: [...row.pending_events, ...events],
  };
}

const remove = (by: string): Act => ({ kind: 'delete', by });
const STATE = 'DOCUMENT_INVALID_STATUS_TRANSITION';
const NOT_ALLOWED = 'DOCUMENT_ACTION_NOT_ALLOWED';
const SLOT = 'INVALID_ARGUMENT participant_id';
const NO_FLOW = 'INVALID_ARGUMENT document_id';

function sentOn(...steps: RouteStep[]): Walk {
  const walk = new Walk();
  walk.do(route(...steps));
  walk.do(send);
  return walk;
}

test('a slot keeps who acted, when and how', () => {
  const walk = sentOn(step('APPROVAL', 'ALL', 'a'), step('SIGNING', 'ALL', 'b'));
  walk.do(approve('a'));
  const at = walk.row.update_time;
  const nothing = { pdf_sha256: '', signature_file_id: '', certificate_serial: '' };
  expect(walk.slot(0, 0).action).toEqual({ at, api_key_id: 'key', comment: 'why', ...nothing });
  const file = {
    ...draftRow({ initiator_employee_id: 'x' }).files[0],
    file_id: 'cms',
    file_type: 'FILE_TYPE_SIGNATURE',
  };
  const facts = { pdf_sha256: 'aa', file: file as DocumentRow['files'][0], certificate_serial: '0f' };
  walk.do({ ...sign('b'), signature: facts });
  expect(walk.slot(1, 0).action).toMatchObject({
    pdf_sha256: 'aa',
    signature_file_id: 'cms',
    certificate_serial: '0f',
  });
  expect(walk.row.files.map(({ file_id }) => file_id)).toEqual([walk.row.files[0]?.file_id, 'cms']);
});

describe('the order of checks', () => {
  test('setting a route checks the caller, then the participants, then the state', () => {
    const unfit = [step('SIGNING', 'ALL', 'stranger')];
    const walk = sentOn(step('SIGNING', 'ALL', 'a'));
    expect(walk.refusal({ kind: 'set_route', by: 'a', steps: unfit })).toBe(NOT_ALLOWED);
    expect(walk.refusal(route(...unfit))).toBe('INVALID_ARGUMENT steps[0].participants[0].employee_id');
    expect(walk.refusal(route())).toBe(STATE);
  });

  test('acting checks first what was done already, also where a slot is named in which somebody else acts', () => {
    const walk = sentOn(step('APPROVAL', 'ALL', 'a', 'b'), step('SIGNING', 'ALL', 'c', 'a'));
    const [a, b] = [walk.slot(0, 0).id, walk.slot(0, 1).id];
    expect(walk.refusal(approve(''))).toBe(SLOT);
    walk.do(approve('a', a));
    expect(walk.refusal(approve('a', b))).toBe(STATE);
    walk.do(approve('b'));
    expect(walk.refusal(approve('a', walk.slot(1, 1).id))).toBe(STATE);
    expect(walk.refusal(sign('a', a))).toBe(STATE);
    walk.do(sign('a'));
    walk.do(sign('c'));
    for (const act of [approve('b', walk.slot(1, 0).id), sign('c')]) expect(walk.refusal(act)).toBe(STATE);
    for (const act of [sign('x'), reject('c')]) expect(walk.refusal(act)).toBe(NO_FLOW);
  });
});

test('somebody who has left asks for no changes, and ends nothing as the initiator or as the manager of one', () => {
  const walk = sentOn(step('APPROVAL', 'ALL', 'a'), step('SIGNING', 'ALL', 'b'));
  walk.gone.add('a').add('ini');
  expect(walk.refusal(requestChanges('a'))).toBe(SLOT);
  for (const act of [revoke('ini'), remove('ini')]) expect(walk.refusal(act)).toBe(NOT_ALLOWED);
  walk.do(revoke('boss'));
  walk.gone.add('boss');
  expect(walk.refusal(revoke('boss'))).toBe(NOT_ALLOWED);
});

test.each(['because it goes to a leaver', 'after a request for changes'])(
  'what cannot be sent %s says that the route has to be set again',
  (why) => {
    const walk = new Walk();
    walk.do(route(step('SIGNING', 'ALL', 'a')));
    if (why.endsWith('leaver')) walk.gone.add('a');
    else for (const act of [send, requestChanges('a')]) walk.do(act);
    const message = expect.stringContaining('set the route again (_set_route)');
    expect(walk.try(send)).toMatchObject({ error: STATE, message });
  },
);

describe('a slot that waits for a leaver is given to another employee', () => {
  const given = (participantId: string, to: string): Act => ({ kind: 'give_on', by: 'a', participantId, to });
  const plan = [step('APPROVAL', 'ALL', 'a', 'b'), step('SIGNING', 'ALL', 'c', 'a')];

  test('who stands in the same step in the status of the old one, sees it once the step is active, and completes it', () => {
    const walk = sentOn(plan[0] as RouteStep, {
      ...(plan[1] as RouteStep),
      participants: [{ employee_id: 'a', key_type: 'EDS' }],
    });
    const [active, pending] = [walk.slot(0, 0), walk.slot(1, 0)];
    walk.gone.add('a');
    const before = walk.row;
    expect(walk.do(given(active.id, 'x'))).toEqual([]);
    expect(walk.do(given(pending.id, 'y'))).toEqual([]);
    expect(walk.steps()).toEqual(['ACTIVE SKIPPED ACTIVE ACTIVE', 'PENDING SKIPPED PENDING']);
    expect([active.id, pending.id]).not.toContain(walk.slot(0, 1).id);
    expect(walk.slot(1, 1)).toMatchObject({ employee_id: 'y', key_type: 'EDS', action: null });
    expect(walk.row.update_time.getTime()).toBeGreaterThan(before.update_time.getTime());
    expect([walk.row.actors, walk.row.visible_to]).toEqual(
      [before.actors, before.visible_to].map((ids) => [...ids, 'x']),
    );
    walk.do(approve('b'));
    expect(walk.do(approve('x'))).toEqual(['document.signing_started']);
    expect(walk.steps()).toEqual(['COMPLETED SKIPPED APPROVED APPROVED', 'ACTIVE SKIPPED ACTIVE']);
    expect(walk.row.actors).toContain('y');
    expect(walk.do(sign('y'))).toEqual(['document.completed']);
  });

  test('but not that of anybody else, one that waits for nothing, or to the leaver again', () => {
    const walk = sentOn(...plan);
    const [a, b] = [walk.slot(0, 0).id, walk.slot(0, 1).id];
    expect(walk.refusal(given(a, 'x'))).toBe(SLOT);
    walk.gone.add('a');
    expect(walk.refusal(given(b, 'x'))).toBe(SLOT);
    expect(walk.refusal(given(a, 'a'))).toBe('INVALID_ARGUMENT employee_id');
    walk.do(given(a, 'x'));
    expect(walk.refusal(given(a, 'c'))).toBe(SLOT);
    walk.do(reject('b'));
    expect(walk.refusal(given(walk.slot(1, 1).id, 'x'))).toBe(STATE);
  });
});
