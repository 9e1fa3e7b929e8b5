import { writeFileSync } from 'node:fs';
import { rateLimit } from '../../generated/rate-limit.ts';
import { arrived, envelopeOf, received, testHook, withHooks } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { all, callOf, jsonLines } from './shared/calls.ts';
import { marker } from './shared/event-calls.ts';
import { atOnce, shoot } from './shared/limit-probe.ts';
import { need, together } from './shared/needs.ts';

rule({
  id: 'FLAG-1',
  level: 'MUST',
  text: 'While the interface is off for a tenant, every operation answers FEATURE_FLAG_OFF to its valid keys.',
  place: 'FEATURE_FLAG_OFF',
  needs: { keys: ['flag_off'] },
  check: async (t) => {
    for (const operation of all) {
      (await t.as('flag_off').send(callOf(operation))).fails('FEATURE_FLAG_OFF', operation.operationId);
    }
  },
});

rule({
  id: 'FLAG-2',
  level: 'MUST',
  text: 'While the interface is off for a tenant, verifyApiKey too answers FEATURE_FLAG_OFF.',
  place: 'verifyApiKey',
  needs: { keys: ['flag_off'] },
  check: async (t) => void (await t.as('flag_off').verify()).fails('FEATURE_FLAG_OFF'),
});

rule({
  id: 'FLAG-3',
  level: 'MUST',
  text: 'The flag is checked before path, scope and validation.',
  place: 'FEATURE_FLAG_OFF',
  decisions: ['D-6'],
  needs: { keys: ['flag_off'] },
  check: async (t) => {
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
  },
});

rule({
  id: 'FLAG-8',
  level: 'MUST',
  text: 'The flag is checked before the rate limit: however many requests come at once, the limit refuses none of them.',
  place: 'FEATURE_FLAG_OFF',
  decisions: ['D-6'],
  needs: { keys: ['flag_off'] },
  check: async (t) => {
    t.mayBeRefused = true;
    const off = t.as('flag_off', { unpaced: true });
    const shots = await shoot([off], atOnce(3 * rateLimit.burst));
    for (const { answer } of shots) answer.fails('FEATURE_FLAG_OFF', `one of ${shots.length} requests at once`);
  },
});

rule({
  id: 'FLAG-4',
  level: 'MUST',
  text: 'While the interface is off for a tenant, a wrong key that resembles one of its keys is answered as the target declares.',
  place: 'API_KEY_INVALID',
  decisions: ['D-6'],
  needs: { keys: ['flag_off'] },
  check: async (t) => {
    const key = t.secret('flag_off');
    const wrong = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
    const answer = await t.anonymous().verify({ headers: { 'X-API-Key': wrong } });
    answer.fails(t.values.invalid_key_flag_off === 'key_invalid' ? 'API_KEY_INVALID' : 'FEATURE_FLAG_OFF');
  },
});

rule({
  id: 'FLAG-5',
  level: 'MUST',
  text: 'The flag of one tenant does not concern another.',
  place: 'FEATURE_FLAG_OFF',
  needs: { keys: ['flag_off', 'other_tenant'] },
  check: async (t) => {
    const answers = await Promise.all([
      t.as('flag_off').verify(),
      t.as('other_tenant').verify(),
      t.as('full').verify(),
    ]);
    answers[0].fails('FEATURE_FLAG_OFF');
    answers[1].ok('verifyApiKey');
    answers[2].ok('verifyApiKey');
  },
});

rule({
  id: 'FLAG-6',
  level: 'MUST',
  text: 'Switching the flag takes effect on the very next request, off and on, with the same key.',
  place: 'FEATURE_FLAG_OFF',
  needs: { keys: ['flag_toggle'], admin: ['flag_on', 'flag_off'] },
  check: async (t) => {
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
  },
});

/** Applies changes to employees of the tenant whose flag is switched. */
function toggled(t: TestContext): (change: object) => Promise<void> {
  let count = 0;
  return async (change) => {
    count++;
    const file = t.path(`flag-${t.rule.id}-${count}.jsonl`);
    writeFileSync(file, jsonLines([change]));
    await t.admin('apply_toggle_employee_changes', { file });
  };
}

const PERSON = { first_name: 'Флаг', last_name: 'Проверочный' };

rule({
  id: 'FLAG-7',
  level: 'MUST',
  text: 'What happens while the flag is off causes no event, neither then nor later.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.endpoints, {
    keys: ['flag_toggle'],
    admin: ['flag_on', 'flag_off', 'apply_toggle_employee_changes'],
    callbacks: true,
  }),
  check: async (t) => {
    const apply = toggled(t);
    const types = ['employee.changed', 'employee.deleted'] as const;
    await withHooks(t, [{ key: 'flag_toggle', types }], async (hook) => {
      await apply({ op: 'create', employee: { employee_number: `F-${t.run.run_id}` }, person: PERSON });
      const [made] = await arrived(t, hook, { containing: 'employee.changed' });
      const id = envelopeOf(made).data.employee_id ?? '';
      try {
        await t.admin('flag_off');
        await apply({ op: 'update', id, employee: { employee_number: `F-${t.run.run_id}-2` } });
      } finally {
        await t.admin('flag_on');
      }
      const { employee_number } = await t.as('flag_toggle').employee(id);
      t.equal(employee_number, `F-${t.run.run_id}-2`, 'the number after the change while the flag was off');
      await apply({ op: 'delete', id });
      await arrived(t, hook, { containing: id, type: 'employee.deleted' });
      // The test event is sent later than everything that was due before.
      (await testHook(t, hook, 'flag_toggle')).ok('testWebhookEndpoint');
      const events = (await received(t, hook, id)).map(envelopeOf);
      const changes = new Set(events.flatMap(({ type, id: event }) => (type === 'employee.changed' ? [event] : [])));
      t.equal(changes.size, 1, 'how many of the changes before and while the flag was off were reported');
    });
  },
});

rule({
  id: 'FLAG-9',
  level: 'MUST',
  text: 'While the flag is off no event is delivered, not even one that was tried before and waits for its next attempt; nor is that one after the flag is on again.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.documentEvents, need.testDelivery, {
    keys: ['flag_toggle'],
    admin: ['flag_on', 'flag_off', 'apply_toggle_employee_changes'],
    clock: true,
  }),
  runs: 'alone',
  check: async (t) => {
    const { webhook_retry_waits_s: waits, webhook_retry_jitter: jitter } = t.values;
    const apply = toggled(t);
    const failing = { key: 'flag_toggle', types: ['employee.changed'], reactions: [{ answer: 503 }] } as const;
    await withHooks(t, [failing, {}], async (hook, watched) => {
      await apply({ op: 'create', employee: { employee_number: `F-${t.run.run_id}-w` }, person: PERSON });
      await arrived(t, hook, { containing: 'employee.changed' });
      try {
        await t.admin('flag_off');
        // What was under way when the flag was switched has arrived before the event that is caused now.
        await marker(t, watched);
        const before = (await received(t, hook)).length;
        await t.withClock(async (advance) => {
          for (const wait of waits.slice(0, 2)) {
            await advance(wait * (1 + jitter) * 1000);
            await marker(t, watched);
          }
          t.equal((await received(t, hook)).length, before, 'how often the event was tried in all');
          await t.admin('flag_on');
          await advance(waits.reduce((sum, wait) => sum + wait) * (1 + jitter) * 1000);
          await marker(t, watched);
          t.equal((await received(t, hook)).length, before, 'how often it was tried after the flag was on again');
        });
      } finally {
        await t.admin('flag_on');
      }
    });
  },
});
