import type { Delivery } from '../callbacks/delivery.ts';
import { arrived, envelopeOf, type Hook, makeHook, received, withHooks } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { applyChanges, deleteEmployees, draftAndOther } from './shared/calls.ts';
import { eventsAbout, mustBeSound } from './shared/event-calls.ts';
import { need } from './shared/needs.ts';
import { sharedScenario } from './shared/shared-scenario.ts';

const CROWD = 50;
const NAMES = ['last_name', 'first_name', 'middle_name'] as const;
const DEED = ['card', ...NAMES, 'number', 'contacts', 'nothing'] as const;
/** Deeds that person.changed reports. */
const OF_PERSON = [...NAMES, 'number'] as const;
type Deed = (typeof DEED)[number];

/** What happened with employees that were created, each changed in one way, and deleted. */
interface Scenario {
  hook: Hook;
  ids: Record<Deed, string>;
  crowd: string[];
  /** update_time before and after the change. */
  times: Record<Deed, [string, string]>;
  /** Ids of the events about each employee, by type, after each step. */
  made: Record<string, Record<string, string[]>>;
  changed: Record<string, Record<string, string[]>>;
  deleted: Record<string, Record<string, string[]>>;
}

/** An IIN that belongs to nobody: twelve digits whose last one, the check digit, is wrong. */
const iin = (nth: number) => `00010100000${nth}`;

async function eventsOf(t: TestContext, hook: Hook, ids: readonly string[]) {
  return Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await eventsAbout(t, hook, id)] as const)));
}

async function play(t: TestContext): Promise<Scenario> {
  const full = t.as('full');
  const department_id = t.fixture('department_id');
  const number = (i: number) => `E-${t.run.run_id}-${i}`;
  const hook = await makeHook(t, { types: ['employee.changed', 'employee.deleted', 'person.changed'] });
  const person = { first_name: 'Событие', last_name: 'Проверочное' };
  const all = Array.from({ length: CROWD }, (_, i) => number(i));
  await applyChanges(
    t,
    'made',
    all.map((employee_number) => ({ op: 'create', employee: { department_id, employee_number }, person })),
  );
  const rows = await full.walk('listEmployees', { department_id, limit: 1000 });
  const idOf = (employee_number: string) =>
    t.present(
      rows.find((row) => row.employee_number === employee_number),
      'a new employee is not listed',
    ).id;
  const crowd = all.map(idOf);
  for (const id of crowd) await arrived(t, hook, { containing: id, type: 'employee.changed' });
  const ids = Object.fromEntries(DEED.map((deed, i) => [deed, crowd[i]])) as Record<Deed, string>;
  const made = await eventsOf(t, hook, crowd);
  const timeOf = async (id: string) => (await full.employee(id)).update_time;
  const times = async () => Object.fromEntries(await Promise.all(DEED.map(async (d) => [d, await timeOf(ids[d])])));
  const before = await times();
  await applyChanges(t, 'changed', [
    { op: 'update', id: ids.card, employee: { employee_number: `${number(0)}x` } },
    ...NAMES.map((name) => ({ op: 'update', id: ids[name], person: { [name]: 'Новая' } })),
    { op: 'update', id: ids.number, person: { iin: iin(7) } },
    { op: 'update', id: ids.contacts, person: { phone: '+77000000000' } },
    { op: 'update', id: ids.nothing, employee: { employee_number: number(DEED.indexOf('nothing')) } },
  ]);
  for (const deed of ['card', ...OF_PERSON, 'contacts'] as const) {
    const withinMs = t.values.webhook_first_attempt_s * 1000;
    await arrived(t, hook, { containing: ids[deed], type: 'employee.changed', count: 2, distinct: true, withinMs });
  }
  for (const deed of OF_PERSON) {
    await arrived(t, hook, { containing: ids[deed], type: 'person.changed' });
  }
  const after = await times();
  const changed = await eventsOf(t, hook, crowd);
  await deleteEmployees(t, crowd);
  for (const id of crowd) await arrived(t, hook, { containing: id, type: 'employee.deleted' });
  const deleted = await eventsOf(t, hook, crowd);
  const pairs = Object.fromEntries(DEED.map((deed) => [deed, [before[deed], after[deed]]])) as Scenario['times'];
  return { hook, ids, crowd, times: pairs, made, changed, deleted };
}

const scenario = sharedScenario(play);

const count = (events: Record<string, string[]> | undefined, type: string) => events?.[type]?.length ?? 0;

rule({
  id: 'EVT-10',
  level: 'MUST',
  text: 'A new employee is reported by employee.changed, once.',
  place: 'employee.changed',
  needs: need.employeeEvents,
  runs: 'alone',
  check: async (t) => {
    const { crowd, made, changed } = await scenario(t);
    const later = crowd.slice(DEED.length).map((id) => changed[id] ?? {});
    for (const events of [...crowd.map((id) => made[id] ?? {}), ...later]) {
      t.equal(Object.keys(events), ['employee.changed'], 'the types for a new employee');
      t.equal(count(events, 'employee.changed'), 1, 'how many events a new employee had');
    }
  },
});

rule({
  id: 'EVT-11',
  level: 'MUST',
  text: 'A change of an employee’s card is reported by employee.changed.',
  place: 'employee.changed',
  needs: need.employeeEvents,
  runs: 'alone',
  check: async (t) => {
    const { ids, changed, made } = await scenario(t);
    t.equal(count(changed[ids.card], 'employee.changed'), 2, 'how many employee.changed creation and change made');
    t.equal(changed[ids.nothing], made[ids.nothing], 'the events after a change that changes nothing');
  },
});

rule({
  id: 'EVT-12',
  level: 'MUST',
  text: 'A change of the person’s names, number or contacts is reported by employee.changed, and moves update_time.',
  place: 'employee.changed',
  decisions: ['D-29'],
  needs: need.employeeEvents,
  runs: 'alone',
  check: async (t) => {
    const { ids, changed, times } = await scenario(t);
    for (const deed of [...OF_PERSON, 'contacts'] as const) {
      t.equal(count(changed[ids[deed]], 'employee.changed'), 2, `employee.changed of creation and ${deed}`);
      const [before, after] = times[deed];
      t.check(after > before, `update_time did not move when the ${deed} changed`);
    }
    t.equal(times.nothing[1], times.nothing[0], 'update_time after a change that changes nothing');
  },
});

rule({
  id: 'EVT-13',
  level: 'MUST',
  text: 'A deletion is reported by employee.deleted, once; the employee is then 404.',
  place: 'employee.deleted',
  needs: need.employeeEvents,
  runs: 'alone',
  check: async (t) => {
    const { crowd, deleted } = await scenario(t);
    for (const id of crowd) t.equal(count(deleted[id], 'employee.deleted'), 1, 'how many employee.deleted came');
    const full = t.as('full', { spread: true });
    for (const id of crowd.slice(0, 5)) (await full.get(`/employees/${id}`)).fails('EMPLOYEE_NOT_FOUND', 'the re-read');
  },
});

rule({
  id: 'EVT-32',
  level: 'MUST',
  text: 'Nothing is reported of an employee in draft, whom a re-read would not find: neither its creation, nor a change of it or of its person, nor its deletion.',
  place: 'employee.changed, employee.deleted',
  decisions: ['D-27'],
  needs: need.employeeEvents,
  runs: 'changing',
  check: async (t) => {
    await withHooks(t, [{ types: ['employee.changed', 'employee.deleted', 'person.changed'] }], async (hook) => {
      const [draft, other] = await draftAndOther(t);
      let remaining = [draft, other];
      const remove = async (id: string) => {
        await deleteEmployees(t, [id]);
        remaining = remaining.filter((one) => one !== id);
      };
      try {
        (await t.as('full').get(`/employees/${draft}`)).fails('EMPLOYEE_NOT_FOUND', 'an employee in draft');
        await applyChanges(t, 'changed', [
          { op: 'update', id: draft, employee: { employee_number: `D-${t.run.run_id}-x` } },
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

rule({
  id: 'EVT-34',
  level: 'MUST',
  text: 'When an employee in draft gets a first status, employee.changed reports it, and a re-read finds it.',
  place: 'employee.changed',
  decisions: ['D-27'],
  needs: need.employeeEvents,
  runs: 'changing',
  check: async (t) => {
    await withHooks(t, [{ types: ['employee.changed'] }], async (hook) => {
      const ids = await draftAndOther(t);
      const [draft] = ids;
      try {
        await applyChanges(t, 'hired', [{ op: 'update', id: draft, employee: { status: 'EMPLOYEE_STATUS_ACTIVE' } }]);
        await arrived(t, hook, { containing: draft, type: 'employee.changed' });
        t.equal((await t.as('full').employee(draft)).status, 'EMPLOYEE_STATUS_ACTIVE', 'the status in the re-read');
      } finally {
        await deleteEmployees(t, ids);
      }
    });
  },
});

rule({
  id: 'EVT-14',
  level: 'MUST',
  text: 'A change of the last, first or middle name alone, or of the number, is reported by person.changed; a change of contacts or of the card is not.',
  place: 'person.changed',
  decisions: ['D-26'],
  needs: need.employeeEvents,
  runs: 'alone',
  check: async (t) => {
    const { ids, changed } = await scenario(t);
    const counts = Object.fromEntries(DEED.map((deed) => [deed, count(changed[ids[deed]], 'person.changed')]));
    const wanted = DEED.map((deed) => [deed, OF_PERSON.some((one) => one === deed) ? 1 : 0]);
    t.equal(counts, Object.fromEntries(wanted), 'how many person.changed came');
  },
});

rule({
  id: 'EVT-8',
  level: 'MUST',
  text: 'person.changed names an employment of the person, and nothing else.',
  place: 'person.changed',
  decisions: ['D-26'],
  needs: need.employeeEvents,
  runs: 'alone',
  check: async (t) => {
    const { hook, ids } = await scenario(t);
    for (const id of OF_PERSON.map((deed) => ids[deed])) {
      const [delivery] = await arrived(t, hook, { containing: id, type: 'person.changed' });
      mustBeSound(t, delivery, hook);
      t.equal(envelopeOf(delivery).data, { employee_id: id }, 'the data');
    }
  },
});

rule({
  id: 'EVT-25',
  level: 'MUST',
  text: 'Each of fifty simultaneous changes is reported by an event.',
  place: 'webhooks',
  needs: need.employeeEvents,
  runs: 'alone',
  check: async (t) => {
    const { hook, crowd } = await scenario(t);
    const about = (type: string, all: readonly Delivery[]) =>
      new Set(all.map(envelopeOf).flatMap((one) => (one.type === type ? [one.data.employee_id] : [])));
    const all = await received(t, hook);
    for (const type of ['employee.changed', 'employee.deleted']) {
      const known = about(type, all);
      t.equal(crowd.filter((id) => !known.has(id)).length, 0, `of how many employees no ${type} came`);
    }
  },
});
