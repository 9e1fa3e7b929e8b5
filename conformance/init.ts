/** Writes a commented profile for another deployment. It holds names of variables, never a key. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { BadProfile, checkProfile, keyVariables, type Profile } from './profile.ts';

/** What must be known for a profile. */
export interface Wishes {
  name: string;
  base_url: string;
  tenant: string;
  consent_to_writes: boolean;
  max_writes: number;
  /** Names of the keys at hand, such as `full` or `load`; each gets a variable of its own. */
  keys: string[];
  /** How many equivalent keys `full` has. */
  full_keys: number;
  /** Additions that the target claims. */
  capabilities: string[];
}

const example = readFileSync(join(import.meta.dirname, 'profile.example.yaml'), 'utf8');
const blocks = ['keys', 'fixtures', 'admin'] as const;

/** Every key of the ring but `full`, in the order of the example. */
export const otherKeys: readonly string[] = Object.keys((parse(example) as Profile).keys).filter(
  (name) => name !== 'full',
);

const yaml = (text: string) => JSON.stringify(text);

/** The profile as text: what is at hand is filled in, what is not stands there as a comment. @throws BadProfile */
export function profileText(wishes: Wishes): string {
  const strange = wishes.keys.filter((name) => !otherKeys.includes(name) && name !== 'full');
  if (strange.length > 0) {
    // Not repeated: somebody may have given a key where its name belongs.
    const known = `full, ${otherKeys.join(', ')}`;
    throw new BadProfile([`keys: ${strange.length} of them are no names of keys; give names of ${known}.`]);
  }
  const filled: Readonly<Record<string, string>> = {
    name: yaml(wishes.name),
    base_url: `${yaml(wishes.base_url)} # the suite adds /developer/v1`,
    env_file: '# keys.env # NAME=value lines, relative to this file; variables already set win',
    '  tag': yaml(wishes.tenant),
    '  consent_to_writes': `${wishes.consent_to_writes} # there is no sandbox: say yes only for a tenant that is yours to change`,
    '  max_writes': `${wishes.max_writes} # documents and uploads stay; what is used up makes rules UNTESTED`,
    '  full': `[${Array.from({ length: wishes.full_keys }, (_, at) => `CONF_KEY_FULL_${at + 1}`).join(', ')}] # equivalent keys of one owner`,
    capabilities: `[${wishes.capabilities.map(yaml).join(', ')}] # additions claimed; a claimed one that is absent fails`,
  };
  let block = '';
  const lines = example.split('\n').map((line) => {
    const [, indent = '', name = ''] = /^( *)([a-z_]+):/.exec(line) ?? [];
    if (indent === '' && name !== '') block = name;
    const value = filled[`${indent}${name}`];
    if (name === 'env_file')
      return `# env_file: keys.env # NAME=value lines, relative to this file; variables already set win`;
    if (value !== undefined) return `${indent}${name}: ${value}`;
    if (indent === '' && (name === 'fixtures' || name === 'admin'))
      return `${name}: {} # take the braces away when you fill it in`;
    const isRow = indent !== '' && (blocks as readonly string[]).includes(block);
    return isRow && !(block === 'keys' && wishes.keys.includes(name)) ? `  # ${line.slice(2)}` : line;
  });
  const text = lines.join('\n').replace(/^# A profile tells[\s\S]*?(?=^profile_version)/m, preamble);
  const profile = parse(text) as Profile;
  const stands = Object.fromEntries(keyVariables(profile.keys).map((name) => [name, 'dev_x']));
  checkProfile(profile, stands, () => '');
  return text;
}

const preamble = `# Profile for the conformance suite. Lines that begin with # are not filled in yet: each makes rules UNTESTED, never green.
# conformance/README.md explains it, conformance/profile.schema.json says what each key and fixture must be.
# Keys are given by variables of the environment, never here. Then: npm run conformance -- doctor --profile THIS_FILE
`;

/** The variables that must be set before a run. */
export function variablesOf(text: string): string[] {
  return keyVariables((parse(text) as Profile).keys);
}
