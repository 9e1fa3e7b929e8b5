/** The file for the keys of a profile: an empty line for each key, with a description of what the key must be. */
import { parseEnvFile } from '../profile/env-file.ts';
import { namedKeys, type Profile } from '../profile/profile.ts';
import { type KeyName, keySchemas } from '../profile/schema.ts';

/** What a key must be, as the schema says it, without what it says about variables. */
function whatItIs(name: KeyName): string {
  const { description = '', items } = keySchemas[name] ?? {};
  const whole = [items?.description ?? '', description].filter(Boolean).join(' ');
  return whole.replaceAll(/ ?The NAME of an environment variable, never the key itself\./g, '').trim();
}

const preamble = `# Keys for the conformance suite and for load. Only its owner may read this file; never commit it.
# Fill in what you have: NAME=key. A line that stays empty says that there is no such key: its rules will be UNTESTED.
`;

/** @param before the present text of the file; its lines stay, and missing ones are added */
export function envText(keys: Profile['keys'], before = ''): string {
  const there = parseEnvFile(before);
  const lacking = namedKeys(keys).filter(([, variable]) => there[variable] === undefined);
  const blocks = [...Map.groupBy(lacking, ([name]) => name)].map(
    ([name, of]) => `\n# ${whatItIs(name)}\n${of.map(([, variable]) => `${variable}=\n`).join('')}`,
  );
  const start = before === '' ? preamble : before.replace(/\n*$/, '\n');
  return `${start}${blocks.join('')}`;
}
