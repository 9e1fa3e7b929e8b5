/** How the settings tool shows a document: ids, states and times. */
import type { DocumentRow } from '../../../handlers/data/collections/documents.ts';
import { type Facts, type Table, tableOf } from './command.ts';
import { shown } from './values.ts';

/** `ON_SIGN` for `DOCUMENT_STATUS_ON_SIGN`; other prefixed values likewise. */
export function short(value: string): string {
  return value.replace(
    /^(?:DOCUMENT_STATUS|ROUTE_STATUS|STEP_STATUS|STEP_TYPE|STEP_RULE|PARTICIPANT_STATUS|FILE_TYPE)_/,
    '',
  );
}

/**
 * A document for scripts: the row without the fields that exist only for searches, and without the values that were
 * filled in.
 */
export function documentJson(row: DocumentRow): object {
  const { search_text: _, search_keys: __, template, ...rest } = row;
  return { ...rest, template: template && { id: template.id, version: template.version } };
}

/** A document for people: its facts, then its slots, files and events where it has such. */
export function documentParts(row: DocumentRow): (Facts | Table)[] {
  const facts: [string, string][] = [
    ['id', row._id],
    ['title', row.title],
    ['number', row.number],
    ['status', row.listed ? short(row.status) : `deleted (was ${short(row.status)})`],
    ['type', row.type_id],
    ['initiator', row.initiator_employee_id],
    ['subjects', row.subject_employee_ids.join(' ')],
    ['revision', String(row.rev)],
    ['created', shown(row.create_time)],
    ['updated', shown(row.update_time)],
    ['completed', shown(row.completed_at)],
    ['route', row.route === null ? 'none' : `${short(row.route.status)} ${row.route.id}`],
  ];
  const tables = [slotsOf(row), filesOf(row), eventsOf(row)];
  return [{ facts }, ...tables.filter(({ rows }) => rows.length > 0)];
}

function slotsOf({ route }: DocumentRow): Table {
  const rows = (route?.steps ?? []).flatMap((step) =>
    step.participants.map((slot, i) => [
      ...(i === 0
        ? [String(step.index), short(step.step_type), short(step.rule), short(step.status)]
        : ['', '', '', '']),
      short(slot.status),
      slot.key_type,
      shown(slot.action?.at ?? null),
      slot.employee_id,
      slot.id,
    ]),
  );
  return { heads: ['STEP', 'TYPE', 'RULE', 'STATE', 'SLOT', 'KEY TYPE', 'ACTED', 'EMPLOYEE', 'SLOT ID'], rows };
}

function filesOf({ files }: DocumentRow): Table {
  return tableOf(files, [
    ['FILE', ({ file_type }) => short(file_type)],
    ['BYTES', ({ object }) => String(object.size_bytes)],
    ['FILE ID', ({ file_id }) => file_id],
    ['SHA-256', ({ object }) => object.sha256],
  ]);
}

function eventsOf({ pending_events }: DocumentRow): Table {
  return tableOf(pending_events, [
    ['EVENT TO RELAY', ({ type }) => type],
    ['OCCURRED', ({ occurred_at }) => shown(occurred_at)],
    ['EVENT ID', ({ id }) => id],
  ]);
}
