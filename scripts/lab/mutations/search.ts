/**
 * Searches for the mutations that a judge finds. A whole run takes minutes, so a mutation's own rule is asked first. What
 * fails is asked again, and without the mutation.
 */
import type { Bench, Finding, Judgement, JudgeName, OpenedCopy } from './bench.ts';
import { withMutation } from './copy.ts';
import type { Mutation } from './mutation.ts';
import type { Side } from './verdict.ts';

/** How many of the rules or tests that failed with one mutation are asked a second time: more than fail where one wait was in vain. */
const REPEATED = 100;
/** How many of those that failed only once are told. */
const TOLD = 5;

/**
 * A copy without a mutation. What fails with a mutation counts only if it passes here: other work on the machine can make
 * a rule or a test fail.
 */
export function controlOf(bench: Pick<Bench, 'open'>, judge: JudgeName) {
  const passes = new Map<string, boolean>();
  let copy: OpenedCopy | undefined;
  /** Settles when the last question is answered: runs of the suite on one service would disturb each other. */
  let last: Promise<unknown> = Promise.resolve();

  async function tried(names: readonly string[]): Promise<string[]> {
    const unknown = names.filter((name) => !passes.has(name));
    if (unknown.length > 0) {
      copy ??= await bench.open(judge, []);
      const { failed, undecided, unclear } = await copy.ask(unknown);
      const wrong = new Set([...failed.map(({ name }) => name), ...undecided]);
      for (const name of unknown) passes.set(name, unclear === undefined && !wrong.has(name));
    }
    return names.filter((name) => passes.get(name));
  }

  return {
    /** Those of the rules or test files that pass. */
    passing(names: readonly string[]): Promise<string[]> {
      const answer = last.then(() => tried(names));
      last = answer.catch(() => {});
      return answer;
    },

    async stop(): Promise<void> {
      await copy?.close();
    },
  };
}

type Lane = Pick<Bench, 'folder' | 'open'>;

interface Search {
  readonly judge: JudgeName;
  readonly control: ReturnType<typeof controlOf>;
  /** Copies, on each of which one mutation is tried at a time. */
  readonly benches: readonly Lane[];
  /** Gets each verdict as soon as it is known. */
  note(mutation: Mutation, side: Side): void;
}

/** What has to run so that all this is judged again: the rules during which others found something, too. */
const namesOf = (failed: readonly Finding[]): string[] => [
  ...new Set(failed.flatMap(({ name, during = [] }) => [name, ...during])),
];

/** What these rules or tests, by default all, say of the mutation in a copy: it is caught by one that fails twice. */
async function sideOf({ control }: Search, copy: OpenedCopy, names?: readonly string[]): Promise<Side> {
  const first = await copy.ask(names);
  const suspects = await control.passing(first.failed.map(({ name }) => name));
  const few = first.failed.filter(({ name }) => suspects.includes(name)).slice(0, REPEATED);
  const doubtful = [...namesOf(few), ...first.undecided];
  const again: Judgement = doubtful.length > 0 ? await copy.ask(doubtful) : first;
  const passing = await control.passing(doubtful);
  const found = again.failed.find(({ name }) => passing.includes(name));
  if (found !== undefined) return { state: 'caught', by: found.name, reason: found.reason };
  const unsteady = first.failed.slice(0, TOLD).map(({ name }) => name);
  const isDecided = again.undecided.length === 0;
  const reason = first.unclear ?? again.unclear ?? (isDecided ? '' : `undecided: ${again.undecided.join(', ')}`);
  return {
    ...(reason === '' ? { state: 'survived' } : { state: 'unclear', reason }),
    ...(unsteady.length > 0 && { unsteady }),
  };
}

/** The service does not start with the mutation. */
class StartFailure extends Error {}

/** What the judge says of one mutation. */
async function tried(search: Search, bench: Lane, mutation: Mutation): Promise<Side> {
  const { judge } = search;
  const own = judge === 'suite' && mutation.rule !== undefined ? [mutation.rule] : undefined;
  const open = () => bench.open(judge, [mutation.file]);
  try {
    return await withMutation(bench.folder, mutation, async () => {
      // On a busy machine a start can fail by itself.
      const copy = await open()
        .catch(open)
        .catch((error: Error) => {
          throw judge === 'suite' ? new StartFailure(error.message) : error;
        });
      try {
        const side = own && (await sideOf(search, copy, own));
        return side?.state === 'caught' ? side : await sideOf(search, copy);
      } finally {
        await copy.close();
      }
    });
  } catch (error) {
    const state = error instanceof StartFailure ? 'does_not_start' : 'unclear';
    return { state, reason: (error as Error).message };
  }
}

/** Hands each mutation to a copy that is free. */
export async function searchAll(search: Search, mutations: readonly Mutation[]): Promise<void> {
  const left = [...mutations];
  const lane = async (bench: Lane) => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      search.note(next, await tried(search, bench, next));
  };
  await Promise.all(search.benches.map(lane));
}
