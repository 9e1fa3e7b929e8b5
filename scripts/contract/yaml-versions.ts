/**
 * Two versions of YAML are in use. A reader of 1.1 must read the contract in the same way as a reader of 1.2, which
 * ours is.
 */
import { isCollection, LineCounter, parseDocument, Scalar, visit } from 'yaml';

/**
 * The places of a YAML text that readers of YAML 1.1 refuse or understand differently from readers of 1.2: words such
 * as `yes` and `off`, times, octal and sexagesimal numbers, and `?` in an unquoted text between brackets.
 * @returns one sentence for each place, with its line. The remedy is always to add quotes.
 */
export function otherReadings(text: string): string[] {
  const lines = new LineCounter();
  const newer = parseDocument(text, { version: '1.2', lineCounter: lines });
  const older = parseDocument(text, { version: '1.1' });
  const read = new Map<number, unknown>();
  visit(older, {
    Scalar(_key, { range, value }) {
      if (range) read.set(range[0], value);
    },
  });
  const found: string[] = [];
  visit(newer, {
    Scalar(_key, { range, value, type }, path) {
      if (!range) return;
      const source = text.slice(range[0], range[1]);
      const say = (what: string) => {
        found.push(`line ${lines.linePos(range[0]).line}: YAML 1.1 ${what}. Put quotes around it: ${source}`);
      };
      const other = read.get(range[0]);
      if (!Object.is(other, value)) say(`reads ${other instanceof Date ? 'a time' : JSON.stringify(other)}`);
      const isInFlow = path.some((above) => isCollection(above) && above.flow);
      // The grammar of YAML 1.1 wants a point and a sign, and PyYAML follows it.
      if (typeof value === 'number' && /e/i.test(source) && !/\.\d*e[+-]/i.test(source)) say('reads a text');
      if (type === Scalar.PLAIN && isInFlow && source.includes('?')) say('refuses ? between brackets');
    },
  });
  return found;
}
