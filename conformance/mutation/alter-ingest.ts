/** Ways to alter batches of ingest, which faults of several files share. */
import { asks, bodies, both, each, headerOf, type Json, parse, setHeader } from './alter.ts';
import type { Alter } from './fault.ts';

const INGEST = 'ingestRecords';

/** Gives each batch an Idempotency-Key of its own. */
export const freshKey = asks(INGEST, (asked) => {
  if (headerOf(asked, 'idempotency-key')) setHeader(asked, 'Idempotency-Key', crypto.randomUUID());
});

const BOTH = ['listEmployees', 'getEmployee'] as const;

/** A time, moved by milliseconds. */
export const shifted = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();

/** Moves the update_time of employees by a millisecond with each batch of a type, from the nth on. */
export const touched = (type: string, from: number): Alter =>
  both(
    each(BOTH, (one, _asked, memory) => {
      const moves = Number(memory.notes.get(type) ?? 0) - from + 1;
      if (moves > 0) one.update_time = shifted(one.update_time, moves);
    }),
    async (asked, forward, memory) => {
      if (parse(asked.body)?.payload_type === type) memory.notes.set(type, Number(memory.notes.get(type) ?? 0) + 1);
      return forward(asked);
    },
  );

/** Changes the records of each batch. */
export const records = (change: (record: Json, batch: Json) => unknown) =>
  bodies(INGEST, (json) => {
    if (Array.isArray(json.records)) json.records = json.records.map((one: Json) => change(one, json) ?? one);
  });

/** Drops the fields of records for which `when` holds. */
export const forgetting = (when: (name: string, value: unknown) => boolean): Alter =>
  records((one) => {
    for (const [name, value] of Object.entries(one)) if (when(name, value)) delete one[name];
  });

/** Drops these fields of records. */
export const without = (...names: string[]) =>
  records((one) => {
    for (const name of names) delete one[name];
  });
