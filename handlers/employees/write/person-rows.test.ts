import { describe, expect, test } from '@jest/globals';
import type { PersonRow } from '../../data/collections/persons.ts';
import { ChangeRefused } from './fields.ts';
import { changedPerson, newPerson } from './person-rows.ts';

const then = new Date('2026-03-01T10:00:00.000Z');
const later = new Date('2026-03-02T10:00:00.000Z');
const row = newPerson('t', { last_name: 'Омарова', first_name: 'Әсел' }, then, { details: '{"a":"1"}' });

test('newPerson makes a first revision without an event, and needs a name', () => {
  expect(row).toMatchObject({ rev: 1, identity_rev: 1, outbox_at: null, details: '{"a":"1"}' });
  expect(() => newPerson('t', { middle_name: 'Ерланқызы' }, then)).toThrow(ChangeRefused);
});

describe('changedPerson', () => {
  test('refuses to remove the whole name', () => {
    expect(() => changedPerson(row, { last_name: '', first_name: '' }, later)).toThrow(ChangeRefused);
    expect(changedPerson(row, { last_name: '' }, later)?.last_name).toBe('');
  });

  test('gives a row of an earlier version its first revision', () => {
    const { rev, identity_rev, outbox_at, details, ...old } = row;
    expect(changedPerson(old as PersonRow, { phone: '+77000000001' }, later)).toMatchObject({
      rev: 1,
      identity_rev: 0,
    });
    expect(changedPerson(old as PersonRow, { iin: '900131000001' }, later)).toMatchObject({ rev: 1, identity_rev: 1 });
  });
});
