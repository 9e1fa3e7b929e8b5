/** Ways to alter what is asked and answered, which faults of several files share. */

import { type ErrorName, errors } from '../../generated/errors.ts';
import { bodies, everything, heads, type Json, keyOf, made, madeError, permits, queries, reasonOf } from './alter.ts';
import type { Alter, Answered, Asked } from './fault.ts';

const KEY = 'INTEGRATION.API_KEY_INVALID';

/** Sends a request that the condition refuses again, with the key `full`; by default one with an invalid key. */
export const letIn = (
  when: (answer: Answered, asked: Asked) => boolean = (answer) => reasonOf(answer) === KEY,
): Alter => permits(everything, 'full', when);

/** Gives an error of the catalogue another status. */
export const otherError = (name: ErrorName, status: number): Alter =>
  heads(
    everything,
    (answer) => {
      answer.status = status;
    },
    (answer) => reasonOf(answer) === errors[name].reason,
  );

/** An id that nothing has. */
export const fresh = () => '11111111-2222-4333-8444-555555555555';

/** Once `of` held for an answer, repeats that answer for the key and target. */
export const sticky =
  (of: (answer: Answered) => boolean): Alter =>
  async (asked, forward, memory) => {
    const answer = await forward(asked);
    const name = `stuck ${keyOf(asked)} ${asked.target}`;
    if (of(answer)) memory.notes.set(name, answer);
    return (memory.notes.get(name) as Answered | undefined) ?? answer;
  };

/** Reads a value of the query more tolerantly than allowed. */
export const reads = (name: string, change: (value: string) => string): Alter =>
  queries(everything, (query) => {
    const value = query.get(name);
    if (value !== null) query.set(name, change(value));
  });

/** Refuses what is declared to be accepted, and the other way round. */
export const otherwise =
  (when: (asked: Asked) => boolean): Alter =>
  async (asked, forward, memory) => {
    const answer = await forward(asked);
    if (!when(asked)) return answer;
    return answer.status === 200
      ? madeError('INVALID_ARGUMENT', 'x')
      : (memory.successes.get(asked.operation ?? '') ?? made(200, { employees: [], next_page_token: '' }));
  };

const CREATE = 'createDocument';

/** Changes the body of a creation of a document. */
export const fields = (change: (json: Json) => void): Alter => bodies(CREATE, (json) => change(json));
