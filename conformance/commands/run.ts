/** `npm run conformance -- --profile FILE`: a run, or its plan. */
import { basename, dirname } from 'node:path';
import { type Command, Option } from 'commander';
import {
  commandLine,
  exitingWith,
  Failure,
  listAdded,
  pageUrl,
  standardOutput,
} from '../../scripts/kit/command-line.ts';
import { untilStopped } from '../../scripts/kit/ending.ts';
import { writeFiles } from '../../scripts/kit/write-files.ts';
import { CONFORMANCE, LOAD } from '../called-as.ts';
import { leftText, Progress } from '../engine/estimate.ts';
import { planOf, planText } from '../engine/plan.ts';
import { runRules } from '../engine/run.ts';
import { selectRules } from '../engine/selection.ts';
import { servedDocs } from '../http/docs.ts';
import { unreachable } from '../http/reach.ts';
import type { ProbeKind } from '../judge/limit-facts.ts';
import { BadProfile, loadProfile, type Profile } from '../profile/profile.ts';
import { loadBaseline } from '../report/baseline.ts';
import { exitCodes } from '../report/exit-codes.ts';
import { ending, summary } from '../report/summary.ts';
import { duration } from '../report/text.ts';
import { writeReports } from '../report/write.ts';
import { ruleOf } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';
import { listed, listText } from './list.ts';

interface Options {
  profile?: string;
  only: string[];
  section: string[];
  list?: true;
  check?: true;
  plan?: true;
  baseline?: string;
  json?: string;
  out: string;
  record?: string;
  order?: string;
  quiet?: true;
  limitProbe?: ProbeKind;
  docs?: string;
}

const say = (text: string) => standardOutput.stdout(`${text}\n`);

function writeJson(file: string | undefined, value: object): void {
  if (file !== undefined) writeFiles(dirname(file), { [basename(file)]: value });
}

/** Reports how each rule ended, how many are done, and roughly how long the rest takes. */
function progressPrinter(selected: readonly Rule[], profile: Profile, excused: ReadonlySet<string>) {
  const progress = new Progress(selected, profile, Date.now());
  let done = 0;
  return (rule: string, status: string, reason: string): void => {
    done++;
    const left = leftText(progress.done(rule, Date.now()));
    const shown = excused.has(rule) && (status === 'FAIL' || status === 'WARN') ? 'DEVIATION' : status;
    const why = reason && `  ${reason.split('\n')[0]?.slice(0, 160)}`;
    say(`[${String(done).padStart(3)}/${selected.length} ${left.padEnd(11)}] ${shown.padEnd(9)} ${rule}${why}`);
  };
}

/** @returns the exit code @throws Failure */
async function judge(options: Options): Promise<number> {
  if (options.list) {
    const chosen = listed(options.only, options.section, options.docs);
    writeJson(options.json, chosen);
    for (const line of listText(chosen)) say(line);
    return exitCodes.conformant;
  }
  if (options.profile === undefined)
    throw new BadProfile([
      `--profile is missing; \`npm start\` writes .data/conformance.yaml for its own instance, and \`${CONFORMANCE} init\` one for another.`,
    ]);
  const loaded = loadProfile(options.profile);
  const { profile } = loaded;
  if (options.limitProbe !== undefined) profile.limit_probe = options.limitProbe;
  if (options.docs !== undefined) profile.docs = options.docs;
  const selected = selectRules(options.only, options.section);
  const baseline = options.baseline === undefined ? [] : loadBaseline(options.baseline, (id) => ruleOf(id)?.id);
  if (options.check) {
    say(`The profile ${options.profile} is valid: ${profile.name}, ${Object.keys(loaded.secrets).length} keys.`);
    if (options.baseline !== undefined) say(`The baseline is valid: ${baseline.length} deviations.`);
    return exitCodes.conformant;
  }
  if (options.plan) {
    const plan = planOf(selected, profile);
    writeJson(options.json, plan);
    say(planText(plan, duration));
    return exitCodes.conformant;
  }
  const stop = untilStopped();
  const gone = await unreachable(profile.base_url);
  if (gone !== '') throw new Failure(exitCodes.unreachable, gone);
  say(`${profile.name} at ${profile.base_url}: ${selected.length} rules`);
  const stopping =
    'Stopping. Rules that are changing the tenant put it back first (20 s at most); Ctrl-C again stops at once.';
  if (stop.aborted) say(stopping);
  else stop.addEventListener('abort', () => say(stopping));
  const excused = new Set(baseline.map(({ rule }) => rule));
  const onProgress = progressPrinter(selected, profile, excused);
  const results = await runRules({
    loaded,
    profilePath: options.profile,
    selected,
    baseline,
    docs: profile.docs ?? (await servedDocs(profile.base_url)),
    record: options.record,
    order: options.order,
    onProgress: options.quiet ? undefined : onProgress,
    stop,
  });
  const report = writeReports(results, options.out);
  writeJson(options.json, results);
  for (const line of [...summary(results, options.profile), ...ending(results, report)]) say(line);
  return results.exit_code;
}

/** A run, or its plan. */
export function runCommand(): Command {
  return commandLine(
    CONFORMANCE,
    'Judges a running instance of the developer API by the contract. Black box: it needs a URL, keys and a profile.',
  )
    .option('--profile <file>', 'description of the target (YAML; see conformance/profile.example.yaml)')
    .option('--only <rules>', 'only these rules, e.g. AUTH-1,PAGE-14', listAdded, [])
    .option('--section <sections>', 'only these sections, e.g. AUTH,PAGE', listAdded, [])
    .option('--list', 'show every rule with level, text and needs, and send nothing')
    .option('--check', 'check the profile and the baseline, and send nothing')
    .option('--plan', 'show what a run would send, what would be untested and why, and send nothing')
    .option('--baseline <file>', 'deviations that are known and excused for a time (YAML; see docs/conformance.md)')
    .option('--out <directory>', 'where the reports are written', 'reports/conformance')
    .option('--json <file>', 'write the results (or the plan, or the list) to this file too')
    .option(
      '--record <file>',
      'write every exchange as a JSON line, for a second validator; keys are masked, PERSONAL DATA IS NOT',
    )
    .option('--order <seed>', 'check the rules in another order, which this text determines')
    .addOption(
      new Option('--limit-probe <kind>', 'how the limit is probed, whatever the profile says').choices([
        'light',
        'full',
      ]),
    )
    .option('--docs <url>', 'the page of the docs, to which reports link rules (default: /docs of the target)', pageUrl)
    .option('--quiet', 'only the summary')
    .addHelpText(
      'after',
      `
Other commands, each with --help:
  init      asks questions and writes a profile
  discover  finds values for the fixtures of a profile, with its keys
  doctor    checks, before a run, whether the target, the keys and the fixtures are what the profile says
  diff      what changed between two runs
  report    writes the reports of a results.json again
  deferred  rules that take hours: \`deferred begin\` makes what they need now,
            \`deferred judge\` judges it a day later
Load: ${LOAD} --help

Exit codes: 0 conformant · 1 not conformant · 2 bad profile, baseline or command line: nothing was sent
            3 target unreachable · 4 fault of the suite · 5 an entry of the baseline is out of date or has expired
            6 conformant but incomplete (a MUST rule could not be tested)

Examples:
  ${CONFORMANCE} --profile .data/conformance.yaml
  ${CONFORMANCE} --profile staging.yaml --plan
  ${CONFORMANCE} --profile staging.yaml --section AUTH,PAGE
  ${CONFORMANCE} --profile staging.yaml --only DLV-6
  ${CONFORMANCE} --profile staging.yaml --baseline known.yaml
  ${CONFORMANCE} doctor --profile staging.yaml
  ${CONFORMANCE} diff yesterday/results.json reports/conformance/results.json
  CONF_BASE_URL=https://other.example ${CONFORMANCE} --profile staging.yaml`,
    )
    .action(exitingWith(judge));
}
