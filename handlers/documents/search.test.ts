/** The search finds exactly what D-15 says, by an index. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { draftRow } from '../../scripts/testbed/document-row.ts';
import { type Owner, TenantFixture } from '../../scripts/testbed/documents.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';
import type { DocumentRow } from '../data/collections/documents.ts';
import { listDocuments } from './listDocuments.ts';
import { folded, searchFields } from './search.ts';

const { store } = await testDeployment();

async function fixtureWith(documents: readonly { title: string; number: string }[]) {
  const fixture = await TenantFixture.create(store);
  const owner = await fixture.owner({ documents: 'all' });
  const rows = documents.map((texts, i) =>
    draftRow({
      initiator_employee_id: owner.employeeId,
      tenant_id: fixture.id,
      ...texts,
      ...searchFields(texts),
      create_time: new Date(Date.parse('2026-01-01T00:00:00.000Z') - i),
    }),
  );
  await store.documents.insertMany(rows);
  return { owner, rows };
}

async function titlesOf(owner: Owner, search: string): Promise<string[]> {
  const { answer, error } = await owner.call(listDocuments, { query: { search, limit: 1000 } });
  expect(error).toBe('');
  return (answer?.documents ?? []).map(({ title }) => title);
}

test('a search finds the same documents as a plain comparison of each', async () => {
  const characters = Array.from('abбаАёе😀Σς1 .*%_\\^$([{|"\'\r\n\u200d');
  const part = fc.constantFrom(...characters, 'é'.normalize('NFD'));
  const text = (maxLength: number) => fc.array(part, { minLength: 3, maxLength }).map((parts) => parts.join(''));
  const documents = fc.sample(fc.record({ title: text(9), number: text(4) }), { numRuns: 150, seed: 5 });
  const { owner, rows } = await fixtureWith(documents);
  const drawn = fc.sample(text(4), { numRuns: 150, seed: 6 });
  const parts = rows.map(({ title }, i) => [...title].slice(i % 4, (i % 4) + 5).join(''));
  const searches = [...drawn, ...parts].filter((each) => [...folded(each)].length >= 3);
  const plain = (each: string) => each.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
  let hits = 0;
  for (const search of searches) {
    const matches = ({ title, number }: DocumentRow) =>
      [title, number].some((each) => plain(each).includes(plain(search)));
    const expected = rows.filter(matches).map(({ title }) => title);
    expect([search, await titlesOf(owner, search)]).toEqual([search, expected]);
    hits += expected.length;
  }
  expect(searches.length).toBeGreaterThan(100);
  expect(hits).toBeGreaterThan(100);
});
