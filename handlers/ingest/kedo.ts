/** The payloads of KEDO (D-29): every record has an `external_id`. */
import type {
  KedoDepartmentRecord,
  KedoEmployeeRecord,
  KedoJobTitleRecord,
  KedoOrganizationRecord,
  KedoPersonRecord,
} from '../../generated/client/types.gen.ts';
import type { IngestKind } from '../data/collections/external_bindings.ts';
import { type ColumnsOf, distribute, type Payload, refersTo, type TextColumn } from './record-columns.ts';

const externalId: TextColumn = { type: 'external_id', isRequired: true };
const title: TextColumn = { type: 'text', field: 'title' };
const shown = (field: string): TextColumn => ({ type: 'text', field });
const kept = (detail: string): TextColumn => ({ type: 'text', detail });

function payload<Schema>(kind: IngestKind, columns: ColumnsOf<Schema>): Payload {
  return {
    columns,
    idFields: ['external_id'],
    map: (values) => ({ kind, externalId: String(values.external_id), ...distribute(columns, values) }),
  };
}

/** By `payload_type`. */
export const kedo: ReadonlyMap<string, Payload> = new Map([
  [
    'PERSONS',
    payload<KedoPersonRecord>('PERSON', {
      external_id: externalId,
      first_name: shown('first_name'),
      last_name: shown('last_name'),
      middle_name: shown('middle_name'),
      gender: kept('gender'),
      birth_date: { type: 'day', field: 'birth_date' },
      birth_place: kept('birth_place'),
      iin: { type: 'iin', field: 'iin' },
      number: kept('number'),
      serial_number: kept('serial_number'),
      issued_date: { type: 'day', detail: 'issued_date' },
      issuing_authority: kept('issuing_authority'),
      issuing_authority_code: kept('issuing_authority_code'),
      registration_address: kept('registration_address'),
      citizenship: kept('citizenship'),
      phone: shown('phone'),
      email: shown('personal_email'),
    }),
  ],
  [
    'ORGANIZATIONS',
    payload<KedoOrganizationRecord>('ORGANIZATION', {
      external_id: externalId,
      title,
      bin: kept('bin'),
      legal_address: kept('legal_address'),
      actual_address: kept('actual_address'),
      bank_bik: kept('bank_bik'),
      bank_account: kept('bank_account'),
      bank_name: kept('bank_name'),
    }),
  ],
  [
    'DEPARTMENTS',
    payload<KedoDepartmentRecord>('DEPARTMENT', {
      external_id: externalId,
      title,
      external_organization_id: refersTo('organization'),
      external_parent_id: refersTo('parent'),
    }),
  ],
  [
    'EMPLOYEES',
    payload<KedoEmployeeRecord>('EMPLOYEE', {
      external_id: externalId,
      number: shown('employee_number'),
      admission_date: { type: 'day', field: 'start_date' },
      left_date: { type: 'day', field: 'end_date' },
      available_vacation_day_count: kept('available_vacation_day_count'),
      external_person_id: refersTo('person'),
      external_organization_id: refersTo('organization'),
      external_department_id: refersTo('department'),
      external_job_title_id: refersTo('job_title'),
    }),
  ],
  ['JOB_TITLES', payload<KedoJobTitleRecord>('JOB_TITLE', { external_id: externalId, title })],
]);
