/**
 * Writes a plan. Bindings come first: a crash leaves at most an external id that refers to an object that does not
 * exist yet. That counts as unknown, and a repetition of the batch creates the object under the same id. Then come the
 * objects that others refer to, and employees last. Events are in the rows, so they are part of the same writes.
 */
import { writeRows } from '../../data/bulk.ts';
import type { ExternalBindingRow } from '../../data/collections/external_bindings.ts';
import { insertNew } from '../../data/insert.ts';
import { ofTenant, type TenantCollection } from '../../data/of-tenant.ts';
import type { Store } from '../../data/store.ts';
import { writeEmployees } from '../../employees/write/employees.ts';
import { writePersons } from '../../employees/write/persons.ts';
import { now } from '../../process/clock.ts';
import type { Batch, BindingChange } from './draft.ts';
import type { Plan, RecordOutcome } from './plan.ts';

/** How many rows are written at a time, so that API requests get their turn at the database. */
const WRITTEN_AT_ONCE = 250;

/**
 * @returns whether everything was written. If not, somebody else changed rows of the plan meanwhile: read the known
 * rows again and make a new plan. Any part may have been written.
 */
export async function writePlan(store: Store, tenantId: string, { bindings, changes }: Plan): Promise<boolean> {
  if (!(await writeBindings(ofTenant(store.external_bindings, tenantId), bindings))) return false;
  let overtaken = 0;
  overtaken += await inPortions(changes.ORGANIZATION, (part) =>
    writeRows(ofTenant(store.organizations, tenantId), part),
  );
  overtaken += await inPortions(changes.JOB_TITLE, (part) => writeRows(ofTenant(store.job_titles, tenantId), part));
  overtaken += await inPortions(changes.DEPARTMENT, (part) => writeRows(ofTenant(store.departments, tenantId), part));
  overtaken += await inPortions(changes.PERSON, (part) => writePersons(store, tenantId, part));
  // Employees must not refer to a person that could not be written.
  if (overtaken > 0) return false;
  return (await inPortions(changes.EMPLOYEE, (part) => writeEmployees(store, tenantId, part))) === 0;
}

/** @returns how many rows somebody else changed meanwhile */
async function inPortions<Change>(
  changes: readonly Change[],
  write: (part: readonly Change[]) => Promise<ReadonlySet<string>>,
): Promise<number> {
  let overtaken = 0;
  for (let from = 0; from < changes.length; from += WRITTEN_AT_ONCE) {
    overtaken += (await write(changes.slice(from, from + WRITTEN_AT_ONCE))).size;
  }
  return overtaken;
}

async function writeBindings(
  rows: TenantCollection<ExternalBindingRow>,
  changes: readonly BindingChange[],
): Promise<boolean> {
  const created = changes.flatMap(({ former, row }) => (former === null ? [row] : []));
  const changed = changes.flatMap(({ former, row }) => (former === null ? [] : [{ former, row }]));
  if (created.length > 0 && (await insertNew(rows, created)) < created.length) return false;
  if (changed.length === 0) return true;
  const { matchedCount, deletedCount } = await rows.bulkWrite(
    changed.map(({ former, row: { _id, object_id } }) => {
      const filter = { _id, object_id: former };
      return object_id === '' ? { deleteOne: { filter } } : { updateOne: { filter, update: { $set: { object_id } } } };
    }),
    { ordered: false },
  );
  return matchedCount + deletedCount === changed.length;
}

/**
 * Stores the outcomes of records, after everything of them is written. A stored outcome is never replaced: a
 * repetition, or a process that lost the request long ago, knows less about what was done.
 */
export async function writeOutcomes(store: Store, batch: Batch, outcomes: readonly RecordOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const { tenantId: tenant_id, requestId: request_id } = batch;
  const create_time = now();
  const rows = outcomes.map((outcome) => ({
    _id: `${request_id}:${outcome.index}`,
    tenant_id,
    request_id,
    ...outcome,
    create_time,
  }));
  await insertNew(ofTenant(store.ingest_outcomes, tenant_id), rows);
}
