/** Document rows as the contract shows them: participants only by their ids. */
import type { Document, Route } from '../../generated/client/types.gen.ts';
import { dayText, shownTime } from '../answers/shown-times.ts';
import type { DocumentRow, StoredRoute } from '../data/collections/documents.ts';
import type { VisibleRow } from '../data/reads.ts';

/** The fields that a view needs; the row of a new document has more. */
type ShownDocument = Omit<VisibleRow<DocumentRow>, 'rev' | 'template'>;

/** A document in the form in which every operation returns it. */
export function documentView(row: ShownDocument): Document {
  return {
    id: row._id,
    title: row.title,
    type_id: row.type_id,
    number: row.number,
    date: dayText(row.date, 'date', row._id),
    organization_id: row.organization_id,
    department_id: row.department_id,
    initiator_employee_id: row.initiator_employee_id,
    subject_employee_ids: row.subject_employee_ids,
    status: row.status,
    files: row.files.map(({ file_id, file_type }) => ({ file_id, file_type })),
    route: routeView(row.route),
    create_time: shownTime(row, 'create_time'),
    update_time: shownTime(row, 'update_time'),
    completed_at: shownTime(row, 'completed_at'),
  };
}

function routeView(route: StoredRoute | null): Route {
  if (route === null) return { id: '', active: false, status: 'ROUTE_STATUS_UNSPECIFIED', steps: [] };
  return {
    id: route.id,
    active: route.status === 'ROUTE_STATUS_ACTIVE',
    status: route.status,
    steps: route.steps.map(({ id, index, participants, rule, status, step_type }) => ({
      id,
      index,
      participants: participants.map((slot) => ({
        id: slot.id,
        employee_id: slot.employee_id,
        key_type: slot.key_type,
        status: slot.status,
      })),
      rule,
      status,
      step_type,
    })),
  };
}
