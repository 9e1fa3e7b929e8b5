/**
 * The code around what Ajv writes: Ajv's code as an expression, the formats that it calls, and the limit on violations.
 */
import { readFile } from 'node:fs/promises';
import typescript from 'typescript';

/**
 * A request is reported with at most this many violations. Checking stops there, so that a hostile body cannot use up
 * memory.
 */
export const MAX_VIOLATIONS = 100;

/** Ajv writes an ES module. Its exports become the fields of one object, so that two compilations fit into one file. */
export function asExpression(code: string, limited: boolean): string {
  const names: string[] = [];
  let text = code
    .replace(/^"use strict";/, '')
    .replace(/export const (\w+) = (\w+);/g, (_match, name: string, value: string) => {
      names.push(`${name}: ${value}`);
      return '';
    })
    .replace(/^export default .*$/gm, '')
    .replace(/require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g, 'ucs2length');
  text = leaner(text);
  if (limited) {
    text = text
      .replace(
        /if\(vErrors === null\)\{\nvErrors = \[(\w+)\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}/g,
        'vErrors = added(vErrors, $1);',
      )
      .replace(/vErrors\.concat\(/g, 'joined(vErrors, ');
    if (/\.push\(/.test(text)) throw new Error('Ajv reports an error in a way that the limit does not cover.');
  }
  return `(() => {\n${text.trim()}\nreturn { ${names.join(', ')} };\n})()`;
}

/**
 * Removes what Ajv writes and nobody reads: the bookkeeping of evaluated properties, which only unevaluated* and
 * $dynamicRef read, schemas that the code never uses, and the place of each keyword in its schema.
 */
function leaner(code: string): string {
  let text = code.replace(/^\/\*# sourceURL.*\*\/;\n/gm, '').replace(/,schemaPath:"[^"]*"/g, '');
  if (!/unevaluated|dynamicRef/.test(text)) {
    text = text
      .replace(
        /const evaluated\d+ = validate\d+\.evaluated;\n(?:if\(evaluated\d+\.dynamic\w+\)\{\nevaluated\d+\.\w+ = undefined;\n\}\n)+/g,
        '',
      )
      .replace(/^(?:validate|evaluated)\d+\.(?:evaluated|props|items) = .*;\n/gm, '')
      .replaceAll(', dynamicAnchors={}}={}', '}={}')
      .replaceAll(',dynamicAnchors})', '})');
    if (/evaluated\d/.test(text))
      throw new Error('Ajv accounts for evaluated properties in a way that is not known here.');
  }
  const uses = new Map<string, number>();
  for (const [name] of text.matchAll(/\bschema\d+\b/g)) uses.set(name, (uses.get(name) ?? 0) + 1);
  return text
    .replace(/^const (schema\d+) = .*\n/gm, (line, name: string) => (uses.get(name) === 1 ? '' : line))
    .replace(/\n{2,}/g, '\n');
}

/** The formats and other functions that the compiled code calls, as JavaScript. */
export async function runtimeText(): Promise<string> {
  const source = await readFile(new URL('./formats.ts', import.meta.url), 'utf8');
  const { outputText } = typescript.transpileModule(source, {
    compilerOptions: { target: typescript.ScriptTarget.ES2024, module: typescript.ModuleKind.ESNext },
  });
  return outputText
    .replace(/^export (?=const|function)/gm, '')
    .replace(/^export \{\};$/gm, '')
    .replace(/^\/\*\*[\s\S]*?\*\/\n/, '')
    .trim();
}

/** The limit on violations: a full list is thrown as an exception, which the function that callers use catches. */
export function boundText(): string {
  return `
class Full {
  constructor(errors) { this.errors = errors; }
}
function added(errors, error) {
  if (errors === null) return [error];
  if (errors.push(error) >= ${MAX_VIOLATIONS}) throw new Full(errors);
  return errors;
}
function joined(errors, more) {
  return more.reduce(added, errors);
}
function bounded(validate) {
  const check = (value) => {
    try {
      const valid = validate(value);
      check.errors = valid ? null : validate.errors;
      return valid;
    } catch (error) {
      if (!(error instanceof Full)) throw error;
      check.errors = error.errors;
      return false;
    }
  };
  check.errors = null;
  return check;
}
`.trim();
}
