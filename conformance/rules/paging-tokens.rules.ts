import type { TestContext } from '../engine/test-context.ts';
import type { Api, ListId, Query } from '../http/api.ts';
import { NoAnswer } from '../http/client.ts';
import { rule } from './rule.ts';
import { idsOf, UNKNOWN_ID } from './shared/calls.ts';
import { draft } from './shared/document-calls.ts';
import { bitFlips, forgeries } from './shared/forged-tokens.ts';
import { need, together } from './shared/needs.ts';

const ACTIVE = 'EMPLOYEE_STATUS_ACTIVE';
const LEAVE = 'EMPLOYEE_STATUS_LEAVE';
const LONG_AGO = '2000-01-01T00:00:00Z';

/** A token for the second page of a query. */
async function tokenOf(api: Api, query: Query): Promise<string> {
  const page = await api.employees(query);
  if (page.token === '') api.context.untested('no_such_data', 'the list has one page only');
  return page.token;
}

/** A variant whose list has one page proves nothing; at least one variant must have more. */
const mismatch = (variants: [issued: Query, used: Query][]) => async (t: TestContext) => {
  const full = t.as('full');
  let tried = 0;
  for (const [issued, used] of variants) {
    const { token: page_token } = await full.employees(issued);
    if (page_token === '') continue;
    tried++;
    (await full.get('/employees', { ...issued, page_token })).ok('listEmployees', 'the token as issued');
    (await full.get('/employees', { ...used, page_token })).blames(
      'page_token',
      `issued for ${JSON.stringify(issued)}, used with ${JSON.stringify(used)}`,
    );
  }
  if (tried === 0) t.untested('no_such_data', 'the list has one page only');
};

/** A department that makes another filter and is not refused for itself. */
const elsewhere = (t: TestContext): string =>
  t.values.unknown_department_filter === 'reject' ? (t.profile.fixtures.department_other_id ?? UNKNOWN_ID) : UNKNOWN_ID;

rule({
  id: 'PAGE-6',
  level: 'MUST',
  text: 'A page token used with another status is INVALID_ARGUMENT.',
  place: 'listEmployees: page_token',
  decisions: ['D-10'],
  check: mismatch([
    [
      { limit: 2, status: ACTIVE },
      { limit: 2, status: LEAVE },
    ],
    [
      { limit: 2, status: [ACTIVE, LEAVE] },
      { limit: 2, status: ACTIVE },
    ],
    [
      { limit: 2, status: ACTIVE },
      { limit: 2, status: [ACTIVE, LEAVE] },
    ],
  ]),
});
rule({
  id: 'PAGE-7',
  level: 'MUST',
  text: 'A page token used with another department_id is INVALID_ARGUMENT.',
  place: 'listEmployees: page_token',
  decisions: ['D-10'],
  needs: { fixtures: ['department_id', 'department_other_id'] },
  check: async (t) => {
    const [a, b] = [t.fixture('department_id'), t.fixture('department_other_id')];
    await mismatch([
      [
        { limit: 2, department_id: a },
        { limit: 2, department_id: b },
      ],
      [
        { limit: 2, department_id: [a, b] },
        { limit: 2, department_id: a },
      ],
      [
        { limit: 2, department_id: a },
        { limit: 2, department_id: elsewhere(t) },
      ],
    ])(t);
  },
});
rule({
  id: 'PAGE-8',
  level: 'MUST',
  text: 'A page token used with another updated_since is INVALID_ARGUMENT.',
  place: 'listEmployees: page_token',
  decisions: ['D-10'],
  check: mismatch([
    [
      { limit: 2, updated_since: LONG_AGO },
      { limit: 2, updated_since: '2000-01-01T00:00:00.001Z' },
    ],
    [
      { limit: 2, updated_since: LONG_AGO },
      { limit: 2, updated_since: '1999-01-01T00:00:00Z' },
    ],
  ]),
});
rule({
  id: 'PAGE-9',
  level: 'MUST',
  text: 'A page token used with another limit is INVALID_ARGUMENT.',
  place: 'listEmployees: page_token',
  decisions: ['D-10'],
  check: mismatch([
    [{ limit: 2 }, { limit: 3 }],
    [{ limit: 2 }, {}],
    [{}, { limit: 99 }],
    [{ limit: 1000 }, { limit: 999 }],
  ]),
});
rule({
  id: 'PAGE-10',
  level: 'MUST',
  text: 'A page token used with a filter dropped or added is INVALID_ARGUMENT.',
  place: 'listEmployees: page_token',
  decisions: ['D-10'],
  check: (t) =>
    mismatch([
      [{ limit: 2, status: ACTIVE }, { limit: 2 }],
      [{ limit: 2 }, { limit: 2, status: ACTIVE }],
      [{ limit: 2 }, { limit: 2, updated_since: LONG_AGO }],
      [{ limit: 2, updated_since: LONG_AGO }, { limit: 2 }],
      [{ limit: 2 }, { limit: 2, department_id: elsewhere(t) }],
    ])(t),
});

rule({
  id: 'PAGE-11',
  level: 'MUST',
  text: 'expand and include_total may change along a walk.',
  place: 'listEmployees: page_token',
  decisions: ['D-10'],
  needs: { fixtures: ['department_id'] },
  check: async (t) => {
    const full = t.as('full');
    const query = { limit: 2, department_id: t.fixture('department_id') };
    const page_token = await tokenOf(full, query);
    const plain = idsOf((await full.employees({ ...query, page_token })).rows);
    for (const more of [
      { expand: ['person', 'manager'] },
      { include_total: true },
      { include_total: false, expand: 'department' },
    ]) {
      t.equal(
        idsOf((await full.employees({ ...query, ...more, page_token })).rows),
        plain,
        `the page with ${Object.keys(more).join()}`,
      );
    }
  },
});

rule({
  id: 'PAGE-12',
  level: 'MUST',
  text: 'Order and duplicates of repeated filter values are treated as the target declares.',
  place: 'listEmployees: page_token',
  decisions: ['D-10', 'D-12'],
  needs: { fixtures: ['department_id', 'department_other_id'] },
  check: async (t) => {
    const full = t.as('full');
    const [a, b] = [t.fixture('department_id'), t.fixture('department_other_id')];
    const query = { limit: 2, status: [ACTIVE, LEAVE], department_id: [a, b] };
    const page_token = await tokenOf(full, query);
    const plain = idsOf((await full.employees({ ...query, page_token })).rows);
    const permuted = { limit: 2, status: [LEAVE, ACTIVE], department_id: [b, a], page_token };
    const doubled = { limit: 2, status: [ACTIVE, LEAVE, ACTIVE], department_id: [b, a, b, a], page_token };
    for (const [what, other, isSet] of [
      ['permuted', permuted, t.values.filter_values_are_a_set],
      ['doubled', doubled, t.values.duplicate_filter_values === 'collapse'],
    ] as const) {
      const answer = await full.get('/employees', other);
      if (isSet)
        t.equal(idsOf(answer.ok('listEmployees', what).employees), plain, `the page with ${what} values`, answer);
      else answer.fails('INVALID_ARGUMENT', what);
    }
    const since = await tokenOf(full, { limit: 2, updated_since: '2000-01-01T05:00:00+05:00' });
    (await full.get('/employees', { limit: 2, updated_since: '2000-01-01T00:00:00.000Z', page_token: since })).ok(
      'listEmployees',
      'the same instant in another zone',
    );
  },
});

rule({
  id: 'PAGE-13',
  level: 'MUST',
  text: 'For a page token, a limit left out and the default written out are the same, if the target says so.',
  place: 'listEmployees: page_token',
  decisions: ['D-10'],
  check: async (t) => {
    const full = t.as('full');
    for (const [issued, used] of [
      [{}, { limit: 100 }],
      [{ limit: 100 }, {}],
    ] as const) {
      const answer = await full.get('/employees', { ...used, page_token: await tokenOf(full, issued) });
      if (t.values.omitted_limit_equals_default) answer.ok('listEmployees', 'limit left out and limit=100');
      else answer.fails('INVALID_ARGUMENT', 'limit left out and limit=100');
    }
  },
});

rule({
  id: 'PAGE-14',
  level: 'MUST',
  text: 'A page token that is malformed, cut, altered anywhere, forged or huge is INVALID_ARGUMENT or refused as HTTP.',
  place: 'listEmployees: page_token',
  decisions: ['D-10'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const first = await full.employees({ limit: 2 });
    if (first.token === '') t.untested('no_such_data', 'the list has one page only');
    for (const [what, page_token] of [...forgeries(first.token, first.rows[0]?.id ?? ''), ...bitFlips(first.token)]) {
      if (page_token === first.token) continue;
      (await full.get('/employees', { limit: 2, page_token })).blames('page_token', what);
    }
    for (const size of [8_000, 64_000, 100_000]) {
      try {
        const answer = await full.get('/employees', { limit: 2, page_token: 'A'.repeat(size) });
        t.check(
          [400, 414, 431].includes(answer.status),
          `${size} characters: expected a refusal, got ${answer.brief}`,
          answer,
        );
      } catch (error) {
        if (!(error instanceof NoAnswer) || error.code === 'TIMEOUT') throw error;
      }
    }
    (await full.get('/employees', { limit: 2, page_token: first.token })).ok(
      'listEmployees',
      'the good token after all that',
    );
  },
});

const paged: Readonly<Record<string, ListId>> = {
  '/employees': 'listEmployees',
  '/document_types': 'listDocumentTypes',
  '/document_categories': 'listDocumentCategories',
  '/document_templates': 'listDocumentTemplates',
  '/documents': 'listDocuments',
};

rule({
  id: 'PAGE-15',
  level: 'MUST',
  text: 'A page token of one list is INVALID_ARGUMENT on every other list.',
  place: 'page_token of every list',
  decisions: ['D-10'],
  needs: together(need.template, { operations: ['createDocument', 'listDocuments'] }),
  check: async (t) => {
    const full = t.as('full', { spread: true });
    // Makes sure that there are two pages of documents, if the profile consents to writes.
    for (let n = 0; n < 2 && t.profile.tenant.consent_to_writes; n++) await draft(t);
    const tokens = new Map<string, string>();
    for (const [path, list] of Object.entries(paged)) {
      const { token } = await full.list(list, { limit: 1 });
      if (token !== '') tokens.set(path, token);
    }
    if (tokens.size < 2) t.untested('no_such_data', 'hardly any list has a second page');
    for (const [from, page_token] of tokens) {
      for (const path of Object.keys(paged)) {
        if (path !== from)
          (await full.get(path, { limit: 1, page_token })).blames('page_token', `a token of ${from} on ${path}`);
      }
    }
  },
});

rule({
  id: 'PAGE-16',
  level: 'MUST',
  text: 'A page token of another tenant is treated as the target declares and shows none of that tenant’s rows.',
  place: 'listEmployees: page_token',
  decisions: ['D-10'],
  needs: { keys: ['other_tenant'] },
  check: async (t) => {
    const query = { limit: 1 };
    const page_token = await tokenOf(t.as('full'), query);
    const other = t.as('other_tenant');
    const own = new Set(idsOf(await other.walk('listEmployees', { limit: 1000 })));
    const answer = await other.get('/employees', { ...query, page_token });
    if (t.values.foreign_page_token === 'reject') answer.blames('page_token');
    else for (const { id } of answer.ok('listEmployees').employees) t.check(own.has(id), 'a foreign row', answer);
    const theirs = await other.employees(query);
    if (theirs.token !== '' && t.values.foreign_page_token === 'reject') {
      (await t.as('full').get('/employees', { ...query, page_token: theirs.token })).blames(
        'page_token',
        'the other way round',
      );
    }
  },
});

rule({
  id: 'PAGE-17',
  level: 'MUST',
  text: 'A page token does not widen rights: with a restricted key it shows only what that key sees.',
  place: 'listEmployees: page_token',
  decisions: ['D-10'],
  needs: { keys: ['restricted_owner', 'no_employee_owner'] },
  check: async (t) => {
    const query = { limit: 50 };
    const page_token = await tokenOf(t.as('full'), query);
    for (const name of ['restricted_owner', 'no_employee_owner'] as const) {
      const key = t.as(name);
      const allowed = new Set(idsOf(await key.walk('listEmployees', { limit: 1000 })));
      const answer = await key.get('/employees', { ...query, page_token });
      if (answer.status !== 200) {
        answer.fails('INVALID_ARGUMENT');
        continue;
      }
      for (const { id } of answer.ok('listEmployees').employees)
        t.check(allowed.has(id), `${name} is shown ${id}`, answer);
    }
  },
});

rule({
  id: 'PAGE-18',
  level: 'MUST',
  text: 'A page token shows neither ids nor offsets nor filters in clear.',
  place: 'listEmployees: page_token',
  decisions: ['D-10'],
  check: async (t) => {
    const full = t.as('full');
    const department_id = t.profile.fixtures.department_id ?? UNKNOWN_ID;
    const page = await full.employees({ limit: 2, department_id, status: ACTIVE });
    const token = page.token === '' ? await tokenOf(full, { limit: 2 }) : page.token;
    const decoded = token
      .split('.')
      .map((segment) => Buffer.from(segment, 'base64url').toString('latin1'))
      .join('\n');
    const clear = [
      ...idsOf(page.rows),
      department_id,
      ...page.rows.map((row) => row.create_time),
      '_STATUS_',
      'offset',
      'tenant',
    ];
    for (const value of clear)
      t.check(!`${token}\n${decoded}`.includes(value), 'the token shows something in clear', page.answer);
  },
});

rule({
  id: 'PAGE-25',
  level: 'MUST',
  text: 'A page token from one process of the deployment works in another.',
  place: 'listEmployees: page_token',
  decisions: ['D-10'],
  needs: { replica: true },
  check: async (t) => {
    const full = t.as('full');
    const page_token = await tokenOf(full, { limit: 3 });
    const wanted = idsOf((await full.employees({ limit: 3, page_token })).rows);
    for (const baseUrl of t.profile.replicas) {
      const there = await t.as('full', { baseUrl }).employees({ limit: 3, page_token });
      t.equal(idsOf(there.rows), wanted, `the second page at ${baseUrl}`, there.answer);
    }
  },
});

rule({
  id: 'PAGE-26',
  level: 'MUST',
  text: 'A walk can go on with another key of the same owner.',
  place: 'listEmployees: page_token',
  decisions: ['D-10'],
  needs: { keys: ['second_key_same_owner'] },
  check: async (t) => {
    const page_token = await tokenOf(t.as('full'), { limit: 3 });
    const there = await t.as('second_key_same_owner').employees({ limit: 3, page_token });
    const here = await t.as('full').employees({ limit: 3, page_token });
    t.equal(idsOf(there.rows), idsOf(here.rows), 'the second page with another key', there.answer);
  },
});

rule({
  id: 'PAGE-28',
  level: 'MUST',
  text: 'An empty page_token is treated as the target declares; one given twice is INVALID_ARGUMENT.',
  place: 'listEmployees: page_token',
  // Two readings of the newest rows are compared.
  runs: 'quiet',
  decisions: ['D-12'],
  check: async (t) => {
    const full = t.as('full');
    const empty = await full.get('/employees', 'limit=3&page_token=');
    if (t.values.empty_page_token === 'first_page') {
      const first = await full.employees({ limit: 3 });
      t.equal(
        idsOf(empty.ok('listEmployees', 'an empty token').employees),
        idsOf(first.rows),
        'the page of an empty token',
        empty,
      );
    } else empty.blames('page_token', 'an empty token');
    const token = encodeURIComponent(await tokenOf(full, { limit: 3 }));
    (await full.get('/employees', `limit=3&page_token=${token}&page_token=${token}`)).blames(
      'page_token',
      'given twice',
    );
    (await full.get('/employees', `limit=3&page_token[]=${token}`)).blames('page_token', 'with brackets');
  },
});
