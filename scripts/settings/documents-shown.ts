/** How the settings tool shows a document: ids, states and times. */
import type { DocumentRow } from '../../handlers/data/store.ts';
import { shown } from './arguments.ts';
import { table } from './table.ts';

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
export function documentTold(row: DocumentRow): object {
  const { search_text: _, search_keys: __, template, ...rest } = row;
  return { ...rest, template: template && { id: template.id, version: template.version } };
}

/** A document for people. @param width the terminal's width in columns, if the output is a terminal */
export function documentText(row: DocumentRow, width: number | undefined): string {
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
  const slots = (row.route?.steps ?? []).flatMap((step) =>
    step.participants.map((slot, i) => [
      ...(i === 0
        ? [String(step.index), short(step.step_type), short(step.rule), short(step.status)]
        : ['', '', '', '']),
      ...[short(slot.status), slot.key_type, shown(slot.action?.at ?? null), slot.employee_id, slot.id],
    ]),
  );
  const files = row.files.map(({ file_id, file_type, object }) => [
    ...[short(file_type), String(object.size_bytes), file_id, object.sha256],
  ]);
  const events = row.pending_events.map(({ id, type, occurred_at }) => [type, shown(occurred_at), id]);
  const parts = [
    facts.map(([name, value]) => `${name.padEnd(11)}${value}`.trimEnd()).join('\n'),
    slots.length > 0 &&
      table(['STEP', 'TYPE', 'RULE', 'STATE', 'SLOT', 'KEY TYPE', 'ACTED', 'EMPLOYEE', 'SLOT ID'], slots, width),
    files.length > 0 && table(['FILE', 'BYTES', 'FILE ID', 'SHA-256'], files, width),
    events.length > 0 && table(['EVENT TO RELAY', 'OCCURRED', 'EVENT ID'], events, width),
  ];
  return parts.filter((part) => part !== false).join('\n\n');
}
