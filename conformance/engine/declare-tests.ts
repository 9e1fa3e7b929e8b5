/**
 * Jest's set-up file for the rules: makes a test from each rule of the phase. The test checks what the rule needs, runs
 * it, and leaves its outcome for the environment.
 */
import { appendFileSync } from 'node:fs';
import { afterAll, test } from '@jest/globals';
import { mustBeReachable } from '../callbacks/reachability.ts';
import { NOT_RUN, OUTCOMES, type Outcome, statusOf } from '../judge/outcome.ts';
import { keyVariables } from '../profile/profile.ts';
import { Redactor } from '../report/redact.ts';
import { commandFor } from '../report/text.ts';
import { type Check, onEachRule, type Rule } from '../rules/rule.ts';
import { Link } from './link.ts';
import { missingFor, operationsOf } from './needs.ts';
import { currentPhase, currentRun, type RunFile } from './run-file.ts';
import { TestContext } from './test-context.ts';

const run = currentRun();
/** Properties that this worker has reported. */
const reported = new Set<string>();
let shared: { link: Link; redactor: Redactor } | undefined;

function connected(): { link: Link; redactor: Redactor } {
  if (!run) throw new Error('rules run only under `npm run conformance`');
  if (!shared) {
    const secrets = Object.fromEntries(keyVariables(run.profile.keys).map((name) => [name, process.env[name] ?? '']));
    const redactor = new Redactor(run.salt, secrets, run.profile.values.shown_prefix_pattern);
    shared = { link: new Link(run.link_port), redactor };
  }
  return shared;
}

afterAll(() => shared?.link.close());

async function meetNeeds(context: TestContext): Promise<void> {
  for (const operationId of operationsOf(context.rule)) await context.probe(operationId);
  const missing = missingFor(context.rule, context.profile);
  if (missing) context.untested(missing.code, missing.reason);
  if (context.rule.needs?.callbacks) await mustBeReachable(context);
}

/** @throws Untested if the run has ended meanwhile */
async function mayBegin({ rule: { id, runs }, link, untested }: TestContext): Promise<void> {
  const { granted } = await link.ask({ op: 'begin', rule: id, changes: runs === 'changing' || runs === 'alone' });
  if (!granted) untested('not_run', NOT_RUN);
}

/** Runs a check and returns its outcome; never throws. */
async function tryRule(context: TestContext, check: Check): Promise<{ outcome: Outcome; error: unknown }> {
  const begin = performance.now();
  const work = async () => {
    await mayBegin(context);
    await meetNeeds(context);
    await check(context);
  };
  let error: unknown;
  try {
    const { runs } = context.rule;
    if (runs === 'quiet') await context.link.holding('tenant', 'shared', work);
    else if (runs === 'changing') await context.link.holding('tenant', 'exclusive', work);
    else await work();
  } catch (thrown) {
    error = thrown;
  }
  const verdict = statusOf(error, context.rule.level);
  const failed = verdict.status === 'FAIL' || verdict.status === 'WARN' || verdict.status === 'ERROR';
  const { inFront } = context;
  const notes = inFront.size > 0 ? [...context.notes, `terminator: ${[...inFront].join(', ')}`] : context.notes;
  const outcome: Outcome = {
    rule: context.rule.id,
    ...verdict,
    reason: context.redactor.text(verdict.reason),
    ...(notes.length > 0 ? { note: context.redactor.text(notes.join('; ')) } : {}),
    ...(failed ? (context.shownInstead ?? context.shown(context.last)) : { exchange: '', curl: '' }),
    ...(failed && !context.shownInstead ? { trail: context.trail() } : {}),
    exchanges: context.exchanges,
    writes: context.writes,
    durationMs: Math.round(performance.now() - begin),
  };
  return { outcome, error };
}

/** What Jest prints for a failed rule: its text, the exchange, and how to repeat it. */
function report(rule: Rule, outcome: Outcome, profilePath: string): string {
  return [
    `${rule.id} (${rule.level}) ${outcome.status}: ${outcome.reason}`,
    `  rule: ${rule.text}`,
    `  contract: ${rule.place}${rule.decisions.length > 0 ? ` (${rule.decisions.join(', ')})` : ''}`,
    ...outcome.exchange.split('\n').map((line) => `  ${line}`),
    ...(outcome.curl === '' ? [] : [`  repeat the request: ${outcome.curl}`]),
    `  repeat the rule: ${commandFor(rule.id, profilePath)}`,
  ].join('\n');
}

/** Runs the rule and leaves its outcome, for Jest to show and for the environment to write down. */
async function runRule(rule: Rule, check: Check, run: RunFile): Promise<void> {
  const { link, redactor } = connected();
  const context = new TestContext(rule, run, link, redactor);
  const { outcome } = await tryRule(context, check);
  const shared = globalThis as unknown as Record<string, Record<string, Outcome> | undefined>;
  shared[OUTCOMES] = { ...shared[OUTCOMES], [rule.id]: outcome };
  const judged = Object.fromEntries(context.judged);
  if (context.exchanges > 0) {
    appendFileSync(context.path(`judged-${process.pid}.jsonl`), `${JSON.stringify({ during: rule.id, judged })}\n`);
    appendFileSync(
      context.path(`seen-${process.pid}.jsonl`),
      `${JSON.stringify(context.seen.firstSeen(rule.id, reported))}\n`,
    );
  }
  const { status, code, reason, note = '' } = outcome;
  if (code !== 'not_run')
    await link.ask({ op: 'done', rule: rule.id, status, code, reason: reason === '' ? note : reason });
  if (outcome.status !== 'PASS' && outcome.status !== 'WARN') {
    const error = new Error(report(rule, outcome, run.profile_path));
    error.stack = error.message;
    throw error;
  }
}

onEachRule((rule) => {
  const { check } = rule;
  if (check && run && currentPhase()?.rules.includes(rule.id)) test(rule.id, () => runRule(rule, check, run));
});
