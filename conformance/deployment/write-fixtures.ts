/** Writes fixtures into the text of a profile. Everything else in the file, comments included, stays unchanged. */
import { parse } from 'yaml';
import { BadProfile, type Profile } from '../profile/profile.ts';
import { type FixtureName, fixtureSchemas } from '../profile/schema.ts';
import type { Discovery } from './discover.ts';

/** Every fixture that a profile can have, with the description of what it must be. */
export const fixtureDescriptions: ReadonlyMap<FixtureName | 'big', string> = new Map(
  Object.entries(fixtureSchemas).map(([name, { description = '' }]) => [name as FixtureName, description]),
);

/** The fixtures block: its own line and the indented lines below it. */
const BLOCK = /^fixtures:.*\n(?:[ \t]+.*\n)*/m;

/** Makes a one-line comment from any text of a target or a person. */
const remark = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/**
 * @param text the profile's present text
 * @param found replaces the fixtures of the same names
 * @throws BadProfile if the file has no `fixtures:` line as `conformance init` writes it
 */
export function withFixtures(text: string, found: readonly Discovery[]): string {
  if (!BLOCK.test(text))
    throw new BadProfile(['the profile has no line that begins with `fixtures:`; add `fixtures: {}` and repeat.']);
  const { fixtures = {} } = parse(text) as Partial<Profile>;
  const before = fixtures as Record<string, unknown>;
  const lines = [...fixtureDescriptions.keys()].flatMap((name) => {
    const one = found.find(({ fixture }) => fixture === name);
    if (one && 'value' in one) return [`  ${name}: ${JSON.stringify(one.value)} # ${remark(one.how)}`];
    const kept = before?.[name];
    if (kept !== undefined) return [keptLines(text, name) ?? `  ${name}: ${JSON.stringify(kept)}`];
    return one && 'missing' in one ? [`  # ${name}: not found: ${remark(one.missing)}`] : [];
  });
  const isEmpty = !lines.some((line) => !line.startsWith('  #'));
  return text.replace(BLOCK, () => `fixtures:${isEmpty ? ' {}' : ''}\n${lines.map((line) => `${line}\n`).join('')}`);
}

/** The present lines of a fixture, with their comments. */
const keptLines = (text: string, name: string) =>
  new RegExp(`^  ${name}:.*(?:\\n   .*)*`, 'm').exec(BLOCK.exec(text)?.[0] ?? '')?.[0];
