/** A mutation: one fault in the source of the service, of a kind that developers make. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { placeOf } from './place.ts';

const CATALOGUE = join(import.meta.dirname, 'catalogue');

const mutation = z.object({
  id: z.string().regex(/^[\w.-]+$/),
  /** From the root of the project. */
  file: z.string(),
  /** Code that is in the file once; layout and the names of local variables do not count. */
  find: z.string().min(1),
  replace: z.string(),
  /** What a customer would see, in one sentence. */
  effect: z.string().regex(/\S/),
  /** The rule that was written for this kind of fault: it alone has to find the mutation. */
  rule: z.string().optional(),
  /** Why nothing has to find it; a mutation with a reason that nothing finds is no failure. */
  reason: z.string().optional(),
});

export type Mutation = z.infer<typeof mutation>;

/** The mutations of a YAML or JSON file. @throws Error if it holds no list of mutations, or an id twice */
export function mutationsIn(file: string): Mutation[] {
  const found = z.array(mutation).parse(parse(readFileSync(file, 'utf8')));
  const ids = found.map(({ id }) => id);
  const twice = ids.find((id, nth) => ids.indexOf(id) !== nth);
  if (twice !== undefined) throw new Error(`${file} has ${twice} twice`);
  return found;
}

/** The mutations of this project. They are chosen from the contract and the source, not from the rules. */
export const catalogue = (): Mutation[] => readdirSync(CATALOGUE).flatMap((file) => mutationsIn(join(CATALOGUE, file)));

/** The part of the service in which the mutation is: the folder below `handlers/`. */
export const areaOf = ({ file }: Pick<Mutation, 'file'>): string => file.split('/')[1]?.replace(/\.ts$/, '') ?? '';

/** @throws Error unless its code is in the source exactly once */
export function mutated(source: string, { id, file, find, replace }: Mutation): string {
  const place = placeOf(source, find, replace);
  if (typeof place === 'number') throw new Error(`${id}: its code is ${place} times in ${file}, not once`);
  return source.slice(0, place.start) + place.replacement + source.slice(place.end);
}

/** The id of the mutation, and why it cannot be made in this project; undefined if it can. */
export function misfitOf(root: string, one: Mutation): [[id: string, why: string]] | undefined {
  try {
    const source = readFileSync(join(root, one.file), 'utf8');
    return mutated(source, one) === source ? [[one.id, `${one.id}: it changes nothing`]] : undefined;
  } catch (error) {
    return [[one.id, (error as Error).message]];
  }
}
