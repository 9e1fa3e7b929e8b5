/**
 * Plans records without the store: from their content and the known rows it computes new rows, bindings and outcomes
 * (D-29). A record is applied completely or not at all, and a record that cannot be applied does not affect others.
 */
import type { RowChange } from '../../data/bulk.ts';
import type { IngestKind } from '../../data/collections/external_bindings.ts';
import type { IngestOutcomeRow } from '../../data/collections/ingest_outcomes.ts';
import { ChangeRefused } from '../../employees/write/fields.ts';
import type { WriteMoment } from '../../employees/write/rows.ts';
import type { MappedRecord, SkippedRecord } from '../columns.ts';
import { type Batch, BatchDraft, type BindingChange, type DraftResult, SkipRecord } from './draft.ts';
import type { KnownObjects, RowsOf } from './known.ts';
import { planEmployee } from './plan-employee.ts';
import { planDepartment, planPerson, planTitled } from './plan-others.ts';
import type { Placements } from './structure.ts';

/** A record of a batch, with its place there. */
export interface RecordAt {
  readonly index: number;
  readonly externalId: string;
  readonly mapped: MappedRecord | SkippedRecord;
}

export type RecordOutcome = Pick<
  IngestOutcomeRow,
  'index' | 'external_id' | 'outcome' | 'reason' | 'unresolved' | 'object_id'
> & { readonly note: string };

/** What to write for the records, and the outcome of each. */
export interface Plan {
  readonly bindings: readonly BindingChange[];
  readonly changes: { readonly [Kind in IngestKind]: readonly RowChange<RowsOf[Kind]>[] };
  readonly outcomes: readonly RecordOutcome[];
}

export function skipped({ index, externalId }: RecordAt, reason: string): RecordOutcome {
  return { index, external_id: externalId, outcome: 'skipped', reason, unresolved: [], note: '', object_id: '' };
}

/** @param placements the places of departments, for a batch of departments */
export function planRecords(
  batch: Batch,
  moment: WriteMoment,
  known: KnownObjects,
  records: readonly RecordAt[],
  placements?: Placements,
): Plan {
  const draft = new BatchDraft(batch, moment, known);
  const outcomes = records.map((record): RecordOutcome => {
    const { index, externalId, mapped } = record;
    if ('skipped' in mapped) return skipped(record, mapped.skipped);
    try {
      const { outcome, objectId, unresolved = [], note = '' } = planRecord(draft, index, mapped, placements);
      const ids = { external_id: externalId, object_id: objectId };
      return { index, ...ids, outcome, reason: '', unresolved: [...unresolved], note };
    } catch (error) {
      return skipped(record, reasonOf(error, draft));
    }
  });
  return { bindings: draft.bindingChanges(), changes: draft.rowChanges(), outcomes };
}

function planRecord(
  draft: BatchDraft,
  index: number,
  record: MappedRecord,
  placements: Placements | undefined,
): DraftResult {
  switch (record.kind) {
    case 'EMPLOYEE':
      return planEmployee(draft, record);
    case 'PERSON':
      return planPerson(draft, record);
    case 'DEPARTMENT':
      return planDepartment(draft, record, placements?.get(index));
    case 'ORGANIZATION':
    case 'JOB_TITLE':
      return planTitled(draft, record.kind, record);
  }
}

function reasonOf(error: unknown, draft: BatchDraft): string {
  if (error instanceof SkipRecord) return error.message;
  // The fields were checked one by one before, so only the two dates together can be refused.
  if (error instanceof ChangeRefused) {
    const [first, last] = ['start_date', 'end_date'].map((field) => draft.sent({ field }));
    return last ? `${last} must not be before ${first}.` : `${first} must not be after the last day.`;
  }
  return 'It cannot be applied.';
}
