import { describe, expect, test } from '@jest/globals';
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

  test('raises the revision, and that of the identity with a name or the IIN', () => {
    expect(changedPerson(row, { phone: '+77000000001' }, later)).toMatchObject({ rev: 2, identity_rev: 1 });
    expect(changedPerson(row, { iin: '900131000001' }, later)).toMatchObject({ rev: 2, identity_rev: 2 });
  });
});
