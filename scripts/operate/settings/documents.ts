/** `settings documents`: the state of documents, and the moves that have no operation (D-20). */

import { invalid, misuse, refuse } from '../../../conformance/command-line.ts';
import { ApiError } from '../../../handlers/answers/errors.ts';
import type { DocumentRow } from '../../../handlers/data/collections/documents.ts';
import type { Filter } from '../../../handlers/data/store.ts';
import { hasVisibleText } from '../../../handlers/documents/workflow/input.ts';
import { possibleIn } from '../../../handlers/documents/workflow/workflow.ts';
import { type Column, command, type Group, listing, type TenantContext, take, type ValueType } from './command.ts';
import { type MeantDocument, managerOf, remove, requestChanges, revoke } from './documents-acts.ts';
import { documentJson, documentParts, short } from './documents-shown.ts';
import { kinds, row } from './lookup.ts';
import { count, shown } from './values.ts';

const COMMENT_LIMIT = 2_000;
const STATUSES = ['DRAFT', 'ON_APPROVAL', 'ON_SIGN', 'COMPLETED', 'REJECTED', 'CHANGE_REQUESTED', 'REVOKED'];

const status: ValueType<DocumentRow['status']> = {
  placeholder: 'status',
  about: STATUSES.join(', '),
  resolve(_, text) {
    const found = STATUSES.find((known) => known === short(text));
    if (found === undefined) return misuse(`"${text}" is no status. These are: ${STATUSES.join(', ')}.`);
    return `DOCUMENT_STATUS_${found}` as DocumentRow['status'];
  },
};

const comment: ValueType<string> = {
  placeholder: 'text',
  read(text) {
    if (!hasVisibleText(text)) invalid('It must say something.');
    if ([...text].length > COMMENT_LIMIT) invalid(`It must have at most ${COMMENT_LIMIT} characters.`);
    return text;
  },
};

const columns: readonly Column<DocumentRow>[] = [
  ['TITLE', ({ title }) => title],
  ['STATUS', ({ status, listed }) => (listed ? short(status) : 'deleted')],
  ['NUMBER', ({ number }) => number],
  ['INITIATOR', ({ initiator_employee_id }) => initiator_employee_id],
  ['UPDATED', ({ update_time }) => shown(update_time)],
  ['ID', ({ _id }) => _id],
];

const document = take.argument(row(kinds.document));

type Kind = 'request_changes' | 'revoke' | 'delete';

interface Move {
  readonly kind: Kind;
  readonly name: string;
  readonly done: string;
  readonly about: string;
  readonly by: string;
  act(meant: MeantDocument, by: string, comment: string): Promise<DocumentRow>;
}

const moves: readonly Move[] = [
  {
    kind: 'request_changes',
    name: 'request-changes',
    done: 'Requested changes to',
    about: 'Send a document back to its initiator, as the participant whose turn it is.',
    by: 'who requests: an employee with an active slot, by id or personnel number',
    act: requestChanges,
  },
  {
    kind: 'revoke',
    name: 'revoke',
    done: 'Revoked',
    about: 'Revoke a document that circulates or was sent back.',
    by: "who revokes: the initiator or the initiator's direct manager, by id or personnel number",
    act: revoke,
  },
  {
    kind: 'delete',
    name: 'delete',
    done: 'Deleted',
    about: 'Delete a document: no operation shows it any more. This cannot be undone.',
    by: 'who deletes: the initiator, by id or personnel number',
    act: remove,
  },
];

/** Explains why the state machine refused, for an administrator, who may see everything. */
async function explained(
  at: TenantContext,
  { kind, name }: Move,
  id: string,
  by: string,
  error: unknown,
): Promise<never> {
  if (!(error instanceof ApiError)) throw error;
  const row = await at.store.documents.findOne({ _id: id, tenant_id: at.tenant._id });
  if (row === null || !row.listed) return refuse(`The document ${id} is deleted; deleted ones stay as they are.`);
  const initiator = row.initiator_employee_id;
  switch (error.errorName) {
    case 'DOCUMENT_ACTION_NOT_ALLOWED': {
      const manager = kind === 'revoke' ? await managerOf({ store: at.store, tenantId: at.tenant._id }, initiator) : '';
      const others = manager === '' ? '' : ` and its direct manager ${manager}`;
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

function moving(move: Move) {
  const { name, about, done, kind, by } = move;
  const needsComment = kind === 'request_changes';
  return command({
    about,
    takes: {
      document,
      by: take.required(row(kinds.employee), by),
      ...(needsComment && { comment: take.required(comment, 'what is to be changed') }),
    },
    examples: [`documents ${name} DOCUMENT_ID --by 000123${needsComment ? ' --comment "Исправьте даты"' : ''}`],
    async run(at, { document: { _id }, by, comment = '' }) {
      const meant = { store: at.store, tenantId: at.tenant._id, documentId: _id };
      const row = await move
        .act(meant, by._id, comment)
        .catch((error: unknown) => explained(at, move, _id, by._id, error));
      const state = row.listed ? short(row.status) : 'deleted';
      return { json: documentJson(row), text: `${done} the document ${_id}: ${state}.` };
    },
  });
}

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
      takes: {
        status: take.optional(status),
        initiator: take.optional(row(kinds.employee), 'only documents of this employee: id or personnel number'),
        deleted: take.flag('only deleted ones'),
        limit: take.defaulting(count(), 'the maximum number', 50),
      },
      examples: ['documents list --initiator 000123 --limit 10', 'documents list --deleted --json'],
      async run({ store, tenant }, { status, initiator, deleted, limit }) {
        const filter: Filter<DocumentRow> = {
          tenant_id: tenant._id,
          listed: !deleted,
          ...(status && { status }),
          ...(initiator && { initiator_employee_id: initiator._id }),
        };
        const rows = await store.documents.find(filter).sort({ create_time: -1, _id: -1 }).limit(limit).toArray();
        return listing(rows, columns, rows.map(documentJson));
      },
    }),
    show: command({
      about: 'Show a document: its route with every slot, its files, the events that are not relayed yet.',
      takes: { document },
      examples: ['documents show DOCUMENT_ID', 'documents show DOCUMENT_ID --json'],
      run: async (_, { document }) => ({ json: documentJson(document), text: documentParts(document) }),
    }),
    ...Object.fromEntries(moves.map((move) => [move.name, moving(move)])),
  },
};
