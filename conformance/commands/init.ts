/** `npm run conformance -- init`. */
import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { commandLine, standardOutput } from '../../scripts/kit/command-line.ts';
import { CONFORMANCE, LOAD } from '../called-as.ts';
import { envText } from '../init/env-text.ts';
import { adminCommands, otherKeys, profileText } from '../init/profile-text.ts';
import { answersOf, type GivenOptions } from '../init/questions.ts';
import { openTerminal } from '../init/terminal.ts';
import { namedKeys, type Profile } from '../profile/profile.ts';
import { replaceFile } from '../report/replace-file.ts';

interface Options extends Record<string, unknown> {
  writes?: boolean;
  largeBodies?: boolean;
  defaults?: true;
  force?: true;
}

const repeated = (text: string, before: string[] = []) => [...before, text];
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The options as answers to the questions of the same names. */
function givenBy({ force, defaults, ...options }: Options): GivenOptions {
  const said = (value: unknown) => (typeof value === 'boolean' ? (value ? 'y' : 'n') : (value as string));
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [snake(name), said(value)])) as GivenOptions;
}

async function init(options: Options): Promise<void> {
  const isAsking = process.stdin.isTTY === true && !options.defaults;
  const terminal = isAsking ? openTerminal(process.stdin, process.stderr) : undefined;
  terminal?.say('Enter takes what stands in brackets; Ctrl-C gives up and writes nothing. Keys are never asked for.');
  try {
    const answers = await answersOf(givenBy(options), terminal, (out) => {
      if (existsSync(out) && !options.force) throw new Error(`${out} exists; choose another name, or give --force.`);
    });
    const text = profileText(answers, process.cwd());
    const { out, env_file } = answers;
    const isThere = existsSync(env_file);
    const { keys } = parse(text) as Profile;
    const env = envText(keys, isThere ? readFileSync(env_file, 'utf8') : '');
    replaceFile(env_file, env, 0o600);
    replaceFile(out, text);
    standardOutput.stdout(
      `${[
        `${out} is written. Now`,
        isThere
          ? `  1. see ${env_file}: what stood there stays, names that were lacking stand at its end`
          : `  1. put the keys that you have into ${env_file} (${namedKeys(keys).length} lines, still empty; for your eyes only)`,
        `  2. ${CONFORMANCE} discover --profile ${out}     finds ids of employees, departments, templates …`,
        `  3. ${CONFORMANCE} doctor --profile ${out}       is everything as the profile says?`,
        `  4. ${CONFORMANCE} --profile ${out} --plan       what a run would send; sends nothing`,
        `  5. ${CONFORMANCE} --profile ${out}              and for load: ${LOAD} smoke --profile ${out}`,
      ].join('\n')}\n`,
    );
  } finally {
    terminal?.close();
  }
}

/** Writes a profile. */
export function initCommand(): Command {
  return commandLine(
    `${CONFORMANCE} init`,
    'Writes a commented profile for another deployment, and an empty file for its keys; asks what no option says.',
  )
    .option('--base-url <url>', 'address of the target')
    .option('--name <text>', 'its name in reports (default: its host)')
    .option('--tenant <text>', 'name of the tenant in reports')
    .option('--writes', 'consent to writes to the tenant (there is no sandbox)')
    .option('--no-writes', 'no consent: most rules will be UNTESTED')
    .option('--max-writes <number>', 'maximum number of writes of a run (default: 5000)')
    .option('--large-bodies', 'consent to bodies of 32 MiB')
    .option('--load-consent <host>', 'consent to load on this host')
    .option('--capabilities <list>', 'additions that the target claims, or none (default: 1.3,1.4,1.5,1.6)')
    .option('--keys <names>', `all, none, or some of ${otherKeys.join(', ')} (default: all)`)
    .option('--full-keys <number>', 'how many equivalent keys full may have; more make a run shorter (default: 4)')
    .option('--callbacks <mode>', 'how deliveries arrive: none, loopback, public, command (default: none)')
    .option('--callbacks-listen <address:port>', 'where the suite listens for them')
    .option('--callbacks-url <url>', 'the https address of that (public)')
    .option('--callbacks-command <command>', 'opens a tunnel to {port} and prints an https address (command)')
    .option('--callbacks-certificate <file>', 'PEM file that the target trusts (loopback)')
    .option('--callbacks-key <file>', 'PEM file with its key (loopback)')
    .option('--clock <url>', 'control clock of the target, or none (default: none)')
    .option('--replicas <urls>', 'further processes of the same deployment, or none (default: none)')
    .option(
      '--admin <name=command>',
      `does what only the application's settings can; may be repeated: ${[...adminCommands.keys()].join(', ')}`,
      repeated,
    )
    .option('--value <name=value>', 'a decision of the target that differs from the example; may be repeated', repeated)
    .option('--out <file>', 'the file to write (default: conformance.yaml)')
    .option('--env-file <file>', 'the file for the keys; mode 0600 (default: as --out, ending in .env)')
    .option('--defaults', 'ask no questions: what no option gives has its default')
    .option('--force', 'replace the profile if it exists; the contents of the file for keys are always kept')
    .addHelpText(
      'after',
      `
Exit codes: 0 written · 2 something is missing, wrong, or the file exists: nothing was written

Examples:
  ${CONFORMANCE} init
  ${CONFORMANCE} init --base-url https://api.staging.example --tenant qa --writes --out staging.yaml
  ${CONFORMANCE} init --base-url https://api.staging.example --tenant qa --writes --load-consent api.staging.example \\
    --value limit_above_maximum=reject --admin 'revoke_key=./settings.sh revoke {prefix}' --out staging.yaml`,
    )
    .action(init);
}
