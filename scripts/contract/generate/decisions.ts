import { placesOfDecisions } from '../places.ts';
import { asObject, asString, type Contract, ContractError, entriesOf, type Json } from '../read.ts';
import { heading, literal, quote, union } from './literal.ts';

/** The text of generated/decisions.ts: every decision with the places of the contract that rest on it. */
export function decisionsModule(contract: Contract): string {
  const decisions = entriesOf(contract['x-decisions']);
  const places = placesOfDecisions(contract);
  const rows = decisions.map(([id, decision]) => {
    const { title, text } = asObject(decision);
    if (asString(title) === '' || asString(text) === '') {
      throw new ContractError(`x-decisions.${id} must have a title and a text.`);
    }
    const value: Json = {
      title: asString(title),
      text: asString(text).trim(),
      places: (places.get(id) ?? []).map((place) => place.name),
    };
    return `  ${quote(id)}: ${literal(value, 1)},`;
  });
  return `${heading('the decisions that complete the description')}
export type DecisionId = ${union(decisions.map(([id]) => id))};

export interface Decision {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** Where the contract rests on it: operations, parameters, schemas and their properties, headers, events. */
  readonly places: readonly string[];
}

export const decisions: Readonly<Record<DecisionId, Decision>> = {
${rows.join('\n')}
};
`;
}
