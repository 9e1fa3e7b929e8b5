import { enumerations } from '../../generated/contract.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { Api } from '../http/api.ts';
import { rule, rulesWith, unable } from './rule.ts';
import { idsOf, series, statuses, UNKNOWN_ID } from './shared/calls.ts';
import {
  type Action,
  type ActorName,
  act,
  approval,
  type Cast,
  cast,
  type Document,
  done,
  draft,
  operationOfAction,
  outline,
  routed,
  seen,
  sent,
  setRoute,
  signing,
  signingOfAny,
  slotOf,
  unchanged,
} from './shared/document-calls.ts';
import { ACTORS, allowed, everyMove, refusals, sees } from './shared/flow-model.ts';
import {
  broughtTo,
  type DocumentInState,
  type DocumentState,
  modelOf,
  moved,
  ofOnePerson,
  refuse,
  states,
} from './shared/flow-states.ts';

const routeRule = rulesWith({ place: 'setDocumentRoute', decisions: ['D-18'] });

/** The ids of a route, its steps and its slots. */
const idsIn = ({ route }: Document): string[] => [
  route.id,
  ...route.steps.flatMap((one) => [one.id, ...idsOf(one.participants)]),
];

routeRule({
  id: 'FLOW-17',
  text: 'Setting the route again replaces the whole route of a draft.',
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const before = await routed(t, full, [approval(second), approval(restricted), signing(full)]);
    const after = await setRoute(full.api, before.id, [signingOfAny(restricted, second)]);
    t.equal(outline(t, after), 'DRAFT DRAFT [SIGNING PENDING PENDING PENDING]', 'the route after it was set again');
    const old = new Set(idsIn(before));
    const kept = idsIn(after).filter((id) => old.has(id));
    t.equal(kept, [], 'ids that the new route has of the old one');
    const { status, title, files } = before;
    t.equal([after.status, after.title, after.files], [status, title, files], 'what is no part of the route');
    await unchanged(full.api, after, 'reading it again');
    await done(full.api, before.id, '_send');
    (await act(second.api, before.id, '_approve')).fails('INVALID_ARGUMENT', 'approve by the route that was replaced');
  },
});

routeRule({
  id: 'FLOW-27',
  text: 'What a route leaves out is filled in: rule ALL, key type SIMPLE, indexes from 0, ids of its own.',
  decisions: ['D-1', 'D-18', 'D-19'],
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const { id } = await draft(t, full.api);
    const [a, b] = [second.id, restricted.id];
    const {
      step_type: { APPROVAL, SIGNING },
      step_rule: { ALL, ANY },
      key_type: { EDS, SIMPLE },
    } = t.spelling;
    const slot = (employee_id: string, key_type = SIMPLE) => ({ employee_id, key_type });
    const set = await setRoute(full.api, id, [
      approval(second),
      { step_type: SIGNING, rule: '', participants: [slot(b, '')] },
      { step_type: SIGNING, rule: ANY, participants: [slot(b, EDS), slot(inCapitals(t, a))] },
    ]);
    const { route } = set;
    const { DRAFT } = t.spelling.route_status;
    t.equal([route.status, route.active], [DRAFT, false], 'status and active of a route just set');
    const seen = route.steps.map(({ index, rule: of, step_type, participants }) => ({
      index,
      rule: of,
      step_type,
      participants: participants.map(({ employee_id, key_type }) => ({ employee_id, key_type })),
    }));
    t.equal(
      seen,
      [
        { index: 0, rule: ALL, step_type: APPROVAL, participants: [slot(a)] },
        { index: 1, rule: ALL, step_type: SIGNING, participants: [slot(b)] },
        { index: 2, rule: ANY, step_type: SIGNING, participants: [slot(b, EDS), slot(a)] },
      ],
      'the route as it was set',
    );
    const ids = idsIn(set);
    t.equal(new Set(ids).size, ids.length, 'ids of a route, its steps and its slots that are unique');
  },
});

/** The id in capitals, if the target understands that. */
const inCapitals = (t: TestContext, id: string) => (t.values.upper_case_id === 'understood' ? id.toUpperCase() : id);

/** What is wrong with the meaning of a route, the field that must be blamed, and the steps. Forms are those of fields. */
function wrongRoutes(t: TestContext, a: string, b: string): [what: string, blamed: string, steps: object[]][] {
  const { step_type, key_type } = t.spelling;
  const slot = { employee_id: a };
  const sign = { step_type: step_type.SIGNING, participants: [slot] };
  const approve = { step_type: step_type.APPROVAL, participants: [slot] };
  const twice = (again: string) => [{ ...sign, participants: [slot, { employee_id: b }, { employee_id: again }] }];
  const qualified = { ...approve, participants: [{ ...slot, key_type: key_type.EDS }] };
  return [
    ['no signing step', 'steps', [approve]],
    ['approval after signing', 'steps', [sign, approve]],
    ['approval between signings', 'steps', [approve, sign, approve, sign]],
    ['an employee twice in a step', 'steps[0].participants', twice(a)],
    ['twice, once in capitals', 'steps[0].participants', twice(inCapitals(t, a))],
    ['EDS in an approval', 'steps[0].participants[0].key_type', [qualified, sign]],
    ['a status of one’s own', 'steps[0].status', [{ ...sign, status: t.spelling.step_status.COMPLETED }]],
  ];
}

routeRule({
  id: 'FLOW-19',
  text: 'A route that breaks a rule of routes is INVALID_ARGUMENT naming the place, and leaves the route before.',
  // The employees of a wide step must not be terminated meanwhile.
  runs: 'quiet',
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const spread = t.asAny('full');
    const before = await routed(t, full, [signing(second)]);
    for (const [what, blamed, steps] of wrongRoutes(t, second.id, restricted.id)) {
      (await act(spread, before.id, '_set_route', { steps })).blames(blamed, what);
    }
    await unchanged(full.api, before, 'refused routes');
    const most = await setRoute(
      full.api,
      before.id,
      series(20, () => signing(second)),
    );
    t.equal(most.route.steps.length, 20, 'steps of a route of 20');
    const { rows } = await full.api.employees({ status: 'EMPLOYEE_STATUS_ACTIVE', limit: 50 });
    const many = { ...signing(second), participants: rows.map(({ id }) => ({ employee_id: id })) };
    const wide = await setRoute(full.api, before.id, [many]);
    const set = wide.route.steps.map(({ participants }) => participants.map(({ employee_id }) => employee_id));
    t.equal(set, [idsOf(rows)], `participants of a step of ${rows.length}`);
  },
});

/** What a refusal says is wrong, without the fields. */
const descriptions = (answer: Answer): string[] =>
  (answer.json as { details: { field_violations?: { description: string }[] }[] }).details
    .flatMap(({ field_violations }) => field_violations ?? [])
    .map(({ description }) => description);

/** Lists participants: for each status that a participant may have, an employee who has it. */
async function ofEveryStatus(api: Api): Promise<{ employee_id: string }[]> {
  const permitted = statuses.filter((status) => status !== 'EMPLOYEE_STATUS_TERMINATED');
  const pages = await Promise.all(permitted.map((status) => api.employees({ status, limit: 1 })));
  return pages.flatMap(({ rows }) => rows.map(({ id }) => ({ employee_id: id })));
}

routeRule({
  id: 'FLOW-24',
  text: 'A participant must be an employee whom the initiator sees and who is neither deleted, a draft, terminated nor another tenant’s; any other status will do. The initiator’s own manager may be one, even where the initiator does not see the manager.',
  // Employees are found by their status, which a batch may change.
  runs: 'quiet',
  check: async (t) => {
    const { full, second } = cast(t);
    const by = async (api: typeof full.api, document: Document, employee_id: string, what: string) => {
      const steps = [signing({ ...full, id: employee_id })];
      return (await act(api, document.id, '_set_route', { steps })).blames(
        'steps[0].participants[0].employee_id',
        what,
      );
    };
    const own = await draft(t, full.api);
    const unknown = await by(full.api, own, UNKNOWN_ID, 'an unknown employee');
    for (const name of [
      'employee_deleted_id',
      'employee_draft_id',
      'employee_terminated_id',
      'employee_other_tenant_id',
    ] as const) {
      const answer = await by(full.api, own, t.fixture(name), name);
      if (name !== 'employee_terminated_id') {
        t.equal(descriptions(answer), descriptions(unknown), `what is said of ${name} and of an unknown one`, answer);
      }
    }
    await unchanged(full.api, own, 'refused participants');
    const participants = await ofEveryStatus(full.api);
    await setRoute(full.api, own.id, [{ step_type: t.spelling.step_type.SIGNING, participants }]);
    const narrow = await draft(t, second.api);
    const hidden = await by(second.api, narrow, t.fixture('employee_hidden_from_restricted_id'), 'a hidden employee');
    const absent = await by(second.api, narrow, UNKNOWN_ID, 'an unknown employee, for another owner');
    const said = descriptions(absent);
    t.equal(descriptions(hidden), said, 'what is said of a hidden employee and of an unknown one', hidden);
    const { manager_id = '' } = await full.api.employee(second.id);
    const isHidden = (await second.api.get(`/employees/${manager_id}`)).status === 404;
    if (manager_id === '' || !isHidden) return;
    const toManager = signing({ ...full, id: manager_id });
    await setRoute(second.api, narrow.id, [toManager]);
    await done(second.api, narrow.id, '_send');
  },
});

const PLACE = 'setDocumentRoute, sendDocument, approveDocument, signDocument, rejectDocument';

/** Whoever of these owners sees a document must find it as it is, and the others must not find it. */
async function seenAsItIs(
  t: TestContext,
  who: Cast,
  { document, model }: DocumentInState,
  owners: readonly ActorName[],
): Promise<void> {
  for (const name of owners) {
    const read = await seen(who[name].api, document, sees(model, name), `of ${name} after refused moves`);
    if (read !== undefined) t.equal(read, document, `the document as ${name} reads it after refused moves`);
  }
}

/** Tries every action of these owners on a document in the state, and then those that are allowed. */
async function everyAction(
  t: TestContext,
  row: DocumentState,
  { subjects, owners }: { subjects: readonly ActorName[]; owners: readonly ActorName[] },
): Promise<void> {
  const who = cast(t);
  const here = await broughtTo(t, who, row, { subjects });
  for (const move of everyMove(row.plan)) {
    if (owners.includes(move.by) && refusals(here.model, move).length > 0) await refuse(t, who, here, move);
  }
  await seenAsItIs(t, who, here, owners);
  const moves = allowed(here.model, row.plan);
  for (const [nth, move] of moves.entries()) {
    const isLast = nth === moves.length - 1;
    await moved(t, who, isLast ? here : await broughtTo(t, who, row, { subjects }), move);
  }
}

for (const row of states) {
  rule({
    id: row.id,
    family: 'action × state',
    text: `A document ${row.what}: each action of its initiator, its participants, its subject and others has the result that the table of moves says, whoever sees it finds it, and what is refused changes nothing.`,
    place: PLACE,
    decisions: ['D-15', 'D-18', 'D-19', 'D-20'],
    check: async (t, full) => {
      if (row.moves.some(({ action, by }) => action === 'revoke_document' && by !== (row.initiator ?? 'full'))) {
        const { manager_id } = await full.employee(t.fixture('second_owner_employee_id'));
        const isManager = manager_id === t.fixture('owner_employee_id');
        if (!isManager) t.untested('no_such_data', 'the owner full is not the manager of second_owner');
      }
      await everyAction(t, row, { subjects: [], owners: ACTORS });
      const other = row.initiator === undefined ? ofOnePerson(row) : undefined;
      if (other !== undefined) await everyAction(t, other, { subjects: ['second'], owners: ['full', 'second'] });
    },
  });
}

const reached = new Set(states.map((row) => modelOf(row).status));

for (const status of Object.keys(enumerations.document_status)) {
  if (status === 'UNSPECIFIED' || reached.has(status)) continue;
  rule({
    id: `FLOW-state.${status}`,
    family: 'action × state',
    text: `Each action on a document in the state ${status} has the result that the contract says.`,
    place: PLACE,
    check: unable('no way is known to this state'),
  });
}

const slotRules: readonly [id: string, action: Action][] = [
  ['FLOW-8', '_approve'],
  ['FLOW-slot.signDocument', '_sign'],
  ['REJ-11', '_reject'],
];

for (const [id, action] of slotRules) {
  rule({
    id,
    family: 'slot of each action',
    text: `With ${action} a participant_id must be the active slot of the key’s owner; any other is INVALID_ARGUMENT, one in which the owner has acted a state error, and nothing changes.`,
    place: operationOfAction[action],
    decisions: ['D-19'],
    check: async (t) => {
      const { full, second, restricted } = cast(t);
      const step = action === '_sign' ? signing : approval;
      const plan = [step(second, restricted), signing(second), signing(full)];
      const [going, other] = [await sent(t, full, plan), await sent(t, full, plan)];
      const comment = action === '_reject' ? { comment: 'Нет.' } : {};
      for (const [what, participant_id] of [
        ['the slot of somebody else', slotOf(t, going, 0, restricted)],
        ['one’s own slot of a later step', slotOf(t, going, 1, second)],
        ['one’s own slot of another document', slotOf(t, other, 0, second)],
        ['an unknown slot', UNKNOWN_ID],
        ['the employee’s id', second.id],
        ['the document’s id', going.id],
      ] as const) {
        const body = { ...comment, participant_id };
        (await act(second.api, going.id, action, body)).blames('participant_id', what);
        const refusal = await act(full.api, going.id, action, body);
        refusal.blames('participant_id', `${what}, by one whose turn has not come`);
      }
      await unchanged(full.api, going, `${action} in the slots of others`);
      await unchanged(full.api, other, `${action} elsewhere with its slot`);
      const slot = slotOf(t, going, 0, second);
      const participant_id = inCapitals(t, slot);
      const after = await done(second.api, going.id, action, { ...comment, participant_id });
      const again = await act(second.api, going.id, action, { ...comment, participant_id: slot });
      again.fails(action === '_reject' ? 'INVALID_ARGUMENT' : 'DOCUMENT_INVALID_STATUS_TRANSITION', `${action} again`);
      await unchanged(full.api, after, `${action} again`);
    },
  });
}
