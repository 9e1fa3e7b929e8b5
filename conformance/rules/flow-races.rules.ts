import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorName } from '../../generated/contract.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { series } from './shared/calls.ts';
import {
  type Action,
  act,
  approval,
  type Cast,
  cast,
  type Document,
  outline,
  readDocument,
  sent,
  signing,
  slotOf,
} from './shared/document-calls.ts';
import { after, type Model, type Move, outlineOf, refusals } from './shared/flow-model.ts';
import { type Race, races } from './shared/flow-races.ts';
import { bodyOf, broughtTo } from './shared/flow-states.ts';

/** How often each race is run. */
const ROUNDS = 3;

/** The same acts have the same name. */
const nameOf = ({ action, by, plan, step }: Move): string =>
  [action, 'by', by, step === undefined ? '' : `in step ${step}`, action === '_set_route' ? JSON.stringify(plan) : '']
    .join(' ')
    .trim();

/** The result if the acts come one after another in some order. */
interface RaceOutcome {
  outline: string;
  /** The names of the acts that were accepted, sorted. */
  accepted: string[];
  /** Why acts with a name were refused. */
  refused: Readonly<Record<string, readonly ErrorName[]>>;
}

/** The outcomes that some order of the acts has. */
function outcomesOf(model: Model, acts: readonly Move<Action>[]): RaceOutcome[] {
  if (acts.length === 0) return [{ outline: outlineOf(model), accepted: [], refused: {} }];
  const first = acts.filter((one, nth) => acts.findIndex((other) => nameOf(other) === nameOf(one)) === nth);
  return first.flatMap((move) => {
    const errors = refusals(model, move);
    const others = acts.toSpliced(acts.indexOf(move), 1);
    return outcomesOf(errors.length === 0 ? after(model, move) : model, others).map((later) =>
      errors.length === 0
        ? { ...later, accepted: [...later.accepted, nameOf(move)].sort() }
        : {
            ...later,
            refused: { ...later.refused, [nameOf(move)]: [...(later.refused[nameOf(move)] ?? []), ...errors] },
          },
    );
  });
}

/** The body of an act; it names the slot if the act does. */
function actBody(t: TestContext, who: Cast, document: Document, { by, action, plan = [], step }: Move<Action>): object {
  const slot = step === undefined ? {} : { participant_id: slotOf(t, document, step, who[by]) };
  return { ...bodyOf(t, who, action, plan), ...slot };
}

async function run(t: TestContext, race: Race): Promise<void> {
  const who = cast(t, { spread: true });
  for (let round = 0; round < ROUNDS; round++) {
    const { document, model } = await broughtTo(t, who, race);
    // The order in which they leave is another in each round.
    const acts = round % 2 === 0 ? race.atOnce : race.atOnce.toReversed();
    const ready = acts.map((move) => ({ move, body: actBody(t, who, document, move) }));
    const answers = await Promise.all(
      ready.map(({ move, body }) => act(who[move.by].api, document.id, move.action, body)),
    );
    const names = acts.map(nameOf);
    const accepted = names.filter((_, nth) => answers[nth]?.status === 200).sort();
    const end = outline(t, await readDocument(who.full.api, document.id));
    const same = outcomesOf(model, acts).filter(
      (one) => one.outline === end && JSON.stringify(one.accepted) === JSON.stringify(accepted),
    );
    t.check(same.length > 0, `no order of the acts accepts ${accepted.join(', ') || 'none'} and ends with ${end}`);
    for (const [nth, answer] of answers.entries()) {
      if (answer.status === 200) continue;
      answer.fails(
        [...new Set(same.flatMap(({ refused }) => refused[names[nth] ?? ''] ?? []))],
        `${names[nth]} at once`,
      );
    }
  }
}

for (const race of races) {
  rule({
    id: race.id,
    family: 'acts at once',
    text: `At once, ${race.what}: the answers and the document are those of some order of the acts.`,
    place: 'setDocumentRoute, sendDocument, approveDocument, signDocument, rejectDocument',
    decisions: ['D-18', 'D-19'],
    check: (t) => run(t, race),
  });
}

const STEPS = 6;
/** A quick target may answer each request before the next one comes; one that lets all pass does so in every round. */
const MOST_ROUNDS = 4 * ROUNDS;
/** So that the further rounds do not use up the limit of the keys. */
const BETWEEN_MS = 1_000;

for (const [action, step] of [
  ['_approve', approval],
  ['_sign', signing],
] as const) {
  rule({
    id: `FLOW-atOnce.${action.slice(1)}`,
    family: 'acts at once',
    text: `Requests to ${action} at once that name no slot are for the slot that is active when they come: they do not pass as many steps as they are.`,
    place: action === '_approve' ? 'approveDocument' : 'signDocument',
    decisions: ['D-19'],
    check: async (t) => {
      const { full } = cast(t, { spread: true });
      const steps = series(STEPS, () => step(full));
      let isHeld = false;
      for (let round = 0; round < (isHeld ? ROUNDS : MOST_ROUNDS); round++) {
        if (round >= ROUNDS) await pause(BETWEEN_MS);
        const { id } = await sent(t, full, [...steps, signing(full)]);
        const answers = await Promise.all(steps.map(() => act(full.api, id, action)));
        for (const answer of answers) {
          if (answer.status !== 200) answer.fails(['DOCUMENT_INVALID_STATUS_TRANSITION', 'INVALID_ARGUMENT'], action);
        }
        const passed = answers.filter(({ status }) => status === 200).length;
        const { route } = await readDocument(full.api, id);
        const done = route.steps.filter(({ status }) => status === t.spelling.step_status.COMPLETED).length;
        t.equal(done, passed, 'steps that were passed, by the number of accepted requests');
        isHeld ||= passed < STEPS;
      }
      t.check(isHeld, `each of ${STEPS} requests at once passed a step, in each of ${MOST_ROUNDS} rounds`);
    },
  });
}
