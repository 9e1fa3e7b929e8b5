/** The file for the keys of a profile: an empty line for each key, with a description of what the key must be. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnvFile } from '../profile/env-file.ts';
import type { Profile } from '../profile/profile.ts';

interface KeySchema {
  description?: string;
  items?: { description?: string };
}
const described = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../profile.schema.json'), 'utf8')) as {
    properties: { keys: { properties: Record<string, KeySchema> } };
  }
).properties.keys.properties;

/** What a key must be, as the schema says it, without what it says about variables. */
function whatItIs(name: string): string {
  const { description = '', items } = described[name] ?? {};
  const whole = [items?.description ?? '', description].filter(Boolean).join(' ');
  return whole.replaceAll(/ ?The NAME of an environment variable, never the key itself\./g, '').trim();
}

const preamble = `# Keys for the conformance suite and for load. Only its owner may read this file; never commit it.
# Fill in what you have: NAME=key. A line that stays empty says that there is no such key: its rules will be UNTESTED.
`;

/** @param before the present text of the file; its lines stay, and missing ones are added */
export function envText(keys: Profile['keys'], before = ''): string {
  const there = parseEnvFile(before);
  const blocks = Object.entries(keys).flatMap(([name, variables]) => {
    const lacking = [variables].flat().filter((variable) => there[variable] === undefined);
    return lacking.length === 0 ? [] : [`\n# ${whatItIs(name)}\n${lacking.map((one) => `${one}=\n`).join('')}`];
  });
  const start = before === '' ? preamble : before.replace(/\n*$/, '\n');
  return `${start}${blocks.join('')}`;
}
