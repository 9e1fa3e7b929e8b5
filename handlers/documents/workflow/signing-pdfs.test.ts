import { expect, test } from '@jest/globals';
import type { StoredParticipant, StoredRoute } from '../../data/collections/documents.ts';
import { sheetEntries } from './signing-pdfs.ts';

type Status = 'APPROVED' | 'SIGNED' | 'SKIPPED';

/** A slot of the employee, who acted in it at that second, or has not acted. */
function slot(employee_id: string, status: Status, second?: number): StoredParticipant {
  const facts = { api_key_id: 'key', comment: 'secret remark', signature_file_id: '', certificate_serial: '0f' };
  const at = new Date(Date.UTC(2026, 2, 2, 5, 0, second));
  return {
    id: `slot-${employee_id}`,
    employee_id,
    key_type: 'EDS',
    status: `PARTICIPANT_STATUS_${status}`,
    action: second === undefined ? null : { at, pdf_sha256: 'aa', ...facts },
  };
}

function routeOf(...steps: StoredParticipant[][]): StoredRoute {
  return {
    id: 'route',
    status: 'ROUTE_STATUS_COMPLETED',
    steps: steps.map((participants, index) => ({
      id: `step-${index}`,
      index,
      step_type: 'STEP_TYPE_SIGNING',
      rule: 'STEP_RULE_ALL',
      status: 'STEP_STATUS_COMPLETED',
      participants,
    })),
  };
}

test('the sheet has who acted, in the order in which they did, with ids, times, digests and serials alone', () => {
  const route = routeOf(
    [slot('a', 'SKIPPED'), slot('b', 'APPROVED', 1)],
    [slot('c', 'SIGNED', 9), slot('d', 'SIGNED', 4)],
  );
  const entries = sheetEntries(route);
  expect(entries.map(({ employee_id, step, action }) => [employee_id, step, action])).toEqual([
    ['b', 0, 'APPROVED'],
    ['d', 1, 'SIGNED'],
    ['c', 1, 'SIGNED'],
  ]);
  expect(entries[0]).toEqual({
    step: 0,
    participant_id: 'slot-b',
    employee_id: 'b',
    action: 'APPROVED',
    key_type: 'EDS',
    at: new Date('2026-03-02T05:00:01Z'),
    pdf_sha256: 'aa',
    certificate_serial: '0f',
  });
});
