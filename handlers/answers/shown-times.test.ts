import { expect, test } from '@jest/globals';
import { draftRow } from '../../scripts/world/document-row.ts';
import { documentView } from '../documents/view.ts';
import { dayText, onUnshowable, shownTime, timeText } from './shown-times.ts';

const reported: string[] = [];
onUnshowable((field, id) => reported.push(`${field} of ${id}`));

test.each([
  ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['0000-12-31T23:59:59.999Z', ''],
  ['+010000-01-01T00:00:00.000Z', ''],
  ['no date', ''],
])('the instant %s is shown as "%s"', (stored, shown) => {
  expect(timeText(new Date(stored), 'at', 'A')).toBe(shown);
});

test.each([
  ['', ''],
  ['9999-12-31', '9999-12-31'],
  ['0000-02-29', ''],
  ['yesterday', ''],
])('the day "%s" is shown as "%s"', (stored, shown) => {
  expect(dayText(stored, 'date', 'A')).toBe(shown);
});

test('a document shows none', () => {
  const outside = { date: '0000-01-01', completed_at: new Date('0000-12-31') };
  const shown = documentView(draftRow({ initiator_employee_id: '', ...outside }));
  expect(shown).toMatchObject({ date: '', completed_at: '' });
});

test('what a row lacks is empty', () => {
  const row: { _id: string; ended_at?: Date; due_at: Date | null } = { _id: 'A', due_at: null };
  expect([shownTime(row, 'ended_at'), shownTime(row, 'due_at')]).toEqual(['', '']);
});

test('of each field, the first value that cannot be shown is reported, by the id of its row', () => {
  reported.length = 0;
  const outside = new Date(Number.NaN);
  for (const _id of ['B', 'C']) shownTime({ _id, made_at: outside }, 'made_at');
  shownTime({ _id: 'C', read_at: outside }, 'read_at');
  dayText('0000-01-01', 'birth_date', 'D');
  expect(reported).toEqual(['made_at of B', 'read_at of C', 'birth_date of D']);
});
