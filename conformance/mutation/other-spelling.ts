/**
 * A target that spells the values of enumerations differently: the same service behind a proxy that respells requests
 * and answers.
 */
import { enumerationPlaces } from '../../generated/contract.ts';
import { ourSpelling, respell } from '../profile/spelling.ts';
import { answers, bodies, both, everything, type Json } from './alter.ts';
import type { Alter } from './fault.ts';

/** Its value for a word: unlike ours, and the same text in several enumerations. */
const theirs = (word: string): string => (word === word.toLowerCase() ? word.toUpperCase() : word.toLowerCase());

/** The profile of such a target, as variables that override it. */
export const otherSpelling: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ourSpelling).flatMap(([name, words]) =>
    Object.keys(words).map((word) => [`CONF_VALUES_${name}_${word}`.toUpperCase(), theirs(word)]),
  ),
);

/** By enumeration: our value, and theirs. */
const pairsOf = (name: string): [string, string][] =>
  Object.entries(ourSpelling[`spelling_${name}`] ?? {}).map(([word, ours]) => [ours, theirs(word)]);

/** Respells every text at a place by a table; the place ends in the name of its enumeration. */
function respellAt(json: Json, place: readonly string[], wordsOf: (name: string) => ReadonlyMap<string, string>): void {
  const words = wordsOf(place.at(-1) ?? '');
  respell(json, place.slice(0, -1), (value) => words.get(value) ?? value);
}

/** The target's value becomes ours. Our own value becomes an unknown one, since this target does not know it. */
const understood = (name: string) =>
  new Map(pairsOf(name).flatMap(([ours, own]) => [[ours, `${ours}?`] as const, [own, ours] as const]));

const REQUESTS: readonly (readonly string[])[] = [
  ['steps', '*', 'step_type', 'step_type'],
  ['steps', '*', 'rule', 'step_rule'],
  ['steps', '*', 'participants', '*', 'key_type', 'key_type'],
  ['signature', 'format', 'signature_format'],
];

const asked: Alter = bodies(['setDocumentRoute', 'signDocument'], (json) => {
  for (const place of REQUESTS) respellAt(json, place, understood);
});

const answered: Alter = answers(everything, (json, { operation }) => {
  for (const place of enumerationPlaces[operation ?? ''] ?? [])
    respellAt(json, place, (name) => new Map(pairsOf(name)));
});

export const respelled: Alter = both(asked, answered);
