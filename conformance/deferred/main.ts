/**
 * `npm run conformance -- deferred begin …` and `… deferred judge …`: rules that take hours, for targets whose clock
 * cannot be moved.
 */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { commandLine, exitingWith, invalid, standardOutput } from '../../scripts/kit/command-line.ts';
import { untilStopped } from '../../scripts/kit/ending.ts';
import { CONFORMANCE } from '../called-as.ts';
import { loadProfile } from '../profile/profile.ts';
import { countsOf, type RuleResult, verdictOf } from '../report/results.ts';
import { beginDeferred } from './begin.ts';
import { judgeDeferred } from './judge.ts';

const HOUR_MS = 3_600_000;
/** Enough for eight attempts, with jitter and some reserve. */
const LISTEN_HOURS = 26;

interface Options {
  profile: string;
  state: string;
  hours?: number;
  json?: string;
}

function hoursOf(text: string): number {
  const hours = Number(text);
  if (text.trim() === '' || !(hours >= 0 && hours <= 24 * 30)) return invalid('Give 0 to 720 hours.');
  return hours;
}

const say = (text: string) => standardOutput.stdout(`${text}\n`);

function show(results: readonly RuleResult[]): number {
  for (const { rule, status, reason } of results) say(`${status.padEnd(8)} ${rule.padEnd(9)} ${reason}`);
  const tally = Object.entries(countsOf(results)).filter(([, count]) => count > 0);
  say(tally.map(([status, count]) => `${count} ${status}`).join(', '));
  return verdictOf(results).exit_code;
}

/** The judgement ends with the exit code of a run. */
export function deferredCommand(): Command {
  const program = commandLine(`${CONFORMANCE} deferred`, 'Rules that take hours: begin now, judge a day later.');
  const common = (command: Command) =>
    command
      .requiredOption('--profile <file>', 'the profile of the target')
      .requiredOption('--state <file>', 'what was begun; holds secrets');
  common(program.command('begin'))
    .description('Makes what the rules need and listens for deliveries; repeated with the same file, it only listens.')
    .option('--hours <number>', 'how long to listen; 0 does not listen', hoursOf, LISTEN_HOURS)
    .action(async ({ profile, state, hours }: Options) => {
      const listenMs = (hours ?? LISTEN_HOURS) * HOUR_MS;
      const loaded = loadProfile(profile);
      await beginDeferred({ loaded, stateFile: state, listenMs, say, signal: untilStopped() });
    });
  common(program.command('judge'))
    .description('Judges what was begun; a rule is UNTESTED if it is too early.')
    .option('--json <file>', 'write the outcomes to this file too')
    .action(
      exitingWith(async ({ profile, state, json }: Options) => {
        const results = await judgeDeferred(loadProfile(profile), state, Date.now());
        if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
        return show(results);
      }),
    );
  return program;
}
