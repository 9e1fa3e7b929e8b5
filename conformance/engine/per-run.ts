/** What rules make once in a run. Modules live longer than a run, so they keep nothing of it in variables. */
import type { RunContext } from './run-context.ts';
import type { TestContext } from './test-context.ts';
import { Uses } from './uses.ts';

type OfRun = Pick<TestContext, 'run'>;

/**
 * State that lasts as long as a run.
 * @param make the state at the beginning
 */
export function perRun<State>(make: () => State): (t: OfRun) => State {
  const states = new WeakMap<RunContext, State>();
  return ({ run }) => {
    const state = states.has(run) ? (states.get(run) as State) : make();
    states.set(run, state);
    return state;
  };
}

/**
 * Something that is made for the first rule that asks for it, and serves all others. There is one for each value of the
 * first argument.
 * @param make what failed is made again by the next rule, which then meets only faults of its own
 * @param isKept whether it serves others, too; else each makes its own
 */
export function oncePerRun<Made, Args extends readonly unknown[]>(
  make: (t: TestContext, ...args: Args) => Promise<Made>,
  isKept: (made: Made) => boolean = () => true,
): (t: TestContext, ...args: Args) => Promise<Made> {
  const states = perRun(() => new Map<unknown, Promise<{ value: Made; uses: Uses }>>());
  return async (t, ...args) => {
    const [state, [id]] = [states(t), args];
    for (let known = state.get(id); known !== undefined; known = state.get(id)) {
      const made = await known.catch(() => undefined);
      if (made !== undefined && isKept(made.value)) {
        t.uses.add(made.uses);
        return made.value;
      }
      if (state.get(id) === known) state.delete(id);
    }
    const before = new Uses();
    before.add(t.uses);
    const making = make(t, ...args).then((value) => ({ value, uses: t.uses.since(before) }));
    state.set(id, making);
    return (await making).value;
  };
}
