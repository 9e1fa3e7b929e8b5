/** The command line of the load suite: makes the plan, queries the target, runs k6, writes the reports. */

import { extname, join, resolve } from 'node:path';
import { openCallbacks } from '../../../conformance/callbacks/open.ts';
import { LOAD } from '../../../conformance/called-as.ts';
import { PACE } from '../../../conformance/engine/pacer.ts';
import { type LoadedProfile, loadProfile } from '../../../conformance/profile/profile.ts';
import { spellingOf } from '../../../conformance/profile/spelling.ts';
import { type Facts, type Plan, PlanRefused, planFor } from '../../../load/plan.ts';
import { junitOf, type Report, reportOf } from '../../../load/report.ts';
import { htmlOf } from '../../../load/report-html.ts';
import { textOf } from '../../../load/report-text.ts';
import { journeys, missingFor, type ScenarioName, scenarios } from '../../../load/scenarios.ts';
import { commandLine, exitingWith, misuse, runProgram, seconds, wholeNumber } from '../../kit/command-line.ts';
import { untilStopped } from '../../kit/ending.ts';
import { writeFiles } from '../../kit/write-files.ts';
import { deliveryChecker } from './deliveries.ts';
import { findK6, harnessFault, k6Version, runK6 } from './k6.ts';
import { targetAt } from './target.ts';

const EXIT = { held: 0, crossed: 1, usage: 2, harness: 4 } as const;
const root = resolve(import.meta.dirname, '../../..');

interface Flags {
  readonly profile?: string;
  readonly list?: boolean;
  readonly duration?: number;
  readonly rate?: number;
  readonly p95?: number;
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const ABOUT = 'Loads a running instance with k6 and says whether it held what the contract promises.';
const program = commandLine(LOAD, ABOUT)
  .argument('[scenario]', `one of ${Object.keys(scenarios).join(', ')}`)
  .option(
    '--profile <file>',
    'what the conformance suite knows of the target, too (see conformance/profile.example.yaml)',
  )
  .option('--list', 'show the scenarios with what each proves and needs')
  .option('--duration <time>', 'for how long, such as 90s, 10m, 8h', seconds)
  .option('--rate <number>', `requests a second over all keys; each key sends ${PACE}`, wholeNumber(1, 10_000))
  .option(
    '--p95 <ms>',
    'within what time 95 % of the answers have to come (default: 1000, and 3000 for slow writes)',
    wholeNumber(1, 60_000),
  )
  .option('--out <directory>', 'where the reports are written (default: reports/load/SCENARIO)')
  .option('--json', 'print the report as JSON instead of text')
  .option('--quiet', 'no progress')
  .addHelpText(
    'after',
    `
Exit codes: 0 all thresholds held · 1 one was crossed · 2 profile, consent, keys or command line · 3 target unreachable
            4 fault of k6 or of this program

Examples:
  ${LOAD} smoke --profile .data/conformance.yaml
  ${LOAD} day --profile .data/conformance.yaml --duration 5m --rate 32
  ${LOAD} burst --profile staging.yaml`,
  )
  .action(exitingWith(choose));

function listText(): string {
  const lines = Object.entries(scenarios).flatMap(([name, { about, proves, mix, rate, durationS }]) => {
    const names = Object.keys(mix) as (keyof typeof journeys)[];
    const writes = names.some((journey) => journeys[journey].writes > 0) ? ', writes' : '';
    const load =
      name === 'burst'
        ? '105 requests, keys.load'
        : `${rate} requests a second for ${durationS} s, ${Math.ceil(rate / PACE)} of keys.full`;
    return [`${name.padEnd(12)}${about} (${load}${writes})`, `${' '.repeat(12)}proves: ${proves}`];
  });
  return `${lines.join('\n')}\n`;
}

/**
 * The facts of the profile that plans need.
 * @param endpointId the id of the run's own webhook endpoint
 * @param employees how many employees there are, if the plan depends on it
 */
function factsOf({ profile }: LoadedProfile, endpointId?: string, employees = 0): Facts {
  const { tenant, keys, fixtures, values } = profile;
  const { big, ...ids } = fixtures;
  const { step_type, document_status } = spellingOf(values);
  return {
    baseUrl: profile.base_url,
    tag: tenant.tag,
    fullKeys: keys.full.length,
    hasLoadKey: keys.load !== undefined,
    hasNoScopeKey: keys.no_scope !== undefined,
    consentToWrites: tenant.consent_to_writes,
    maxWrites: tenant.max_writes,
    loadConsent: tenant.load_consent,
    fixtures: { ...ids, ...(endpointId !== undefined && { webhook_endpoint_id: endpointId }) },
    employees,
    employeesAtLeast: big?.key === 'full' ? big.employees_at_least : 0,
    capabilities: profile.capabilities,
    errors: {
      pointer: values.error_code_pointer,
      invalidArgumentStatus: values.invalid_argument_status,
      own: (values.errors ?? {}) as Facts['errors']['own'],
    },
    spelling: { approval: step_type.APPROVAL, signing: step_type.SIGNING, completed: document_status.COMPLETED },
  };
}

/** Journeys of a scenario that the plan leaves out, with the reasons. */
function leftOut(plan: Plan, facts: Facts, noReceiver: string): string[] {
  const wanted = Object.keys(scenarios[plan.scenario].mix) as (keyof typeof journeys)[];
  return wanted
    .filter((name) => !plan.journeys.includes(name))
    .map((name) => `${name}: ${name === 'webhook' ? noReceiver : missingFor(name, facts).join(', ')}`);
}

function progressTo(quiet: boolean): (line: string) => void {
  if (quiet) return () => {};
  const shown = process.stderr.isTTY ? 1 : 5;
  let n = 0;
  return (line) => {
    if (n++ % shown === 0) process.stderr.write(`${line.replace(/^running /, '')}\n`);
  };
}

function writeReports(folder: string, report: Report): void {
  writeFiles(folder, {
    'report.json': report,
    'report.txt': textOf(report),
    'junit.xml': junitOf(report),
    'report.html': htmlOf(report),
  });
}

/** The keys of the profile. @param paced how many keys send the requests of journeys */
function ringOf({ profile: { keys }, secrets }: LoadedProfile, paced: number) {
  const key = (variable: string | undefined) => (variable === undefined ? undefined : secrets[variable]);
  const [load] = [keys.load ?? []].flat();
  return { paced: keys.full.slice(0, paced).map(key), load: key(load), no_scope: key(keys.no_scope) };
}

interface Run {
  readonly name: ScenarioName;
  readonly flags: Flags;
  readonly loaded: LoadedProfile;
  readonly stop: AbortSignal;
}

/** Plans, prepares, runs and reports. @returns the exit code */
async function load({ name, flags, loaded, stop }: Run): Promise<number> {
  const { profile } = loaded;
  const runId = Date.now().toString(36);
  const options = { durationS: flags.duration, rate: flags.rate, p95Ms: flags.p95 };
  // What would be refused later is refused here, before anything is sent.
  planFor(name, factsOf(loaded), options, runId);
  const say = (text: string) => flags.quiet || process.stderr.write(`${text}\n`);
  const target = targetAt(profile.base_url, ringOf(loaded, 1).paced[0] ?? '');
  await target.verify();
  const k6 = await findK6(say);
  if ('missing' in k6) return harnessFault(`There is no k6: ${k6.missing}. Install k6 2, or Go.`);
  const wantsEvents = scenarios[name].mix.webhook !== undefined;
  const callbacks = wantsEvents ? await openCallbacks(profile.callbacks) : undefined;
  let checker: ReturnType<typeof deliveryChecker> | undefined;
  let endpoint: { id: string; secret: string } | undefined;
  try {
    if (callbacks?.receiver) {
      endpoint = await target.subscribe(`${callbacks.facts.url}/load`);
      checker = deliveryChecker(callbacks.receiver.deliveries, endpoint.secret);
    }
    const employees = scenarios[name].mix.walk === undefined ? 0 : await target.employees();
    const facts = factsOf(loaded, endpoint?.id, employees);
    const plan = planFor(name, facts, options, runId);
    const template = plan.journeys.includes('document') ? facts.fixtures.document_template_id : undefined;
    const prepared = template === undefined ? {} : { template_values: await target.templateValues(template) };
    say(
      `${name} against ${profile.name} at ${profile.base_url}: about ${plan.requests} requests with ${plan.keys} keys, about ${plan.writes} writes`,
    );
    const startedAt = new Date().toISOString();
    const show = progressTo(flags.quiet === true);
    const result = await runK6({
      program: k6.path,
      script: join(root, `load/k6${extname(import.meta.filename)}`),
      plan,
      prepared,
      ring: ringOf(loaded, plan.keys),
      progress: (line) => {
        show(line);
        checker?.check();
      },
      stop,
    });
    const due = result.summary.metrics.documents_completed?.values.count ?? 0;
    const deliveries = await checker?.waitForCompleted(due, profile.values.webhook_first_attempt_s * 1000);
    const report = reportOf(plan, result.summary, result.thresholdsHeld, {
      profile: profile.name,
      startedAt,
      k6: k6Version(k6.path).text,
      problems: result.problems,
      observations: result.observations,
      deliveries,
      leftOut: leftOut(plan, facts, callbacks?.facts.problem ?? ''),
    });
    const folder = flags.out ?? join('reports/load', name);
    writeReports(folder, report);
    process.stdout.write(flags.json ? `${JSON.stringify(report)}\n` : textOf(report));
    say(`Reports: ${join(folder, 'report.html')}, report.json, report.txt, junit.xml`);
    return report.passed ? EXIT.held : EXIT.crossed;
  } finally {
    if (endpoint)
      await target.unsubscribe(endpoint.id).catch(() => say('The webhook endpoint of the run could not be deleted.'));
    await callbacks?.close();
  }
}

/** Runs what the command line asks for. @returns the exit code */
async function choose(name = '', flags: Flags): Promise<number> {
  if (flags.list) {
    process.stdout.write(listText());
    return EXIT.held;
  }
  if (!Object.hasOwn(scenarios, name)) {
    const wrong = name === '' ? 'Say which scenario' : `There is no scenario ${name}`;
    misuse(`${wrong}; ${LOAD} --list lists them.`);
  }
  if (flags.profile === undefined) {
    misuse('--profile is missing; `npm start` writes .data/conformance.yaml for its own instance.');
  }
  return load({ name: name as ScenarioName, flags, loaded: loadProfile(flags.profile), stop: untilStopped() });
}

const exitCodeOf = (error: unknown) => (error instanceof PlanRefused ? EXIT.usage : undefined);

/** Runs the program. @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await runProgram(program, argv, exitCodeOf);
  } catch (error) {
    process.stderr.write(`The load suite itself failed: ${(error as Error).stack ?? error}\n`);
    return EXIT.harness;
  }
}
