/** For tests: a tenant in memory, for which batches of ingest are planned one after the other. */
import { randomUUID } from 'node:crypto';
import type {
  ExternalBindingRow,
  IngestKind,
  IngestSource,
} from '../../handlers/data/collections/external_bindings.ts';
import type { KnownObjects, RowsOf } from '../../handlers/ingest/apply/known.ts';
import { type Plan, planRecords, type RecordAt, type RecordOutcome } from '../../handlers/ingest/apply/plan.ts';
import { BatchSurvey } from '../../handlers/ingest/apply/survey.ts';
import { mapRecord, type Pair, payloadOf } from '../../handlers/ingest/records.ts';

export const NOW = new Date('2026-03-10T07:00:00Z');
const TODAY = '2026-03-10';

/** A tenant in memory. */
export class MemoryTenant {
  readonly bound = new Map<string, ExternalBindingRow>();
  readonly rows: { [Kind in IngestKind]: Map<string, RowsOf[Kind]> } = {
    PERSON: new Map(),
    ORGANIZATION: new Map(),
    DEPARTMENT: new Map(),
    EMPLOYEE: new Map(),
    JOB_TITLE: new Map(),
  };

  get externalIds(): KnownObjects['externalIds'] {
    const ofObject = Map.groupBy(this.bound.values(), ({ object_id }) => object_id);
    return new Map([...ofObject].map(([id, names]) => [id, names.map(({ external_id }) => external_id)]));
  }

  /** Plans a batch for the tenant as it is. */
  plan(pair: string, records: readonly unknown[], createMissing = true, requestId: string = randomUUID()): Plan {
    const [source_type = '', payload_type = ''] = pair.split('/');
    const named: Pair = { source_type, payload_type };
    const at = records.map((record, index): RecordAt => {
      const mapped = mapRecord(named, record);
      return { index, externalId: 'skipped' in mapped ? '' : mapped.externalId, mapped };
    });
    const survey = new BatchSurvey();
    for (const { index, mapped } of at) survey.add(index, mapped);
    const facts = survey.facts();
    const columns = payloadOf(named)?.columns ?? {};
    const source = source_type as IngestSource;
    const batch = { tenantId: 't', requestId, source, createMissing, columns, facts, timeZone: 'UTC' };
    return planRecords(batch, { now: NOW, today: TODAY }, this, at);
  }

  /** Plans a batch and applies the plan. */
  load(pair: string, records: readonly unknown[], createMissing = true): string[] {
    return this.apply(this.plan(pair, records, createMissing)).outcomes.map(textOf);
  }

  apply(plan: Plan): Plan {
    for (const { row } of plan.bindings) {
      if (row.object_id === '') this.bound.delete(row._id);
      else this.bound.set(row._id, row);
    }
    for (const [kind, changes] of Object.entries(plan.changes)) {
      for (const { after } of changes) (this.rows[kind as IngestKind] as Map<string, object>).set(after._id, after);
    }
    return plan;
  }

  only<Kind extends IngestKind>(kind: Kind): RowsOf[Kind] {
    const [only, ...more] = this.rows[kind].values();
    if (only === undefined || more.length > 0) throw new Error(`${this.rows[kind].size} rows, not one`);
    return only;
  }

  /** A tenant with one object of every kind that an employee may refer to. */
  static withCatalogues(): MemoryTenant {
    const tenant = new MemoryTenant();
    tenant.load('KEDO/ORGANIZATIONS', [{ external_id: 'O', title: 'О' }]);
    tenant.load('KEDO/JOB_TITLES', [{ external_id: 'J', title: 'Д' }]);
    tenant.load('KEDO/PERSONS', [{ external_id: 'P', last_name: 'П' }]);
    return tenant;
  }
}

/** An outcome as one line: what happened, why, the unresolved references, the notes. */
export const textOf = ({ outcome, reason, unresolved, notes }: RecordOutcome) =>
  [outcome, ...(reason === '' ? [] : [reason]), ...unresolved, ...notes].join(': ');
/** How many rows and bindings a plan writes. */
export const writes = ({ bindings, changes }: Plan) => bindings.length + Object.values(changes).flat().length;
