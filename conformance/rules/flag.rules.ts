import { rateLimit } from '../../generated/contract.ts';
import { arrived, envelopeOf, received, testHook, withHooks } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rulesWith } from './rule.ts';
import { applyChanges, whileBodyArrives } from './shared/calls.ts';
import { PDF } from './shared/document-calls.ts';
import { marker } from './shared/event-calls.ts';
import { altered, withKey } from './shared/keys.ts';
import { atOnce, shoot } from './shared/limit-probe.ts';

const rule = rulesWith({ place: 'FEATURE_FLAG_OFF', decisions: ['D-6'] });

rule({
  id: 'FLAG-8',
  text: 'The flag is checked before the rate limit: however many requests come at once, the limit refuses none of them.',
  check: async (t) => {
    t.mayBeRefused = true;
    const off = t.as('flag_off', { unpaced: true });
    const shots = await shoot([off], atOnce(3 * rateLimit.burst));
    for (const { answer } of shots) answer.fails('FEATURE_FLAG_OFF', `one of ${shots.length} requests at once`);
  },
});

rule({
  id: 'FLAG-4',
  text: 'While the interface is off for a tenant, a wrong key that resembles one of its keys is answered as the target declares.',
  place: 'API_KEY_INVALID',
  check: async (t) => {
    const key = t.secret('flag_off');
    const answer = await withKey(t, altered(key, key.length - 1));
    answer.fails(t.values.invalid_key_flag_off === 'key_invalid' ? 'API_KEY_INVALID' : 'FEATURE_FLAG_OFF');
  },
});

rule({
  id: 'FLAG-6',
  text: 'Switching the flag takes effect on the very next request, off and on, with the same key, and concerns no other tenant.',
  decisions: [],
  holds: ['flag_toggle'],
  check: async (t, full) => {
    const key = t.as('flag_toggle');
    await t.admin('flag_on');
    (await key.employees({ limit: 5 })).answer.ok('listEmployees', 'before');
    try {
      await t.admin('flag_off');
      (await key.verify()).fails('FEATURE_FLAG_OFF', 'the first request after switching off');
      (await key.get('/employees')).fails('FEATURE_FLAG_OFF', 'the second');
      const others = [t.as('flag_off'), t.as('other_tenant'), full].map((api) => api.verify());
      const [off, ...on] = await Promise.all(others);
      off?.fails('FEATURE_FLAG_OFF', 'a tenant whose flag is off');
      for (const answer of on) answer.ok('verifyApiKey', 'another tenant meanwhile');
    } finally {
      await t.admin('flag_on');
    }
    (await key.verify()).ok('verifyApiKey', 'the first request after switching on');
  },
});

rule({
  id: 'FLAG-10',
  text: 'A request whose body is still under way when the interface is switched off is refused and has no effect.',
  holds: ['flag_toggle'],
  check: async (t) => {
    const key = t.as('flag_toggle');
    const body = { filename: 'late.pdf', content_type: PDF, size_bytes: 100 };
    await t.admin('flag_on');
    try {
      const off = () => t.admin('flag_off');
      const late = await whileBodyArrives(t, off, (halfway) => key.post('/files', body, { halfway }));
      late.fails('FEATURE_FLAG_OFF', 'a body that ended after switching off');
    } finally {
      await t.admin('flag_on');
    }
    const nothing = () => key.verify();
    const whole = await whileBodyArrives(t, nothing, (halfway) => key.post('/files', body, { halfway }));
    whole.ok('reserveFile', 'one that ends after a while');
  },
});

/** Applies changes to employees of the tenant whose flag is switched. */
const toggled = (t: TestContext) => (change: object) =>
  applyChanges(t, 'toggled', [change], 'apply_toggle_employee_changes');

const PERSON = { first_name: 'Флаг', last_name: 'Проверочный' };

rule({
  id: 'FLAG-7',
  text: 'What happens while the flag is off causes no event, neither then nor later.',
  place: 'webhooks',
  decisions: ['D-27'],
  holds: ['flag_toggle'],
  check: async (t) => {
    const apply = toggled(t);
    const types = ['employee.changed', 'employee.deleted'] as const;
    await withHooks(t, [{ key: 'flag_toggle', types }], async (hook) => {
      await apply({ op: 'create', employee: { employee_number: `F-${t.run_id}` }, person: PERSON });
      const [made] = await arrived(t, hook, { containing: 'employee.changed' });
      const id = envelopeOf(made).data.employee_id ?? '';
      try {
        await t.admin('flag_off');
        await apply({ op: 'update', id, employee: { employee_number: `F-${t.run_id}-2` } });
      } finally {
        await t.admin('flag_on');
      }
      const { employee_number } = await t.as('flag_toggle').employee(id);
      t.equal(employee_number, `F-${t.run_id}-2`, 'the number after the change while the flag was off');
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
  text: 'While the flag is off no event is delivered, not even one that was tried before and waits for its next attempt; nor is that one after the flag is on again.',
  place: 'webhooks',
  decisions: ['D-27'],
  runs: 'moving',
  holds: ['flag_toggle'],
  check: async (t) => {
    const { webhook_retry_waits_s: waits, webhook_retry_jitter: jitter } = t.values;
    const apply = toggled(t);
    const failing = { key: 'flag_toggle', types: ['employee.changed'], reactions: [{ answer: 503 }] } as const;
    await withHooks(t, [failing, {}], async (hook, watched) => {
      await apply({ op: 'create', employee: { employee_number: `F-${t.run_id}-w` }, person: PERSON });
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
