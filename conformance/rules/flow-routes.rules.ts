import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { Api } from '../http/api.ts';
import { rule } from './rule.ts';
import { idsOf, statuses, UNKNOWN_ID } from './shared/calls.ts';
import { type Document, draft, type StepPlan } from './shared/document-calls.ts';
import {
  act,
  approval,
  cast,
  complete,
  done,
  outline,
  routed,
  sent,
  setRoute,
  signing,
  signingOfAny,
  unchanged,
} from './shared/flow-calls.ts';
import { need, together } from './shared/needs.ts';

rule({
  id: 'FLOW-17',
  level: 'MUST',
  text: 'Setting the route again replaces the whole route of a draft.',
  place: 'setDocumentRoute',
  decisions: ['D-18'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const before = await routed(t, full, [approval(second), approval(restricted), signing(full)]);
    const after = await setRoute(full.api, before.id, [signingOfAny(restricted, second)]);
    t.equal(outline(t, after), 'DRAFT DRAFT [SIGNING PENDING PENDING PENDING]', 'the route after it was set again');
    const old = new Set([
      before.route.id,
      ...before.route.steps.flatMap((one) => [one.id, ...idsOf(one.participants)]),
    ]);
    const kept = [after.route.id, ...idsOf(after.route.steps), ...idsOf(after.route.steps[0]?.participants ?? [])];
    t.equal(
      kept.filter((id) => old.has(id)),
      [],
      'ids that the new route has of the old one',
    );
    const { status, title, files } = before;
    t.equal([after.status, after.title, after.files], [status, title, files], 'what is no part of the route');
    await unchanged(full.api, after, 'reading it again');
    await done(full.api, before.id, '_send');
    (await act(second.api, before.id, '_approve')).fails('INVALID_ARGUMENT', 'approve by the route that was replaced');
  },
});

rule({
  id: 'FLOW-27',
  level: 'MUST',
  text: 'What a route leaves out is filled in: rule ALL, key type SIMPLE, indexes from 0, ids of its own.',
  place: 'setDocumentRoute',
  decisions: ['D-1', 'D-18', 'D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const { id } = await draft(t, full.api);
    const [a, b] = [second.id, restricted.id];
    const { route } = await setRoute(full.api, id, [
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
    t.equal(
      [route.status, route.active],
      [t.spelling.route_status.DRAFT, false],
      'status and active of a route just set',
    );
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
    const ids = [route.id, ...route.steps.flatMap((one) => [one.id, ...idsOf(one.participants)])];
    t.equal(new Set(ids).size, ids.length, 'ids of a route, its steps and its slots that are unique');
  },
});

/** The id in capitals, if the target understands that. */
const inCapitals = (t: TestContext, id: string) => (t.values.upper_case_id === 'understood' ? id.toUpperCase() : id);

/** What is wrong with a route, the field that must be blamed, and the body. */
function wrongRoutes(t: TestContext, a: string, b: string): [what: string, blamed: string, body: unknown][] {
  const slot = { employee_id: a };
  const sign = { step_type: t.spelling.step_type.SIGNING, participants: [slot] };
  const approve = { step_type: t.spelling.step_type.APPROVAL, participants: [slot] };
  const nobody = Array.from({ length: 51 }, (_, n) => ({
    employee_id: UNKNOWN_ID.replace(/^.{4}/, String(1000 + n)),
  }));
  return [
    ['no steps', 'steps', {}],
    ['an empty route', 'steps', { steps: [] }],
    ['21 steps', 'steps', { steps: Array.from({ length: 21 }, () => sign) }],
    ['steps that are an object', 'steps', { steps: sign }],
    ['a step that is a text', 'steps[0]', { steps: [t.spelling.step_type.SIGNING] }],
    ['no signing step', 'steps', { steps: [approve] }],
    ['approval after signing', 'steps', { steps: [sign, approve] }],
    ['approval between signings', 'steps', { steps: [approve, sign, approve, sign] }],
    ['a step without a type', 'steps[0].step_type', { steps: [{ participants: [slot] }] }],
    ['an unknown type', 'steps[0].step_type', { steps: [{ ...sign, step_type: 'NO_SUCH_TYPE' }] }],
    [
      'the placeholder of the type',
      'steps[0].step_type',
      { steps: [{ ...sign, step_type: t.spelling.step_type.UNSPECIFIED }] },
    ],
    ['an unknown rule', 'steps[0].rule', { steps: [{ ...sign, rule: 'NO_SUCH_RULE' }] }],
    ['the placeholder of the rule', 'steps[0].rule', { steps: [{ ...sign, rule: t.spelling.step_rule.UNSPECIFIED }] }],
    ['no participants', 'steps[0].participants', { steps: [{ step_type: t.spelling.step_type.SIGNING }] }],
    ['an empty step', 'steps[0].participants', { steps: [{ ...sign, participants: [] }] }],
    ['51 participants', 'steps[0].participants', { steps: [{ ...sign, participants: nobody }] }],
    [
      'an employee twice in a step',
      'steps[0].participants',
      { steps: [{ ...sign, participants: [slot, { employee_id: b }, slot] }] },
    ],
    [
      'twice, once in capitals',
      'steps[0].participants',
      { steps: [{ ...sign, participants: [slot, { employee_id: inCapitals(t, a) }] }] },
    ],
    [
      'EDS in an approval',
      'steps[0].participants[0].key_type',
      { steps: [{ ...approve, participants: [{ ...slot, key_type: t.spelling.key_type.EDS }] }, sign] },
    ],
    [
      'an unknown key type',
      'steps[0].participants[0].key_type',
      { steps: [{ ...sign, participants: [{ ...slot, key_type: 'CLOUD' }] }] },
    ],
    [
      'a slot without an employee',
      'steps[0].participants[0].employee_id',
      { steps: [{ ...sign, participants: [{}] }] },
    ],
    [
      'a malformed employee id',
      'steps[0].participants[0].employee_id',
      { steps: [{ ...sign, participants: [{ employee_id: 'x' }] }] },
    ],
    [
      'an empty employee id',
      'steps[0].participants[0].employee_id',
      { steps: [{ ...sign, participants: [{ employee_id: '' }] }] },
    ],
    ['a status of one’s own', 'steps[0].status', { steps: [{ ...sign, status: t.spelling.step_status.COMPLETED }] }],
    ['an index', 'steps[0].index', { steps: [{ ...sign, index: 3 }] }],
    [
      'a slot that has signed',
      'steps[0].participants[0].status',
      { steps: [{ ...sign, participants: [{ ...slot, status: t.spelling.participant_status.SIGNED }] }] },
    ],
  ];
}

rule({
  id: 'FLOW-19',
  level: 'MUST',
  text: 'A route that breaks a rule of routes is INVALID_ARGUMENT naming the place, and leaves the route before.',
  place: 'setDocumentRoute',
  decisions: ['D-18'],
  needs: need.threeOwners,
  // The employees of a wide step must not be terminated meanwhile.
  runs: 'quiet',
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const spread = t.as('full', { spread: true });
    const before = await routed(t, full, [signing(second)]);
    for (const [what, blamed, body] of wrongRoutes(t, second.id, restricted.id)) {
      (await act(spread, before.id, '_set_route', body)).blames(blamed, what);
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
    t.equal(
      wide.route.steps.map(({ participants }) => participants.map(({ employee_id }) => employee_id)),
      [idsOf(rows)],
      `participants of a step of ${rows.length}`,
    );
  },
});

/** What a refusal says is wrong, without the fields. */
const descriptions = (answer: Answer): string[] =>
  (answer.json as { details: { field_violations?: { description: string }[] }[] }).details
    .flatMap(({ field_violations }) => field_violations ?? [])
    .map(({ description }) => description);

/** An employee of each status that a participant may have, as participants. */
async function ofEveryStatus(api: Api): Promise<{ employee_id: string }[]> {
  const permitted = statuses.filter((status) => status !== 'EMPLOYEE_STATUS_TERMINATED');
  const pages = await Promise.all(permitted.map((status) => api.employees({ status, limit: 1 })));
  return pages.flatMap(({ rows }) => rows.map(({ id }) => ({ employee_id: id })));
}

rule({
  id: 'FLOW-24',
  level: 'MUST',
  text: 'A participant must be an employee whom the initiator sees and who is neither deleted, a draft, terminated nor another tenant’s; any other status will do.',
  place: 'setDocumentRoute',
  decisions: ['D-18'],
  needs: together(need.threeOwners, {
    fixtures: [
      'employee_hidden_from_restricted_id',
      'employee_deleted_id',
      'employee_draft_id',
      'employee_terminated_id',
      'employee_other_tenant_id',
    ],
  }),
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
    t.equal(
      descriptions(hidden),
      descriptions(absent),
      'what is said of a hidden employee and of an unknown one',
      hidden,
    );
  },
});

rule({
  id: 'FLOW-15',
  level: 'MUST',
  text: 'A route cannot be set once the document was sent, wherever it stands.',
  place: 'setDocumentRoute',
  decisions: ['D-18'],
  needs: need.threeOwners,
  check: async (t) => {
    const who = cast(t);
    const { full, second, restricted } = who;
    const steps = [signing(full)];
    const refused = async (document: Document, when: string) => {
      (await act(full.api, document.id, '_set_route', { steps })).fails('DOCUMENT_INVALID_STATUS_TRANSITION', when);
      await unchanged(full.api, document, `a route that was refused ${when}`);
    };
    const going = await sent(t, full, [approval(second), signing(restricted)]);
    await refused(going, 'in approval');
    await refused(await done(second.api, going.id, '_approve'), 'in signing');
    await refused(await done(restricted.api, going.id, '_sign'), 'after completion');
    const other = await sent(t, full, [signing(second)]);
    await refused(await done(second.api, other.id, '_reject', { comment: 'Нет.' }), 'after rejection');
  },
});

rule({
  id: 'FLOW-20',
  level: 'MUST',
  text: 'Only the initiator sets the route and sends: for others who see the document this is not allowed, for those who do not see it the document does not exist.',
  place: 'setDocumentRoute, sendDocument',
  decisions: ['D-18', 'D-19'],
  needs: need.threeOwners,
  check: async (t) => {
    const who = cast(t);
    const { full, second, restricted } = who;
    const steps = [signing(second)];
    const own = await routed(t, full, [approval(second), signing(restricted)]);
    const refused = async (api: typeof full.api, error: Parameters<Answer['fails']>[0], when: string) => {
      (await act(api, own.id, '_set_route', { steps })).fails(error, `set the route ${when}`);
      (await act(api, own.id, '_send')).fails(error, `send ${when}`);
    };
    await refused(second.api, 'DOCUMENT_NOT_FOUND', 'of a draft of somebody else that is invisible');
    await unchanged(full.api, own, 'attempts of who does not see the draft');
    const going = await done(full.api, own.id, '_send');
    await refused(second.api, 'DOCUMENT_ACTION_NOT_ALLOWED', 'as a participant');
    await refused(restricted.api, 'DOCUMENT_NOT_FOUND', 'as a participant whose turn has not come');
    await unchanged(full.api, going, 'attempts of who is not the initiator');
    const end = await complete(t, going, who);
    await refused(second.api, 'DOCUMENT_ACTION_NOT_ALLOWED', 'of a completed document');
    await unchanged(full.api, end, 'attempts after completion');
    const theirs = await draft(t, second.api);
    t.equal(theirs.initiator_employee_id, second.id, 'the initiator of a draft of second');
    (await act(full.api, theirs.id, '_set_route', { steps })).fails(
      'DOCUMENT_ACTION_NOT_ALLOWED',
      'set the route of a draft that one sees',
    );
    (await act(full.api, theirs.id, '_send')).fails('DOCUMENT_ACTION_NOT_ALLOWED', 'send a draft that one sees');
  },
});
