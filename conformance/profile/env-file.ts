/** Files of NAME=value lines, which hold a profile's keys. */

/** NAME=value lines. Blank lines and lines that begin with # are ignored; quotes around a value are removed. */
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
 * Keys without those whose line in the file is empty: an empty line says that there is no such key, so its rules are
 * UNTESTED.
 * A variable that is defined nowhere says nothing of the kind, so its key stays.
 */
export function keysAtHand<Keys extends { full: string[] }>(
  keys: Keys,
  env: Readonly<Record<string, string | undefined>>,
  file: Readonly<Record<string, string>>,
): Keys {
  const isAtHand = (name: string) => env[name] !== undefined || file[name] !== '';
  const kept = Object.entries<string | string[]>({ ...keys }).flatMap(
    ([name, variables]): [string, string | string[]][] => {
      if (typeof variables === 'string') return isAtHand(variables) ? [[name, variables]] : [];
      return [[name, variables.filter(isAtHand)]];
    },
  );
  return { full: [], ...Object.fromEntries(kept) } as unknown as Keys;
}
