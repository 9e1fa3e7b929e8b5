import { rulesWith } from './rule.ts';
import { newKey } from './shared/calls.ts';
import { employee, KEDO, Load, mark, send, skippedBatch } from './shared/ingest-calls.ts';
import { DAY_MS, MARGIN_MS } from './shared/movable-clock.ts';

const rule = rulesWith({ place: 'ingestRecords', decisions: ['D-29'], runs: 'alone' });

rule({
  id: 'ING-6',
  text: 'An Idempotency-Key is used up for 24 hours and free again after them.',
  check: async (t) => {
    const full = t.as('full');
    const key = newKey(t);
    const first = (await send(t, full, KEDO, skippedBatch(), key)).ok('ingestRecords');
    await t.withClock(async (advance) => {
      await advance(DAY_MS - MARGIN_MS);
      const repeat = await send(t, full, KEDO, skippedBatch(), key);
      repeat.fails('INGEST_ALREADY_ACCEPTED', 'a minute before the end of 24 hours');
      await advance(2 * MARGIN_MS);
      const late = (await send(t, full, KEDO, skippedBatch(), key)).ok('ingestRecords', 'a minute after it');
      t.check(late.ingest_request_id !== first.ingest_request_id, 'the new request has the id of the old one');
      (await send(t, full, KEDO, skippedBatch(), key)).fails('INGEST_ALREADY_ACCEPTED', 'a repeat of the new one');
    });
  },
});

rule({
  id: 'ING-63',
  text: 'A batch that was accepted is applied although the service restarts.',
  check: async (t) => {
    const load = new Load(t);
    const [number, last] = [mark(t), mark(t, 'last')];
    await load.people('first');
    await load.make('EMPLOYEES', [employee(t, 'first', 'first', number)]);
    await load.card(number);
    const many = Array.from({ length: 400 }, (_, n) => ({ external_id: `${t.run_id}-${n}`, number: last }));
    for (let n = 0; n < 3; n++) await load.update('EMPLOYEES', many);
    await load.update('EMPLOYEES', [employee(t, 'first', 'first', last)]);
    await t.admin('restart');
    await load.card(last);
  },
});
