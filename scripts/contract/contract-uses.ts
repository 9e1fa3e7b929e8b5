/**
 * What the server uses of the contract, by the words of its source: the name of an input must stand in the rooms of its
 * tag, or in those that every operation passes; a value in any. A name that these use for something else hides an input that nobody reads;
 * the rules of the suite find what such an input fails to do.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../generated/contract.ts';

/** Something of the contract that the server must use. */
export interface ContractName {
  /** Of an input, as the coverage of the suite names it: `createDocument body title`. Of an error: `error` and its name. */
  readonly name: string;
  readonly isUsed: boolean;
  /** The files that have most of the names beside it: the fields of the same object, the values of the same enumeration. */
  readonly neighbours: readonly string[];
}

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
/** Identifiers, and whole texts. */
const WORDS = /[\p{L}\w]+|'[^'\n]+'/gu;
const SHOWN_NEIGHBOURS = 8;

/**
 * Which inputs and errors the server uses.
 * @param root of the project @param inputs the names of the inputs of each operation
 */
export function contractUses(
  root: string,
  inputs: Readonly<Record<string, readonly string[]>>,
  errors: readonly string[],
): ContractName[] {
  const files = globSync('handlers/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const source = files.map((file) => {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(COMMENTS, '');
    const words = text.match(WORDS)?.map((word) => word.replaceAll("'", ''));
    return { file, room: file.split('/')[1], words: new Set(words) };
  });
  const tags = new Map<string, string>(Object.values(operations).map(({ operationId, tag }) => [operationId, tag]));
  const rooms = new Set<string | undefined>(tags.values());
  return Object.entries({ ...inputs, error: errors }).flatMap(([holder, names]) =>
    names.map((name) => {
      const isValue = holder === 'error' || name.includes(' = ');
      const inReach = source.filter(({ room }) => isValue || room === tags.get(holder) || !rooms.has(room));
      const beside = names.filter((other) => other !== name && holderOf(other) === holderOf(name)).map(wordOf);
      const counts = inReach.map(({ file, words }) => ({
        file,
        count: beside.filter((word) => words.has(word)).length,
      }));
      const most = counts.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
      return {
        name: `${holder} ${name}`,
        isUsed: inReach.some(({ words }) => words.has(wordOf(name))),
        neighbours: most.slice(0, SHOWN_NEIGHBOURS).map(({ file }) => file),
      };
    }),
  );
}

/** What the source calls an input: its value if it is one of an enumeration, else the last name of its path. */
function wordOf(name: string): string {
  const [path = '', value] = name.split(' = ');
  return value ?? path.replaceAll('[]', '').replace(/^.*[ .]/, '');
}

/** What an input stands in: the object of a field, the field of a value. */
const holderOf = (name: string): string =>
  name.includes(' = ') ? name.replace(/ = .*/, '') : name.replace(/[^ .]+$/, '');
