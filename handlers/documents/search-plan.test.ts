/** What a search compares, and which documents it reads, by how many have each gram of the text. */
import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../answers/errors.ts';
import { type DocumentRow, documentKeys } from '../data/collections/documents.ts';
import type { ReadPlan } from '../data/list.ts';
import { gramsOf, searchFields, searchPlan } from './search.ts';

test('the keys of a document are each sequence of three characters once, none across title and number', () => {
  const { search_text, search_keys } = searchFields({ title: 'ААБА аб', number: '12' });
  expect(search_text).toBe('ааба аб\x0012');
  expect(search_keys.toSorted()).toEqual(['ааб', 'аба', 'ба ', 'а а', ' аб'].toSorted());
  expect(searchFields({ title: 'абв', number: 'АБВГ' }).search_keys).toEqual(['абв', 'бвг']);
  expect(gramsOf('😀😁😂x')).toEqual(['😀😁😂', '😁😂x']);
  expect(gramsOf('аб')).toEqual([]);
});

/** A tenant with so many documents of each gram; 7 of those not named. Notes what is counted. */
function tenantWith(documents: Readonly<Record<string, number>>) {
  const counted: { gram: string; limit: number }[] = [];
  let running = 0;
  let mostAtOnce = 0;
  const count = async (condition: object, limit: number) => {
    const { listed, search_keys: gram } = condition as Pick<DocumentRow, 'listed'> & { search_keys: string };
    // Drafts and deleted documents are in no list, and keys without `listed` are in no index.
    expect(listed).toBe(true);
    counted.push({ gram, limit });
    mostAtOnce = Math.max(mostAtOnce, ++running);
    await Promise.resolve();
    running--;
    return Math.min(limit, documents[gram] ?? 7);
  };
  return { count, counted, mostAtOnce: () => mostAtOnce };
}

const every = (text: string, count: number) => Object.fromEntries(gramsOf(text).map((gram) => [gram, count]));
const read = (plan: ReadPlan | undefined) =>
  plan?.condition as { search_keys: string; search_text: { $regex: string } };

describe('a search reads', () => {
  test('nothing if it has fewer than three characters', async () => {
    const search = searchPlan(tenantWith({}).count, 'аб');
    await expect(search).rejects.toThrow(ApiError);
    await expect(search).rejects.toMatchObject({
      extras: { violations: [{ field: 'search', description: expect.stringContaining('three') }] },
    });
  });

  test('the documents of the index where the text is one gram, without counting', async () => {
    const { count, counted } = tenantWith({});
    expect(await searchPlan(count, 'абв')).toEqual({ condition: { search_keys: 'абв' } });
    expect(counted).toEqual([]);
  });

  test('the documents with a gram that fewer than 200 have, and counts no further', async () => {
    const text = 'abcdefghijklmnopqrstuvwxyz';
    const { count, counted, mostAtOnce } = tenantWith({ ...every(text, 200), klm: 199 });
    expect(read(await searchPlan(count, text)).search_keys).toBe('klm');
    expect([counted.length, mostAtOnce()]).toEqual([16, 8]);
  });

  test('the documents with the rarest gram, and compares each with the text', async () => {
    const { count, counted } = tenantWith({ абв: 90, бвг: 30, вгд: 60 });
    const plan = await searchPlan(count, 'абвгд');
    expect(plan).toEqual({ condition: { search_keys: 'бвг', search_text: { $regex: 'абвгд' } } });
    expect(counted.map(({ limit }) => limit)).toEqual([200, 200, 200]);
  });

  test.each(['п. 3 (a+b)*', '[x]{1,2}|y?', '^$ \\d', 'a/b-c'])(
    'the text %j for what it is, and no pattern',
    async (text) => {
      const { $regex } = read(await searchPlan(tenantWith({}).count, text)).search_text;
      const pattern = new RegExp(`^(?:${$regex})$`);
      expect(pattern.test(text)).toBe(true);
      for (let i = 0; i < text.length; i++)
        expect(pattern.test(`${text.slice(0, i)}z${text.slice(i + 1)}`)).toBe(false);
    },
  );

  test('by a gram of which 200 are counted only after counting further', async () => {
    const { count, counted } = tenantWith({ абв: 200, бвг: 4_999, вгд: 300 });
    expect(await searchPlan(count, 'абвгд')).toEqual({
      condition: { search_keys: 'абв', search_text: { $regex: 'абвгд' } },
    });
    expect(counted.map(({ limit }) => limit)).toEqual([200, 200, 200, 5_000, 5_000, 5_000]);
  });

  test('without slices up to 4,999 documents, and in slices of 5,000 from then on', async () => {
    const grams = { абв: 9_000, бвг: 8_000, вгд: 6_000 };
    expect((await searchPlan(tenantWith({ ...grams, вгд: 4_999 }).count, 'абвгд'))?.slices).toBeUndefined();
    const { count, counted } = tenantWith(grams);
    const plan = await searchPlan(count, 'абвгд');
    expect(read(plan).search_text).toEqual({ $regex: 'абвгд' });
    const { next, ...slices } = plan.slices ?? {};
    const { search_keys } = read(plan);
    expect(slices).toEqual({ condition: { listed: true, search_keys }, hint: documentKeys.searched, rows: 5_000 });
    expect(counted).toHaveLength(6);

    // Only when the first slice has not filled the page, the grams are counted further.
    const rest = await next?.();
    expect(counted.slice(6).map(({ limit }) => limit)).toEqual([50_000, 50_000, 50_000]);
    expect(read(rest)).toEqual({ search_keys: 'вгд', search_text: { $regex: 'абвгд' } });
    expect(rest?.slices).toEqual({
      condition: { listed: true, search_keys: 'вгд' },
      hint: documentKeys.searched,
      rows: 5_000,
    });
  });

  test('a long text after counting at most twelve of its frequent grams further, from all of its parts', async () => {
    const text = Array.from({ length: 52 }, (_, n) => String.fromCharCode(0x61 + n)).join('');
    const { count, counted } = tenantWith(every(text, 6_000));
    await searchPlan(count, text);
    expect(counted.filter(({ limit }) => limit === 200)).toHaveLength(50);
    const further = counted.filter(({ limit }) => limit === 5_000).map(({ gram }) => gramsOf(text).indexOf(gram));
    expect(further).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45]);
  });
});
