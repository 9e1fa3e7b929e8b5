/** Notices answers that another request had got before, as a cache gives them. No answer may be stored (D-8). */
import { type Exchange, headerOf } from '../http/exchange.ts';

/** What a reason says besides where a check has met one. */
export const GIVEN_BEFORE =
  'an answer came once more, to another request, with the same X-Request-Id, as from a cache, although it is no-store';

/** The answers of a run. */
export class GivenAnswers {
  /** By X-Request-Id. */
  readonly #given = new Map<string, string>();
  /** Whether the target has one X-Request-Id for different answers, so that it tells nothing. */
  #isAlike = false;

  /** Whether this is the answer that an earlier request for the same had got. */
  wasGiven({ headers, requestHeaders, target, status, body }: Exchange): boolean {
    const id = headerOf({ headers }, 'x-request-id');
    if (id === undefined || headerOf({ headers: requestHeaders }, 'x-request-id') !== undefined) return false;
    const answer = `${target} ${status} ${body.length}`;
    const before = this.#given.get(id);
    this.#given.set(id, before ?? answer);
    this.#isAlike ||= before !== undefined && before !== answer;
    return before === answer && !this.#isAlike;
  }
}
