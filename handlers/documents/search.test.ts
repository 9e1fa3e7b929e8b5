/** The search finds exactly what D-15 says, by an index, and so do lists in every view. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { draftRow } from '../../scripts/testbed/document-row.ts';
import { type Owner, TenantFixture } from '../../scripts/testbed/documents.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';
import type { DocumentRow } from '../data/collections/documents.ts';
import { listDocuments } from './listDocuments.ts';
import { folded, searchFields } from './search.ts';

const { store } = await testDeployment();

async function fixtureWith(documents: readonly { title: string; number?: string }[]) {
  const fixture = await TenantFixture.create(store);
  const owner = await fixture.owner({ documents: 'all' });
  const rows = documents.map(({ title, number = '' }, i) =>
    draftRow({
      initiator_employee_id: owner.employeeId,
      tenant_id: fixture.id,
      title,
      number,
      ...searchFields(title, number),
      create_time: new Date(Date.parse('2026-01-01T00:00:00.000Z') - i),
    }),
  );
  if (rows.length > 0) await store.documents.insertMany(rows);
  return { fixture, owner, rows };
}

async function titlesOf(owner: Owner, search: string): Promise<string[]> {
  const { answer, error } = await owner.call(listDocuments, { query: { search, limit: 1000 } });
  expect(error).toBe('');
  return (answer?.documents ?? []).map(({ title }) => title);
}

describe('a search', () => {
  /** A title, searches that find it, and searches that do not. */
  const cases: readonly [title: string, found: readonly string[], missed: readonly string[]][] = [
    ['Приказ об отпуске', ['приказ', 'ПРИКАЗ', 'аз об от', 'ске'], ['отпуска', 'приказоб', 'п.и', 'пр%']],
    ['Отчёт за мёд', ['отчёт', 'ОТЧЁТ', 'мёд'], ['отчет', 'мед']],
    ['Қызметкер Әлия ІІ', ['ҚЫЗМЕТ', 'әлия', 'я іі', 'Я ІІ'], ['кызмет', 'алия']],
    ['йод й', ['йод'.normalize('NFD'), 'од й'.normalize('NFD')], ['иод']],
    [`Йод ${'é'.normalize('NFD')}tude`, ['étude', 'ÉTUDE'.normalize('NFD')], ['etude']],
    [
      '100% (a+b)* [x] {1,2} ^$ \\d .*',
      ['100%', '(a+b)*', '[x]', '{1,2}', '^$ \\d', ' .*', '\\d '],
      ['10.%', '...', '\\w\\w', 'a+b+'],
    ],
    ['a_b c__d', ['a_b', '__d'], ['a%b', 'c?_']],
    [`"кавычки" 'и' \`ещё\``, ['"кав', "'и'", '`ещё`'], ['«кав']],
    ['смайл 😀😁😂 конец', ['😀😁😂', ' 😀😁', '😂 к'], ['😀😂😁', '😁😀😂']],
    ['две\r\nстроки', ['две\r\nс', 'е\r\n'], ['две с', 'две\nс']],
    ['ΟΔΟΣ ΟΔΟΣΑ', ['οδος', 'ΟΔΟΣ', 'οδοσα'], ['οδοςβ']],
    ['straße İstanbul', ['STRAßE', 'i̇stan'], ['strasse']],
    ['$where {"$gt":""} __proto__', ['$where', '{"$gt":""}', '__proto__'], ['$gte', '$ne']],
    ['-- a/b?c#d&e=f', ['-- a', 'a/b?c#d', '&e='], ['a/bc']],
    ['слово\u200dсоединено', ['о\u200dс'], ['словосоед']],
  ];

  test.each(cases.map(([title, found, missed]) => ({ title, found, missed })))(
    '$title',
    async ({ title, found, missed }) => {
      const { owner } = await fixtureWith([
        { title },
        { title: 'другой' },
        { title: 'x', number: title.slice(0, 100) },
      ]);
      for (const search of found) expect([search, await titlesOf(owner, search)]).toEqual([search, [title, 'x']]);
      for (const search of missed) expect([search, await titlesOf(owner, search)]).toEqual([search, []]);
    },
  );

  test('does not match across title and number', async () => {
    const { owner } = await fixtureWith([{ title: 'abc', number: 'def' }, { title: 'abcdef' }]);
    expect(await titlesOf(owner, 'cde')).toEqual(['abcdef']);
    expect(await titlesOf(owner, 'bcdef')).toEqual(['abcdef']);
    expect(await titlesOf(owner, 'def')).toEqual(['abc', 'abcdef']);
    expect(await titlesOf(owner, 'c\0d')).toEqual([]);
    expect(await titlesOf(owner, 'abc\0def')).toEqual([]);
  });

  test('finds the same documents as a plain comparison of each', async () => {
    const part = fc.constantFrom(
      'ab',
      'ба',
      'Аб',
      ' ',
      'ё',
      'е',
      '.',
      '*',
      '%',
      '\\',
      '😀',
      'é'.normalize('NFD'),
      'Σ',
      '1',
    );
    const text = (maxLength: number) => fc.array(part, { minLength: 2, maxLength }).map((parts) => parts.join(''));
    const documents = fc.sample(fc.record({ title: text(9), number: text(4) }), { numRuns: 150, seed: 5 });
    const { owner, rows } = await fixtureWith(documents);
    const searches = fc.sample(text(4), { numRuns: 150, seed: 6 }).filter((each) => [...folded(each)].length >= 3);
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

  test('is refused when normalisation leaves less than three characters', async () => {
    const { owner } = await fixtureWith([]);
    const outcome = await owner.call(listDocuments, { query: { search: 'йа'.normalize('NFD') } });
    expect(outcome).toMatchObject({ error: 'INVALID_ARGUMENT', fields: ['search'] });
  });

  test('has pages that neither miss nor repeat a document, and the last has no token', async () => {
    const { owner, rows } = await fixtureWith(
      Array.from({ length: 23 }, (_, i) => ({ title: `${i % 2 ? 'чёт' : 'нечет'} № ${i}` })),
    );
    const expected = rows.filter(({ title }) => title.startsWith('чёт')).map(({ _id }) => _id);
    expect(expected).toHaveLength(11);
    for (const limit of [1, 2, 10, 11]) {
      const found: string[] = [];
      for (let page_token = '', first = true; first || page_token !== ''; first = false) {
        const { answer } = await owner.call(listDocuments, { query: { search: 'ЧЁТ №', limit, page_token } });
        expect(answer?.documents.length).toBeGreaterThan(0);
        found.push(...(answer?.documents ?? []).map(({ id }) => id));
        page_token = answer?.next_page_token ?? '';
      }
      expect(found).toEqual(expected);
    }
  });
});
