/** What the source demands, sentence by sentence, with what proves each sentence: `statements.yaml`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { rules } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';

/** As it is written in the file, which says what each field means. */
export interface Statement {
  readonly id: string;
  readonly text: string;
  readonly section: string;
  /** The part of the section; absent if it has none. */
  readonly under?: string;
  readonly operations?: readonly string[];
  readonly decisions?: readonly string[];
  readonly departs?: readonly string[];
  readonly rules?: readonly string[];
  readonly families?: readonly string[];
  readonly unproved?: string;
}

const FILE = join(import.meta.dirname, '../statements.yaml');

let known: readonly Statement[] | undefined;

/** In the order of the source. */
export function statements(): readonly Statement[] {
  known ??= (parse(readFileSync(FILE, 'utf8')) as { statements: Statement[] }[]).flatMap(({ statements, ...place }) =>
    statements.map((one) => ({ ...place, ...one })),
  );
  return known;
}

/** What proves a statement: all rules of a family, or one rule. A name that there is not has none. */
export const proofsOf = ({ rules: ids = [], families = [] }: Statement): Rule[][] => [
  ...families.map((name) => rules.filter(({ family }) => family === name)),
  ...ids.map((name) => rules.filter(({ id }) => id === name)),
];

interface Decision {
  readonly title: string;
  readonly departures?: readonly { readonly kind: string; readonly source: string; readonly instead: string }[];
}

/** Where decisions go beyond the source or against it, each under the name that statements give it. */
export const departures = Object.entries<Decision>(contract['x-decisions']).flatMap(([decision, { departures = [] }]) =>
  departures.map(({ kind, source, instead }) => ({ decision, kind, instead, name: `${decision}: ${source}` })),
);

/** Those that a statement names by how they begin. */
export const departuresOf = ({ departs = [] }: Statement) =>
  departures.filter(({ name }) => departs.some((begin) => name.startsWith(begin)));
