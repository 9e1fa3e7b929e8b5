import fc from 'fast-check';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import {
  type Action,
  type ActorName,
  act,
  actions,
  cast,
  draft,
  operationOfAction,
  outline,
  rejection,
} from './shared/document-calls.ts';
import { after, allowed, fresh, type Move, outlineOf, type PlannedStep, refusals } from './shared/flow-model.ts';
import { bodyOf } from './shared/flow-states.ts';

const WALKS = 6;
const actor = fc.constantFrom<ActorName>('full', 'second', 'restricted');
const who = fc.uniqueArray(actor, { minLength: 1, maxLength: 3 });
const stepsOfType = (type: PlannedStep['type'], minLength: number) =>
  fc.array(fc.record({ type: fc.constant(type), any: fc.boolean(), who }), { minLength, maxLength: 2 });
const route = fc
  .tuple(stepsOfType('APPROVAL', 0), stepsOfType('SIGNING', 1))
  .map((parts): PlannedStep[] => parts.flat());

/** A turn makes either one of the allowed moves or any move at all. */
interface Turn {
  any: { by: ActorName; action: Action };
  plan: PlannedStep[];
  pick: number;
  wild: boolean;
}
const turn: fc.Arbitrary<Turn> = fc.record({
  any: fc.record({ by: actor, action: fc.constantFrom(...actions) }),
  plan: route,
  pick: fc.nat(1000),
  // In two thirds of the turns the move is an allowed one.
  wild: fc.integer({ min: 0, max: 2 }).map((n) => n === 0),
});

async function walk(t: TestContext, turns: readonly Turn[], log: string[]): Promise<void> {
  const actors = cast(t);
  const { id } = await draft(t, actors.full.api);
  let model = fresh();
  for (const { any, plan, pick, wild } of turns) {
    const possible = allowed(model, plan);
    // A rejection ends a walk, so it is seldom chosen.
    const choices = possible.filter(({ action }) => action !== '_reject' || pick % 7 === 0);
    const move: Move<Action> = (!wild && choices[pick % Math.max(1, choices.length)]) || { ...any, plan };
    const errors = refusals(model, move);
    const { api, id: employeeId } = actors[move.by];
    // Only who may reject has a slot to name.
    const isRejection = move.action === '_reject' && errors.length === 0;
    const body = isRejection ? await rejection(api, id, employeeId) : bodyOf(t, actors, move.action, plan);
    if (errors.length === 0) model = after(model, move);
    const wanted = errors.length === 0 ? outlineOf(model) : errors.join(' or ');
    log.push(`${move.action} by ${move.by} ${JSON.stringify(body)} → ${wanted}`);
    const answer = await act(api, id, move.action, body);
    if (errors.length > 0) answer.fails(errors);
    else {
      t.equal(outline(t, answer.ok(operationOfAction[move.action]).document), wanted, 'statuses', answer);
    }
  }
  const end = (await actors.full.api.get(`/documents/${id}`)).ok('getDocument').document;
  t.equal(outline(t, end), outlineOf(model), 'the document at the end of the walk');
}

rule({
  id: 'FLOW-14',
  text: 'On random walks the service allows exactly the moves of the table, and each leads exactly where the table says.',
  place: 'setDocumentRoute, sendDocument, approveDocument, signDocument',
  decisions: ['D-15', 'D-18', 'D-19'],
  check: async (t) => {
    const seed = Number.parseInt(t.run_id, 16) | 0;
    const property = fc.asyncProperty(fc.array(turn, { minLength: 10, maxLength: 16, size: 'max' }), async (turns) => {
      const log: string[] = [];
      try {
        await walk(t, turns, log);
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'Violation') throw error;
        const lines = log.map((line, n) => `${n + 1}. ${line}`).join('\n');
        error.message = `${error.message}; walk (seed ${seed}):\n${lines}`;
        throw error;
      }
    });
    // The first failing walk is reported as it is: finding a shorter one would cost the target many more walks.
    const details = await fc.check(property, { numRuns: WALKS, seed, endOnFailure: true });
    if (details.failed) throw details.errorInstance;
  },
});
