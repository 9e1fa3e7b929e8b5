import { arrived, envelopeOf, received, withHooks } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { employee, Load, mark, person } from './shared/ingest-calls.ts';
import { need, together } from './shared/needs.ts';

const TYPES = ['employee.changed', 'person.changed'] as const;

/** Two employees of the pool, each with his own person. */
async function begun(t: TestContext) {
  const load = new Load(t);
  const names = ['fifth', 'sixth'];
  const numbers = names.map((name) => mark(t, name));
  const humans = names.map((name) => person(t, name, { gender: '', birth_place: '' }));
  const records = names.map((name, n) => employee(t, name, name, numbers[n] ?? ''));
  await load.make('PERSONS', humans);
  await load.make('EMPLOYEES', records);
  await load.followed();
  const cards = [await load.card(numbers[0] ?? ''), await load.card(numbers[1] ?? '')] as const;
  return { load, humans, records, cards };
}

rule({
  id: 'ING-34',
  level: 'MUST',
  text: 'Each employee that a batch changed emits employee.changed.',
  place: 'ingestRecords: Results',
  decisions: ['D-29'],
  needs: together(need.ingest, { callbacks: true }),
  runs: 'changing',
  check: async (t) => {
    const { load, records, cards } = await begun(t);
    await withHooks(t, [{ types: TYPES }], async (hook) => {
      await load.update(
        'EMPLOYEES',
        records.map((record) => ({ ...record, number: mark(t) })),
      );
      for (const { id } of cards) await arrived(t, hook, { containing: id, type: 'employee.changed' });
    });
  },
});

rule({
  id: 'ING-43',
  level: 'MUST',
  text: 'A new last, first or middle name alone, or number, of a person emits person.changed and employee.changed.',
  place: 'ingestRecords: Results',
  decisions: ['D-26', 'D-29'],
  needs: together(need.ingest, { callbacks: true }),
  runs: 'changing',
  check: async (t) => {
    const { load, humans, cards } = await begun(t);
    await withHooks(t, [{ types: TYPES }], async (hook) => {
      const names = ['last_name', 'first_name', 'middle_name'].map((name) => ({ [name]: mark(t) }));
      const changes = [...names, { iin: '999999999949' }, { iin: '' }];
      for (const [n, change] of changes.entries()) {
        await load.update('PERSONS', [{ external_id: humans[0]?.external_id, ...change }]);
        for (const type of TYPES) await arrived(t, hook, { containing: cards[0].id, type, count: n + 1 });
      }
    });
  },
});

/** Checks that no delivery about the first employee arrives, although one about the second, caused later, does. */
async function silent(
  t: TestContext,
  change: (begun_: Awaited<ReturnType<typeof begun>>) => Promise<unknown>,
): Promise<void> {
  const staff = await begun(t);
  const { load, humans, cards } = staff;
  const [{ id }, other] = cards;
  await withHooks(t, [{ types: TYPES }], async (hook) => {
    let count = 0;
    await load.unmoved('the card of an employee whom nothing visible has changed', [id], async () => {
      count++;
      await change(staff);
      await load.settled();
      await load.update('PERSONS', [{ external_id: humans[1]?.external_id, first_name: mark(t) }]);
      for (const type of TYPES) await arrived(t, hook, { containing: other.id, type, count });
    });
    // What happened up to the card's last change is about what came before.
    const changed = Date.parse((await load.now(id)).update_time);
    const odd = (await received(t, hook, id)).filter((one) => Date.parse(envelopeOf(one).occurred_at) > changed);
    t.equal(odd.length, 0, 'deliveries about him');
  });
}

rule({
  id: 'ING-65',
  level: 'MUST',
  text: 'A batch that changes nothing emits nothing.',
  place: 'ingestRecords: Results',
  decisions: ['D-29'],
  needs: together(need.ingest, { callbacks: true }),
  runs: 'changing',
  check: (t) =>
    silent(t, async ({ load, humans, records }) => {
      await load.make('PERSONS', humans);
      await load.make('EMPLOYEES', records);
    }),
});

rule({
  id: 'ING-58',
  level: 'MUST',
  text: 'A change of fields that are never shown moves no update_time and emits nothing.',
  place: 'ingestRecords: Results',
  decisions: ['D-29'],
  needs: together(need.ingest, { callbacks: true }),
  runs: 'changing',
  check: (t) =>
    silent(t, async ({ load, humans, records }) => {
      const hidden = {
        gender: mark(t),
        birth_place: mark(t),
        number: mark(t),
        citizenship: mark(t),
        issued_date: '2019-06-04',
        serial_number: mark(t),
        issuing_authority: mark(t),
        issuing_authority_code: mark(t),
        registration_address: mark(t),
      };
      await load.update('PERSONS', [{ ...humans[0], ...hidden }]);
      await load.update('EMPLOYEES', [{ ...records[0], available_vacation_day_count: mark(t) }]);
    }),
});
