import type { BSONRegExp } from 'bson';
import { fail } from './errors.ts';

const SYNTAX = '^$\\.*+?()[]{}|/';

/**
 * Translates a MongoDB (PCRE) pattern into a JavaScript one with the same meaning. For `.`, `^` and `$` only the line
 * feed ends a line; `\s` covers only ASCII. What JavaScript does not support fails with 51091; its meaning is never
 * changed.
 */
export function toRegExp(source: BSONRegExp): RegExp {
  const { pattern, options } = source;
  if (/[^imsxu]/.test(options)) fail(51108, `invalid flag in regex options: ${options}`);
  if (options.includes('x')) fail(51091, "Regular expression is invalid: the option 'x' is not supported here");
  if (pattern.includes('[:') || pattern.includes('[.')) {
    fail(51091, 'Regular expression is invalid: POSIX classes are not supported here');
  }
  try {
    return new RegExp(translate(pattern, options), options.includes('i') ? 'iu' : 'u');
  } catch (error) {
    return fail(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
}

function translate(pattern: string, options: string): string {
  const multiline = options.includes('m');
  let result = '';
  let inClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] as string;
    if (char === '\\') result += translateEscape(pattern[++i] ?? '', inClass);
    else if (inClass) {
      if (char === ']') inClass = false;
      result += char === '[' ? '\\[' : char;
    } else if (char === '[') {
      inClass = true;
      result += char;
      // PCRE takes a closing bracket directly at the start of a class literally.
      if (pattern[i + 1] === '^') result += pattern[++i];
      if (pattern[i + 1] === ']') {
        result += '\\]';
        i++;
      }
    } else if (char === '.') result += options.includes('s') ? '[^]' : '[^\\n]';
    else if (char === '^') result += multiline ? '(?<![^\\n])' : '^';
    else if (char === '$') result += multiline ? '(?![^\\n])' : '(?=\\n?$)';
    else if ((char === '{' && !/^\{\d+(,\d*)?\}/.test(pattern.slice(i))) || char === ']') result += `\\${char}`;
    else if (char === '}' && !/\{\d+(,\d*)?$/.test(pattern.slice(0, i))) result += '\\}';
    else result += char;
  }
  return result;
}

function translateEscape(char: string, inClass: boolean): string {
  if (char === 's') return inClass ? '\\t-\\r ' : '[\\t-\\r ]';
  if (char === 'S' && !inClass) return '[^\\t-\\r ]';
  if (char === 'A' && !inClass) return '^';
  if (char === 'z' && !inClass) return '$';
  if (char === 'Z' && !inClass) return '(?=\\n?$)';
  // A punctuation mark may be escaped even if it needs no escape.
  if (/[^\w\s]/.test(char) && !SYNTAX.includes(char) && !(inClass && char === '-')) return char;
  return char === ' ' ? char : `\\${char}`;
}
