/** The state machine of documents: examples from its tables, and random walks with checks after every step. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { draftRow } from '../../../scripts/testbed/document-row.ts';
import { SeededRandom } from '../../../scripts/testbed/random.ts';
import type { DocumentRow, StoredParticipant, StoredStep } from '../../data/collections/documents.ts';
import type { Act } from './acts.ts';
import type { People } from './people.ts';
import type { RouteStep } from './route.ts';
import { approve, reject, requestChanges, revoke, route, send, sign, step } from './testing/acts.ts';
import { type ActRefusal, type Change, decide } from './workflow.ts';

const START = Date.parse('2026-03-02T05:00:00Z');

/** A document with its own clock and ids. It applies changes as `change.ts` does. */
class Walk {
  row: DocumentRow;
  nowMs = START;
  /** Everybody works there, but for whom a test takes away. */
  readonly gone = new Set(['']);
  readonly people: People = {
    isThere: (id) => !this.gone.has(id),
    mayTakePart: (id) => !this.gone.has(id) && id !== 'stranger',
    initiatorManager: 'boss',
  };
  #ids = 0;

  constructor(subjects: string[] = []) {
    this.row = draftRow({ _id: 'document', initiator_employee_id: 'ini', subject_employee_ids: subjects });
  }

  try(act: Act): Change | ActRefusal {
    this.#ids += 1;
    const newId = () => `id-${this.#ids++}`;
    const decision = decide(this.row, act, this.people, { now: new Date(this.nowMs), newId });
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

  test('a skipped slot counts as one that has not acted', () => {
    const walk = sentOn(step('SIGNING', 'ANY', 'a', 'b'), step('SIGNING', 'ALL', 'c'));
    walk.do(sign('a'));
    expect(walk.refusal(sign('b'))).toBe(SLOT);
    expect(walk.refusal(sign('b', walk.slot(0, 1).id))).toBe(SLOT);
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
  const given = (by: string, participantId: string, to: string): Act => ({ kind: 'give_on', by, participantId, to });
  const plan = [step('APPROVAL', 'ALL', 'a', 'b'), step('SIGNING', 'ALL', 'c', 'a')];

  test('who stands in the same step in the status of the old one, sees it once the step is active, and completes it', () => {
    const walk = sentOn(plan[0] as RouteStep, {
      ...(plan[1] as RouteStep),
      participants: [{ employee_id: 'a', key_type: 'EDS' }],
    });
    const [active, pending] = [walk.slot(0, 0), walk.slot(1, 0)];
    walk.gone.add('a');
    const before = walk.row;
    expect(walk.do(given('a', active.id, 'x'))).toEqual([]);
    expect(walk.do(given('a', pending.id, 'y'))).toEqual([]);
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
    expect(walk.refusal(given('a', a, 'x'))).toBe(SLOT);
    walk.gone.add('a');
    expect(walk.refusal(given('a', b, 'x'))).toBe(SLOT);
    expect(walk.refusal(given('a', a, 'a'))).toBe('INVALID_ARGUMENT employee_id');
    walk.do(given('a', a, 'x'));
    expect(walk.refusal(given('a', a, 'c'))).toBe(SLOT);
    walk.do(reject('b'));
    expect(walk.refusal(given('a', walk.slot(1, 1).id, 'x'))).toBe(STATE);
  });
});

/** The events of a change by the brief's table and D-19, from only the act and the document before and after it. */
function eventsOfTable(before: DocumentRow, after: DocumentRow, act: Act): string[] {
  if (!after.listed) return ['document.deleted'];
  const entered = before.status === after.status ? '' : after.status.replace('DOCUMENT_STATUS_', '');
  const event: Record<string, string> = {
    ON_APPROVAL: 'approval_started',
    ON_SIGN: 'signing_started',
    COMPLETED: 'completed',
    REJECTED: 'rejected',
    CHANGE_REQUESTED: 'change_requested',
    REVOKED: 'revoked',
  };
  return [
    ...(act.kind === 'send' ? ['document.sent'] : []),
    ...(entered in event ? [`document.${event[entered]}`] : []),
  ];
}

/** Checks what is true of every document after any acts. */
function sound(row: DocumentRow): void {
  const steps: StoredStep[] = row.route?.steps ?? [];
  const active = steps.filter(({ status }) => status === 'STEP_STATUS_ACTIVE');
  const flowing = ['DOCUMENT_STATUS_ON_APPROVAL', 'DOCUMENT_STATUS_ON_SIGN'].includes(row.status);
  expect(active).toHaveLength(flowing ? 1 : 0);
  const ofType = { STEP_TYPE_APPROVAL: 'DOCUMENT_STATUS_ON_APPROVAL', STEP_TYPE_SIGNING: 'DOCUMENT_STATUS_ON_SIGN' };
  for (const { step_type } of active) expect(row.status).toBe(ofType[step_type]);
  expect(row.route?.status === 'ROUTE_STATUS_ACTIVE').toBe(flowing);
  expect(steps.map(({ index }) => index)).toEqual(steps.map((_, i) => i));
  const isCompleted = row.status === 'DOCUMENT_STATUS_COMPLETED';
  expect(isCompleted).toBe(steps.length > 0 && steps.every(({ status }) => status === 'STEP_STATUS_COMPLETED'));
  expect(row.completed_at !== null).toBe(isCompleted);
  for (const { status, participants } of steps) {
    for (const slot of participants) {
      const acted = /_(APPROVED|SIGNED|REJECTED|CHANGE_REQUESTED)$/.test(slot.status);
      expect(slot.action !== null).toBe(acted);
      if (slot.status === 'PARTICIPANT_STATUS_ACTIVE') expect(status).toBe('STEP_STATUS_ACTIVE');
      if (acted || slot.status === 'PARTICIPANT_STATUS_ACTIVE') expect(row.actors).toContain(slot.employee_id);
    }
  }
  expect(row.visible_to).toEqual(expect.arrayContaining(row.actors));
  expect(row.actors).toContain(row.initiator_employee_id);
  expect(new Set(row.pending_events.map(({ id }) => id)).size).toBe(row.pending_events.length);
}

/** Checks what one accepted act must keep, and how it must continue the document. */
function continues(before: DocumentRow, after: DocumentRow, act: Act): void {
  expect(after.rev).toBe(before.rev + 1);
  expect(after.update_time.getTime()).toBeGreaterThan(before.update_time.getTime());
  expect(after.visible_to).toEqual(expect.arrayContaining(before.visible_to));
  expect(after.actors).toEqual(expect.arrayContaining(before.actors));
  const events = after.pending_events.slice(before.pending_events.length);
  expect(events.map(({ type, occurred_at }) => [type, occurred_at])).toEqual(
    eventsOfTable(before, after, act).map((type) => [type, after.update_time]),
  );
  if (/_(COMPLETED|REJECTED|REVOKED)$/.test(before.status)) expect(after.status).toBe(before.status);
  if (before.status === 'DOCUMENT_STATUS_COMPLETED') throw new Error('a completed document changed');
  if (act.kind === 'set_route') return;
  const slots = (row: DocumentRow) => (row.route?.steps ?? []).flatMap(({ participants }) => participants);
  const now = new Map(slots(after).map((slot) => [slot.id, slot]));
  for (const slot of slots(before)) if (slot.action !== null) expect(now.get(slot.id)).toEqual(slot);
  const newlyActed = slots(before).filter(({ id, action }) => action === null && now.get(id)?.action !== null);
  expect(newlyActed).toHaveLength(['send', 'revoke', 'delete', 'give_on'].includes(act.kind) ? 0 : 1);
  expect(now.size).toBe(slots(before).length + (act.kind === 'give_on' ? 1 : 0));
}

/** Freezes a row: the state machine must return new values and never write into the row that it is given. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}

const PEOPLE: readonly [string, ...string[]] = ['ini', 'a', 'b', 'c', 'd'];

/** A random next act: mostly a realistic one, sometimes any. */
function anyAct(random: SeededRandom, row: DocumentRow): Act {
  const slots = (row.route?.steps ?? []).flatMap(({ participants }) => participants);
  const active = slots.filter(({ status }) => status === 'PARTICIPANT_STATUS_ACTIVE');
  const willing = active.length > 0 && random.int(4) > 0 ? active[random.int(active.length)]?.employee_id : undefined;
  const by = willing ?? random.pick(PEOPLE);
  const meant = random.int(4) === 0 ? slots[random.int(Math.max(1, slots.length))]?.id : undefined;
  const roll = random.int(active.length > 0 ? 12 : 24);
  if (roll === 0) return reject(by, meant);
  if (roll === 1) return requestChanges(by, meant);
  if (roll === 2) return revoke(random.pick(['ini', 'boss', 'a']));
  if (roll === 3) return remove(random.int(3) === 0 ? 'ini' : 'a');
  if (roll === 4) {
    const left = slots.find(({ employee_id, action }) => employee_id === 'd' && action === null);
    return { kind: 'give_on', by: 'd', participantId: meant ?? left?.id ?? '', to: random.pick(PEOPLE) };
  }
  if (roll < 8) return approve(by, meant);
  if (roll < 12) return sign(by, meant);
  const owner = random.pick(['ini', 'ini', 'ini', 'a']);
  return roll < 17 ? { kind: 'send', by: owner } : { ...anyRoute(random), by: owner };
}

function anyRoute(random: SeededRandom): Act {
  const approvals = random.int(3);
  const people = () => PEOPLE.filter(() => random.int(2) === 0);
  const steps = Array.from({ length: approvals + 1 + random.int(2) }, (_, i) => {
    const some = people();
    return step(
      i < approvals ? 'APPROVAL' : 'SIGNING',
      random.pick(['ALL', 'ANY']),
      ...(some.length > 0 ? some : ['a']),
    );
  });
  return route(...steps);
}

test('random sequences of acts keep every invariant', () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.subarray(['s', 'a']), (seed, subjects) => {
      const random = new SeededRandom(seed);
      const walk = new Walk(subjects);
      for (let i = 0; i < 60 && walk.row.listed; i++) {
        walk.nowMs += random.int(3) - 1;
        const before = frozen(walk.row);
        if (random.int(20) === 0) walk.gone[walk.gone.has('d') ? 'delete' : 'add']('d');
        const act = anyAct(random, walk.row);
        const decision = walk.try(act);
        if (decision.refused) {
          expect(walk.row).toBe(before);
          expect(decision.violations.length > 0).toBe(decision.error === 'INVALID_ARGUMENT');
          continue;
        }
        reached.add(`${act.kind} ${walk.row.listed ? walk.row.status : 'deleted'}`);
        continues(before, walk.row, act);
        sound(walk.row);
      }
    }),
    { numRuns: 120, seed: 20_260_302 },
  );
  // Walks that reach no states prove nothing.
  expect([...reached].toSorted()).toEqual(
    [
      'approve DOCUMENT_STATUS_ON_APPROVAL',
      'approve DOCUMENT_STATUS_ON_SIGN',
      'delete deleted',
      'give_on DOCUMENT_STATUS_ON_APPROVAL',
      'give_on DOCUMENT_STATUS_ON_SIGN',
      'reject DOCUMENT_STATUS_REJECTED',
      'request_changes DOCUMENT_STATUS_CHANGE_REQUESTED',
      'revoke DOCUMENT_STATUS_REVOKED',
      'send DOCUMENT_STATUS_ON_APPROVAL',
      'send DOCUMENT_STATUS_ON_SIGN',
      'set_route DOCUMENT_STATUS_CHANGE_REQUESTED',
      'set_route DOCUMENT_STATUS_DRAFT',
      'sign DOCUMENT_STATUS_COMPLETED',
      'sign DOCUMENT_STATUS_ON_SIGN',
    ].toSorted(),
  );
});
