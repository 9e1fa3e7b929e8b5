/** Ways to alter batches of ingest, which faults of several files share. */

import { bodies, type Json } from './alter.ts';
import type { Memory } from './fault.ts';

/** Changes the records of each batch. */
export const records = (change: (record: Json, batch: Json, memory: Memory) => unknown) =>
  bodies('ingestRecords', (json, _asked, memory) => {
    for (const one of Array.isArray(json.records) ? json.records : []) change(one, json, memory);
  });
