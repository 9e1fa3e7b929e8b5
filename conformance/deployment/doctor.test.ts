import { describe, expect, test } from '@jest/globals';
import type { Profile } from '../profile/profile.ts';
import {
  ENDPOINT_ID,
  exampleProfile,
  inJson,
  madeEndpoint,
  type Reply,
  refusal,
  served,
} from '../testing/small-target.ts';
import type { Finding } from './ask.ts';
import { examine } from './doctor.ts';
import { checkClock } from './keys.ts';

const [EMPLOYEE, HIDDEN, DELETED] = ['e-seen', 'e-hidden', 'e-deleted'];

/** What each key's owner may not see. */
const HIDES: Readonly<Record<string, readonly string[]>> = {
  narrow: ['employees.work_email', 'persons.iin', 'persons.phone'],
  nameless: ['persons.full_name', 'persons.middle_name'],
};

/**
 * Accepts the keys `good`, `narrow`, `nameless` and `reader`. `narrow` does not see one of the employees; `reader` may only read
 * employees.
 * It creates endpoints and never delivers.
 */
function answerTo(key: string, url: string): Reply {
  if (url.endsWith('/_test') && isLimited) return [429, {}];
  if (!['good', 'narrow', 'nameless', 'reader'].includes(key)) return refusal('API_KEY_INVALID');
  if (url.endsWith('/api_key/_verify')) return [200, {}];
  if (key === 'reader' && !url.includes('/employees')) return refusal('SCOPE_INSUFFICIENT');
  if (url.includes('/documents') || url.includes('/ingest/')) return refusal('EMPLOYEE_NOT_FOUND');
  if (url.endsWith('/webhook_endpoints')) return [200, madeEndpoint('https://hooks.example/')];
  if (url.endsWith('/_test')) return [200, { status_code: 0, error: 'connect_error' }];
  if (url.includes('/webhook_endpoints/')) return [200, {}];
  if (url.includes('/document_types')) return [200, { document_types: [{ id: 't1' }], next_page_token: '' }];
  const card = { department_id: 'full', manager_id: HIDDEN, redacted_fields: HIDES[key] ?? [] };
  const visible = key === 'good' ? [EMPLOYEE, HIDDEN] : [EMPLOYEE];
  return [200, { employees: visible.map((id) => ({ id, ...card })), next_page_token: '' }];
}

let isLimited = false;
const deleted: string[] = [];
const target = served(
  inJson(({ method, headers, url }) => {
    if (method === 'DELETE') deleted.push(url);
    return answerTo(String(headers['x-api-key'] ?? ''), url);
  }),
);

async function examined(change: Partial<Profile>, secrets: Record<string, string> = {}) {
  const findings: Finding[] = [];
  const profile: Profile = {
    ...exampleProfile(),
    base_url: target.baseUrl,
    keys: { full: ['FULL'] },
    fixtures: {},
    ...change,
  };
  const loaded = { profile, secrets: { FULL: 'good', NARROW: 'narrow', BAD: 'bad', READER: 'reader', ...secrets } };
  const code = await examine(loaded, (one) => void findings.push(one), 0);
  const about = (name: string) => findings.filter((one) => one.about === name);
  /** Of the first finding about this. */
  const says = (name: string) => about(name)[0]?.says;
  const kind = (name: string) => about(name)[0]?.kind;
  return { code, findings, about, says, kind };
}

const callbacks = { mode: 'public', listen: '127.0.0.1:0', url: 'https://hooks.example' } as const;

describe('the doctor', () => {
  test('accepts what the profile describes, and reports what is missing', async () => {
    const { code, findings, about, says, kind } = await examined({
      keys: { full: ['FULL'], revoked: 'BAD', restricted_owner: 'NARROW' },
      fixtures: {
        employee_id: EMPLOYEE,
        employee_hidden_from_restricted_id: HIDDEN,
        employee_deleted_id: DELETED,
        department_id: 'full',
        document_type_id: 't1',
      },
    });
    expect(findings.filter(({ kind }) => kind === 'problem')).toEqual([]);
    expect(about('fixture employee_hidden_from_restricted_id').map(({ kind }) => kind)).toEqual(['ok', 'ok']);
    expect(says('keys')).toContain('load');
    expect(kind('fixture big')).toBe('gap');
    expect(kind('callbacks')).toBe('gap');
    expect(code).toBe(6);
  });

  test('finds keys that differ from what their name says', async () => {
    const { code, about, says } = await examined({ keys: { full: ['FULL', 'BAD'], revoked: 'NARROW' } });
    expect(about('key full (BAD)')).toMatchObject([{ kind: 'problem' }]);
    expect(says('key revoked (NARROW)')).toMatch(/answers 200, not 401 INTEGRATION.API_KEY_INVALID/);
    expect(code).toBe(1);
  });

  test('counts a revoked disposable key as used up, and reports it when none is left', async () => {
    const one = await examined({ keys: { full: ['FULL'], disposable: ['BAD', 'NARROW'] } });
    expect(one.about('key disposable (BAD)')[0]).toMatchObject({ kind: 'ok' });
    expect(one.about('key disposable')).toEqual([]);
    const none = await examined({ keys: { full: ['FULL'], disposable: ['BAD'] } });
    expect(none.about('key disposable')).toMatchObject([{ kind: 'gap' }]);
  });

  test('finds keys that may do too much or too little', async () => {
    const { code, kind } = await examined({ keys: { full: ['FULL'], employees_read: 'READER', load: 'NARROW' } });
    expect(kind('scopes of full (FULL)')).toBe('ok');
    expect(kind('scopes of employees_read (READER)')).toBe('ok');
    expect(code).toBe(6);
    const swapped = await examined({ keys: { full: ['READER'], employees_read: 'FULL', no_scope: 'NARROW' } });
    expect(swapped.says('scopes of full (READER)')).toMatch(/it is refused documents:read.*webhooks:manage/);
    expect(swapped.says('scopes of employees_read (FULL)')).toMatch(
      /let into webhooks:manage; put a key with employees:read alone into FULL/,
    );
    expect(swapped.says('scopes of no_scope (NARROW)')).toContain('let into employees:read');
    expect(swapped.code).toBe(1);
  });

  test('finds owners who see too much, and two names of one key', async () => {
    const fixtures = { employee_id: EMPLOYEE, employee_common_id: EMPLOYEE };
    const { kind } = await examined({ keys: { full: ['FULL'], restricted_owner: 'NARROW' }, fixtures });
    expect(kind('view of full')).toBe('ok');
    expect(kind('view of restricted_owner')).toBe('ok');
    const wide = await examined(
      {
        keys: { full: ['NARROW'], restricted_owner: 'FULL', second_owner: 'OTHER', no_employee_owner: 'FULL' },
        fixtures,
      },
      { OTHER: 'good' },
    );
    expect(wide.says('view of full')).toContain('persons.iin');
    expect(wide.says('view of restricted_owner')).toContain('persons.phone must be hidden');
    expect(wide.says('view of second_owner')).toContain('persons.birth_date, persons.personal_email must be hidden');
    expect(wide.kind('view of no_employee_owner')).toBe('problem');
    expect(wide.about('keys').map(({ says }) => says)).toContainEqual(expect.stringContaining('FULL and OTHER hold'));
  });

  test('finds owners who hide another part of names than theirs, or more than that', async () => {
    const { says, kind } = await examined(
      {
        keys: { full: ['FULL'], hides_first_name: 'A', hides_middle_name: 'B', hides_full_name: 'C' },
        fixtures: { employee_id: EMPLOYEE },
      },
      { A: 'nameless', B: 'nameless', C: 'nameless' },
    );
    expect(says('view of hides_first_name')).toContain('persons.first_name must be hidden');
    expect(kind('view of hides_middle_name')).toBe('ok');
    expect(says('view of hides_full_name')).toContain('persons.middle_name must not be hidden');
  });

  test('reports that no owner is a manager', async () => {
    const owners = (owner: string) => ({ second_owner_employee_id: EMPLOYEE, owner_employee_id: owner });
    const right = await examined({ fixtures: owners(HIDDEN) });
    expect(right.about('fixture second_owner_employee_id').map(({ kind }) => kind)).toEqual(['ok', 'ok']);
    const wrong = await examined({ fixtures: owners(EMPLOYEE) });
    expect(wrong.about('fixture second_owner_employee_id').map(({ kind }) => kind)).toEqual(['ok', 'gap']);
  });

  test('finds fixtures that do not exist, and ones that are visible to the wrong owner', async () => {
    const { code, about } = await examined({
      fixtures: {
        employee_id: 'nobody',
        employee_deleted_id: EMPLOYEE,
        department_id: 'empty',
        document_type_id: 't2',
      },
    });
    for (const name of ['employee_id', 'employee_deleted_id', 'department_id', 'document_type_id'])
      expect(about(`fixture ${name}`)).toMatchObject([{ kind: 'problem' }]);
    expect(code).toBe(1);
  });

  test('reports that deliveries do not arrive, and that the control clock does not answer', async () => {
    const { says } = await examined({
      callbacks,
      clock: { mode: 'control', url: 'http://127.0.0.1:1' },
    });
    expect(says('callbacks')).toContain('a test event does not arrive at https://hooks.example');
    expect(says('control clock')).toContain('nothing answers at http://127.0.0.1:1');
  });

  test('reports that it could not try deliveries, and leaves no endpoint behind', async () => {
    isLimited = true;
    deleted.length = 0;
    const { code, says } = await examined({ callbacks });
    isLimited = false;
    expect([says('callbacks'), code]).toEqual([expect.stringContaining('an unexpected 429'), 1]);
    expect(deleted).toEqual([expect.stringContaining(ENDPOINT_ID)]);
  });

  test('compares clocks', () => {
    const now = Date.parse('2030-01-01T00:00:00Z');
    const at = (date: string) => checkClock([['Date', date]], now);
    expect(at('Tue, 01 Jan 2030 00:00:03 GMT').kind).toBe('ok');
    expect(at('Tue, 01 Jan 2030 00:01:00 GMT').says).toContain('60 s ahead of ours');
    expect(at('Mon, 31 Dec 2029 23:59:00 GMT').says).toContain('60 s behind ours');
    expect(checkClock([], now).kind).toBe('gap');
  });
});
