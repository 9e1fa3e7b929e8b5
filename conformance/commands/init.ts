/** `npm run conformance -- init`. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { otherKeys, profileText, variablesOf, type Wishes } from '../init.ts';
import { BadProfile } from '../profile.ts';
import { exitCodes } from '../results.ts';

interface Options {
  out?: string;
  baseUrl?: string;
  name?: string;
  tenant?: string;
  writes?: boolean;
  maxWrites: string;
  keys?: string;
  fullKeys: string;
  capabilities?: string;
  force?: true;
}

const words = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** Asks at a terminal; without one, what is missing is an error. */
async function asking(): Promise<{
  ask: (question: string, otherwise?: string) => Promise<string>;
  close: () => void;
}> {
  if (!process.stdin.isTTY) {
    return { ask: async (_question, otherwise = '') => otherwise, close: () => {} };
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return {
    ask: async (question, otherwise = '') => {
      const answer = await terminal.question(`${question}${otherwise === '' ? '' : ` [${otherwise}]`}: `);
      return answer.trim() || otherwise;
    },
    close: () => terminal.close(),
  };
}

async function wishesOf(options: Options): Promise<Wishes & { out: string }> {
  const { ask, close } = await asking();
  try {
    const base_url = options.baseUrl ?? (await ask('Base URL of the target, without /developer/v1'));
    if (base_url === '') throw new BadProfile(['--base-url is missing; give the address of the target.']);
    const name = options.name ?? (await ask('A name for it, for reports', hostOf(base_url)));
    const tenant = options.tenant ?? (await ask('Name of the tenant, for reports', 'tenant'));
    const writes =
      options.writes ?? /^y/i.test(await ask('May the suite write to that tenant? There is no sandbox (y/n)', 'n'));
    const keys = words(options.keys ?? (await ask(`Which keys do you have, besides full? Of ${otherKeys.join(', ')}`)));
    const claimed = words(
      options.capabilities ?? (await ask('Which additions does the target claim?', '1.3,1.4,1.5,1.6')),
    );
    return {
      base_url,
      name,
      tenant,
      consent_to_writes: writes,
      max_writes: Number(options.maxWrites),
      keys,
      full_keys: Math.max(1, Number(options.fullKeys) || 1),
      capabilities: claimed,
      out: options.out ?? (await ask('File to write', 'conformance.yaml')),
    };
  } finally {
    close();
  }
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

/** @throws BadProfile */
export async function initCommand(argv: readonly string[]): Promise<number> {
  await new Command('conformance init')
    .exitOverride()
    .description(
      'Writes a commented profile for another deployment; asks what no option says. Keys are never asked for.',
    )
    .option('--out <file>', 'the file to write')
    .option('--base-url <url>', 'address of the target, without /developer/v1')
    .option('--name <text>', 'a name for it, for reports')
    .option('--tenant <text>', 'name of the tenant, for reports')
    .option('--writes', 'consent to writes to the tenant (there is no sandbox)')
    .option('--no-writes', 'no consent: most rules will be UNTESTED')
    .option('--max-writes <number>', 'most writes of a run', '5000')
    .option('--keys <names>', `keys at hand besides full: ${otherKeys.join(', ')}`)
    .option('--full-keys <number>', 'how many equivalent keys full has; more make a run shorter', '1')
    .option('--capabilities <list>', 'additions that the target claims, e.g. 1.3,1.5')
    .option('--force', 'replace the file if it exists')
    .addHelpText(
      'after',
      `
Exit codes: 0 written · 2 something is missing, wrong, or the file exists

Example:
  npm run conformance -- init --base-url https://api.staging.example --tenant qa --writes --keys load,no_scope --out staging.yaml`,
    )
    .action(async (options: Options) => {
      const { out, ...wishes } = await wishesOf(options);
      if (existsSync(out) && !options.force)
        throw new BadProfile([`${out} exists; choose another name with --out, or give --force.`]);
      const text = profileText(wishes);
      mkdirSync(dirname(out), { recursive: true });
      writeFileSync(out, text);
      const next = [
        `${out} is written. Set these variables, or name a file of NAME=value lines as env_file:`,
        ...variablesOf(text).map((name) => `  ${name}`),
        `Then: npm run conformance -- doctor --profile ${out}`,
      ];
      process.stdout.write(`${next.join('\n')}\n`);
    })
    .parseAsync(argv, { from: 'user' });
  return exitCodes.conformant;
}
