import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { Api } from '../http/api.ts';
import { rulesWith } from './rule.ts';
import { idsOf, statuses, UNKNOWN_ID } from './shared/calls.ts';
import {
  act,
  approval,
  cast,
  type Document,
  done,
  draft,
  outline,
  routed,
  type StepPlan,
  setRoute,
  signing,
  signingOfAny,
  unchanged,
} from './shared/document-calls.ts';

const rule = rulesWith({ place: 'setDocumentRoute', decisions: ['D-18'] });

/** The ids of a route, its steps and its slots. */
const idsIn = ({ route }: Document): string[] => [
  route.id,
  ...route.steps.flatMap((one) => [one.id, ...idsOf(one.participants)]),
];

rule({
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

rule({
  id: 'FLOW-27',
  text: 'What a route leaves out is filled in: rule ALL, key type SIMPLE, indexes from 0, ids of its own.',
  decisions: ['D-1', 'D-18', 'D-19'],
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const { id } = await draft(t, full.api);
    const [a, b] = [second.id, restricted.id];
    const set = await setRoute(full.api, id, [
      { step_type: t.spelling.step_type.APPROVAL, participants: [{ employee_id: a }] },
      { step_type: t.spelling.step_type.SIGNING, rule: '', participants: [{ employee_id: b, key_type: '' }] },
      {
        step_type: t.spelling.step_type.SIGNING,
        rule: t.spelling.step_rule.ANY,
        participants: [
          { employee_id: b, key_type: t.spelling.key_type.EDS },
          { employee_id: inCapitals(t, a), key_type: t.spelling.key_type.SIMPLE },
        ],
      },
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
    const slot = (employee_id: string, key_type = t.spelling.key_type.SIMPLE) => ({ employee_id, key_type });
    const all = t.spelling.step_rule.ALL;
    t.equal(
      seen,
      [
        { index: 0, rule: all, step_type: t.spelling.step_type.APPROVAL, participants: [slot(a)] },
        { index: 1, rule: all, step_type: t.spelling.step_type.SIGNING, participants: [slot(b)] },
        {
          index: 2,
          rule: t.spelling.step_rule.ANY,
          step_type: t.spelling.step_type.SIGNING,
          participants: [slot(b, t.spelling.key_type.EDS), slot(a)],
        },
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

rule({
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
      Array.from({ length: 20 }, () => signing(second)),
    );
    t.equal(most.route.steps.length, 20, 'steps of a route of 20');
    const { rows } = await full.api.employees({ status: 'EMPLOYEE_STATUS_ACTIVE', limit: 50 });
    const many: StepPlan = {
      step_type: t.spelling.step_type.SIGNING,
      participants: rows.map(({ id }) => ({ employee_id: id })),
    };
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

rule({
  id: 'FLOW-24',
  text: 'A participant must be an employee whom the initiator sees and who is neither deleted, a draft, terminated nor another tenant’s; any other status will do. The initiator’s own manager may be one, even where the initiator does not see the manager.',
  // Employees are found by their status, which a batch may change.
  runs: 'quiet',
  check: async (t) => {
    const { full, second } = cast(t);
    const by = async (api: typeof full.api, document: Document, employee_id: string, what: string) => {
      const steps = [{ step_type: t.spelling.step_type.SIGNING, participants: [{ employee_id }] }];
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
    const toManager = { step_type: t.spelling.step_type.SIGNING, participants: [{ employee_id: manager_id }] };
    await setRoute(second.api, narrow.id, [toManager]);
    await done(second.api, narrow.id, '_send');
  },
});
