import type { ListId } from '../http/api.ts';
import type { KeyName } from '../profile/schema.ts';
import { rule } from './rule.ts';
import { idsOf, UNKNOWN_ID, unique } from './shared/calls.ts';
import { employee, ext, Load, mark } from './shared/ingest-calls.ts';
import { need, together } from './shared/needs.ts';

rule({
  id: 'PAGE-1',
  level: 'MUST',
  text: 'A walk returns every row once, as many as total_count says where that is exact, whatever the limit.',
  place: 'listEmployees: page_token',
  runs: 'quiet',
  check: async (t) => {
    const big = t.profile.fixtures.big;
    const full = t.as(big?.key ?? 'full');
    const { total, answer } = await full.employees({ limit: 1, include_total: true });
    // The limit gives several pages, whatever the size of the tenant.
    const limit = Math.min(1000, Math.max(2, Math.ceil(Number(total) / 8)));
    const ids = idsOf(await full.walk('listEmployees', { limit }));
    t.equal(unique(ids).length, ids.length, 'rows of a walk, each counted once');
    if (ids.length <= t.values.total_count_exact_up_to)
      t.equal(total, String(ids.length), 'total_count and the rows of a walk', answer);
    t.check(
      ids.length >= (big?.employees_at_least ?? 0),
      `the walk has ${ids.length} rows, the profile says at least ${big?.employees_at_least}`,
    );
    const odd = idsOf(await full.walk('listEmployees', { limit: limit - 1 }));
    t.equal(odd.length, ids.length, 'rows of a walk with another limit');
    t.check(
      odd.every((id, at) => id === ids[at]),
      'a walk with another limit has another order',
    );
  },
});

rule({
  id: 'PAGE-2',
  level: 'MUST',
  text: 'The last page has an empty next_page_token.',
  place: 'next_page_token',
  needs: { fixtures: ['department_id'] },
  check: async (t) => {
    const query = { department_id: t.fixture('department_id'), limit: 3 };
    await t.as('full').walk('listEmployees', query, (page) => {
      const body = page.answer.json as Record<string, unknown>;
      t.check(typeof body.next_page_token === 'string', 'next_page_token is no string', page.answer);
    });
  },
});

rule({
  id: 'PAGE-3',
  level: 'MUST',
  text: 'There is a token exactly when there are more rows: at one less, exactly, and one more than the limit.',
  place: 'next_page_token',
  needs: { fixtures: ['department_id'] },
  runs: 'quiet',
  check: async (t) => {
    const full = t.as('full');
    const department_id = t.fixture('department_id');
    const { length } = await full.walk('listEmployees', { department_id, limit: 1000 });
    for (const limit of [length - 1, length, length + 1]) {
      if (limit < 1) continue;
      const page = await full.employees({ department_id, limit });
      t.equal(
        page.token !== '',
        limit < length,
        `whether ${length} rows under limit=${limit} have a next page`,
        page.answer,
      );
      t.equal(page.rows.length, Math.min(limit, length), `rows under limit=${limit}`, page.answer);
    }
  },
});

rule({
  id: 'PAGE-31',
  level: 'MUST',
  text: 'For an owner who sees departments and himself, who is in none of them, a list under a limit of one less than its length has a second page with the last row.',
  place: 'listEmployees: next_page_token',
  needs: { keys: ['department_and_self_owner'] },
  runs: 'quiet',
  check: async (t) => {
    const owner = t.as('department_and_self_owner');
    const whole = idsOf(await owner.walk('listEmployees', { limit: 1000 }));
    const limit = whole.length - 1;
    if (limit < 1 || limit > 1000) t.untested('no_such_data', `the owner sees ${whole.length} employees`);
    t.equal(idsOf(await owner.walk('listEmployees', { limit })), whole, `the rows of pages of ${limit}`);
  },
});

rule({
  id: 'PAGE-32',
  level: 'MUST',
  text: 'Employees who were created at the same instant have one order: for an owner who sees departments and himself as for one who sees everybody, and on pages of one.',
  place: 'listEmployees, ingestRecords',
  decisions: ['D-11'],
  needs: together(need.ingest, {
    keys: ['department_and_self_owner'],
    fixtures: ['department_top_external_id'],
  }),
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
    const listed = async (key: KeyName, limit: number) =>
      t.as(key, { spread: true }).walk('listEmployees', { department_id, limit });
    const all = await listed('full', 1000);
    const [ids, times] = [idsOf(all), unique(all.map(({ create_time }) => create_time))];
    if (times.length === all.length) t.untested('not_exercised', 'no two of them were created at the same instant');
    t.equal(idsOf(await listed('full', 1)), ids, 'those whom full sees, on pages of one');
    for (const limit of [1000, 1])
      t.equal(idsOf(await listed('department_and_self_owner', limit)), ids, `those whom the owner sees, by ${limit}`);
  },
});

rule({
  id: 'PAGE-4',
  level: 'MUST',
  text: 'Pages laid end to end are the list in one piece.',
  place: 'listEmployees: page_token',
  needs: { fixtures: ['department_id'] },
  runs: 'quiet',
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const department_id = t.fixture('department_id');
    const whole = idsOf((await full.employees({ department_id, limit: 1000 })).rows);
    for (const limit of [1, 2, 7]) {
      t.equal(
        idsOf(await full.walk('listEmployees', { department_id, limit })),
        whole,
        `pages of ${limit} laid end to end`,
      );
    }
  },
});

rule({
  id: 'PAGE-5',
  level: 'MUST',
  text: 'The same page token gives the same page twice.',
  place: 'listEmployees: page_token',
  needs: { fixtures: ['department_id'] },
  runs: 'quiet',
  check: async (t) => {
    const full = t.as('full');
    const query = { department_id: t.fixture('department_id'), limit: 2 };
    const page_token = (await full.employees(query)).token;
    const first = await full.employees({ ...query, page_token });
    const again = await full.employees({ ...query, page_token });
    t.equal(again.rows, first.rows, 'the same page again', again.answer);
  },
});

rule({
  id: 'PAGE-21',
  level: 'MUST',
  text: 'An empty result is an empty array and an empty token.',
  place: 'listEmployees',
  check: async (t) => {
    const answer = await t.as('full').get('/employees', { updated_since: '9998-01-01T00:00:00Z' });
    const { employees, next_page_token } = answer.ok('listEmployees');
    t.equal({ employees, next_page_token }, { employees: [], next_page_token: '' }, 'an empty result', answer);
  },
});

rule({
  id: 'PAGE-23',
  level: 'MUST',
  text: 'The order of parameters in the query is without meaning.',
  place: 'listEmployees',
  needs: { fixtures: ['department_id'] },
  runs: 'quiet',
  check: async (t) => {
    const full = t.as('full');
    const id = t.fixture('department_id');
    const parts = [
      `department_id=${id}`,
      'limit=2',
      'status=EMPLOYEE_STATUS_ACTIVE',
      'updated_since=2000-01-01T00:00:00Z',
    ];
    const first = await full.employees(parts.join('&'));
    const reversed = await full.employees([...parts].reverse().join('&'));
    t.equal(reversed.rows, first.rows, 'the first page', reversed.answer);
    if (first.token === '') t.untested('no_such_data', 'the list has one page only');
    const token = `page_token=${encodeURIComponent(first.token)}`;
    const forth = await full.employees([...parts, token].join('&'));
    const back = await full.employees([token, ...[...parts].reverse()].join('&'));
    t.equal(back.rows, forth.rows, 'the second page', back.answer);
  },
});

const catalogues: readonly ListId[] = ['listDocumentTypes', 'listDocumentCategories', 'listDocumentTemplates'];

rule({
  id: 'PAGE-27',
  level: 'MUST',
  text: 'The catalogues page like the employees: newest first, each row once, tokens bound to filters and limit.',
  place: 'listDocumentTypes, listDocumentCategories, listDocumentTemplates',
  decisions: ['D-10', 'D-16'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    let several = 0;
    for (const list of catalogues) {
      const whole = await full.walk(list, { limit: 1000 });
      t.check(whole.length > 0, `${list} is empty`);
      const pages = await full.walk(list, { limit: Math.max(1, Math.ceil(whole.length / 5)) });
      t.equal(idsOf(pages), idsOf(whole), `pages of ${list} laid end to end`);
      t.equal(unique(idsOf(whole)).length, whole.length, `rows of ${list}, each counted once`);
      for (const [at, row] of whole.entries()) {
        const before = whole[at - 1];
        t.check(!before || before.create_time >= row.create_time, `${list} is not newest first at ${row.id}`);
      }
      if (whole.length < 2) continue;
      several++;
      const { token } = await full.list(list, { limit: 1 });
      const next = await full.list(list, { limit: 1, page_token: token });
      t.equal(idsOf(next.rows), idsOf(whole.slice(1, 2)), `the second page of ${list}`, next.answer);
      const path = `/${list
        .replace('list', '')
        .replace(/([a-z])([A-Z])/g, '$1_$2')
        .toLowerCase()}`;
      (await full.get(path, { limit: 2, page_token: token })).blames('page_token', `${path} with another limit`);
      const filter = { listDocumentTypes: t.values.category_filter, listDocumentTemplates: 'type_id' }[list as string];
      if (filter)
        (await full.get(path, { limit: 1, [filter]: UNKNOWN_ID, page_token: token })).blames(
          'page_token',
          `${path} with a filter added`,
        );
      (await full.get(path, { limit: 1, page_token: `${token}A` })).blames(
        'page_token',
        `${path} with an altered token`,
      );
    }
    if (several === 0) t.untested('no_such_data', 'no catalogue has a second row');
  },
});
