/** `settings documents`: the state of documents, and the moves that have no operation (D-20). */

import { employeesSeenBy } from '../../../handlers/access/caller.ts';
import { ApiError, fail } from '../../../handlers/answers/errors.ts';
import type { DocumentRow } from '../../../handlers/data/collections/documents.ts';
import { type EmployeeRow, isEmployed } from '../../../handlers/data/collections/employees.ts';
import { tenantRows } from '../../../handlers/data/of-tenant.ts';
import type { Filter } from '../../../handlers/data/store.ts';
import type { Act } from '../../../handlers/documents/workflow/acts.ts';
import { changeDocument, type ReachedDocument } from '../../../handlers/documents/workflow/change.ts';
import { hasVisibleText } from '../../../handlers/documents/workflow/input.ts';
import { peopleOf } from '../../../handlers/documents/workflow/people.ts';
import { possibleIn } from '../../../handlers/documents/workflow/workflow.ts';
import { EXIT, Failure, invalid, refuse, wholeNumber } from '../../kit/command-line.ts';
import {
  type Column,
  command,
  type Facts,
  factsOfShape,
  type Group,
  listing,
  type Table,
  type TenantContext,
  tableOf,
  take,
  type ValueType,
} from './command.ts';
import { kinds, row, rowsById, rowsOf } from './lookup.ts';
import { rowShape, type Shape, same, shaped, shown } from './shape.ts';
import { limitOf, statusOf } from './values.ts';
import { awaitedLeavers, documentsWaitingFor, waitingSlots } from './waiting-documents.ts';

const COMMENT_LIMIT = 2_000;
const STATUSES = ['DRAFT', 'ON_APPROVAL', 'ON_SIGN', 'COMPLETED', 'REJECTED', 'CHANGE_REQUESTED', 'REVOKED'] as const;
const status = statusOf(
  STATUSES.map((name) => `DOCUMENT_STATUS_${name}` as const),
  short,
);

const comment: ValueType<string> = {
  placeholder: 'text',
  read(text) {
    if (!hasVisibleText(text)) invalid('It must say something.');
    if ([...text].length > COMMENT_LIMIT) invalid(`It must have at most ${COMMENT_LIMIT} characters.`);
    return text;
  },
};

const place: ValueType<number> = { placeholder: 'N', read: wholeNumber(0, 19) };

/** `ON_SIGN` for `DOCUMENT_STATUS_ON_SIGN`; other prefixed values likewise. */
function short(value: string): string {
  return value.replace(
    /^(?:DOCUMENT_STATUS|ROUTE_STATUS|STEP_STATUS|STEP_TYPE|STEP_RULE|PARTICIPANT_STATUS|FILE_TYPE)_/,
    '',
  );
}

type DocumentFile = DocumentRow['files'][number];

const routeJson = same('id', 'status', 'steps');
const fileJson: Shape<DocumentFile> = {
  ...same('file_id', 'file_type', 'filename', 'content_type'),
  size_bytes: ({ object }) => object.size_bytes,
  sha256: ({ object }) => object.sha256,
};

/** As the contract shows a document, with what only administrators see: not the values that were filled in. */
const head: Shape<DocumentRow> = {
  ...rowShape(
    'title',
    'type_id',
    'number',
    'date',
    'organization_id',
    'department_id',
    'initiator_employee_id',
    'subject_employee_ids',
    'status',
    'create_time',
    'update_time',
    'completed_at',
    'deleted_at',
  ),
  template_id: ({ template }) => template?.id ?? '',
  template_version: ({ template }) => template?.version ?? null,
};

const json: Shape<DocumentRow> = {
  ...head,
  files: ({ files }) => files.map((file) => shaped(fileJson, file)),
  route: ({ route }) => route && shaped(routeJson, route),
  events_to_relay: ({ pending_events }) => pending_events,
};

/** A document for people: what it is, then its slots, files and events where it has such. */
function documentParts(row: DocumentRow): (Facts | Table)[] {
  const tables = [slotsOf(row), filesOf(row), eventsOf(row)];
  const shape = { ...head, route: ({ route }: DocumentRow) => route && `${short(route.status)} ${route.id}` };
  return [factsOfShape(shape, row), ...tables.filter(({ rows }) => rows.length > 0)];
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
    ['FILE ID', 'file_id'],
    ['SHA-256', ({ object }) => object.sha256],
  ]);
}

function eventsOf({ pending_events }: DocumentRow): Table {
  return tableOf(pending_events, [
    ['EVENT TO RELAY', 'type'],
    ['OCCURRED', 'occurred_at'],
    ['EVENT ID', 'id'],
  ]);
}

const columns: readonly Column<DocumentRow>[] = [
  ['TITLE', 'title'],
  ['STATUS', ({ status, listed }) => (listed ? short(status) : 'deleted')],
  ['NUMBER', 'number'],
  ['INITIATOR', 'initiator_employee_id'],
  ['UPDATED', 'update_time'],
  ['ID', '_id', 'id'],
];

const document = take.argument(row(kinds.document));

/** Whom of these employees the initiator sees, with the permission profile of each user that it is or was. */
async function seenByInitiator(
  at: TenantContext,
  initiator: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const users = await rowsOf(at, 'users', { employee_id: initiator });
  const ways = (await Promise.all(users.map((user) => employeesSeenBy(at.store, user)))).flat();
  if (ways.length === 0) return new Set();
  const seen = await rowsOf(at, 'employees', { _id: { $in: ids }, $or: ways }, { projection: { _id: 1 } });
  return new Set(seen.map(({ _id }) => _id));
}

/** Makes a move by the state machine of the interface. @throws ApiError; then nothing is written */
function makeMove(at: TenantContext, { _id }: DocumentRow, act: Act): Promise<DocumentRow> {
  const rows = tenantRows(at.store, 'documents', at.tenant._id);
  const employees = tenantRows(at.store, 'employees', at.tenant._id);
  const reached: ReachedDocument = {
    rows,
    people: (row, act) => peopleOf(employees, row, act, (ids) => seenByInitiator(at, row.initiator_employee_id, ids)),
    read: async () => (await rows.first({ _id, listed: true })) ?? fail('DOCUMENT_NOT_FOUND'),
    // These acts store no file.
    claimed: async () => {},
  };
  return changeDocument(reached, act);
}

const moves = {
  'request-changes': {
    kind: 'request_changes',
    done: 'Requested changes to',
    about: 'Send a document back to its initiator, as the participant whose turn it is.',
    by: 'who requests: an employee with an active slot, by id or personnel number',
  },
  revoke: {
    kind: 'revoke',
    done: 'Revoked',
    about: 'Revoke a document that circulates or was sent back.',
    by: "who revokes: the initiator or the initiator's direct manager, by id or personnel number",
  },
  delete: {
    kind: 'delete',
    done: 'Deleted',
    about: 'Delete a document: no operation shows it any more. This cannot be undone.',
    by: 'who deletes: the initiator, by id or personnel number',
  },
} as const;

/** Explains why the state machine refused, for an administrator, who may see everything. */
async function explained(
  at: TenantContext,
  { _id: id }: DocumentRow,
  name: keyof typeof moves,
  employee: EmployeeRow,
  error: unknown,
): Promise<never> {
  if (!(error instanceof ApiError)) throw error;
  const { kind } = moves[name];
  const by = employee._id;
  const [row] = await rowsOf(at, 'documents', { _id: id });
  if (!row?.listed) return refuse(`The document ${id} is deleted; deleted ones stay as they are.`);
  const initiator = row.initiator_employee_id;
  if (!isEmployed(employee)) return refuse(`The employee ${by} has left, and acts for nobody.`);
  switch (error.errorName) {
    case 'DOCUMENT_ACTION_NOT_ALLOWED': {
      const manager = (await rowsById(at, 'employees', [initiator])).get(initiator)?.manager_id;
      const others = kind === 'revoke' && manager ? ` and its direct manager ${manager}` : '';
      return refuse(`The employee ${by} may not: ${name} belongs to the initiator ${initiator}${others}.`);
    }
    case 'DOCUMENT_INVALID_STATUS_TRANSITION':
    case 'INVALID_ARGUMENT':
      if (possibleIn[kind].includes(row.status)) {
        return refuse(`The employee ${by} holds no active slot of the document. See: settings documents show ${id}`);
      }
      return refuse(
        `The document ${id} is ${short(row.status)}; ${name} is possible in ${possibleIn[kind].map(short).join(', ')}.`,
      );
    default:
      return refuse(error.message);
  }
}

function moving(name: keyof typeof moves) {
  const { about, done, kind, by } = moves[name];
  const needsComment = kind === 'request_changes';
  return command({
    about,
    json,
    takes: {
      document,
      by: take.required(row(kinds.employee), by),
      ...(needsComment && { comment: take.required(comment, 'what is to be changed') }),
    },
    examples: [`documents ${name} DOCUMENT_ID --by 000123${needsComment ? ' --comment "Исправьте даты"' : ''}`],
    async run(at, { document, by, comment = '' }) {
      const act = { kind, by: by._id, apiKeyId: '', comment };
      const of = await makeMove(at, document, act).catch((error) => explained(at, document, name, by, error));
      return { of, text: `${done} the document ${of._id}: ${of.listed ? short(of.status) : 'deleted'}.` };
    },
  });
}

const reassign = command({
  about: 'Give the slot that waits for somebody who has left to another employee.',
  json,
  takes: {
    document,
    from: take.required(row(kinds.employee), 'who has left, by id or personnel number'),
    to: take.required(row(kinds.employee), 'who is to act instead, by id or personnel number'),
    step: take.optional(place, 'the step, as documents show counts them (default: the first in which one waits)'),
  },
  examples: ['documents reassign DOCUMENT_ID --from 000123 --to 000456'],
  note: `
The new employee must be one whom the initiator may choose, and must not stand in the step yet. The old slot is SKIPPED. No
event is emitted. While processes of release 1.7.0 or older still run, wait with it.`,
  async run(at, { document, from, to, step }) {
    const found = waitingSlots(document, new Set([from._id])).find(
      (one) => one.step.index === (step ?? one.step.index),
    );
    const act = { kind: 'give_on', by: from._id, participantId: found?.slot.id ?? '', to: to._id } as const;
    const of = await makeMove(at, document, act).catch((error) => {
      throw error instanceof ApiError ? new Failure(EXIT.refused, error.message) : error;
    });
    return { of, text: `The document ${of._id} waits for ${to._id} instead of ${from._id}.` };
  },
});

export const documents: Group = {
  about: 'Documents: list, show, and the actions for which the interface has no operation.',
  examples: [
    'documents list --status ON_SIGN',
    'documents show DOCUMENT_ID',
    'documents revoke DOCUMENT_ID --by 000123',
  ],
  commands: {
    list: command({
      about: 'List documents, newest first; deleted ones only with --deleted.',
      reads: true,
      json,
      takes: {
        status: take.optional(status),
        initiator: take.optional(row(kinds.employee), 'only documents of this employee: id or personnel number'),
        waitingFor: take.optional(row(kinds.employee), 'only those in which a slot of this employee waits'),
        waitingForLeavers: take.flag('only those in which a slot of somebody waits who has left'),
        deleted: take.flag('only deleted ones'),
        limit: limitOf(50),
      },
      examples: [
        'documents list --initiator 000123 --limit 10',
        'documents list --deleted --json',
        'documents list --waiting-for-leavers',
      ],
      async run(at, { status, initiator, waitingFor, waitingForLeavers, deleted, limit }) {
        const filter: Filter<DocumentRow> = {
          listed: !deleted,
          ...(status && { status }),
          ...(initiator && { initiator_employee_id: initiator._id }),
        };
        if (waitingFor !== undefined || waitingForLeavers) {
          const ids = waitingFor ? new Set([waitingFor._id]) : await awaitedLeavers(at);
          const waiting = await documentsWaitingFor(at, ids, filter);
          const slots: Column<DocumentRow> = [
            'STEP: WAITS FOR',
            (row) =>
              waitingSlots(row, ids)
                .map(({ step, slot }) => `${step.index}: ${slot.employee_id}`)
                .join(' '),
          ];
          return listing(waiting.slice(0, limit), [...columns.slice(0, 2), slots, ...columns.slice(-1)]);
        }
        const newest = { sort: { create_time: -1, _id: -1 }, limit } as const;
        return listing(await rowsOf(at, 'documents', filter, newest), columns);
      },
    }),
    show: command({
      about: 'Show a document: its route with every slot, its files, the events that are not relayed yet.',
      reads: true,
      json,
      takes: { document },
      examples: ['documents show DOCUMENT_ID', 'documents show DOCUMENT_ID --json'],
      run: async (_, { document }) => ({ of: document, text: documentParts(document) }),
    }),
    'request-changes': moving('request-changes'),
    revoke: moving('revoke'),
    delete: moving('delete'),
    reassign,
  },
};
