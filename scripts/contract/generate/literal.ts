import { entriesOf, type Json } from '../read.ts';

const WIDTH = 120;
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/**
 * A JSON value as TypeScript source, on one line if it fits. From the second line on, lines are indented by `indent`
 * levels of two spaces.
 */
export function literal(value: Json, indent = 0): string {
  const line = inline(value);
  if (line.length + indent * 2 <= WIDTH || typeof value !== 'object' || value === null) return line;
  const pad = '  '.repeat(indent + 1);
  const end = '  '.repeat(indent);
  if (Array.isArray(value)) {
    return `[\n${value.map((part) => `${pad}${literal(part, indent + 1)},\n`).join('')}${end}]`;
  }
  const fields = entriesOf(value).map(([key, part]) => `${pad}${keyText(key)}: ${literal(part, indent + 1)},\n`);
  return `{\n${fields.join('')}${end}}`;
}

function inline(value: Json): string {
  if (typeof value === 'string') {
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  }
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = entriesOf(value).map(([key, part]) => `${keyText(key)}: ${inline(part)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** `listEmployees` as `ListEmployees`: how the types of an operation begin. */
export const capitalized = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** A key of an object literal, quoted only where it must be. */
const keyText = (key: string): string => (IDENTIFIER.test(key) ? key : inline(key));

/** The first line of every generated file: how the file is made and what it is. */
export const heading = (what: string): string =>
  `// Made from openapi.yaml by \`npm run generate\`; never edited by hand. ${what}.\n`;
