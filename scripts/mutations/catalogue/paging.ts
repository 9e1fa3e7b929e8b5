import type { Area } from '../mutation.ts';

/** Pages of lists, their tokens, and idempotent creation. */
export const paging: Area = {
  name: 'paging',
  sections: ['PAGE', 'EMP'],
  mutations: [
    {
      id: 'page-token-of-another-tenant',
      file: 'handlers/data/page.ts',
      find: 'JSON.stringify([binding.list, binding.tenantId, limit, filters])',
      replace: 'JSON.stringify([binding.list, limit, filters])',
      customer: 'A token of one tenant is accepted from another.',
    },
    {
      id: 'page-token-with-another-limit',
      file: 'handlers/data/page.ts',
      find: 'JSON.stringify([binding.list, binding.tenantId, limit, filters])',
      replace: 'JSON.stringify([binding.list, binding.tenantId, filters])',
      customer: 'A token is accepted with another limit.',
    },
    {
      id: 'page-token-of-another-list',
      file: 'handlers/data/page.ts',
      find: 'JSON.stringify([binding.list, binding.tenantId, limit, filters])',
      replace: 'JSON.stringify([binding.tenantId, limit, filters])',
      customer: 'A token of the list of types is accepted by the list of categories.',
    },
    {
      id: 'order-of-filter-values-counts',
      file: 'handlers/data/page.ts',
      find: 'Array.isArray(value) ? [...new Set(value)].sort() : value',
      replace: 'value',
      customer: 'A token is refused when the same filters are given in another order.',
    },
    {
      id: 'token-not-canonical',
      file: 'handlers/data/page.ts',
      find: 'const plaintext = isCanonical(token) ? await decrypt(token) : undefined;',
      replace: 'const plaintext = await decrypt(token);',
      customer: 'A token with changed last characters is accepted, as if somebody could forge one.',
    },
    {
      id: 'last-page-has-a-token',
      file: 'handlers/data/page.ts',
      find: "if (!isCut || last === undefined) return { rows, nextPageToken: '' };",
      replace: "if (last === undefined) return { rows, nextPageToken: '' };",
      customer: 'After the last page comes an empty one.',
    },
    {
      id: 'page-one-too-long',
      file: 'handlers/data/page.ts',
      find: 'rows.splice(limit);',
      replace: 'rows.splice(limit + 1);',
      customer: 'A page has one row more than the limit, and the next page begins after it.',
    },
    {
      id: 'full-page-hides-the-rest',
      file: 'handlers/data/page.ts',
      find: 'await readSteadily(paged, ways, from, limit + 1)',
      replace: 'await readSteadily(paged, ways, from, limit)',
      customer: 'A last page that is full is followed by an empty one.',
    },
    {
      id: 'rows-of-one-instant-skipped',
      file: 'handlers/data/ways.ts',
      find: '{ create_time: at, _id: { $lt: id } }',
      replace: '{ create_time: at, _id: { $gt: id } }',
      customer: 'Rows that were made in the same millisecond are missing or doubled at the edge of pages.',
    },
    {
      id: 'rows-of-two-ways-doubled',
      file: 'handlers/data/steady-read.ts',
      find: 'for (const row of lists.flat()) if (!rows.has(row._id)) rows.set(row._id, row);',
      replace:
        "for (const [nth, row] of lists.flat().entries()) rows.set(`${row._id}${lists.length > 1 ? nth : ''}`, row);",
      customer: 'Somebody whom the owner sees for two reasons is listed twice.',
      sections: ['SCOPE', 'PAGE'],
    },
    {
      id: 'oldest-first-among-several-ways',
      file: 'handlers/data/steady-read.ts',
      find: 'b.create_time.getTime() - a.create_time.getTime()',
      replace: 'a.create_time.getTime() - b.create_time.getTime()',
      customer: 'Owners with restricted views get their lists in the wrong order.',
      sections: ['PAGE', 'SCOPE', 'DREAD'],
    },
    {
      id: 'moving-rows-lost',
      file: 'handlers/data/steady-read.ts',
      find: 'if (moves === undefined || !canMove(ways, moves)) return joined(await plainly(), most);',
      replace: 'return joined(await plainly(), most);',
      customer: 'An employee who moves between departments while the list is read is missing.',
    },
    {
      id: 'filters-not-bound-to-the-token',
      file: 'handlers/data/page.ts',
      find: "place === 'query' && !NO_FILTERS.has(name)",
      replace: "place === 'query' && name === 'status'",
      customer: 'A token is accepted with another department, category, type or search.',
      sections: ['PAGE', 'DT', 'DREAD'],
    },
  ],
};
