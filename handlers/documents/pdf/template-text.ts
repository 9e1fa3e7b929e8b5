/** The text of a template itself, which must be printable when a version is published (D-17). */
import type { VariableSchema } from '../../../generated/client/types.gen.ts';
import type { Content } from '../templates/content.ts';
import { blocksOf } from '../templates/fill.ts';
import { notPrinted, unprintableIn } from './glyphs.ts';

/** Members of a block that name or choose something, and are not printed. */
const NAMES = new Set(['type', 'variable', 'field', 'when', 'align']);

/** The texts in a part of a template, by their paths. */
function* textsIn(part: unknown, path: string): Generator<[path: string, text: string]> {
  if (typeof part === 'string') yield [path, part];
  if (typeof part !== 'object' || part === null) return;
  for (const [name, inner] of Object.entries(part)) {
    if (!NAMES.has(name)) yield* textsIn(inner, Array.isArray(part) ? `${path}[${name}]` : `${path}.${name}`);
  }
}

/** A sentence for each text of a valid template that has a character which is not printed. */
export function printProblems(content: Content, schema: VariableSchema): string[] {
  const texts = [...textsIn(blocksOf(content, schema), 'blocks'), ...textsIn(content.labels, 'labels')];
  return texts.flatMap(([path, text]) => {
    const found = unprintableIn(text);
    return found === undefined ? [] : [`${path}: ${notPrinted(found)}`];
  });
}
