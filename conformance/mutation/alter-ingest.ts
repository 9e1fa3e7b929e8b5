/** Ways to alter batches of ingest, which faults of several files share. */

import { headerOf } from '../http/exchange.ts';
import { asks, bodies, each, fault, type Json, setHeader } from './alter.ts';
import { CARDS } from './alter-lists.ts';
import type { Alter, Fault, Memory } from './fault.ts';

const INGEST = 'ingestRecords';

/** Gives each batch an Idempotency-Key of its own. */
export const freshKey = asks(INGEST, (asked) => {
  if (headerOf(asked, 'idempotency-key')) setHeader(asked, 'Idempotency-Key', crypto.randomUUID());
});

/** A time, moved by milliseconds. */
export const shifted = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();

/** Changes the records of each batch. `change` may return another record. */
export const records = (change: (record: Json, batch: Json, memory: Memory) => unknown) =>
  bodies(INGEST, (json, _asked, memory) => {
    const changed = (one: Json) => {
      const other = change(one, json, memory);
      return typeof other === 'object' && other !== null ? other : one;
    };
    if (Array.isArray(json.records)) json.records = json.records.map(changed);
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

/** Makes faults of one kind, which differ in what they change. */
const faultsIn =
  <Change>(alterOf: (change: Change) => Alter) =>
  (id: string, rule: string, breaks: string, change: Change): Fault =>
    fault(id, rule, breaks, alterOf(change));

type Change = (holder: Json, memory: Memory) => unknown;

/** A fault in the records of batches. `change` may return another record. */
export const inRecords = faultsIn(records);

/** A fault in batches. */
export const inBatches = faultsIn((change: Change) =>
  bodies(INGEST, (batch, _asked, memory) => void change(batch, memory)),
);

/** A fault in every employee that is shown. */
export const inCards = faultsIn((change: Change) => each(CARDS, (one, _asked, memory) => void change(one, memory)));

/** Faults that need a run of their own: what they load stays, or one scenario serves several rules. */
export const allAlone = (...faults: Fault[]): Fault[] => faults.map((one) => ({ ...one, alone: true }));
