/**
 * Searches for the mutations that a judge finds. A whole run takes minutes, so several mutations are tried together
 * first. What failed then is asked again with each of them alone, and without any.
 */
import type { Bench, Finding, Judgement, JudgeName, OpenedCopy } from './bench.ts';
import { withMutations } from './copy.ts';
import { areaOf, type Mutation } from './mutation.ts';
import type { Side } from './verdict.ts';

/** How many of the rules or tests that failed with one mutation are asked a second time. */
const REPEATED = 5;
/** With so many failures, one mutation of a pack hides the others. */
const MANY = 120;

/**
 * A copy without a mutation. What fails with a mutation counts only if it passes here: other work on the machine can make
 * a rule or a test fail.
 */
export class Control {
  readonly #bench: Pick<Bench, 'open'>;
  readonly #judge: JudgeName;
  readonly #passes = new Map<string, boolean>();
  #copy: OpenedCopy | undefined;
  /** Settles when the last question is answered: runs of the suite on one service would disturb each other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(bench: Pick<Bench, 'open'>, judge: JudgeName) {
    this.#bench = bench;
    this.#judge = judge;
  }

  /** Those of the rules or test files that pass. */
  passing(names: readonly string[]): Promise<string[]> {
    const answer = this.#last.then(() => this.#passing(names));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #passing(names: readonly string[]): Promise<string[]> {
    const unknown = names.filter((name) => !this.#passes.has(name));
    if (unknown.length > 0) {
      this.#copy ??= await this.#bench.open(this.#judge, []);
      const { failed, undecided, unclear } = await this.#copy.ask(unknown);
      const wrong = new Set([...failed.map(({ name }) => name), ...undecided]);
      for (const name of unknown) this.#passes.set(name, unclear === undefined && !wrong.has(name));
    }
    return names.filter((name) => this.#passes.get(name));
  }

  async stop(): Promise<void> {
    await this.#copy?.close();
  }
}

type Lane = Pick<Bench, 'folder' | 'open'>;

export interface Search {
  readonly judge: JudgeName;
  readonly control: Control;
  /** Copies, on each of which one mutation is tried at a time. */
  readonly benches: readonly Lane[];
  /** The most mutations in a pack. */
  readonly size: number;
  readonly stop: AbortSignal;
  /** Gets each verdict as soon as it is known. */
  note(mutation: Mutation, side: Side): void;
  say(line: string): void;
}

/** What has to run so that all this is judged again. */
const namesOf = ({ failed, undecided = [] }: Partial<Judgement> & { failed: readonly Finding[] }): string[] => [
  ...new Set([...failed.flatMap(({ name, during = [] }) => [name, ...during]), ...undecided]),
];

/** Packs of nearly equal size; mutations of one part of the service are spread over them. */
export function packsOf(mutations: readonly Mutation[], size: number): Mutation[][] {
  const count = Math.ceil(mutations.length / size);
  const packs = Array.from({ length: count }, (): Mutation[] => []);
  const sorted = mutations.toSorted((a, b) => areaOf(a).localeCompare(areaOf(b)) || a.file.localeCompare(b.file));
  for (const [nth, mutation] of sorted.entries()) packs[nth % count]?.push(mutation);
  return packs;
}

/** The service does not start with the mutations. */
class StartFailure extends Error {}

/** Does the work in a copy with these mutations. @throws StartFailure, and what the work throws */
function opened<T>(
  { judge }: Search,
  bench: Lane,
  mutations: readonly Mutation[],
  work: (copy: OpenedCopy) => Promise<T>,
): Promise<T> {
  const files = mutations.map(({ file }) => file);
  return withMutations(bench.folder, mutations, async () => {
    const open = () => bench.open(judge, files);
    // On a busy machine a start can fail by itself.
    const copy = await open()
      .catch(open)
      .catch((error: Error) => {
        throw judge === 'suite' ? new StartFailure(error.message) : error;
      });
    try {
      return await work(copy);
    } finally {
      await copy.close();
    }
  });
}

/** What these rules or tests say of one mutation: it is caught by one that fails twice. */
async function alone(search: Search, bench: Lane, mutation: Mutation, names: readonly string[]): Promise<Side> {
  try {
    return await opened(search, bench, [mutation], async (copy): Promise<Side> => {
      if (names.length === 0) return { state: 'unclear', reason: 'the run of all gave no result' };
      const first = await copy.ask(names);
      const few = namesOf({ failed: first.failed.slice(0, REPEATED) });
      const again: Judgement | undefined = few.length > 0 ? await copy.ask(few) : undefined;
      const passing = await search.control.passing(few);
      const found = again?.failed.find(({ name }) => passing.includes(name));
      if (found !== undefined) return { state: 'caught', by: found.name, reason: found.reason };
      const unclear = first.unclear ?? (first.undecided.length > 0 && `undecided: ${first.undecided.join(', ')}`);
      return {
        state: unclear ? 'unclear' : 'survived',
        ...(unclear && { reason: unclear }),
        ...(few.length > 0 && { unsteady: few }),
      };
    });
  } catch (error) {
    const state = error instanceof StartFailure ? 'does_not_start' : 'unclear';
    return { state, reason: (error as Error).message };
  }
}

/** Hands each mutation to a copy that is free. */
async function onEach(
  { benches, stop }: Search,
  mutations: readonly Mutation[],
  work: (bench: Lane, mutation: Mutation) => Promise<void>,
): Promise<void> {
  const left = [...mutations];
  await Promise.all(
    benches.map(async (bench) => {
      for (let next = left.shift(); next !== undefined && !stop.aborted; next = left.shift()) await work(bench, next);
    }),
  );
}

/** Tries a pack. @returns the verdicts; a pack that cannot be judged together is halved */
async function tryPack(search: Search, pack: readonly Mutation[]): Promise<Map<Mutation, Side>> {
  const { benches, control, say } = search;
  const [first] = benches;
  if (first === undefined || search.stop.aborted) return new Map();
  const together = await opened(search, first, pack, (copy) => copy.ask()).catch(() => undefined);
  const isJudged = together !== undefined && together.unclear === undefined;
  if (pack.length > 1 && (!isJudged || together.failed.length > MANY)) {
    const half = Math.ceil(pack.length / 2);
    say(`  ${pack.length} together ${isJudged ? 'break nearly everything' : 'cannot be judged'}: two halves`);
    return new Map([...(await tryPack(search, pack.slice(0, half))), ...(await tryPack(search, pack.slice(half)))]);
  }
  const names = await control.passing(together ? namesOf(together) : []);
  say(
    `  ${pack.length} together: ${names.length} of ${search.judge === 'suite' ? 'the rules' : 'the test files'} fail`,
  );
  const sides = new Map<Mutation, Side>();
  await onEach(search, pack, async (bench, mutation) => {
    // A mutation that survives in a pack is not started alone: nothing is there to be asked.
    const side: Side =
      names.length === 0 && isJudged ? { state: 'survived' } : await alone(search, bench, mutation, names);
    sides.set(mutation, together?.unclear && side.state === 'survived' ? { ...side, state: 'unclear' } : side);
  });
  return sides;
}

/**
 * Tries all. What a pack did not find is tried again in other packs, as long as something was found that may have hidden
 * it.
 */
export async function searchAll(search: Search, mutations: readonly Mutation[]): Promise<void> {
  let packs = packsOf(mutations, search.size);
  for (let round = 1; packs.length > 0 && !search.stop.aborted; round++) {
    const left: Mutation[] = [];
    for (const [nth, pack] of packs.entries()) {
      search.say(
        `${search.judge}, round ${round}, pack ${nth + 1} of ${packs.length}: ${pack.map(({ id }) => id).join(', ')}`,
      );
      const sides = await tryPack(search, pack);
      if (search.stop.aborted) return;
      const hasFound = [...sides.values()].some(({ state }) => state === 'caught' || state === 'does_not_start');
      for (const [mutation, side] of sides) {
        const isLast = side.state === 'caught' || side.state === 'does_not_start' || !hasFound;
        if (isLast) search.note(mutation, side);
        else left.push(mutation);
      }
    }
    packs = packsOf(left, search.size);
  }
}

/** Asks each mutation's own rule only. */
export async function searchByOwnRule(search: Search, mutations: readonly Mutation[]): Promise<void> {
  await onEach(search, mutations, async (bench, mutation) => {
    if (mutation.rule === undefined) return;
    const side = await alone(search, bench, mutation, [mutation.rule]);
    if (!search.stop.aborted) search.note(mutation, side);
  });
}
