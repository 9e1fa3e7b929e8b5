import { writeFileSync } from 'node:fs';
import { arrived, envelopeOf, received, testHook, withHooks } from '../callbacks/hooks.ts';
import { rule } from '../rule-test.ts';
import { all, callOf, jsonLines } from './calls.ts';

rule('FLAG-1', async (t) => {
  for (const operation of all) {
    (await t.as('flag_off').send(callOf(operation))).fails('FEATURE_FLAG_OFF', operation.operationId);
  }
});

rule('FLAG-2', async (t) => void (await t.as('flag_off').verify()).fails('FEATURE_FLAG_OFF'));

rule('FLAG-3', async (t) => {
  const off = t.as('flag_off');
  (await off.get('/employees', 'limit=0&x=1')).fails('FEATURE_FLAG_OFF', 'bad parameters');
  (await off.get('/employees/x')).fails('FEATURE_FLAG_OFF', 'bad id');
  (await off.get('/nothing')).fails('FEATURE_FLAG_OFF', 'unknown path');
  (await off.send({ method: 'PATCH', path: '/employees' })).fails('FEATURE_FLAG_OFF', 'unknown method');
  (await off.get('/documents/x')).fails('FEATURE_FLAG_OFF', 'bad document id');
  for (const path of ['/documents', '/documents/x/_send', '/documents/x/_set_route', '/files', '/files/x/_confirm']) {
    (await off.send({ method: 'POST', path, raw: '{', contentType: 'text/plain' })).fails('FEATURE_FLAG_OFF', path);
  }
  (await off.send({ method: 'POST', path: '/ingest/KEDO', raw: '{' })).fails(
    'FEATURE_FLAG_OFF',
    'no Idempotency-Key, no JSON',
  );
});

rule('FLAG-4', async (t) => {
  const key = t.secret('flag_off');
  const wrong = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
  const answer = await t.anonymous().verify({ headers: { 'X-API-Key': wrong } });
  answer.fails(t.values.invalid_key_flag_off === 'key_invalid' ? 'API_KEY_INVALID' : 'FEATURE_FLAG_OFF');
});

rule('FLAG-5', async (t) => {
  const answers = await Promise.all([t.as('flag_off').verify(), t.as('other_tenant').verify(), t.as('full').verify()]);
  answers[0].fails('FEATURE_FLAG_OFF');
  answers[1].ok('verifyApiKey');
  answers[2].ok('verifyApiKey');
});

rule('FLAG-6', async (t) => {
  const key = t.as('flag_toggle');
  await t.admin('flag_on');
  (await key.employees({ limit: 5 })).answer.ok('listEmployees', 'before');
  try {
    await t.admin('flag_off');
    (await key.verify()).fails('FEATURE_FLAG_OFF', 'the first request after switching off');
    (await key.get('/employees')).fails('FEATURE_FLAG_OFF', 'the second');
    (await t.as('full').verify()).ok('verifyApiKey', 'another tenant meanwhile');
  } finally {
    await t.admin('flag_on');
  }
  (await key.verify()).ok('verifyApiKey', 'the first request after switching on');
});

rule('FLAG-7', async (t) => {
  let count = 0;
  const change = async () => {
    count++;
    const file = t.path(`flag-${count}.jsonl`);
    const employee_number = `F-${t.run.run_id}-${count}`;
    const person = { first_name: 'Флаг', last_name: 'Проверочный' };
    writeFileSync(file, jsonLines([{ op: 'create', employee: { employee_number }, person }]));
    await t.admin('apply_toggle_employee_changes', { file });
  };
  await t.admin('flag_on');
  await withHooks(t, [{ key: 'flag_toggle', types: ['employee.changed'] }], async (hook) => {
    await change();
    await arrived(t, hook, { containing: 'employee.changed' });
    try {
      await t.admin('flag_off');
      await change();
    } finally {
      await t.admin('flag_on');
    }
    await change();
    await arrived(t, hook, { containing: 'employee.changed', count: 2 });
    await testHook(t, hook, 'flag_toggle');
    const ids = (await received(t, hook, 'employee.changed')).map((one) => envelopeOf(one).data.employee_id ?? '');
    t.equal(new Set(ids).size, 2, 'of how many changes before, while and after the flag was off events came');
    const rows = await t.as('flag_toggle').walk('listEmployees', { limit: 1000 });
    const numberOf = (id: string) => rows.find((row) => row.id === id)?.employee_number;
    t.equal(ids.map(numberOf).sort(), [`F-${t.run.run_id}-1`, `F-${t.run.run_id}-3`], 'the employees of these events');
    const file = t.path('flag-end.jsonl');
    const made = rows.filter((row) => row.employee_number?.startsWith(`F-${t.run.run_id}-`));
    writeFileSync(file, jsonLines(made.map(({ id }) => ({ op: 'delete', id }))));
    await t.admin('apply_toggle_employee_changes', { file });
  });
});
