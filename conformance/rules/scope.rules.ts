import { rule } from './rule.ts';
import { newKey, whileBodyArrives } from './shared/calls.ts';
import { KEDO, send, skippedBatch } from './shared/ingest-calls.ts';

rule({
  id: 'SCOPE-24',
  text: 'When the owner’s permissions narrow, the very next request of the key sees less; when they widen, more.',
  place: 'listEmployees, getEmployee',
  decisions: ['D-31'],
  holds: ['narrowable'],
  check: async (t) => {
    const key = t.as('narrowable');
    const somebody = t.fixture('employee_id');
    const query = { limit: 5, expand: ['person'] };
    await t.admin('restore_owner');
    const before = await key.employees(query);
    t.check(before.rows.length === 5, 'the owner should see everybody before', before.answer);
    t.check(before.token !== '', 'there should be a second page', before.answer);
    try {
      await t.admin('narrow_owner');
      (await key.get(`/employees/${somebody}`)).fails('EMPLOYEE_NOT_FOUND', 'the first request after narrowing');
      const after = await key.employees(query);
      t.check(
        after.rows.length <= 1,
        `the owner should see only himself, the list has ${after.rows.length}`,
        after.answer,
      );
      for (const { redacted_fields } of after.rows) {
        t.check(redacted_fields.includes('persons.iin'), 'persons.iin should be hidden now', after.answer);
      }
      const next = await key.employees({ ...query, page_token: before.token });
      t.check(next.rows.length <= 1, 'a token from before shows rows that are now hidden', next.answer);
    } finally {
      await t.admin('restore_owner');
    }
    await key.employee(somebody);
    const restored = await key.employees(query);
    t.check(
      restored.rows.length === 5 && restored.rows.every(({ person }) => person?.iin !== undefined),
      'the next request should see all again',
      restored.answer,
    );
  },
});

rule({
  id: 'SCOPE-34',
  text: 'An owner who is no super-administrator any more loses ingest:write with the very next request, and with one whose body is still under way, and nothing else; with the role it comes back.',
  place: 'ingestRecords',
  decisions: ['D-31'],
  holds: ['narrowable'],
  check: async (t) => {
    const key = t.as('narrowable');
    (await send(t, key, KEDO, skippedBatch())).ok('ingestRecords', 'while the owner is a super-administrator');
    const unused = newKey(t);
    try {
      const headers = { 'Idempotency-Key': newKey(t) };
      const demote = () => t.admin('demote_owner');
      const late = await whileBodyArrives(t, demote, (halfway) =>
        key.post(`/ingest/${KEDO}`, skippedBatch(), { headers, halfway }),
      );
      late.fails('SCOPE_INSUFFICIENT', 'a body that ended after the owner lost the role');
      const refused = await send(t, key, KEDO, skippedBatch(), unused);
      refused.fails('SCOPE_INSUFFICIENT', 'the first request after the owner lost the role');
      await key.employees({ limit: 1 });
    } finally {
      await t.admin('promote_owner');
    }
    (await send(t, key, KEDO, skippedBatch(), unused)).ok('ingestRecords', 'after the owner got the role back');
  },
});
