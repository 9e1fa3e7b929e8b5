/** Planning records of departments (D-29) whose places in the tree are decided. */
import { describe, expect, test } from '@jest/globals';
import { MemoryTenant, textOf, writes } from '../../../scripts/testbed/memory-tenant.ts';
import { bindingId } from '../bindings.ts';
import type { Placement } from './draft.ts';
import type { Plan } from './plan.ts';

describe('departments', () => {
  const [PAIR, ORGANIZATION] = ['KEDO/DEPARTMENTS', 'an organisation'];
  const top: Placement = { parentId: '', ancestorIds: ['itself'], organizationId: ORGANIZATION, unresolved: [] };
  /** A place at the top that leaves the organisation as it is. */
  const kept: Placement = { ...top, organizationId: undefined };
  /** A tenant with the department D at the top. */
  const withOne = () => {
    const tenant = new MemoryTenant();
    const { outcomes } = tenant.place(PAIR, [[{ external_id: 'D', title: 'Д' }, top]]);
    return { tenant, id: outcomes[0]?.object_id ?? '', first: outcomes };
  };
  const outcomesOf = ({ outcomes }: Plan) => outcomes.map(textOf);

  test('are created where the batch has placed them, and known by their external id', () => {
    const { tenant, id, first } = withOne();
    expect(first.map(textOf)).toEqual(['created']);
    expect(tenant.only('DEPARTMENT')).toMatchObject({
      _id: id,
      tenant_id: 't',
      title: 'Д',
      details: '',
      organization_id: ORGANIZATION,
      parent_id: '',
      ancestor_ids: ['itself'],
    });
    const name = { source: 'KEDO', kind: 'DEPARTMENT', externalId: 'D' } as const;
    expect([...tenant.bound].map(([key, row]) => [key, row.object_id])).toEqual([[bindingId('t', name), id]]);
  });

  test('without a title and an organisation have empty ones', () => {
    const tenant = new MemoryTenant();
    tenant.place(PAIR, [[{ external_id: 'D' }, kept]]);
    expect(tenant.only('DEPARTMENT')).toMatchObject({ title: '', organization_id: '' });
  });

  test.each<[string, object, Placement, string, object]>([
    ['the same', { title: 'Д' }, { ...top, ancestorIds: ['itself'] }, 'unchanged', {}],
    ['an absent title, the same place', {}, kept, 'unchanged', {}],
    ['a title', { title: 'Б' }, top, 'updated', { title: 'Б' }],
    ['an empty title', { title: '' }, top, 'updated', { title: '' }],
    [
      'a parent',
      {},
      { ...kept, parentId: 'P', ancestorIds: ['itself', 'P'] },
      'updated',
      { parent_id: 'P', ancestor_ids: ['itself', 'P'] },
    ],
    ['an organisation', {}, { ...top, organizationId: 'O' }, 'updated', { organization_id: 'O' }],
    ['an empty organisation', {}, { ...top, organizationId: '' }, 'updated', { organization_id: '' }],
    [
      'a parent that is not known',
      { title: 'Б' },
      { ...top, unresolved: ['parent'] },
      'updated: external_parent_id',
      { title: 'Б' },
    ],
    [
      'an organisation that is not known',
      {},
      { ...top, unresolved: ['organization'] },
      'unchanged: external_organization_id',
      {},
    ],
    ['a cycle', { title: 'Б' }, { skipped: 'It stands in a cycle.' }, 'skipped: It stands in a cycle.', {}],
  ])('get what the record says, also without create_missing: %s', (_, record, place, outcome, changes) => {
    const { tenant, id } = withOne();
    const before = tenant.only('DEPARTMENT');
    const plan = tenant.place(PAIR, [[{ external_id: 'D', ...record }, place]], false);
    expect(outcomesOf(plan)).toEqual([outcome]);
    if (!outcome.startsWith('skipped')) expect(plan.outcomes[0]?.object_id).toBe(id);
    expect(writes(plan)).toBe(outcome.startsWith('updated') ? 1 : 0);
    const { update_time: _time, ...after } = { ...before, ...changes };
    expect(tenant.only('DEPARTMENT')).toMatchObject(after);
  });

  test.each<[Placement | undefined, string]>([
    [{ unknown: 'parent' }, 'external_parent_id refers to a department that is not known.'],
    [{ unknown: 'organization' }, 'external_organization_id refers to an organisation that is not known.'],
    [undefined, 'Its place among the departments is not known.'],
  ])('are not created without a place: %j', (place, reason) => {
    const tenant = new MemoryTenant();
    const plan = tenant.place(PAIR, [[{ external_id: 'D', title: 'Д' }, place]]);
    expect(plan.outcomes).toEqual([
      { index: 0, external_id: 'D', outcome: 'skipped', reason, unresolved: [], notes: [], object_id: '' },
    ]);
    expect(writes(plan)).toBe(0);
  });
});
