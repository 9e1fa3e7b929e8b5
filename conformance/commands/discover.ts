/** `npm run conformance -- discover --profile FILE`. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { parse } from 'yaml';
import { discover } from '../discovery/discover.ts';
import type { Found } from '../discovery/found.ts';
import { fixtureDescriptions, withFixtures } from '../discovery/write.ts';
import { BadProfile, checkWithoutKeys, loadProfile, type Profile } from '../profile/profile.ts';
import type { FixtureName } from '../profile/schema.ts';
import { replaceFile } from '../report/replace-file.ts';
import { exitCodes } from '../report/results.ts';
import { unreachable } from './run.ts';

interface Options {
  profile: string;
  set: Record<string, string>;
  anew?: true;
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

function tell(one: Found): string {
  if ('id' in one) return `found    ${one.fixture}: ${one.how}`;
  if ('big' in one) return `found    big: ${one.how}`;
  return `MISSING  ${one.fixture}: ${one.missing}\n         It must be: ${fixtureDescriptions.get(one.fixture)}`;
}

/** @throws BadProfile */
export async function discoverCommand(argv: readonly string[]): Promise<number> {
  let code: number = exitCodes.conformant;
  await new Command('conformance discover')
    .exitOverride()
    .description('Finds by the keys what fits the fixtures of a profile, and writes the ids into it.')
    .requiredOption('--profile <file>', 'the profile of the target')
    .option('--set <fixture=id>', 'an id that you know, such as employee_deleted_id=…; may be repeated', setting, {})
    .option('--anew', 'look again also for what the profile names already')
    .option('--no-drafts', 'make no drafts; then who owns the keys is not found')
    .option('--dry', 'say what would be written, and leave the file as it is')
    .addHelpText(
      'after',
      `
It reads lists with the keys, slower than their limit, and writes ids, never anything personal. Who owns a key is shown by
a document alone: with consent to writes it makes one draft with each of full, second_owner, restricted_owner and
reports_owner, the same ones when it is repeated within a day. A run names what is found here in its documents, so give employees and types that
are for tests with --set where the tenant has such; doctor looks whether they fit.

Exit codes: 0 every fixture has its id · 2 bad profile or command line · 3 target unreachable
            6 some are missing: the rules that need them will be UNTESTED`,
    )
    .action(async (options: Options) => {
      const loaded = loadProfile(options.profile);
      const gone = await unreachable(loaded);
      if (gone !== '') {
        process.stderr.write(`${gone}\n`);
        code = exitCodes.unreachable;
        return;
      }
      const before = loaded.profile.fixtures;
      const fixtures = { ...(options.anew ? {} : before), ...options.set };
      loaded.profile.fixtures = fixtures;
      const wanted = new Set([...fixtureDescriptions.keys()].filter((name) => fixtures[name] === undefined));
      const given = Object.entries(options.set).map(
        ([fixture, id]): Found => ({ fixture: fixture as FixtureName, id, how: 'given with --set' }),
      );
      const searched = wanted.size === 0 ? [] : await discover(loaded, { wanted, drafts: options.drafts });
      // A fixture that is not found again keeps its value.
      const all = [...given, ...searched.filter((one) => !('missing' in one) || before[one.fixture] === undefined)];
      const lacking = all.filter((one) => 'missing' in one).length;
      const text = proven(withFixtures(readFileSync(options.profile, 'utf8'), all));
      if (!options.dry) replaceFile(options.profile, text);
      const next = options.dry ? 'Nothing was written.' : `${options.profile} is written.`;
      const kept = fixtureDescriptions.size - all.length;
      process.stdout.write(
        `${[
          ...all.map(tell),
          `${all.length - lacking} found, ${lacking} missing${kept > 0 ? `, ${kept} were in the profile` : ''}. ${next}`,
          `Then: npm run conformance -- doctor --profile ${options.profile}`,
        ].join('\n')}\n`,
      );
      if (lacking > 0) code = exitCodes.incomplete;
    })
    .parseAsync(argv, { from: 'user' });
  return code;
}
