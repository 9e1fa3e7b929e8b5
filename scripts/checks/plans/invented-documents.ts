/** Invented documents of a large tenant, for measurements: titles and numbers like those that companies use. */
import type { DocumentRow } from '../../../handlers/data/collections/documents.ts';
import { searchFields } from '../../../handlers/documents/search.ts';
import { inventName } from '../../operate/seed/names.ts';
import type { Random } from '../../operate/seed/random.ts';

const SUBJECTS = [
  'Приказ о предоставлении отпуска',
  'Приказ о приёме на работу',
  'Приказ о переводе на другую должность',
  'Приказ о командировке',
  'Приказ об увольнении',
  'Трудовой договор',
  'Дополнительное соглашение к трудовому договору',
  'Лист ознакомления с положением об оплате труда',
  'Қызметкерді іссапарға жіберу туралы бұйрық',
  'Еңбек демалысын беру туралы бұйрық',
  'Справка с места работы',
  'Служебная записка о сверхурочной работе',
];
const NEWEST = Date.parse('2026-03-01T00:00:00.000Z');
const SPAN_MS = 7 * 365 * 24 * 60 * 60 * 1000;

/** What the invented documents refer to. */
export interface Setting {
  readonly tenantId: string;
  readonly count: number;
  readonly types: readonly string[];
  /** A document type that one document in 5,000 has. */
  readonly rare: string;
  readonly employees: readonly string[];
  readonly random: Random;
}

/** The rows, oldest first. */
export function* inventDocuments({ tenantId, count, types, rare, employees, random }: Setting): Generator<DocumentRow> {
  for (let i = 0; i < count; i++) {
    const subject = i < 20 ? 'Заявление о приёме' : random.pick(SUBJECTS);
    const { last_name, first_name } = inventName(random);
    const time = new Date(NEWEST - SPAN_MS + Math.floor((SPAN_MS * i) / count));
    const title = `${subject}: ${last_name} ${first_name}`;
    const number = `${i}-${random.pick(['К', 'Л', 'Ж'])}/${time.getUTCFullYear()}`;
    const [initiator, other] = [random.pick(employees), random.pick(employees)];
    const file_id = random.uuid();
    yield {
      _id: random.uuid(),
      ...searchFields(title, number),
      tenant_id: tenantId,
      listed: true,
      rev: 1,
      title,
      number,
      type_id: i % 5_000 === 0 ? rare : random.pick(types),
      date: time.toISOString().slice(0, 10),
      organization_id: '',
      department_id: '',
      initiator_employee_id: initiator,
      subject_employee_ids: [other],
      status: 'DOCUMENT_STATUS_COMPLETED',
      files: [
        {
          file_id,
          file_type: 'FILE_TYPE_PDF',
          filename: `${title}.pdf`,
          content_type: 'application/pdf',
          object: { key: `documents/${file_id}`, version: '1', size_bytes: 100_000, sha256: 'ab'.repeat(32) },
        },
      ],
      route: null,
      template: null,
      actors: [initiator],
      visible_to: [initiator, other],
      pending_events: [],
      outbox_at: null,
      create_time: time,
      update_time: time,
      completed_at: time,
      deleted_at: null,
    };
  }
}
