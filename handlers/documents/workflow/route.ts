/** The rules for the steps of a route (D-18): those that the body alone can break, and who may take part. */
import type { SetDocumentRouteRequest } from '../../../generated/client/types.gen.ts';
import type { Violation } from '../../answers/errors.ts';
import type { StoredParticipant, StoredStep } from '../../data/collections/documents.ts';
import type { CheckedRequest } from '../../http/handler.ts';
import { Refusal } from './relied-on.ts';

/** A step of the request, with defaults filled in. */
export interface RouteStep extends Pick<StoredStep, 'step_type' | 'rule'> {
  readonly participants: readonly Pick<StoredParticipant, 'employee_id' | 'key_type'>[];
}

/** The steps of a body of the right shape. `""` counts as absent (D-6a). */
export function routeSteps({ steps }: SetDocumentRouteRequest): RouteStep[] {
  return steps.map(({ step_type, rule, participants }) => ({
    step_type,
    rule: rule || 'STEP_RULE_ALL',
    participants: participants.map(({ employee_id, key_type }) => ({
      employee_id,
      key_type: key_type || 'SIMPLE',
    })),
  }));
}

/** The field of the body that names a participant's employee. */
function participantField(step: number, participant: number): string {
  return `steps[${step}].participants[${participant}].employee_id`;
}

/**
 * The rules of a route that the steps break: no approval after a signing step, at least one signing step, no EDS in an
 * approval step, each employee at most once in a step. Fields of a wrong shape are missing here and break none of them.
 */
export function routeViolations({ body }: Pick<CheckedRequest<'setDocumentRoute'>, 'body'>): Violation[] {
  const { steps } = body;
  if (steps === undefined) return [];
  const found: Violation[] = [];
  const signing = steps.findIndex((step) => step?.step_type === 'STEP_TYPE_SIGNING');
  if (signing < 0 && steps.every((step) => step?.step_type !== undefined)) {
    found.push({ field: 'steps', description: 'must hold at least one step of STEP_TYPE_SIGNING' });
  }
  for (const [i, step] of steps.entries()) {
    const isApproval = step?.step_type === 'STEP_TYPE_APPROVAL';
    if (isApproval && signing >= 0 && i > signing) {
      found.push({ field: `steps[${i}].step_type`, description: 'must not be an approval after a signing step' });
    }
    const seen = new Set<string>();
    for (const [j, participant] of (step?.participants ?? []).entries()) {
      const employeeId = participant?.employee_id;
      if (isApproval && participant?.key_type === 'EDS') {
        found.push({
          field: `steps[${i}].participants[${j}].key_type`,
          description: 'must not be EDS in an approval step',
        });
      }
      if (employeeId === undefined) continue;
      if (seen.has(employeeId)) {
        found.push(new Refusal('participant_once', participantField(i, j)));
      }
      seen.add(employeeId);
    }
  }
  return found;
}

/** A violation for each participant who may not take part, of a route that is to be set or that was set before. */
export function unfitParticipants(
  steps: readonly RouteStep[],
  mayTakePart: (employeeId: string) => boolean,
): Refusal[] {
  return steps.flatMap(({ participants }, i) =>
    participants.flatMap(({ employee_id }, j) =>
      mayTakePart(employee_id) ? [] : [new Refusal('participant_there', participantField(i, j))],
    ),
  );
}
