import { describe, expect, test } from '@jest/globals';
import type { Document, Participant, Step } from '../../generated/client/types.gen.ts';
import { documentChecks } from './universal-documents.ts';

// That right answers pass is seen in every run of the suite.

/** @param all each as `SIGNING ANY COMPLETED: SKIPPED SIGNED`: its type, rule and status, then the status of each slot */
const stepsOf = (all: readonly string[]): Step[] =>
  all.map((text, index) => {
    const [type, rule, status, ...slots] = text.split(/:? /);
    return {
      id: `step-${index}`,
      index,
      step_type: `STEP_TYPE_${type}` as Step['step_type'],
      rule: `STEP_RULE_${rule}` as Step['rule'],
      status: `STEP_STATUS_${status}` as Step['status'],
      participants: slots.map((slot, n) => ({
        id: `slot-${index}-${n}`,
        employee_id: `employee-${n}`,
        key_type: 'SIMPLE',
        status: `PARTICIPANT_STATUS_${slot}` as Participant['status'],
      })),
    };
  });

/** A document with the fields that the checks look at. */
function documentOf(status: string, route: string, all: readonly string[], more: Partial<Document> = {}): Document {
  return {
    id: 'd',
    status: `DOCUMENT_STATUS_${status}` as Document['status'],
    files: [{ file_id: 'f', file_type: 'FILE_TYPE_PDF' }],
    route: {
      id: route === 'UNSPECIFIED' ? '' : 'r',
      active: route === 'ACTIVE',
      status: `ROUTE_STATUS_${route}` as Document['route']['status'],
      steps: stepsOf(all),
    },
    create_time: '2026-03-02T05:00:00.000Z',
    update_time: '2026-03-02T06:00:00.000Z',
    completed_at: status === 'COMPLETED' ? '2026-03-02T06:00:00.000Z' : '',
    ...more,
  } as Document;
}

/** The verdict of FLOW-13 on an answer with this document: '' = holds, null = does not apply. */
const judge = (body: unknown): string | null | undefined =>
  documentChecks['FLOW-13']?.({ body, isError: false, values: {} } as unknown as Parameters<
    (typeof documentChecks)[string]
  >[0]);

const APPROVED = 'APPROVAL ALL COMPLETED: APPROVED';
const WAITING = 'SIGNING ALL PENDING: PENDING';
const signed = { file_id: 's', file_type: 'FILE_TYPE_SIGNED_PDF' } as const;
const pdf = { file_id: 'f', file_type: 'FILE_TYPE_PDF' } as const;

describe('inconsistent documents', () => {
  const going = () => documentOf('ON_SIGN', 'ACTIVE', [APPROVED, 'SIGNING ALL ACTIVE: ACTIVE']);
  const shifted = going();
  for (const step of shifted.route.steps) step.index++;
  test('a slot may be skipped that was given to another employee', () => {
    const steps = ['APPROVAL ALL ACTIVE: SKIPPED ACTIVE APPROVED', 'SIGNING ALL PENDING: SKIPPED PENDING'];
    expect(judge({ document: documentOf('ON_APPROVAL', 'ACTIVE', steps) })).toBe('');
  });

  test.each([
    ['an active route of a draft', documentOf('DRAFT', 'ACTIVE', ['SIGNING ALL ACTIVE: ACTIVE'])],
    ['a draft route of a document in signing', documentOf('ON_SIGN', 'DRAFT', [WAITING])],
    ['a placeholder as its status', documentOf('UNSPECIFIED', 'UNSPECIFIED', [])],
    ['two active steps', documentOf('ON_SIGN', 'ACTIVE', ['SIGNING ALL ACTIVE: ACTIVE', 'SIGNING ALL ACTIVE: ACTIVE'])],
    ['a later step before an earlier one', documentOf('ON_SIGN', 'ACTIVE', [WAITING, 'SIGNING ALL ACTIVE: ACTIVE'])],
    ['no active step', documentOf('ON_SIGN', 'ACTIVE', [APPROVED, WAITING])],
    [
      'an active step in which everybody has acted',
      documentOf('ON_APPROVAL', 'ACTIVE', ['APPROVAL ALL ACTIVE: APPROVED', WAITING]),
    ],
    [
      'a step under ANY that goes on',
      documentOf('ON_APPROVAL', 'ACTIVE', ['APPROVAL ANY ACTIVE: APPROVED ACTIVE', WAITING]),
    ],
    [
      'a slot skipped under ALL',
      documentOf('ON_SIGN', 'ACTIVE', ['APPROVAL ALL COMPLETED: APPROVED SKIPPED', 'SIGNING ALL ACTIVE: ACTIVE']),
    ],
    [
      'a signature in an approval',
      documentOf('ON_SIGN', 'ACTIVE', ['APPROVAL ALL COMPLETED: SIGNED', 'SIGNING ALL ACTIVE: ACTIVE']),
    ],
    ['ON_SIGN while an approval is active', documentOf('ON_SIGN', 'ACTIVE', ['APPROVAL ALL ACTIVE: ACTIVE', WAITING])],
    ['approval after signing', documentOf('DRAFT', 'DRAFT', [WAITING, 'APPROVAL ALL PENDING: PENDING'])],
    ['a rejection by nobody', documentOf('REJECTED', 'REJECTED', ['SIGNING ALL REJECTED: SKIPPED'])],
    ['indexes from 1', shifted],
    ['a placeholder as the type of a step', documentOf('DRAFT', 'DRAFT', ['UNSPECIFIED ALL PENDING: PENDING'])],
    ['a placeholder as the rule of a step', documentOf('DRAFT', 'DRAFT', ['SIGNING UNSPECIFIED PENDING: PENDING'])],
    [
      'active without an active route',
      documentOf('DRAFT', 'DRAFT', [WAITING], {
        route: { ...documentOf('DRAFT', 'DRAFT', [WAITING]).route, active: true },
      }),
    ],
    ['a route without an id', { ...going(), route: { ...going().route, id: '' } }],
    ['completion before the end', { ...going(), completed_at: '2026-03-02T06:00:00.000Z' }],
    ['a change before its creation', { ...going(), update_time: '2026-03-02T04:00:00.000Z' }],
    ['no PDF', { ...going(), files: [] }],
    ['two PDFs', { ...going(), files: [pdf, pdf] }],
    ['a signed PDF before the end', { ...going(), files: [pdf, signed] }],
  ])('%s', (_, document) => {
    expect(judge({ document: { ...document, id: 'wrong' } })).toMatch(/^document wrong: ./);
    expect(judge({ documents: [documentOf('DRAFT', 'UNSPECIFIED', []), document] })).toMatch(/./);
  });
});
