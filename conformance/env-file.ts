/** Files of NAME=value lines, in which a profile's keys stand. */
import type { Profile } from './profile.ts';

/** NAME=value lines; blank lines and lines that begin with # are left out, quotes around a value are taken off. */
export function parseEnvFile(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined)
      variables[match[1]] = match[2].replace(/^(["'])(.*)\1$/, '$2');
  }
  return variables;
}

/**
 * Keys without those whose line in the file is left empty: nobody has made them, so their rules are UNTESTED.
 * A variable that stands nowhere is no such statement, and stays.
 */
export function keysAtHand(
  keys: Profile['keys'],
  env: Readonly<Record<string, string | undefined>>,
  file: Readonly<Record<string, string>>,
): Profile['keys'] {
  const isAtHand = (name: string) => env[name] !== undefined || file[name] !== '';
  const kept = Object.entries(keys).flatMap(([name, variables]): [string, string | string[]][] => {
    if (typeof variables === 'string') return isAtHand(variables) ? [[name, variables]] : [];
    return [[name, variables.filter(isAtHand)]];
  });
  return { full: [], ...Object.fromEntries(kept) };
}
