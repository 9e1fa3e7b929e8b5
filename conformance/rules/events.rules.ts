import { bytesOf } from '../callbacks/delivery.ts';
import {
  arrived,
  EVENT_TYPES,
  type EventType,
  envelopeOf,
  type Hook,
  makeHook,
  observer,
  received,
  testHook,
  withHooks,
} from '../callbacks/hooks.ts';
import { sharedScenario } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { EmployeeRow } from '../http/api.ts';
import { rulesWith, unable } from './rule.ts';
import {
  applyChanges,
  deleteEmployees,
  draftAndOther,
  madeEmployees,
  series,
  updateEmployees,
} from './shared/calls.ts';
import { CARD_FIELDS, OF_IDENTITY } from './shared/card-fields.ts';
import { cast, done, draftFromUpload, pdf, sent, signing, titleOf } from './shared/document-calls.ts';
import {
  eventsAbout,
  marker,
  mustBeReported,
  mustBeSound,
  occurrenceComplaint,
  rejected,
} from './shared/event-calls.ts';
import { allowed, everyMove, refusals } from './shared/flow-model.ts';
import { broughtTo, type DocumentState, modelOf, moved, refuse, states } from './shared/flow-states.ts';
import { SKEW_MS } from './shared/movable-clock.ts';
import { type PayloadField, payloadKinds, UNKNOWN_PLACE } from './shared/payload-fields.ts';
import { fieldWorld, isOfCard, subjectOf, valueFields } from './shared/people-with-fields.ts';

const eventRule = rulesWith({ place: 'webhooks' });

const changingRule = rulesWith({ runs: 'changing' });

const DOCUMENT_TYPES = EVENT_TYPES.filter((type) => type.startsWith('document.'));

/** A state whose last move causes the event; undefined if no way to it is known. */
function causeOf(type: EventType): DocumentState | undefined {
  return states.find((row) => {
    const before = modelOf({ ...row, moves: row.moves.slice(0, -1) }).events.length;
    return row.moves.length > 0 && modelOf(row).events.slice(before).includes(type);
  });
}

/** Causes the event, and compares what endpoints get that subscribe to it alone, to everything, and to all but it. */
async function reportedOnce(t: TestContext, type: EventType, row: DocumentState): Promise<void> {
  const who = cast(t);
  const all = await observer(t);
  const others = DOCUMENT_TYPES.filter((one) => one !== type);
  await withHooks(t, [{ types: [type] }, { types: others }], async (only, rest) => {
    const before = await broughtTo(t, who, { ...row, moves: row.moves.slice(0, -1) });
    const { id } = before.document;
    const begun = Date.now();
    const moving = moved(t, who, before, row.moves.at(-1) as DocumentState['moves'][number]);
    moving.catch(() => {});
    // Read at once: the event may come before the answer.
    const [delivery] = await arrived(t, only, { containing: id, type });
    const reading = await who.full.api.get(`/documents/${id}`);
    const { document, model } = await moving;
    const { id: eventId, data, occurred_at } = envelopeOf(delivery);
    if (model.isDeleted) reading.fails('DOCUMENT_NOT_FOUND', `read after ${type}`);
    else {
      t.equal(reading.ok('getDocument').document, document, `the document as it is read after ${type}`, reading);
      const early = Date.parse(occurred_at) - Date.parse(document.update_time);
      t.check(early <= SKEW_MS, `the document changed before ${type} occurred`, reading);
    }
    mustBeSound(t, delivery, only);
    t.equal(occurrenceComplaint(delivery), '', 'occurred_at');
    t.equal(data, { document_id: id }, 'the data');
    t.check(Date.parse(occurred_at) >= begun - SKEW_MS, `${type} occurred before it was caused`);
    const [same] = await arrived(t, all, { containing: id, type });
    t.equal(envelopeOf(same).id, eventId, 'the id of the event at another endpoint');
    t.equal(bytesOf(same).toString(), bytesOf(delivery).toString(), 'the body at another endpoint');
    await mustBeReported(t, all, [[id, model.events]]);
    await marker(t, type === 'document.rejected' ? only : rest);
    t.equal(Object.keys(await eventsAbout(t, only, id)), [type], 'what an endpoint got that subscribes to it alone');
    t.check(!(type in (await eventsAbout(t, rest, id))), `an endpoint got ${type} that does not subscribe to it`);
  });
}

for (const type of DOCUMENT_TYPES) {
  const row = causeOf(type);
  eventRule({
    id: `EVT-${type}`,
    family: 'event of each type',
    text: `${type} reports its cause once, with the same id to each endpoint that subscribes to it and to no other, and whoever then reads the document finds it as the event says.`,
    place: type,
    decisions: ['D-19', 'D-27'],
    check: row ? (t) => reportedOnce(t, type, row) : unable('no way is known to cause it'),
  });
}

eventRule({
  id: 'EVT-30',
  text: 'The events of a document are those of the moves that were accepted, however often a move is made: none reports a draft, or what was refused.',
  decisions: ['D-19'],
  check: async (t) => {
    const hook = await observer(t);
    const who = cast(t, { spread: true });
    const reports: [id: string, types: readonly EventType[]][] = [];
    for (const row of states) {
      const here = await broughtTo(t, who, row);
      const wrong = everyMove(row.plan).filter((move) => move.by === 'full' && refusals(here.model, move).length > 0);
      for (const move of wrong) await refuse(t, who, here, move);
      const moves = allowed(here.model, row.plan);
      const next = moves.find(({ action }) => action === '_send') ?? moves[0];
      const { model } = next === undefined ? here : await moved(t, who, here, next);
      reports.push([here.document.id, model.events]);
    }
    await mustBeReported(t, hook, reports);
  },
});

eventRule({
  id: 'EVT-31',
  text: 'Events report every document of the tenant: about one that the maker of the endpoint cannot see, even a confidential one, it gets only the id, and reading it is then 404.',
  decisions: ['D-31'],
  check: async (t) => {
    const types = ['document.sent', 'document.signing_started', 'document.completed'] as const;
    const key = 'not_confidential_owner';
    await withHooks(
      t,
      [
        { key, types },
        { key: 'restricted_owner', types },
      ],
      async (...hooks) => {
        const me = cast(t, { spread: true }).full;
        const type_id = t.fixture('document_type_confidential_id');
        const start = await draftFromUpload(t, me.api, pdf(titleOf(t)), { type_id });
        const { id, title } = await sent(t, me, [signing(me)], start);
        await done(me.api, id, '_sign');
        for (const hook of hooks) {
          for (const type of types) {
            const [delivery] = await arrived(t, hook, { containing: id, type });
            mustBeSound(t, delivery, hook);
            t.equal(envelopeOf(delivery).data, { document_id: id }, `the data of ${type}`);
            t.check(!bytesOf(delivery).toString('utf8').includes(title), `${type} holds the document's title`);
          }
        }
        for (const reader of [key, 'restricted_owner'] as const)
          (await t.as(reader).get(`/documents/${id}`)).fails('DOCUMENT_NOT_FOUND', `the re-read of ${reader}`);
      },
    );
  },
});

eventRule({
  id: 'EVT-24',
  text: 'No event reaches an endpoint of another tenant.',
  holds: ['endpoints of other_tenant'],
  check: async (t) => {
    await withHooks(t, [{ key: 'other_tenant' }, {}], async (foreign, own) => {
      const id = await rejected(t);
      await arrived(t, own, { containing: id });
      await marker(t, own);
      const answer = await testHook(t, foreign, 'other_tenant');
      t.equal(answer.ok('testWebhookEndpoint').status_code, 200, '_test of the foreign endpoint', answer);
      const types = (await received(t, foreign)).map((one) => envelopeOf(one).type);
      t.equal(types, ['webhook_endpoint.test'], 'what the foreign endpoint got');
    });
  },
});

const CROWD = 50;

/** A value of an employee of the fixture department that a new employee can get, too. */
type TakenValue = (rows: readonly EmployeeRow[]) => string | undefined;

const other =
  (field: 'organization_id' | 'job_title_id' | 'location_id'): TakenValue =>
  (rows) =>
    rows.map((row) => row[field]).find((value) => value !== '');

/** What each field of a card and of a person is changed to. A field without a value is not judged. */
const VALUES: Record<string, string | TakenValue> = {
  'employee.status': 'EMPLOYEE_STATUS_LEAVE',
  'employee.organization_id': other('organization_id'),
  'employee.department_id': '',
  'employee.job_title_id': other('job_title_id'),
  'employee.manager_id': (rows) => rows[0]?.id,
  'employee.location_id': other('location_id'),
  'employee.employee_number': 'changed',
  'employee.start_date': '2019-08-30',
  'employee.end_date': '2021-03-01',
  'employee.work_email': 'changed@example.com',
  'person.first_name': 'Новая',
  'person.last_name': 'Новая',
  'person.middle_name': 'Новая',
  'person.birth_date': '1984-02-29',
  'person.iin': '000101000007',
  'person.personal_email': 'changed@example.com',
  'person.phone': '+77000000000',
};

type EventIds = Record<string, Record<string, string[]>>;

/** What happened with employees that were created, each changed in one field, and deleted. */
interface CardScenario {
  hook: Hook;
  /** By field; `nothing` is changed to what it is. */
  ids: Map<string, string>;
  crowd: string[];
  before: Map<string, EmployeeRow>;
  after: Map<string, EmployeeRow>;
  /** What each field was changed to; undefined where nobody has such a value. */
  values: Map<string, string | undefined>;
  /** Ids of the events about each employee, by type, after each step. */
  made: EventIds;
  changed: EventIds;
  deleted: EventIds;
}

async function eventsOf(t: TestContext, hook: Hook, ids: readonly string[]): Promise<EventIds> {
  return Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await eventsAbout(t, hook, id)] as const)));
}

/** A change of one field. */
function changeOf(id: string, field: string, value: string): object {
  const [holder = '', name = ''] = field.split('.');
  return { op: 'update', id, [holder]: { [name]: value } };
}

/** Creates the crowd. @returns its members, in the order of their numbers */
async function createCrowd(t: TestContext, hook: Hook, department_id: string): Promise<EmployeeRow[]> {
  const number = (i: number) => `E-${t.run_id}-${[...CARD_FIELDS, 'nothing'][i] ?? i}`;
  const dates = { start_date: '2020-01-01', status: 'EMPLOYEE_STATUS_TERMINATED', end_date: '2021-02-01' };
  const all = series(CROWD, number);
  const employee = (employee_number: string) =>
    /end_date/.test(employee_number)
      ? { department_id, employee_number, ...dates }
      : { department_id, employee_number };
  const crowd = await madeEmployees(t, all.map(employee));
  for (const { id } of crowd) await arrived(t, hook, { containing: id, type: 'employee.changed' });
  return crowd;
}

async function play(t: TestContext): Promise<CardScenario> {
  const full = t.asAny('full');
  const department_id = t.fixture('department_id');
  const hook = await makeHook(t, { types: ['employee.changed', 'employee.deleted', 'person.changed'] });
  const rows = await full.employees({ limit: 1000 });
  const created = await createCrowd(t, hook, department_id);
  const crowd = created.map(({ id }) => id);
  const ids = new Map([...CARD_FIELDS, 'nothing'].map((field, i) => [field, crowd[i] ?? '']));
  const made = await eventsOf(t, hook, crowd);
  const values = new Map(
    CARD_FIELDS.map((field) => {
      const value = field === 'employee.department_id' ? t.fixture('department_bottom_id') : VALUES[field];
      return [field, typeof value === 'function' ? value(rows.rows) : value];
    }),
  );
  const changes = CARD_FIELDS.flatMap((field) => {
    const value = values.get(field);
    return value === undefined ? [] : [changeOf(ids.get(field) ?? '', field, value)];
  });
  const nothing = { employee_number: created[CARD_FIELDS.length]?.employee_number };
  await applyChanges(t, 'changed', [...changes, { op: 'update', id: ids.get('nothing'), employee: nothing }]);
  for (const field of CARD_FIELDS) {
    if (values.get(field) === undefined) continue;
    const wanted = { containing: ids.get(field) ?? '', distinct: true } as const;
    await arrived(t, hook, { ...wanted, type: 'employee.changed', count: 2 });
    if (OF_IDENTITY.includes(field)) await arrived(t, hook, { ...wanted, type: 'person.changed' });
  }
  const cards = [...ids].map(async ([field, id]) => [field, await full.employee(id, { expand: 'person' })] as const);
  const after = new Map(await Promise.all(cards));
  const changed = await eventsOf(t, hook, crowd);
  await deleteEmployees(t, crowd);
  for (const id of crowd) await arrived(t, hook, { containing: id, type: 'employee.deleted' });
  const deleted = await eventsOf(t, hook, crowd);
  const before = new Map([...ids.keys()].map((field, i) => [field, created[i] as EmployeeRow]));
  return { hook, ids, crowd, before, after, values, made, changed, deleted };
}

const scenario = sharedScenario(play);

const count = (events: Record<string, string[]> | undefined, type: string) => events?.[type]?.length ?? 0;

/** A card without its time of change, and without a field. */
function cardBut(row: EmployeeRow | undefined, field: string): object {
  const [holder, name = ''] = field.split('.');
  const card = { ...row, update_time: '', [holder === 'employee' ? name : '']: '' };
  return { ...card, person: { ...row?.person, full_name: '', [holder === 'person' ? name : '']: '' } };
}

async function judgeField(t: TestContext, field: string): Promise<void> {
  const { hook, ids, before, after, values, changed } = await scenario(t);
  const value = values.get(field);
  if (value === undefined) t.untested('no_such_data', `no employee has a ${field} that another one can get`);
  const [id = '', name = ''] = [ids.get(field), field.split('.')[1]];
  const [old, now] = [before.get(field), after.get(field)];
  const shown = { ...now, ...(field.startsWith('person.') ? now?.person : {}) } as Record<string, unknown>;
  t.equal([now?.id, shown[name]], [id, value], `id and ${name} after the change`);
  t.equal(cardBut(now, field), cardBut(old, field), 'the other fields');
  t.check((now?.update_time ?? '') > (old?.update_time ?? ''), 'update_time did not move');
  t.equal(count(changed[id], 'employee.changed'), 2, 'how many employee.changed creation and change made');
  const isIdentity = OF_IDENTITY.includes(field);
  t.equal(count(changed[id], 'person.changed'), isIdentity ? 1 : 0, 'how many person.changed came');
  if (!isIdentity) return;
  const [delivery] = await arrived(t, hook, { containing: id, type: 'person.changed' });
  mustBeSound(t, delivery, hook);
  t.equal(envelopeOf(delivery).data, { employee_id: id }, 'the data');
}

for (const field of CARD_FIELDS) {
  const also = OF_IDENTITY.includes(field) ? 'employee.changed and by person.changed' : 'employee.changed alone';
  changingRule({
    id: `EVT-${field}`,
    family: 'events of fields',
    text: `A change of ${field} is shown, moves update_time, leaves all else as it is, and is reported by ${also}.`,
    place: 'employee.changed, person.changed',
    decisions: ['D-26', 'D-29'],
    check: VALUES[field] === undefined ? unable('no value is known for the field') : (t) => judgeField(t, field),
  });
}

changingRule({
  id: 'EVT-10',
  text: 'Each of fifty new employees is reported by employee.changed, once, and a change that changes nothing by no event.',
  place: 'employee.changed',
  check: async (t) => {
    const { crowd, ids, made, changed, before, after } = await scenario(t);
    const nothing = ids.get('nothing') ?? '';
    const later = [nothing, ...crowd.slice(ids.size)].map((id) => changed[id] ?? {});
    for (const events of [...crowd.map((id) => made[id] ?? {}), ...later]) {
      t.equal(Object.keys(events), ['employee.changed'], 'the types for a new employee');
      t.equal(count(events, 'employee.changed'), 1, 'how many events a new employee had');
    }
    t.equal(after.get('nothing')?.update_time, before.get('nothing')?.update_time, 'update_time after no change');
  },
});

changingRule({
  id: 'EVT-13',
  text: 'Each of fifty deletions is reported by employee.deleted, once; the employee is then 404.',
  place: 'employee.deleted',
  check: async (t, full) => {
    const { crowd, deleted } = await scenario(t);
    for (const id of crowd) t.equal(count(deleted[id], 'employee.deleted'), 1, 'how many employee.deleted came');
    for (const id of crowd.slice(0, 5)) (await full.get(`/employees/${id}`)).fails('EMPLOYEE_NOT_FOUND', 'the re-read');
  },
});

changingRule({
  id: 'EVT-32',
  text: 'Nothing is reported of an employee in draft, whom a re-read would not find: neither its creation, nor a change of it or of its person, nor its deletion.',
  place: 'employee.changed, employee.deleted',
  decisions: ['D-27'],
  check: async (t, full) => {
    await withHooks(t, [{ types: ['employee.changed', 'employee.deleted', 'person.changed'] }], async (hook) => {
      const [draft, other] = await draftAndOther(t);
      let remaining = [draft, other];
      const remove = async (id: string) => {
        await deleteEmployees(t, [id]);
        remaining = remaining.filter((one) => one !== id);
      };
      try {
        (await full.get(`/employees/${draft}`)).fails('EMPLOYEE_NOT_FOUND', 'an employee in draft');
        await applyChanges(t, 'changed', [
          { op: 'update', id: draft, employee: { employee_number: `D-${t.run_id}-x` } },
          { op: 'update', id: draft, person: { last_name: 'Изменённый' } },
        ]);
        await remove(draft);
        await remove(other);
      } finally {
        for (const id of remaining) await remove(id);
      }
      await arrived(t, hook, { containing: other, type: 'employee.deleted' });
      t.equal(await eventsAbout(t, hook, draft), {}, 'the events about an employee in draft');
    });
  },
});

changingRule({
  id: 'EVT-34',
  text: 'When an employee in draft gets a first status, employee.changed reports it, and a re-read finds it, without the manager who was deleted meanwhile.',
  place: 'employee.changed, Employee: manager_id',
  decisions: ['D-27'],
  check: async (t, full) => {
    await withHooks(t, [{ types: ['employee.changed'] }], async (hook) => {
      const [draft, manager_id] = await draftAndOther(t);
      let remaining = [draft, manager_id];
      try {
        await updateEmployees(t, 'manager', [[draft, { manager_id }]]);
        await deleteEmployees(t, [manager_id]);
        remaining = [draft];
        await updateEmployees(t, 'hired', [[draft, { status: 'EMPLOYEE_STATUS_ACTIVE' }]]);
        await arrived(t, hook, { containing: draft, type: 'employee.changed' });
        const read = await full.employee(draft);
        t.equal([read.status, read.manager_id], ['EMPLOYEE_STATUS_ACTIVE', ''], 'status and manager in the re-read');
      } finally {
        await deleteEmployees(t, remaining);
      }
    });
  },
});

/** Checks which events the change of a field by a batch has caused. */
async function judgeBatch(t: TestContext, field: PayloadField): Promise<void> {
  const { hook, ids, loaded } = await fieldWorld(t, field.payload.source);
  if (hook === undefined) return t.untested('not_exercised', 'the target has made no endpoint');
  const about = async (subject: string) => {
    const all = await received(t, hook, ids.get(`${field.payload.name}/${subject}`) ?? 'nobody');
    const events = all.map(envelopeOf).filter(({ occurred_at }) => Date.parse(occurred_at) > Date.parse(loaded));
    return ['employee.changed', 'person.changed'].map((type) => {
      return new Set(events.flatMap((event) => (event.type === type ? [event.id] : []))).size;
    });
  };
  const isIdentity = OF_IDENTITY.includes(field.shown);
  const name = field.path.join('.');
  const wanted = [isOfCard(field) ? 1 : 0, isIdentity ? 1 : 0];
  t.equal(await about(subjectOf(field)), wanted, `how many events came for ${name}`);
  t.equal(await about('same'), [0, 0], 'how many events came for the same values again');
}

for (const payload of payloadKinds) {
  changingRule({
    id: `EVT-${payload.name}`,
    family: 'events of fields',
    text: `A batch of ${payload.name} causes one employee.changed for each field of the card or person that it changes, person.changed for names and number, and nothing for other fields and for the same values.`,
    place: 'ingestRecords: Results',
    decisions: ['D-26', 'D-29'],
    world: payload.source,
    check: async (t) => {
      for (const field of valueFields(payload).filter(({ shown }) => shown !== UNKNOWN_PLACE))
        await judgeBatch(t, field);
    },
  });
}
