/** The participants of a flow, and the requests that move a document. */

import type { TestContext } from '../../engine/test-context.ts';
import type { Answer } from '../../http/answer.ts';
import type { Api } from '../../http/api.ts';
import type { FixtureName } from '../../profile/schema.ts';
import { wordOf } from '../../profile/spelling.ts';
import * as calls from './document-calls.ts';
import { type Document, draft, rejection, type StepPlan } from './document-calls.ts';

/** An owner, with the employee who acts when the owner's key is used. */
export interface Actor {
  name: ActorName;
  api: Api;
  id: string;
}
export type ActorName = 'full' | 'second_owner' | 'restricted_owner';
export type Cast = Readonly<Record<'full' | 'second' | 'restricted', Actor>>;

const employeeOf: Readonly<Record<ActorName, FixtureName>> = {
  full: 'owner_employee_id',
  second_owner: 'second_owner_employee_id',
  restricted_owner: 'restricted_owner_employee_id',
};

/** The employee who acts with each Api. */
const employees = new WeakMap<Api, string>();

/** `full` initiates and sees every document; the other two see only documents in which they take part. */
export function cast(t: TestContext): Cast {
  const actor = (name: ActorName): Actor => {
    const one = { name, api: t.as(name), id: t.fixture(employeeOf[name]) };
    employees.set(one.api, one.id);
    return one;
  };
  return { full: actor('full'), second: actor('second_owner'), restricted: actor('restricted_owner') };
}

type Who = readonly [Actor, ...Actor[]];
const ids = (who: Who) => who.map(({ id }) => id);
export const approval = (...who: Who): StepPlan => calls.approvalBy(who[0].api.context, ...ids(who));
export const signing = (...who: Who): StepPlan => calls.signingBy(who[0].api.context, ...ids(who));
/** A step that is complete when one of its participants has acted. */
const ofAny = ({ api }: Actor, one: StepPlan): StepPlan => ({ ...one, rule: api.context.spelling.step_rule.ANY });
export const approvalOfAny = (...who: Who): StepPlan => ofAny(who[0], approval(...who));
export const signingOfAny = (...who: Who): StepPlan => ofAny(who[0], signing(...who));
/** A signing step for one employee, whose signature must be a qualified one. */
export const eds = ({ id, api }: Actor): StepPlan => ({
  step_type: api.context.spelling.step_type.SIGNING,
  participants: [{ employee_id: id, key_type: api.context.spelling.key_type.EDS }],
});

export type Action = '_set_route' | '_send' | '_approve' | '_sign' | '_reject';
export const actions: readonly Action[] = ['_set_route', '_send', '_approve', '_sign', '_reject'];

/** Sends one action and accepts any answer. */
export async function act(api: Api, documentId: string, action: Action, body: unknown = {}): Promise<Answer> {
  await api.context.mayWrite();
  return api.post(`/documents/${documentId}/${action}`, body);
}

export const operationOfAction = {
  _set_route: 'setDocumentRoute',
  _send: 'sendDocument',
  _approve: 'approveDocument',
  _sign: 'signDocument',
  _reject: 'rejectDocument',
} as const;

/** One action that must be accepted. @returns the document after it */
export async function done(api: Api, documentId: string, action: Action, body: unknown = {}): Promise<Document> {
  const employeeId = employees.get(api);
  const { comment = '', participant_id } = body as { comment?: string; participant_id?: string };
  // Only a field that may not be omitted is filled in.
  const fill = action === '_reject' && employeeId !== undefined && !participant_id;
  const filled = fill ? { ...(body as object), ...(await rejection(api, documentId, employeeId, comment)) } : body;
  const answer = await act(api, documentId, action, filled);
  const { document } = answer.ok(operationOfAction[action]);
  api.context.equal(document.id, documentId, `the id in the answer to ${action}`, answer);
  return document;
}

export const setRoute = (api: Api, documentId: string, steps: readonly StepPlan[]): Promise<Document> =>
  done(api, documentId, '_set_route', { steps });

/** A draft of the actor's, with its route set. */
export async function routed(t: TestContext, initiator: Actor, steps: readonly StepPlan[]): Promise<Document> {
  return setRoute(initiator.api, (await draft(t, initiator.api)).id, steps);
}

/** A document that was sent along its route. */
export async function sent(t: TestContext, initiator: Actor, steps: readonly StepPlan[]): Promise<Document> {
  return done(initiator.api, (await routed(t, initiator, steps)).id, '_send');
}

/** Checks that refused requests left no trace. @param before the document before them, as `api` reads it */
export async function unchanged(api: Api, before: Document, because: string): Promise<void> {
  const answer = await api.get(`/documents/${before.id}`);
  api.context.equal(answer.ok('getDocument').document, before, `the document after ${because}`, answer);
}

/** The id of an actor's slot in a step. */
export function slotOf(t: TestContext, document: Document, index: number, { id }: Actor): string {
  const slot = document.route.steps[index]?.participants.find(({ employee_id }) => employee_id === id);
  return t.present(slot, `step ${index} has no slot of the employee that was set`).id;
}

/** Statuses as words, in one line: `ON_SIGN ACTIVE [APPROVAL COMPLETED APPROVED] [SIGNING ACTIVE ACTIVE]`. */
export function outline({ spelling }: TestContext, { status, route }: Pick<Document, 'status' | 'route'>): string {
  const steps = route.steps.map(({ step_type, status: of, participants }) => {
    const slots = participants.map((one) => wordOf(spelling.participant_status, one.status));
    return `[${[wordOf(spelling.step_type, step_type), wordOf(spelling.step_status, of), ...slots].join(' ')}]`;
  });
  return [wordOf(spelling.document_status, status), wordOf(spelling.route_status, route.status), ...steps].join(' ');
}

/** A move that must be accepted and result in this outline. */
export async function moves(
  actor: Actor,
  documentId: string,
  action: Action,
  expected: string,
  body: unknown = {},
): Promise<Document> {
  const document = await done(actor.api, documentId, action, body);
  const { context } = actor.api;
  context.equal(outline(context, document), expected, `statuses after ${action} by ${actor.name}`);
  context.equal(document.route.active, document.route.status === context.spelling.route_status.ACTIVE, 'route.active');
  return document;
}

/** Completes every open slot of these actors until the document is complete. */
export async function complete(t: TestContext, from: Document, who: Cast): Promise<Document> {
  const { step_status, participant_status, step_type, document_status } = t.spelling;
  let document = from;
  for (let turn = 0; turn < 40 && document.route.active; turn++) {
    const active = document.route.steps.find(({ status }) => status === step_status.ACTIVE);
    const slot = active?.participants.find(({ status }) => status === participant_status.ACTIVE);
    const actor = Object.values(who).find(({ id }) => id === slot?.employee_id);
    const action = active?.step_type === step_type.APPROVAL ? '_approve' : '_sign';
    document = await done(t.present(actor, 'an active route has no active slot of ours').api, document.id, action);
  }
  t.equal(document.status, document_status.COMPLETED, 'the status after everybody has acted');
  return document;
}

/** A completed document: `second` approved, `restricted` signed. */
export const completed = async (t: TestContext, who: Cast): Promise<Document> =>
  complete(t, await sent(t, who.full, [approval(who.second), signing(who.restricted)]), who);
