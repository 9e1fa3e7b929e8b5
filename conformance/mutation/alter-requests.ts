/** Ways to alter what is asked and answered, which faults of several files share. */

import { type ErrorName, errors } from '../../generated/contract.ts';
import { after, everything, isFor, keyOf, status } from './alter.ts';
import type { Alter, ProxiedAnswer } from './fault.ts';

/** Gives an error of the catalogue another status. */
export const otherError = (name: ErrorName, code: number): Alter => status(code, isFor(errors[name].reason));

/** After an answer for which `of` holds, gives the same answer to every later request with its key and its target. */
export const sticky = (of: (answer: ProxiedAnswer) => boolean): Alter =>
  after(everything, (answer, asked, memory) => {
    const name = `stuck ${keyOf(asked)} ${asked.target}`;
    if (of(answer)) memory.notes.set(name, answer);
    return (memory.notes.get(name) as ProxiedAnswer | undefined) ?? answer;
  });
