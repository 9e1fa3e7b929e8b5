/** A mutation: one fault in the source of the service, of a kind that developers make. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const CATALOGUE = join(import.meta.dirname, 'catalogue');

const mutation = z.object({
  id: z.string().regex(/^[\w.-]+$/),
  /** From the root of the project. */
  file: z.string(),
  /** Code that is in the file once; its layout does not count. */
  find: z.string().min(1),
  replace: z.string(),
  /** What a customer would see, in one sentence. */
  effect: z.string().regex(/\S/),
  /** The rule that was written for this kind of fault: it is asked first. */
  rule: z.string().optional(),
  /** Why nothing has to find it; a mutation with a reason that nothing finds is no failure. */
  reason: z.string().optional(),
});

export type Mutation = z.infer<typeof mutation>;
export type PlantedCode = Pick<Mutation, 'id' | 'file' | 'find' | 'replace'>;

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

const isClosing = (token = '') => /^[)\]}]$/.test(token);

/** Finds code whatever its layout is: with any white space, and with or without a comma before a closing bracket or at its end. */
function patternOf(code: string): RegExp {
  const all = code.match(/[\w$]+|\S/g) ?? [];
  const tokens = all.filter((token, nth) => token !== ',' || !isClosing(all[nth + 1]));
  const parts = tokens.map((token, nth) => {
    const literal = token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    const before = nth === 0 ? '' : '\\s*';
    if (token === ',' && nth === tokens.length - 1) return '(?:\\s*,)?';
    return before + (isClosing(token) ? `,?\\s*${literal}` : literal);
  });
  // Of a longer word it is no part.
  const edge = (token = '') => (/^\w/.test(token) ? '\\b' : '');
  return new RegExp(`${edge(tokens[0])}${parts.join('')}${edge(tokens.at(-1))}`, 'g');
}

/** @throws Error unless its code is in the source exactly once */
export function mutated(source: string, { id, file, find, replace }: PlantedCode): string {
  const [place, ...others] = source.matchAll(patternOf(find));
  if (place === undefined || others.length > 0) {
    throw new Error(`${id}: its code is ${place === undefined ? 0 : 1 + others.length} times in ${file}, not once`);
  }
  return source.slice(0, place.index) + replace + source.slice(place.index + place[0].length);
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
