/** A document as creation writes it, for tests of later steps. */
import { randomUUID } from 'node:crypto';
import type { DocumentRow } from '../../handlers/data/collections/documents.ts';

/** A draft of the initiator with one PDF and no route. @param changes fields that the test needs */
export function draftRow(changes: Partial<DocumentRow> & Pick<DocumentRow, 'initiator_employee_id'>): DocumentRow {
  const time = new Date('2026-03-02T04:12:07.315Z');
  const fileId = randomUUID();
  return {
    _id: randomUUID(),
    tenant_id: '',
    listed: true,
    rev: 1,
    title: 'Тестовый приказ',
    type_id: randomUUID(),
    number: '',
    date: '2026-03-02',
    organization_id: '',
    department_id: '',
    subject_employee_ids: [],
    status: 'DOCUMENT_STATUS_DRAFT',
    files: [
      {
        file_id: fileId,
        file_type: 'FILE_TYPE_PDF',
        filename: 'draft.pdf',
        content_type: 'application/pdf',
        object: { key: `documents/${fileId}`, version: '1', size_bytes: 1_000, sha256: 'ab'.repeat(32) },
      },
    ],
    route: null,
    template: null,
    search_text: '',
    search_keys: [],
    pending_events: [],
    outbox_at: null,
    actors: [changes.initiator_employee_id],
    visible_to: [changes.initiator_employee_id],
    create_time: time,
    update_time: time,
    completed_at: null,
    deleted_at: null,
    ...changes,
  };
}
