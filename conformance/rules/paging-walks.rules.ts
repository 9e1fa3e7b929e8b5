import type { KeyName } from '../profile/schema.ts';
import { rule } from './rule.ts';
import { idsOf, unique } from './shared/calls.ts';
import { employee, ext, Load, mark } from './shared/ingest-calls.ts';

rule({
  id: 'PAGE-32',
  text: 'Employees who were created at the same instant have one order: for an owner who sees departments and himself as for one who sees everybody, and on pages of one.',
  place: 'listEmployees, ingestRecords',
  decisions: ['D-11'],
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const [below, names] = [ext(t, 'at-once'), ['one', 'two', 'three', 'four']];
    const external_parent_id = t.fixture('department_top_external_id');
    await load.make('DEPARTMENTS', [{ external_id: below, title: 'Проба порядка', external_parent_id }]);
    await load.people(...names);
    const numbers = names.map((name) => mark(t, name));
    const place = { external_department_id: below };
    await load.make(
      'EMPLOYEES',
      names.map((name, n) => employee(t, name, name, numbers[n] ?? '', place)),
    );
    await load.settled();
    const { department_id } = await load.card(numbers[0] ?? '');
    const listed = async (key: KeyName, limit: number) => t.asAny(key).walk('listEmployees', { department_id, limit });
    const all = await listed('full', 1000);
    const [ids, times] = [idsOf(all), unique(all.map(({ create_time }) => create_time))];
    if (times.length === all.length) t.untested('not_exercised', 'no two of them were created at the same instant');
    t.equal(idsOf(await listed('full', 1)), ids, 'those whom full sees, on pages of one');
    for (const limit of [1000, 1])
      t.equal(idsOf(await listed('department_and_self_owner', limit)), ids, `those whom the owner sees, by ${limit}`);
  },
});
