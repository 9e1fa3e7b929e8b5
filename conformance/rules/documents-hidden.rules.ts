/** A document that an owner does not see: each operation answers for it exactly as for one that does not exist. */
import { sharedScenario } from '../engine/per-run.ts';
import { rule } from './rule.ts';
import { callOf, UNKNOWN_ID } from './shared/calls.ts';
import { contractInputs } from './shared/contract-inputs.ts';
import { approval, cast, found, routed, sent, signing, unchanged } from './shared/document-calls.ts';
import { mustLookTheSame } from './shared/same-answer.ts';
import { meantBody, takenInputs } from './shared/target-inputs.ts';

/** Documents whose participants do not see them yet: a draft, and one that waits for the step before theirs. */
const hidden = sharedScenario(async (t) => {
  const { full, second, restricted } = cast(t);
  const steps = [approval(full), signing(second, restricted)];
  return { draft: await routed(t, full, steps), 'document on its way': await sent(t, full, steps) };
});

for (const { operation, body } of contractInputs.filter((one) => one.operation.path.includes('{document_id}'))) {
  const { operationId } = operation;
  rule({
    id: `DREAD-${operationId}.hidden`,
    family: 'documents out of view',
    text: `${operationId} answers for a document out of the owner’s view, and for one of another tenant, exactly as for an unknown one, and changes nothing.`,
    place: operationId,
    decisions: ['D-5', 'D-14'],
    check: async (t) => {
      const { full, second, restricted } = cast(t);
      const documents = Object.entries(await hidden(t));
      const sentBody = body === undefined ? {} : { body: await meantBody(t, takenInputs(t, operationId)) };
      for (const [owner, api] of Object.entries({
        'a participant': second.api,
        'one who sees little': restricted.api,
        'another tenant': t.as('other_tenant'),
      })) {
        const ask = async (of: string) => {
          if (body !== undefined) await t.mayWrite();
          return api.send({ ...callOf(operation, of), ...sentBody });
        };
        const unknown = (await ask(UNKNOWN_ID)).fails('DOCUMENT_NOT_FOUND', `an unknown document, for ${owner}`);
        for (const [what, { id: of, title }] of documents) {
          mustLookTheSame(t, await ask(of), unknown, `a ${what}, for ${owner},`, [of, UNKNOWN_ID]);
          if (operationId === 'getDocument') t.equal(await found(api, title), [], `what ${owner} finds of a ${what}`);
        }
      }
      for (const [, document] of documents) await unchanged(full.api, document, 'what was refused');
    },
  });
}
