/** What holds for every document in every answer. */
import type { Document, Step } from '../../generated/client/types.gen.ts';
import { type Spelling, spellingOf, wordOf } from '../profile/spelling.ts';
import { type Check, firstComplaint } from './universal-check.ts';

type Complaint = string | undefined;

function* documentsIn(body: unknown): Generator<Document> {
  const { document, documents } = (body ?? {}) as { document?: Document; documents?: Document[] };
  if (document) yield document;
  if (Array.isArray(documents)) yield* documents;
}

/** The first complaint about any document of an answer; null if it holds no document. */
function everyDocument(complain: (document: Document, spelling: Spelling) => Complaint): Check {
  return ({ body, isError, values }) =>
    firstComplaint(isError ? [] : documentsIn(body), (document) => {
      const complaint = complain(document, spellingOf(values));
      return complaint === undefined ? '' : `document ${document.id}: ${complaint}`;
    });
}

/** The statuses of a step's slots that each status of the step allows. */
const SLOTS: Readonly<Record<string, RegExp>> = {
  PENDING: /^(PENDING )+$/,
  ACTIVE: /^(ACTIVE |APPROVED |SIGNED )*ACTIVE (ACTIVE |APPROVED |SIGNED )*$/,
  COMPLETED: /^((APPROVED |SKIPPED )*APPROVED (APPROVED |SKIPPED )*|(SIGNED |SKIPPED )*SIGNED (SIGNED |SKIPPED )*)$/,
  REJECTED: /^(APPROVED |SIGNED |SKIPPED )*REJECTED (APPROVED |SIGNED |SKIPPED )*$/,
  CANCELLED: /^((PENDING )+|(APPROVED |SIGNED |SKIPPED |CHANGE_REQUESTED )+)$/,
};

/** The statuses of the steps, in order, that each status of the route allows. */
const STEPS: Readonly<Record<string, RegExp>> = {
  UNSPECIFIED: /^$/,
  DRAFT: /^(PENDING )+$/,
  ACTIVE: /^(COMPLETED )*ACTIVE (PENDING )*$/,
  COMPLETED: /^(COMPLETED )+$/,
  REJECTED: /^(COMPLETED )*REJECTED (CANCELLED )*$/,
  CANCELLED: /^(COMPLETED )*(CANCELLED )+$/,
};

/** The statuses of the route that each status of the document allows. */
const ROUTES: Readonly<Record<string, RegExp>> = {
  DRAFT: /^(UNSPECIFIED|DRAFT)$/,
  ON_APPROVAL: /^ACTIVE$/,
  ON_SIGN: /^ACTIVE$/,
  COMPLETED: /^COMPLETED$/,
  REJECTED: /^REJECTED$/,
  CHANGE_REQUESTED: /^(CANCELLED|DRAFT)$/,
  REVOKED: /^(CANCELLED|DRAFT)$/,
};

const joined = (words: Readonly<Record<string, string>>, all: readonly { status: string }[]): string =>
  all.map(({ status }) => `${wordOf(words, status)} `).join('');

function stepComplaint(step: Step, position: number, spelling: Spelling): Complaint {
  const { index, status, participants, step_type, rule } = step;
  const { step_status, step_rule } = spelling;
  if (index !== position) return `step ${position} has the index ${index}`;
  // A skipped slot may have been given to the one behind it (D-37).
  const slots = joined(spelling.participant_status, participants).replace(/SKIPPED (?=\w)/g, '');
  if (!SLOTS[wordOf(step_status, status)]?.test(slots)) return `a step is ${status}, its slots are ${slots}`;
  if (wordOf(spelling.step_type, step_type) === 'UNSPECIFIED' || wordOf(step_rule, rule) === 'UNSPECIFIED')
    return `a step of ${step_type} is completed by ${rule}`;
  const wrong = step_type === spelling.step_type.APPROVAL ? 'SIGNED' : 'APPROVED';
  if (slots.includes(wrong)) return `a slot of ${step_type} is ${wrong}`;
  if (status === step_status.COMPLETED && rule === step_rule.ALL && slots.includes('SKIPPED'))
    return 'a slot was skipped under ALL';
  if (rule === step_rule.ANY && status === step_status.ACTIVE && /APPROVED|SIGNED/.test(slots))
    return 'a step is still active although one has acted under ANY';
  return undefined;
}

function routeComplaint({ status, route }: Document, spelling: Spelling): Complaint {
  const { route_status, step_status, step_type } = spelling;
  const [is, of] = [wordOf(spelling.document_status, status), wordOf(route_status, route.status)];
  const steps = joined(step_status, route.steps);
  if (!ROUTES[is]?.test(of)) return `is ${status}, its route ${route.status}`;
  if (!STEPS[of]?.test(steps)) return `the route is ${route.status}, its steps are ${steps}`;
  for (const [position, step] of route.steps.entries()) {
    const complaint = stepComplaint(step, position, spelling);
    if (complaint !== undefined) return complaint;
  }
  if (route.active !== (route.status === route_status.ACTIVE)) return `active is ${route.active} in ${route.status}`;
  if ((route.id === '') !== (route.status === route_status.UNSPECIFIED))
    return `${route.status} with the id ${route.id}`;
  const active = route.steps.find((step) => step.status === step_status.ACTIVE);
  if (active && (active.step_type === step_type.APPROVAL) !== (is === 'ON_APPROVAL'))
    return `is ${status} while a step of ${active.step_type} is active`;
  const types = route.steps.map((step) => step.step_type as string);
  const firstSigning = types.indexOf(step_type.SIGNING);
  if (firstSigning >= 0 && types.lastIndexOf(step_type.APPROVAL) > firstSigning)
    return 'an approval step stands behind a signing step';
  return undefined;
}

function complaintAbout(document: Document, spelling: Spelling): Complaint {
  const { status, files, create_time, update_time, completed_at } = document;
  const wrong = routeComplaint(document, spelling);
  if (wrong !== undefined) return wrong;
  const is = wordOf(spelling.document_status, status);
  if ((completed_at !== '') !== (is === 'COMPLETED')) return `is ${status} with completed_at "${completed_at}"`;
  if (update_time < create_time) return 'was changed before it was created';
  const kinds = files.map(({ file_type }) => wordOf(spelling.file_type, file_type));
  if (kinds[0] !== 'PDF' || kinds.lastIndexOf('PDF') !== 0) return `its files are ${kinds.join()}`;
  if (kinds.includes('UNSPECIFIED')) return 'a file has the placeholder as its type';
  if (kinds.includes('SIGNED_PDF') && is !== 'COMPLETED') return `has a signed PDF while ${status}`;
  return undefined;
}

/** The checks by the ids of their rules. */
export const documentChecks: Readonly<Record<string, Check>> = {
  'FLOW-13': everyDocument(complaintAbout),
};
