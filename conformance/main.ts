/** `npm run conformance`: judges a running instance by the contract, over HTTP alone. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { exchangeOverHttp, NoAnswer } from './client.ts';
import { planting } from './planting/main.ts';
import { BadState } from './planting/state.ts';
import { BadProfile, type LoadedProfile, loadProfile } from './profile.ts';
import { junit } from './report/junit.ts';
import { exitCodes, lastLine, type Results, type RuleResult } from './results.ts';
import type { Needs } from './rules/rule.ts';
import { rules } from './rules/rules.ts';
import { runRules } from './run.ts';
import { BadSelection, selectRules } from './selection.ts';

interface Options {
  profile?: string;
  only: string[];
  section: string[];
  list?: true;
  check?: true;
  json?: string;
  out: string;
  record?: string;
  quiet?: true;
}

const listed = (text: string, before: string[]) => [
  ...before,
  ...text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
];

const program = new Command('conformance')
  .description(
    'Judges a running instance of the developer API by the contract. Black box: it needs a URL, keys and a profile.',
  )
  .option('--profile <file>', 'what the suite must know of the target (YAML; see conformance/profile.example.yaml)')
  .option('--only <rules>', 'only these rules, e.g. AUTH-1,PAGE-14', listed, [])
  .option('--section <sections>', 'only these sections, e.g. AUTH,PAGE', listed, [])
  .option('--list', 'show every rule with level, text and needs, and send nothing')
  .option('--check', 'check the profile and send nothing')
  .option('--out <directory>', 'where results.json and junit.xml go', 'reports/conformance')
  .option('--json <file>', 'write the results to this file too')
  .option(
    '--record <file>',
    'write every exchange as a JSON line, for a referee; keys are masked, PERSONAL DATA IS NOT',
  )
  .option('--quiet', 'only the summary')
  .addHelpText(
    'after',
    `
Exit codes: 0 conformant · 1 not conformant · 2 bad profile or command line · 3 target unreachable · 4 fault of the suite
            6 conformant but incomplete (a MUST rule could not be tested)

Examples:
  npm run conformance -- --profile .data/conformance.yaml
  npm run conformance -- --profile staging.yaml --section AUTH,PAGE
  npm run conformance -- --profile staging.yaml --only RED-10
  npm run conformance -- plant --profile staging.yaml --state staging.state    rules that take hours: now,
  npm run conformance -- harvest --profile staging.yaml --state staging.state  and a day later
  CONF_BASE_URL=https://other.example npm run conformance -- --profile staging.yaml`,
  );

const say = (text: string) => process.stdout.write(`${text}\n`);

function needsOf(needs: Needs | undefined): string {
  if (!needs) return 'nothing but a key';
  const parts = [
    ...(needs.keys ?? []).map((name) => `key ${name}`),
    ...(needs.fixtures ?? []).map((name) => `fixture ${name}`),
    ...(needs.admin ?? []).map((name) => `admin ${name}`),
    ...(needs.operations ?? []).map((name) => `operation ${name}`),
    ...(needs.clock ? ['control clock'] : []),
    ...(needs.replica ? ['a replica'] : []),
    ...(needs.callbacks ? ['callbacks'] : []),
    ...(needs.big ? ['fixture big'] : []),
  ];
  return parts.join(', ');
}

function list(only: readonly string[], sections: readonly string[]): void {
  const chosen = new Set(selectRules(only, sections));
  const all = only.length + sections.length === 0;
  for (const rule of rules) {
    if (!chosen.has(rule) && !all) continue;
    const rests = rule.decisions.length > 0 ? ` · rests on ${rule.decisions.join(', ')}` : '';
    say(`${rule.id.padEnd(9)} ${rule.level.padEnd(6)} ${rule.text}`);
    say(`${' '.repeat(17)}${rule.place}${rests} · needs ${needsOf(rule.needs)}`);
    if (rule.excluded !== undefined) say(`${' '.repeat(17)}never run: ${rule.excluded}`);
  }
  say(`${chosen.size} rules`);
}

/** Whether anything answers at the base URL. @returns a sentence when nothing does */
async function unreachable({ profile }: LoadedProfile): Promise<string> {
  try {
    await exchangeOverHttp({
      baseUrl: profile.base_url,
      method: 'GET',
      target: '/developer/v1/api_key/_verify',
      headers: [],
      timeoutMs: 10_000,
    });
    return '';
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return `Nothing answers at ${profile.base_url} (${error.message}). Is the service running, and is base_url right?`;
  }
}

function explain(result: RuleResult, profilePath: string): void {
  say(`\n${result.status} ${result.rule} (${result.level}): ${result.reason}`);
  say(`  rule: ${result.text}`);
  say(`  contract: ${result.place}${result.decisions.length > 0 ? ` (${result.decisions.join(', ')})` : ''}`);
  for (const line of result.exchange === '' ? [] : result.exchange.split('\n')) say(`  ${line.slice(0, 400)}`);
  if (result.curl !== '') say(`  repeat the request: ${result.curl.slice(0, 800)}`);
  say(`  repeat the rule:    npm run conformance -- --profile ${profilePath} --only ${result.rule}`);
}

/** How many outcomes with the same reason are explained one by one. */
const ALIKE = 3;

function summarise(results: Results, profilePath: string): void {
  for (const status of ['WARN', 'FAIL', 'ERROR'] as const) {
    const seen = new Map<string, number>();
    for (const result of results.rules) {
      if (result.status !== status) continue;
      const times = (seen.get(result.reason) ?? 0) + 1;
      seen.set(result.reason, times);
      if (times <= ALIKE) explain(result, profilePath);
    }
    for (const [reason, times] of seen) {
      if (times > ALIKE) say(`\n${status}: ${times - ALIKE} more of the same kind: ${reason.slice(0, 200)}`);
    }
  }
  const gaps = results.rules.filter(({ status }) => status === 'UNTESTED' || status === 'SKIP');
  if (gaps.length > 0) say('\nNot tested:');
  for (const { rule, status, code, reason } of gaps)
    say(`  ${rule.padEnd(9)} ${status}${code === '' ? '' : ` ${code}`}: ${reason}`);
  say(
    `\n${results.exchanges} exchanges with ${results.target.base_url}, ${results.writes} writes, ${(results.duration_ms / 1000).toFixed(0)} s`,
  );
  say(lastLine(results));
}

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  if (words[0] === 'plant' || words[0] === 'harvest') return planting(words);
  const options = program.parse().opts<Options>();
  if (options.list) {
    list(options.only, options.section);
    return exitCodes.conformant;
  }
  if (options.profile === undefined)
    throw new BadProfile(['--profile is missing; `npm start` writes .data/conformance.yaml for its own instance.']);
  const loaded = loadProfile(options.profile);
  const selected = selectRules(options.only, options.section);
  if (options.check) {
    say(`The profile ${options.profile} is valid: ${loaded.profile.name}, ${Object.keys(loaded.secrets).length} keys.`);
    return exitCodes.conformant;
  }
  const gone = await unreachable(loaded);
  if (gone !== '') {
    process.stderr.write(`${gone}\n`);
    return exitCodes.unreachable;
  }
  say(`${loaded.profile.name} at ${loaded.profile.base_url}: ${selected.length} rules`);
  let done = 0;
  const results = await runRules({
    loaded,
    profilePath: options.profile,
    selected,
    ...(options.record === undefined ? {} : { record: options.record }),
    onProgress: (rule, status, reason) => {
      done++;
      if (!options.quiet)
        say(
          `[${String(done).padStart(3)}/${selected.length}] ${status.padEnd(8)} ${rule}${reason === '' ? '' : `  ${reason.split('\n')[0]?.slice(0, 160)}`}`,
        );
    },
    onOutput: (text) => process.stderr.write(text),
  });
  mkdirSync(options.out, { recursive: true });
  writeFileSync(join(options.out, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(join(options.out, 'junit.xml'), junit(results));
  if (options.json !== undefined) {
    mkdirSync(dirname(options.json), { recursive: true });
    writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
  }
  summarise(results, options.profile);
  return results.exit_code;
}

try {
  process.exitCode = await main();
} catch (error) {
  const badInput = error instanceof BadProfile || error instanceof BadSelection || error instanceof BadState;
  process.stderr.write(
    `${badInput ? error.message : `The suite itself failed: ${error instanceof Error ? error.stack : String(error)}`}\n`,
  );
  process.exitCode = badInput ? exitCodes.badProfile : exitCodes.harnessFault;
}
process.exit();
