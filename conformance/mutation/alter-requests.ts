/** Ways to alter what is asked and answered, which faults of several files share. */

import { type ErrorName, errors } from '../../generated/errors.ts';
import { after, bodies, everything, isFor, type Json, keyOf, permits, queries, status } from './alter.ts';
import type { Alter, ProxiedAnswer, ProxiedRequest } from './fault.ts';

const KEY = 'INTEGRATION.API_KEY_INVALID';

/**
 * Lets refused requests in: sends a request again with the key `full` if `when` holds for its answer. By default, that
 * is the refusal of an invalid key.
 */
export const letIn = (when: (answer: ProxiedAnswer, asked: ProxiedRequest) => boolean = isFor(KEY)): Alter =>
  permits(everything, 'full', when);

/** Gives an error of the catalogue another status. */
export const otherError = (name: ErrorName, code: number): Alter => status(code, isFor(errors[name].reason));

/** After an answer for which `of` holds, gives the same answer to every later request with its key and its target. */
export const sticky = (of: (answer: ProxiedAnswer) => boolean): Alter =>
  after(everything, (answer, asked, memory) => {
    const name = `stuck ${keyOf(asked)} ${asked.target}`;
    if (of(answer)) memory.notes.set(name, answer);
    return (memory.notes.get(name) as ProxiedAnswer | undefined) ?? answer;
  });

/** Changes a value of the query before the target reads it, as if the target accepted more than it may. */
export const changedQueryValue = (name: string, change: (value: string) => string): Alter =>
  queries(everything, (query) => {
    const value = query.get(name);
    if (value !== null) query.set(name, change(value));
  });

const CREATE = 'createDocument';

/** Changes the body of a request that creates a document. */
export const creationBody = (change: (json: Json) => void): Alter => bodies(CREATE, (json) => change(json));
