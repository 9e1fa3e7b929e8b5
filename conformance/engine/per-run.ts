/** What rules make once in a run. Modules live longer than a run, so they keep nothing of it in variables. */
import { type ReasonCode, RuleUntested } from '../judge/outcome.ts';
import type { Profile } from '../profile/profile.ts';
import { remembered } from '../remembered.ts';
import type { TestContext } from './test-context.ts';
import { Uses } from './uses.ts';

type OfTenant = Pick<TestContext, 'tenant'>;

/**
 * State that lasts as long as a run, for each of its tenants.
 * @param make the state at the beginning
 */
export function perRun<State>(make: () => State): (t: OfTenant) => State {
  const stateOf = remembered((_tenant: Profile) => make());
  return ({ tenant }) => stateOf(tenant);
}

/** How something is made, for what the arguments say. */
type Make<Made, Args extends readonly unknown[]> = (t: TestContext, ...args: Args) => Promise<Made>;

/** What was made for the rules of a run, or why it could not be. */
type Ending<Made> = { readonly value: Made } | { readonly error: unknown };

/** Something that a rule makes, and what it uses for that. */
interface Making<Made> {
  readonly by: TestContext;
  readonly uses: Uses;
  readonly ending: Promise<Ending<Made>>;
}

/** These say that the rule that was making it had to end. */
const OWN_ENDS: readonly ReasonCode[] = ['timed_out', 'not_run'];
const isOwnEnd = (error: unknown) => error instanceof RuleUntested && OWN_ENDS.includes(error.code);

/**
 * What becomes of something that was made: it serves all rules; it is the answer to those that waited for it, and made
 * again for the next one; or each that waited makes it again.
 */
type Fate = 'kept' | 'told' | 'again';

/**
 * Something that is made for the first rule that asks for it, and serves others. There is one for each value of the first
 * argument. Each rule that it serves needs what it was made with.
 */
function madeOnce<Made, Args extends readonly unknown[]>(
  make: Make<Made, Args>,
  fateOf: (ending: Ending<Made>, by: TestContext) => Fate,
): Make<Made, Args> {
  const states = perRun(() => new Map<unknown, Making<Made>>());
  const begun = (t: TestContext, args: Args): Making<Made> => {
    const uses = new Uses();
    const ending = t
      .usingFor(uses, () => make(t, ...args))
      .then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
    return { by: t, uses, ending };
  };
  return async (t, ...args) => {
    const [state, [id]] = [states(t), args];
    for (;;) {
      const making = state.get(id) ?? begun(t, args);
      state.set(id, making);
      const ending = await (making.by === t ? making.ending : t.whileIdle(making.ending));
      // Alone, a rule makes what failed beside others once more.
      const isOwn = !t.isRepeated || making.by.isRepeated || making.by.waitedInVain === undefined;
      const fate = 'value' in ending || isOwn ? fateOf(ending, making.by) : 'again';
      if (fate !== 'kept' && state.get(id) === making) state.delete(id);
      if (fate !== 'again' || making.by === t) return taken(t, making, ending);
    }
  };
}

function taken<Made>(t: TestContext, { by, uses }: Making<Made>, ending: Ending<Made>): Made {
  t.uses.add(uses);
  if ('value' in ending) return ending.value;
  t.last = by.last;
  if (by !== t) t.shareDoubtOf(by);
  throw ending.error;
}

/**
 * What a run has once. What failed is made again by the next rule, which then meets only faults of its own.
 * @param isKept whether what was made serves others, too; else each makes its own
 */
export const oncePerRun = <Made, Args extends readonly unknown[]>(
  make: Make<Made, Args>,
  isKept: (made: Made) => boolean = () => true,
): Make<Made, Args> => madeOnce(make, (ending) => ('value' in ending && isKept(ending.value) ? 'kept' : 'again'));

/**
 * A long scenario that many rules judge. If it failed, each of them reports this and shows the exchange at fault. If that
 * need not be the target's fault, it is played once more, for the first rule that is checked again. If only the rule that
 * played it had to end, the next one plays it.
 */
export function sharedScenario<Played>(play: Make<Played, []>): Make<Played, []> {
  const played = madeOnce(play, (ending, by) => {
    if ('value' in ending) return 'kept';
    if (isOwnEnd(ending.error)) return 'again';
    return by.doubt !== undefined && !by.isRepeated ? 'told' : 'kept';
  });
  // A check may be one, and gets more than this.
  return (t) => played(t);
}
