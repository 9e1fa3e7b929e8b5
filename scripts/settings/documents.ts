/** `settings documents`: the state of documents, and the moves that have no operation (D-20). */
import { type Command, InvalidArgumentError } from 'commander';
import type { DocumentRow, EmployeeRow, Filter } from '../../handlers/data/store.ts';
import { saysSomething } from '../../handlers/documents/workflow/input.ts';
import { possibleIn } from '../../handlers/documents/workflow/tables.ts';
import { ApiError } from '../../handlers/http/errors.ts';
import { limit, shown } from './arguments.ts';
import { type At, type Column, type Context, group, withExamples } from './context.ts';
import { type Meant, managerOf, remove, requestChanges, revoke } from './documents-acts.ts';
import { documentText, documentTold, short } from './documents-shown.ts';
import { misuse, refuse } from './failure.ts';
import { find, kinds } from './lookup.ts';

const COMMENT_LIMIT = 2_000;
const STATUSES = ['DRAFT', 'ON_APPROVAL', 'ON_SIGN', 'COMPLETED', 'REJECTED', 'CHANGE_REQUESTED', 'REVOKED'];

function statusOf(text: string): DocumentRow['status'] {
  const status = STATUSES.find((known) => known === short(text));
  if (status === undefined) return misuse(`"${text}" is no status. These are: ${STATUSES.join(', ')}.`);
  return `DOCUMENT_STATUS_${status}` as DocumentRow['status'];
}

function commentOf(text: string): string {
  if (!saysSomething(text)) throw new InvalidArgumentError('It must say something.');
  if ([...text].length > COMMENT_LIMIT)
    throw new InvalidArgumentError(`It must have at most ${COMMENT_LIMIT} characters.`);
  return text;
}

const columns: readonly Column<DocumentRow>[] = [
  ['TITLE', ({ title }) => title],
  ['STATUS', ({ status, listed }) => (listed ? short(status) : 'deleted')],
  ['NUMBER', ({ number }) => number],
  ['INITIATOR', ({ initiator_employee_id }) => initiator_employee_id],
  ['UPDATED', ({ update_time }) => shown(update_time)],
  ['ID', ({ _id }) => _id],
];

const employee = (at: At, wanted: string) => find<EmployeeRow>(at, kinds.employee, wanted);
const document = (at: At, wanted: string) => find<DocumentRow>(at, kinds.document, wanted);

interface ListFlags {
  status?: string;
  initiator?: string;
  deleted?: boolean;
  limit: number;
}

async function listed(at: At, { status, initiator, deleted, limit }: ListFlags): Promise<DocumentRow[]> {
  const filter: Filter<DocumentRow> = {
    tenant_id: at.tenant._id,
    listed: !deleted,
    ...(status && { status: statusOf(status) }),
    ...(initiator && { initiator_employee_id: (await employee(at, initiator))._id }),
  };
  return at.store.documents.find(filter).sort({ create_time: -1, _id: -1 }).limit(limit).toArray();
}

type Kind = 'request_changes' | 'revoke' | 'delete';

interface Move {
  readonly kind: Kind;
  readonly name: string;
  readonly done: string;
  readonly description: string;
  readonly by: string;
  act(meant: Meant, by: string, comment: string): Promise<DocumentRow>;
}

const moves: readonly Move[] = [
  {
    kind: 'request_changes',
    name: 'request-changes',
    done: 'Requested changes to',
    description: 'Send a document back to its initiator, as a participant whose turn it is.',
    by: 'who requests: an employee with an active slot, by id or personnel number',
    act: requestChanges,
  },
  {
    kind: 'revoke',
    name: 'revoke',
    done: 'Revoked',
    description: 'Take a document back that is on its way or was sent back.',
    by: "who revokes: the initiator or the initiator's direct manager, by id or personnel number",
    act: revoke,
  },
  {
    kind: 'delete',
    name: 'delete',
    done: 'Deleted',
    description: 'Delete a document: no operation shows it any more. It cannot be undone.',
    by: 'who deletes: the initiator, by id or personnel number',
    act: remove,
  },
];

/** Explains why the state machine refused, for an administrator, who may see everything. */
async function explained(at: At, { kind, name }: Move, id: string, by: string, error: unknown): Promise<never> {
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

function addMove(documents: Command, { inTenant }: Context, move: Move): void {
  const command = documents
    .command(move.name)
    .description(move.description)
    .argument('<document>', 'id or number')
    .requiredOption('--by <employee>', move.by);
  if (move.kind === 'request_changes') command.requiredOption('--comment <text>', 'what is to be changed', commentOf);
  command.action(
    inTenant(async (at, wanted: string, flags: { by: string; comment?: string }) => {
      const { _id } = await document(at, wanted);
      const by = (await employee(at, flags.by))._id;
      const meant = { store: at.store, tenantId: at.tenant._id, documentId: _id };
      const row = await move
        .act(meant, by, flags.comment ?? '')
        .catch((error: unknown) => explained(at, move, _id, by, error));
      return {
        json: documentTold(row),
        text: `${move.done} the document ${_id}: ${row.listed ? short(row.status) : 'deleted'}.`,
      };
    }),
  );
  const comment = move.kind === 'request_changes' ? ' --comment "Исправьте даты"' : '';
  withExamples(command, [`documents ${move.name} DOCUMENT_ID --by 000123${comment}`]);
}

export function documentsCommand(context: Context): Command {
  const { inTenant, list } = context;
  const documents = group(
    'documents',
    'Documents: list, show, and the moves that the interface has no operation for.',
    ['documents list --status ON_SIGN', 'documents show DOCUMENT_ID', 'documents revoke DOCUMENT_ID --by 000123'],
  );
  const lists = documents
    .command('list')
    .description('List documents, newest first; no deleted ones unless asked for.')
    .option('--status <status>', STATUSES.join(', '))
    .option('--initiator <employee>', 'only those of an employee: id or personnel number')
    .option('--deleted', 'only deleted ones')
    .option('--limit <N>', 'at most so many', limit, 50)
    .action(
      inTenant(async (at, flags: ListFlags) => {
        const rows = await listed(at, flags);
        return list(rows, columns, rows.map(documentTold));
      }),
    );
  withExamples(lists, ['documents list --initiator 000123 --limit 10', 'documents list --deleted --json']);
  const show = documents
    .command('show')
    .description('Show a document: its route with every slot, its files, the events that are not relayed yet.')
    .argument('<document>', 'id or number')
    .action(
      inTenant(async (at, wanted: string) => {
        const row = await document(at, wanted);
        return { json: documentTold(row), text: documentText(row, context.surroundings.width) };
      }),
    );
  withExamples(show, ['documents show DOCUMENT_ID', 'documents show DOCUMENT_ID --json']);
  for (const move of moves) addMove(documents, context, move);
  return documents;
}
