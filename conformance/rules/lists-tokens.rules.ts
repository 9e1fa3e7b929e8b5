/** The page tokens of each list: what they are good for, and what they are bound to. */
import type { TestContext } from '../engine/test-context.ts';
import type { Query } from '../http/api.ts';
import { rule } from './rule.ts';
import type { RuleInfo } from './rule-info.ts';
import { idsOf, mustAnswerOrClose, UNKNOWN_ID } from './shared/calls.ts';
import type { InputParameter } from './shared/contract-inputs.ts';
import {
  isMade,
  type ListWorld,
  nameAt,
  pageOf,
  quietUnlessMade,
  valuesIn,
  walkedIds,
  worldOf,
} from './shared/list-worlds.ts';
import { LARGEST, type ListFilter, type PagedList, pagedLists } from './shared/paged-lists.ts';

const B64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens in which one bit is flipped in a byte of a segment, below its base64; every eighth byte in turn. */
function bitFlips(token: string): [what: string, token: string][] {
  const flips: [string, string][] = [];
  const segments = token.split('.');
  for (const [number, segment] of segments.entries()) {
    const bytes = Buffer.from(segment, 'base64url');
    for (let at = 0; at < bytes.length; at += 8) {
      const turned = Buffer.from(bytes);
      turned[at] = (turned[at] ?? 0) ^ (1 << (at % 7));
      const altered = segments.with(number, turned.toString('base64url')).join('.');
      flips.push([`a bit of byte ${at} of segment ${number} turned`, altered]);
    }
  }
  return flips;
}

/** Tokens that nobody issued. */
function forgeries(token: string, id: string): [what: string, token: string][] {
  const [header = '', key = '', iv = '', text = '', tag = ''] = token.split('.');
  const claims = {
    list: 'listEmployees',
    limit: 2,
    offset: 0,
    id,
    create_time: '2024-01-01T00:00:00.000Z',
    iat: 1,
    exp: 4102444800,
  };
  const around = (head: unknown) => [part(head), key, iv, text, tag].join('.');
  const last = token.length - 1;
  const other = B64[(B64.indexOf(token.charAt(last)) + 32) % 64] ?? 'A';
  return [
    ['one character', 'x'],
    ['JSON', JSON.stringify(claims)],
    ['base64 of JSON', part(claims)],
    ['a number', '2'],
    ['an id', id],
    ['null', 'null'],
    ['an operator', '{"$gt":""}'],
    ['cut by one', token.slice(0, last)],
    ['cut to half', token.slice(0, token.length >> 1)],
    ['longer by one', `${token}A`],
    ['a segment more', `${token}.AAAA`],
    ['a dot more', `${token}.`],
    ['twice', token + token],
    ['the last character altered', token.slice(0, last) + other],
    ['padded', `${token}=`],
    ['in upper case', token.toUpperCase()],
    ['reversed', [...token].reverse().join('')],
    ['with a blank', `${token} `],
    ['with a NUL', `${token}\0`],
    ['only dots', '....'],
    ['header only', `${header}....`],
    ['unsecured JWT', `${part({ alg: 'none' })}.${part(claims)}.`],
    ['signed JWT', `${part({ alg: 'HS256' })}.${part(claims)}.c2ln`],
    ['JWE alg none', around({ alg: 'none', enc: 'A256GCM' })],
    ['JWE other enc', around({ alg: 'dir', enc: 'A128CBC-HS256' })],
    ['JWE zip', around({ alg: 'dir', enc: 'A256GCM', zip: 'DEF' })],
    ['JWE PBES2', around({ alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2c: 2147483647, p2s: 'AAAA' })],
    ['JWE crit', around({ alg: 'dir', enc: 'A256GCM', crit: ['x'], x: 1 })],
    ['JWE other kid', around({ alg: 'dir', enc: 'A256GCM', kid: 'another' })],
    ['JWE without header', ['', key, iv, text, tag].join('.')],
    ['JWE without tag', [header, key, iv, text, ''].join('.')],
    ['JWE short tag', [header, key, iv, text, tag.slice(0, 6)].join('.')],
    ['JWE with a key', [header, 'AAAA', iv, text, tag].join('.')],
  ];
}

/** Not the whole list, whose walk may be long: its first page is enough to make tokens. */
async function firstRows(t: TestContext, list: PagedList): Promise<ListWorld> {
  if (isMade(list)) return worldOf(t, list);
  const api = t.asAny('full');
  const world = { list, api, base: {}, rows: [] };
  return { ...world, rows: (await pageOf(world, { limit: LARGEST })).rows };
}

/** A list with a token for the second page of a query. */
async function tokenOf(t: TestContext, list: PagedList, query: Query = { limit: 1 }) {
  const world = await firstRows(t, list);
  const { token } = await pageOf(world, query);
  if (token === '') t.untested('no_such_data', `${list.operationId} has one page only`);
  return { world, query: { ...world.base, ...query }, token };
}

const rowsIn = (list: PagedList, json: unknown) => (json as Record<string, { id: string }[]>)[list.rows] ?? [];

/** What holds for the tokens of every list. The first list gets every forgery, the others share them. */
const aspects = {
  forged: {
    text: 'that is malformed, cut, altered anywhere, forged or huge is INVALID_ARGUMENT or refused as HTTP',
    async check(t, list) {
      const { world, query, token } = await tokenOf(t, list, { limit: 2 });
      const all = [...forgeries(token, world.rows[0]?.id ?? ''), ...bitFlips(token)];
      const place = pagedLists.indexOf(list);
      const mine = all.filter((_, n) => place === 0 || n % (pagedLists.length - 1) === place - 1);
      for (const [what, page_token] of mine) {
        if (page_token !== token) (await world.api.get(list.path, { ...query, page_token })).blames('page_token', what);
      }
      for (const size of place === 0 ? [8_000, 64_000, 100_000] : []) {
        const huge = { ...query, page_token: 'A'.repeat(size) };
        await mustAnswerOrClose(t, `${size} characters`, [400, 414, 431], () => world.api.get(list.path, huge));
      }
      const right = await world.api.get(list.path, { ...query, page_token: token });
      right.ok(list.operationId, 'the token after all that');
    },
  },
  'of-another-list': {
    text: 'of another list is INVALID_ARGUMENT',
    async check(t, list) {
      const { query, world } = await tokenOf(t, list);
      for (const other of pagedLists.filter((one) => one !== list)) {
        const { token: page_token } = await world.api.list(other.operationId, { limit: 1 });
        if (page_token === '') continue;
        const answer = await world.api.get(list.path, { ...query, page_token });
        answer.blames('page_token', `a token of ${other.operationId}`);
      }
    },
  },
  'of-another-tenant': {
    text: 'of another tenant is treated as the target declares, and shows none of that tenant’s rows',
    async check(t, list) {
      const { world, query, token: page_token } = await tokenOf(t, list);
      const other = t.as('other_tenant');
      const own = idsOf((await other.list(list.operationId, { limit: LARGEST })).rows);
      const answer = await other.get(list.path, { ...query, page_token });
      if (t.values.foreign_page_token === 'reject') answer.blames('page_token', 'in another tenant');
      else
        for (const { id } of rowsIn(list, answer.ok(list.operationId)))
          t.check(own.includes(id), `the row ${id} is out of the owner's sight`);
      const { token: theirs } = await other.list(list.operationId, { limit: 1 });
      if (theirs === '' || t.values.foreign_page_token !== 'reject' || isMade(list)) return;
      (await world.api.get(list.path, { ...query, page_token: theirs })).blames('page_token', 'the other way round');
    },
  },
  'of-another-owner': {
    text: 'does not widen rights: with the key of an owner who sees less, it shows what that owner sees',
    async check(t, list) {
      const world = await firstRows(t, list);
      for (const name of ['restricted_owner', 'no_employee_owner'] as const) {
        const key = t.as(name);
        const allowed = new Set(idsOf(await key.walk(list.operationId, { ...world.base, limit: LARGEST })));
        // The second page begins with a row that this owner does not see, if there is one.
        const limit = Math.max(
          2,
          world.rows.findIndex(({ id }, at) => at > 0 && !allowed.has(id)),
        );
        const { query, token: page_token } = await tokenOf(t, list, { limit });
        const answer = await key.get(list.path, { ...query, page_token });
        const seen = idsOf(world.rows.slice(limit)).filter((id) => allowed.has(id));
        if (answer.status !== 200) answer.fails('INVALID_ARGUMENT');
        else t.equal(idsOf(rowsIn(list, answer.json)), seen.slice(0, limit), `the page that ${name} sees`, answer);
      }
    },
  },
  'of-another-key': {
    text: 'works with another key of the same owner, which shows the same, and both keys work side by side',
    async check(t, list) {
      const { world, query, token: page_token } = await tokenOf(t, list);
      const there = await t.as('second_key_same_owner').list(list.operationId, { ...query, page_token });
      const { rows } = await pageOf(world, { ...query, page_token });
      t.equal(there.rows as readonly unknown[], rows, 'the second page with another key', there.answer);
    },
  },
  'of-another-process': {
    text: 'from one process of the deployment works in another',
    async check(t, list) {
      if (t.profile.replicas.length === 0) t.untested('missing_replica', 'the profile has no replica');
      const { world, query, token: page_token } = await tokenOf(t, list);
      const wanted = idsOf((await pageOf(world, { ...query, page_token })).rows);
      for (const baseUrl of t.profile.replicas) {
        const there = await t.as('full', { baseUrl }).list(list.operationId, { ...query, page_token });
        t.equal(idsOf(there.rows), wanted, `the second page at ${baseUrl}`, there.answer);
      }
    },
  },
  opaque: {
    text: 'shows neither ids nor offsets nor filters in clear',
    async check(t, list) {
      const { world, token } = await tokenOf(t, list, { limit: 2 });
      const filters = list.filters.flatMap((filter) => [filter.name, ...valuesIn(world, filter).slice(0, 1)]);
      const page = await pageOf(world, { limit: 1, ...oneOfEach(t, world) });
      const clear = [
        ...world.rows.slice(0, 3).flatMap((row) => [row.id, row.create_time]),
        ...filters,
        'offset',
        'tenant',
      ];
      for (const one of [token, page.token]) {
        const decoded = one.split('.').map((segment) => Buffer.from(segment, 'base64url').toString('latin1'));
        const shown = [one, ...decoded].join('\n');
        for (const value of clear) t.check(!shown.includes(value), 'the token shows something in clear', page.answer);
      }
    },
  },
  empty: {
    text: 'that is empty is treated as the target declares; one given twice is INVALID_ARGUMENT',
    async check(t, list) {
      const { world, query, token } = await tokenOf(t, list);
      const empty = await world.api.get(list.path, { ...query, page_token: '' });
      if (t.values.empty_page_token === 'reject') empty.blames('page_token', 'an empty token');
      else {
        const first = await pageOf(world, query);
        const rows = rowsIn(list, empty.ok(list.operationId, 'an empty token'));
        t.equal(idsOf(rows), idsOf(first.rows), 'the page of an empty token', empty);
      }
      (await world.api.get(list.path, { ...query, page_token: [token, token] })).blames('page_token', 'given twice');
      (await world.api.get(list.path, { ...query, 'page_token[]': token })).blames('page_token', 'with brackets');
    },
  },
} as const satisfies Record<string, { text: string; check(t: TestContext, list: PagedList): Promise<void> }>;

/** One value of each filter, for a token that must not show them. */
const oneOfEach = (t: TestContext, world: ListWorld): Query =>
  Object.fromEntries(
    world.list.filters.flatMap((filter) => {
      const [value] = valuesIn(world, filter);
      return filter.isInstant || value === undefined ? [] : [[nameAt(t, filter), value]];
    }),
  );

/** A token for a query must be taken with it, and refused with another one. */
async function mustBind(t: TestContext, world: ListWorld, issued: Query, others: readonly Query[]): Promise<boolean> {
  const { list } = world;
  const { token: page_token } = await pageOf(world, issued);
  if (page_token === '') return false;
  const second = await pageOf(world, { ...issued, page_token });
  for (const used of others) {
    const answer = await world.api.get(list.path, { ...world.base, ...used, page_token });
    answer.blames('page_token', `issued for ${JSON.stringify(issued)}, used with ${JSON.stringify(used)}`);
  }
  const again = await pageOf(world, { ...issued, page_token });
  // Without the base, rows of other rules are there, too, which they may delete meanwhile.
  const isOurs = Object.keys(world.base).every((name) => !(name in issued) || issued[name] !== undefined);
  if (isOurs) t.equal(idsOf(again.rows), idsOf(second.rows), 'the rows of the page after all that', again.answer);
  return true;
}

/** A token must be taken with another spelling of its query, or not, as the target declares. */
async function mustTake(t: TestContext, world: ListWorld, issued: Query, used: Query, isSame = true): Promise<void> {
  const { token: page_token, answer: first } = await pageOf(world, issued);
  if (page_token === '') return;
  const wanted = idsOf((await pageOf(world, { ...issued, page_token })).rows);
  const answer = await world.api.get(world.list.path, { ...world.base, ...used, page_token });
  if (!isSame) return void answer.fails('INVALID_ARGUMENT', JSON.stringify(used));
  const rows = rowsIn(world.list, answer.ok(world.list.operationId, JSON.stringify(used)));
  t.equal(idsOf(rows), wanted, `the second page with ${JSON.stringify(used)}`, first);
}

const MANY = { limit: 1 };

async function bindsInstant(t: TestContext, world: ListWorld, name: string, at: number): Promise<boolean> {
  const given = (ms: number) => ({ ...MANY, [name]: new Date(ms).toISOString() });
  const zoned = new Date(at + 5 * 3_600_000).toISOString().replace('Z', '+05:00');
  await mustTake(t, world, given(at), { ...MANY, [name]: zoned });
  return mustBind(t, world, given(at), [given(at + 1), given(at - 1000)]);
}

async function bindsValues(t: TestContext, world: ListWorld, filter: ListFilter): Promise<boolean> {
  const name = nameAt(t, filter);
  const isRefused = name === 'department_id' && t.values.unknown_department_filter === 'reject';
  const [most = '', other = filter.schema.values?.[1] ?? (isRefused ? '' : UNKNOWN_ID)] = valuesIn(world, filter);
  const [a = '', b = ''] = [most, other].sort();
  const [one, both] = [
    { ...MANY, [name]: most },
    { ...MANY, [name]: [a, b] },
  ];
  const isBound = await mustBind(t, world, one, [{ ...MANY, [name]: other }, ...(filter.repeated ? [both] : [])]);
  if (!filter.repeated) return isBound;
  await mustTake(t, world, both, { ...MANY, [name]: [b, a] }, t.values.filter_values_are_a_set);
  const isCollapsed = t.values.duplicate_filter_values === 'collapse';
  await mustTake(t, world, both, { ...MANY, [name]: [a, b, a] }, isCollapsed);
  return (await mustBind(t, world, both, [one])) || isBound;
}

/** A token is bound to each filter: to its value, and to whether it is there. */
const bindsFilter = (list: PagedList, filter: ListFilter) => async (t: TestContext) => {
  const world = await firstRows(t, list);
  const [name, values] = [nameAt(t, filter), valuesIn(world, filter)];
  const oldest = Date.parse(world.rows.at(-1)?.create_time ?? '') - 1000;
  const value = filter.isInstant ? new Date(oldest).toISOString() : values[0];
  if (value === undefined) t.untested('no_such_data', `no row of ${list.operationId} has a value of ${name}`);
  const without: Query = { ...MANY, ...(name in world.base ? { [name]: undefined } : {}) };
  const judged = [
    filter.isInstant ? await bindsInstant(t, world, name, oldest) : await bindsValues(t, world, filter),
    await mustBind(t, world, { ...MANY, [name]: value }, [without]),
    await mustBind(t, world, without, [{ ...MANY, [name]: value }]),
  ];
  if (!judged.includes(true)) t.untested('no_such_data', 'the list has one page only');
};

const bindsLimit = (list: PagedList) => async (t: TestContext) => {
  const world = await firstRows(t, list);
  const { defaultLimit: limit } = list;
  const judged = [
    await mustBind(t, world, { limit: 1 }, [{ limit: 2 }, {}]),
    await mustBind(t, world, {}, [{ limit: limit - 1 }]),
  ];
  if (!judged.includes(true)) t.untested('no_such_data', 'the list has one page only');
  const isSame = t.values.omitted_limit_equals_default;
  await mustTake(t, world, {}, { limit }, isSame);
  await mustTake(t, world, { limit }, {}, isSame);
};

/** A parameter that says only what is in the answer may change along a walk; `false` is as good as its absence. */
const changes =
  (list: PagedList, { name, schema }: InputParameter) =>
  async (t: TestContext) => {
    const world = await firstRows(t, list);
    const { values = ['true', 'false'] } = schema;
    const { token } = await pageOf(world, { limit: 2 });
    if (token === '') t.untested('no_such_data', 'the list has one page only');
    const wanted = await walkedIds(world, {}, 2, 2);
    for (const value of [...values, ...(schema.values ? [values] : [])]) {
      const page = await pageOf(world, { limit: 2, page_token: token, [name]: value });
      t.equal(idsOf(page.rows), wanted.slice(2), `the second page with ${name}=${String(value)}`, page.answer);
      const first = await pageOf(world, { limit: 2, [name]: value });
      t.equal(idsOf(first.rows), wanted.slice(0, 2), `the first page with ${name}=${String(value)}`, first.answer);
      for (const { total, answer } of list.hasTotal ? [page, first] : [])
        t.equal(
          total !== undefined,
          name === 'include_total' && value === 'true',
          'whether there is a total_count',
          answer,
        );
    }
  };

for (const list of pagedLists) {
  const declare = (
    about: string,
    text: string,
    check: (t: TestContext) => Promise<void>,
    more: Partial<RuleInfo> = {},
  ) => {
    const place = `${list.operationId}: page_token`;
    const family = 'the page tokens of each list';
    rule({ id: `PAGE-${list.operationId}.${about}`, text, place, decisions: ['D-10'], family, check, ...more });
  };
  // Two readings of the newest rows are compared.
  const runs = quietUnlessMade(list);
  for (const [name, { text, check }] of Object.entries(aspects))
    declare(name, `A page token of ${list.operationId} ${text}.`, (t) => check(t, list), runs);
  for (const filter of list.filters) {
    const text = `A page token of ${list.operationId} used with another ${filter.name}, without it, or with it added, is INVALID_ARGUMENT.`;
    declare(filter.name, text, bindsFilter(list, filter), { ...runs, decisions: ['D-10', 'D-12'] });
  }
  declare(
    'limit',
    `A page token of ${list.operationId} used with another limit is INVALID_ARGUMENT.`,
    bindsLimit(list),
    runs,
  );
  for (const one of list.changeable) {
    const text = `${one.name} of ${list.operationId} may change along a walk, and changes neither rows nor their order.`;
    declare(one.name, text, changes(list, one), runs);
  }
}
