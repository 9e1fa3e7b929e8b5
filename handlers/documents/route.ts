/** What a route may be (D-18), as far as the body alone tells. */
import type { SetDocumentRouteRequest } from '../../generated/client/types.gen.ts';
import type { Violation } from '../runtime/errors.ts';
import type { StoredParticipant, StoredStep } from '../runtime/store.ts';

/** A step as it was asked for, with defaults filled in. */
export interface RouteStep extends Pick<StoredStep, 'step_type' | 'rule'> {
  readonly participants: readonly Pick<StoredParticipant, 'employee_id' | 'key_type'>[];
}

/** The steps of a body whose shape is right; `""` counts as absent, ids become lower-case (D-6a, D-14). */
export function routeSteps({ steps }: SetDocumentRouteRequest): RouteStep[] {
  return steps.map(({ step_type, rule, participants }) => ({
    step_type,
    rule: rule || 'STEP_RULE_ALL',
    participants: participants.map(({ employee_id, key_type }) => ({
      employee_id: employee_id.toLowerCase(),
      key_type: key_type || 'SIMPLE',
    })),
  }));
}

/** The name of a participant's employee in the body. */
export function participantField(step: number, participant: number): string {
  return `steps[${step}].participants[${participant}].employee_id`;
}

/** Every rule of a route that the steps break: order of steps, a signing step, EDS, an employee once a step. */
export function routeViolations(steps: readonly RouteStep[]): Violation[] {
  const found: Violation[] = [];
  const signing = steps.findIndex(({ step_type }) => step_type === 'STEP_TYPE_SIGNING');
  if (signing < 0) found.push({ field: 'steps', description: 'must hold at least one step of STEP_TYPE_SIGNING' });
  for (const [i, { step_type, participants }] of steps.entries()) {
    const isApproval = step_type === 'STEP_TYPE_APPROVAL';
    if (isApproval && signing >= 0 && i > signing) {
      found.push({ field: `steps[${i}].step_type`, description: 'must not be an approval after a signing step' });
    }
    const seen = new Set<string>();
    for (const [j, { employee_id, key_type }] of participants.entries()) {
      if (isApproval && key_type === 'EDS') {
        found.push({
          field: `steps[${i}].participants[${j}].key_type`,
          description: 'must not be EDS in an approval step',
        });
      }
      if (seen.has(employee_id)) {
        found.push({ field: participantField(i, j), description: 'must not stand twice in one step' });
      }
      seen.add(employee_id);
    }
  }
  return found;
}

/** Participants that are not among the employees who may be. @param fit ids of those who may */
export function unfitParticipants(steps: readonly RouteStep[], fit: ReadonlySet<string>): Violation[] {
  return steps.flatMap(({ participants }, i) =>
    participants.flatMap(({ employee_id }, j) =>
      fit.has(employee_id)
        ? []
        : [
            {
              field: participantField(i, j),
              description: 'must be an employee whom the initiator sees and who is not terminated',
            },
          ],
    ),
  );
}
