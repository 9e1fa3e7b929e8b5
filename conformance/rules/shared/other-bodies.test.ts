import { expect, test } from '@jest/globals';
import { validators } from '../../judge/validators.ts';
import { UNKNOWN_ID } from './calls.ts';
import { otherBodies } from './other-bodies.ts';

const ID = '8d5f1c2a-7b3e-4f90-a1c6-3e2d1b0f9a04';
const body = {
  title: 'Приказ',
  type_id: ID,
  date: '2026-03-02',
  subject_employee_ids: [ID],
  template_id: ID,
  template_values: { days: 3, list: [{ name: 'x' }] },
};

test('each field is changed, dropped unless it must be there, or added, at any depth', () => {
  const others = otherBodies('createDocument', body, ['template_id']);
  expect(others.map(([what]) => what)).toEqual([
    'title',
    'type_id',
    'date',
    'without date',
    'with number',
    'with organization_id',
    'subject_employee_ids[0]',
    'subject_employee_ids without its last entry',
    'subject_employee_ids with one more entry',
    'without subject_employee_ids',
    'template_id',
    'with template_version',
    'template_values.days',
    'without template_values.days',
    'template_values.list[0].name',
    'without template_values.list[0].name',
    'template_values.list[0] with one more field',
    'template_values.list without its last entry',
    'template_values.list with one more entry',
    'without template_values.list',
    'template_values with one more field',
    'without template_values',
    'with file_id',
  ]);
  expect(Object.fromEntries(others)).toMatchObject({
    type_id: { ...body, type_id: UNKNOWN_ID },
    'subject_employee_ids with one more entry': { subject_employee_ids: [ID, UNKNOWN_ID] },
    'template_values.list[0].name': { template_values: { days: 3, list: [{ name: 'x x' }] } },
  });
});

test('each body is of the right shape, and no two are the same', () => {
  const all = [body, ...otherBodies('createDocument', body, ['template_id']).map(([, other]) => other)];
  for (const other of all) expect(validators.createDocument.body?.(other)).toBe(true);
  expect(new Set(all.map((other) => JSON.stringify(other))).size).toBe(all.length);
});

test('an operation without a body has none', () => {
  expect(() => otherBodies('getDocument', {})).toThrow('has no body');
});
