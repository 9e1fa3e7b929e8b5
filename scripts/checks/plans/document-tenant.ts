/** A tenant with many invented documents, for measurements. */
import type { DocumentRow } from '../../../handlers/data/collections/documents.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { isThere } from '../../../handlers/data/writes.ts';
import { randomOf } from '../../operate/seed/random.ts';
import { TenantFixture } from '../../testbed/documents.ts';
import { inventDocuments } from './invented-documents.ts';

const TYPES = 12;
const EMPLOYEES = 500;
const ATTEMPTS = 10;

export interface DocumentTenant {
  readonly fixture: TenantFixture;
  /** Document types; the last one is confidential. */
  readonly types: readonly string[];
  /** A type that one document in 5,000 has. */
  readonly rare: string;
  readonly employees: readonly string[];
}

/**
 * Writes the tenant and its documents.
 * @param batch how many documents are written at once; the embedded database answers nothing meanwhile
 */
export async function writeDocumentTenant(store: Store, count: number, batch: number): Promise<DocumentTenant> {
  const fixture = await TenantFixture.create(store);
  const types = await Promise.all(
    Array.from({ length: TYPES }, (_, i) => fixture.type({ title: `Тип ${i}`, confidential: i === TYPES - 1 })),
  );
  const rare = await fixture.type({ title: 'Редкий тип' });
  const employees = await Promise.all(Array.from({ length: EMPLOYEES }, () => fixture.employee()));
  const setting = { tenantId: fixture.id, count, types, rare, employees, random: randomOf('documents') };
  await insertDocuments(store, inventDocuments(setting), batch);
  return { fixture, types, rare, employees };
}

/** Writes rows as they are made, so that they are never in memory all at once. @param batch how many at once */
export async function insertDocuments(store: Store, rows: Iterable<DocumentRow>, batch: number): Promise<void> {
  let waiting: DocumentRow[] = [];
  for (const row of rows) {
    waiting.push(row);
    if (waiting.length < batch) continue;
    await insert(store, waiting);
    waiting = [];
  }
  if (waiting.length > 0) await insert(store, waiting);
}

/**
 * Retries after the connection was lost because the machine is busy. The rows may or may not have been written then.
 */
async function insert(store: Store, rows: readonly DocumentRow[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await store.documents.insertMany(rows, { ordered: false });
      return;
    } catch (error) {
      if (attempt > 1 && isThere(error)) return;
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
