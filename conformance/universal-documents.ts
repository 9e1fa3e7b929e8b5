/** What holds for every document in every answer. */
import type { Document, Step } from '../generated/client/types.gen.ts';
import type { Check } from './universal.ts';

type Complaint = string | undefined;

function* documentsIn(body: unknown): Generator<Document> {
  const { document, documents } = (body ?? {}) as { document?: Document; documents?: Document[] };
  if (document) yield document;
  if (Array.isArray(documents)) yield* documents;
}

/** The first complaint about any document of an answer; null where it shows none. */
function everyDocument(complain: (document: Document) => Complaint): Check {
  return ({ body, isError }) => {
    if (isError) return null;
    let seen = false;
    for (const document of documentsIn(body)) {
      const complaint = complain(document);
      if (complaint !== undefined) return `document ${document.id}: ${complaint}`;
      seen = true;
    }
    return seen ? '' : null;
  };
}

/** The statuses of a step's slots that a status of the step allows. */
const SLOTS: Readonly<Record<string, RegExp>> = {
  PENDING: /^(PENDING )+$/,
  ACTIVE: /^(ACTIVE |APPROVED |SIGNED )*ACTIVE (ACTIVE |APPROVED |SIGNED )*$/,
  COMPLETED: /^((APPROVED |SKIPPED )*APPROVED (APPROVED |SKIPPED )*|(SIGNED |SKIPPED )*SIGNED (SIGNED |SKIPPED )*)$/,
  REJECTED: /^(APPROVED |SIGNED |SKIPPED )*REJECTED (APPROVED |SIGNED |SKIPPED )*$/,
  CANCELLED: /^((PENDING )+|(APPROVED |SIGNED |SKIPPED |CHANGE_REQUESTED )+)$/,
};

/** The statuses of the steps, in their order, that a status of the route allows. */
const STEPS: Readonly<Record<string, RegExp>> = {
  UNSPECIFIED: /^$/,
  DRAFT: /^(PENDING )+$/,
  ACTIVE: /^(COMPLETED )*ACTIVE (PENDING )*$/,
  COMPLETED: /^(COMPLETED )+$/,
  REJECTED: /^(COMPLETED )*REJECTED (CANCELLED )*$/,
  CANCELLED: /^(COMPLETED )*(CANCELLED )+$/,
};

/** The statuses of the route that a status of the document allows. */
const ROUTES: Readonly<Record<string, RegExp>> = {
  DRAFT: /^(UNSPECIFIED|DRAFT)$/,
  ON_APPROVAL: /^ACTIVE$/,
  ON_SIGN: /^ACTIVE$/,
  COMPLETED: /^COMPLETED$/,
  REJECTED: /^REJECTED$/,
  CHANGE_REQUESTED: /^(CANCELLED|DRAFT)$/,
  REVOKED: /^(CANCELLED|DRAFT)$/,
};

const bare = (status: string): string => status.replace(/^(DOCUMENT|ROUTE|STEP|PARTICIPANT)_STATUS_/, '');
const joined = (all: readonly { status: string }[]): string => all.map(({ status }) => `${bare(status)} `).join('');

function stepComplaint(step: Step, position: number): Complaint {
  const { index, status, participants, step_type, rule } = step;
  if (index !== position) return `step ${position} has the index ${index}`;
  const slots = joined(participants);
  if (!SLOTS[bare(status)]?.test(slots)) return `a step is ${status}, its slots are ${slots}`;
  const wrong = step_type === 'STEP_TYPE_APPROVAL' ? 'SIGNED' : 'APPROVED';
  if (slots.includes(wrong)) return `a slot of ${step_type} is ${wrong}`;
  if (status === 'STEP_STATUS_COMPLETED' && rule === 'STEP_RULE_ALL' && slots.includes('SKIPPED'))
    return 'a slot was skipped under ALL';
  if (rule === 'STEP_RULE_ANY' && status === 'STEP_STATUS_ACTIVE' && /APPROVED|SIGNED/.test(slots))
    return 'a step is still active although one has acted under ANY';
  return undefined;
}

function complaintAbout({ status, route, files, create_time, update_time, completed_at }: Document): Complaint {
  const is = bare(status);
  if (!ROUTES[is]?.test(bare(route.status))) return `is ${status}, its route ${route.status}`;
  if (!STEPS[bare(route.status)]?.test(joined(route.steps)))
    return `the route is ${route.status}, its steps are ${joined(route.steps)}`;
  for (const [position, step] of route.steps.entries()) {
    const complaint = stepComplaint(step, position);
    if (complaint !== undefined) return complaint;
  }
  if (route.active !== (route.status === 'ROUTE_STATUS_ACTIVE')) return `active is ${route.active} in ${route.status}`;
  if ((route.id === '') !== (route.status === 'ROUTE_STATUS_UNSPECIFIED'))
    return `${route.status} with the id ${route.id}`;
  const active = route.steps.find((step) => step.status === 'STEP_STATUS_ACTIVE');
  if (active && (active.step_type === 'STEP_TYPE_APPROVAL') !== (is === 'ON_APPROVAL'))
    return `is ${status} while a step of ${active.step_type} is active`;
  const firstSigning = route.steps.findIndex(({ step_type }) => step_type === 'STEP_TYPE_SIGNING');
  if (
    route.steps.slice(Math.max(0, firstSigning)).some(({ step_type }) => step_type === 'STEP_TYPE_APPROVAL') &&
    firstSigning >= 0
  )
    return 'an approval step stands behind a signing step';
  if ((completed_at !== '') !== (is === 'COMPLETED')) return `is ${status} with completed_at "${completed_at}"`;
  if (update_time < create_time) return 'was changed before it was created';
  const kinds = files.map(({ file_type }) => file_type);
  if (kinds[0] !== 'FILE_TYPE_PDF' || kinds.lastIndexOf('FILE_TYPE_PDF') !== 0) return `its files are ${kinds.join()}`;
  if (kinds.includes('FILE_TYPE_UNSPECIFIED')) return 'a file has the placeholder as its type';
  if (kinds.includes('FILE_TYPE_SIGNED_PDF') && is !== 'COMPLETED') return `has a signed PDF while ${status}`;
  return undefined;
}

function participantComplaint({ route }: Document): Complaint {
  for (const slot of route.steps.flatMap(({ participants }) => participants)) {
    const fields = Object.keys(slot).sort().join();
    if (fields !== 'employee_id,id,key_type,status') return `a participant has the fields ${fields}`;
  }
  return undefined;
}

export const documentChecks: Readonly<Record<string, Check>> = {
  'PRIV-2': everyDocument(participantComplaint),
  'FLOW-13': everyDocument(complaintAbout),
};
