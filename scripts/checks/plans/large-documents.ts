/** Measures what lists of documents and searches in a large tenant cost the database. */
import { randomUUID } from 'node:crypto';
import { createIndexes, type Store } from '../../../handlers/data/store.ts';
import { finding, type Scenario } from '../bench/scenario.ts';
import { asOwner, type Costs, measured, type Profile } from './cost.ts';
import { writeDocumentTenant } from './tenants.ts';

const BATCH = 500;

/** What later runs need of the tenant. */
interface KeptTenant {
  readonly tenantId: string;
  readonly types: readonly string[];
  readonly rare: string;
  readonly employee: string;
}

async function seedDocuments(store: Store, count: number): Promise<KeptTenant> {
  const kept = store.db.collection<KeptTenant & { _id: string }>('bench');
  const there = await kept.findOne({ _id: `documents-${count}` });
  if (there !== null) {
    await createIndexes(store);
    return there;
  }
  const { fixture, types, rare, employees } = await writeDocumentTenant(store, count, BATCH);
  await createIndexes(store);
  const made = { tenantId: fixture.id, types, rare, employee: employees[3] ?? '' };
  await kept.insertOne({ _id: `documents-${count}`, ...made });
  return made;
}

/** Seeds the documents that are missing, and measures. @param count how many documents */
async function measure(costs: Costs, count: number): Promise<void> {
  const { store } = costs;
  const { tenantId, types, rare, employee } = await seedDocuments(store, count);
  const as = (profile: Profile) => asOwner(store, tenantId, profile, employee);
  const owners = {
    all: await as({}),
    'all but confidential': await as({ documents: 'all_but_confidential' }),
    'a rare type, and own': await as({ document_types: [rare] }),
    own: await as({ documents: 'own' }),
    'own, of two types': await as({ documents: 'own', document_types: types.slice(0, 2) }),
  };
  const many = [...types, ...Array.from({ length: 87 }, () => randomUUID())];
  const queries: readonly (readonly [string, object])[] = [
    ['no filter', {}],
    ['a type', { type_id: [types[4]] }],
    ['the rare type', { type_id: [rare] }],
    ['100 types', { type_id: [rare, ...many] }],
    ['the newest day', { created_after: '2026-02-28T00:00:00Z' }],
    ['the newest day, the rare type', { created_after: '2026-02-28T00:00:00Z', type_id: [rare] }],
    ['search: common word', { search: 'приказ' }],
    ['search: one number', { search: `${Math.floor(count / 3)}-` }],
    ['search: only in the oldest, parts frequent', { search: 'Заявление о приёме' }],
    ['search: nowhere, parts frequent', { search: 'сказ о' }],
    ['search: nowhere, words swapped', { search: 'отпуск приказ о' }],
    ['search: nowhere, words common', { search: 'приказ о приёме на работу: Ахметов Ахметов' }],
    ['search: nowhere, 200 characters', { search: 'приказ о предоставлении отпуска '.repeat(7).slice(0, 200) }],
    ['search: nowhere, the rare type', { search: 'отпуск приказ о', type_id: [rare] }],
  ];
  for (const [who, owner] of Object.entries(owners)) {
    for (const [name, query] of queries) await costs.measure(`documents of ${who}: ${name}`, owner.documents(query));
  }
}

/** The time of one insertion with all indexes, in milliseconds. The rows are removed again. */
async function insertionMs(store: Store): Promise<number> {
  const found = await store.documents.find({}).limit(200).toArray();
  const rows = found.map((row) => ({ ...row, _id: randomUUID() }));
  const startedAt = performance.now();
  for (const row of rows) await store.documents.insertOne(row);
  const took = performance.now() - startedAt;
  await store.documents.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
  return took / rows.length;
}

/** The scenario of the bench. */
export const largeDocuments: Scenario = {
  name: 'large-documents',
  about: 'what lists of documents, and searches in them, cost the database (--documents 1000000)',
  seconds: 120,
  run: (options) => {
    const { isQuick, documents = isQuick ? 300 : 20_000 } = options;
    return measured(options, async (costs) => {
      await measure(costs, documents);
      return [finding('an insertion with all indexes', await insertionMs(costs.store), 'ms')];
    });
  },
};
