/** `npm run conformance -- discover --profile FILE`. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { commandLine, exitingWith, Failure, standardOutput } from '../../scripts/kit/command-line.ts';
import { CONFORMANCE } from '../called-as.ts';
import { type Discovery, discover } from '../deployment/discover.ts';
import { fixtureDescriptions, withFixtures } from '../deployment/write-fixtures.ts';
import { unreachable } from '../http/reach.ts';
import { BadProfile, checkWithoutKeys, loadProfile, type Profile } from '../profile/profile.ts';
import type { FixtureName } from '../profile/schema.ts';
import { exitCodes } from '../report/exit-codes.ts';
import { replaceFile } from '../report/replace-file.ts';

interface Options {
  profile: string;
  set: Record<string, string>;
  refresh?: true;
  drafts: boolean;
  dry?: true;
}

function setting(text: string, before: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=');
  const [name, id] = [text.slice(0, at), text.slice(at + 1).trim()];
  if (at < 1 || id === '' || name === 'big' || !fixtureDescriptions.has(name as FixtureName))
    throw new BadProfile([
      `--set ${at < 1 ? '' : name}: give FIXTURE=ID with one of ${[...fixtureDescriptions.keys()].filter((one) => one !== 'big').join(', ')}.`,
    ]);
  return { ...before, [name]: id };
}

/** Returns the text if it can be loaded as a profile, so that no other is ever written. @throws BadProfile */
function proven(text: string): string {
  checkWithoutKeys(parse(text) as Profile);
  return text;
}

function lineOf(one: Discovery): string {
  if ('value' in one) return `found    ${one.fixture}: ${one.how}`;
  return `MISSING  ${one.fixture}: ${one.missing}\n         It must be: ${fixtureDescriptions.get(one.fixture)}`;
}

/** Finds the fixtures. */
export function discoverCommand(): Command {
  return commandLine(
    `${CONFORMANCE} discover`,
    'Finds values for the fixtures of a profile with its keys, and writes their ids into it.',
  )
    .requiredOption('--profile <file>', 'the profile of the target')
    .option('--set <fixture=id>', 'an id that you know, such as employee_deleted_id=…; may be repeated', setting, {})
    .option('--refresh', 'search again for fixtures that the profile already has')
    .option('--no-drafts', 'make no drafts; then the owners of the keys are not found')
    .option('--dry', 'show what would be written, and do not change the file')
    .addHelpText(
      'after',
      `
It reads lists with the keys, slower than their limit, and writes only ids, no personal data. Only a document shows who
owns a key: with consent to writes it makes one draft with each of full, second_owner, restricted_owner and
reports_owner, the same ones if it is repeated within a day. A run uses the employees and types that are found here in its documents, so if the tenant
has test employees and types, give them with --set; doctor checks whether they are suitable.

Exit codes: 0 every fixture has its id · 2 bad profile or command line · 3 target unreachable
            6 some are missing: the rules that need them will be UNTESTED`,
    )
    .action(exitingWith(findFixtures));
}

/** @returns the exit code */
async function findFixtures(options: Options): Promise<number> {
  const loaded = loadProfile(options.profile);
  const gone = await unreachable(loaded.profile.base_url);
  if (gone !== '') throw new Failure(exitCodes.unreachable, gone);
  const before = loaded.profile.fixtures;
  const fixtures = { ...(options.refresh ? {} : before), ...options.set };
  loaded.profile.fixtures = fixtures;
  const wanted = new Set([...fixtureDescriptions.keys()].filter((name) => fixtures[name] === undefined));
  const given = Object.entries(options.set).map(
    ([fixture, value]): Discovery => ({ fixture: fixture as FixtureName, value, how: 'given with --set' }),
  );
  const searched = wanted.size === 0 ? [] : await discover(loaded, { wanted, drafts: options.drafts });
  // A fixture that is not found again keeps its value.
  const all = [...given, ...searched.filter((one) => !('missing' in one) || before[one.fixture] === undefined)];
  const lacking = all.filter((one) => 'missing' in one).length;
  const text = proven(withFixtures(readFileSync(options.profile, 'utf8'), all));
  if (!options.dry) replaceFile(options.profile, text);
  const next = options.dry ? 'Nothing was written.' : `${options.profile} is written.`;
  const kept = fixtureDescriptions.size - all.length;
  standardOutput.stdout(
    `${[
      ...all.map(lineOf),
      `${all.length - lacking} found, ${lacking} missing${kept > 0 ? `, ${kept} were in the profile` : ''}. ${next}`,
      `Then: ${CONFORMANCE} doctor --profile ${options.profile}`,
    ].join('\n')}\n`,
  );
  return lacking > 0 ? exitCodes.incomplete : exitCodes.conformant;
}
