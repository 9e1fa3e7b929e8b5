import { PagedList } from './paging.ts';
import type { CallOptions, RawAnswer, Transport } from './transport.ts';
import type { Answer, Employee, Query } from './types.ts';

/** A write becomes visible a little later than the time that it carries, so each round begins before the last one did. */
const OVERLAP_MS = 60_000;

type EmployeePage = Answer<'listEmployees'>;
export type ChangesQuery = Omit<Query<'listEmployees'>, 'updated_since' | 'page_token'> & {
  /** The {@link EmployeeChanges.next} of the last round; without it the round reads every employee. */
  readonly since?: string | undefined;
};

/**
 * One round of keeping a copy: every employee who changed since the last round, some of them once more than needed.
 * Deleted employees do not appear: only the event `employee.deleted`, or a round without `since`, tells of them.
 */
export class EmployeeChanges extends PagedList<Employee, EmployeePage> {
  readonly #progress: RoundProgress;

  constructor(transport: Transport, { since, ...query }: ChangesQuery, options: CallOptions) {
    const progress: RoundProgress = { startedMs: undefined, isComplete: false };
    const read = async (page_token: string | undefined) => {
      const sentMs = Date.now();
      const filters = { ...query, updated_since: since || undefined, page_token };
      const answer = await transport.raw('listEmployees', { query: filters }, options);
      progress.startedMs ??= serviceTimeMs(answer, Date.now() - sentMs);
      const page = answer.body as EmployeePage;
      progress.isComplete = page.next_page_token === '';
      return page;
    };
    super('listEmployees', read, (page) => page.employees);
    this.#progress = progress;
  }

  /** `since` of the next round. Save it once everything of this round is saved. @throws Error before the end of the round */
  get next(): string {
    const { startedMs, isComplete } = this.#progress;
    if (startedMs === undefined || !isComplete) throw new Error('The round was not read to its end.');
    return new Date(startedMs - OVERLAP_MS).toISOString();
  }
}

interface RoundProgress {
  /** When the first page was read, by the clock of the service. */
  startedMs: number | undefined;
  isComplete: boolean;
}

/** When a request was sent, by the clock of the service: that of this machine may be wrong. */
function serviceTimeMs({ headers }: RawAnswer, durationMs: number): number {
  const date = Date.parse(headers.get('date') ?? '');
  return (Number.isNaN(date) ? Date.now() : date) - durationMs;
}

export type FollowQuery = ChangesQuery & {
  /** How long to wait between rounds; a minute unless stated. */
  readonly everyMs?: number | undefined;
};

/** Rounds without end, until the signal is aborted or the loop is left. */
export async function* followChanges(
  transport: Transport,
  { everyMs = 60_000, ...query }: FollowQuery,
  options: CallOptions,
): AsyncGenerator<EmployeeChanges, void, undefined> {
  let since = query.since;
  for (;;) {
    const round = new EmployeeChanges(transport, { ...query, since }, options);
    yield round;
    since = round.next;
    await transport.pause(everyMs, 'followChanges', options.signal);
  }
}
