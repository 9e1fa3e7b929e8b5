/**
 * Makes a Jest test from a rule: checks what the rule needs, runs it, and leaves its outcome for the
 * environment.
 */
import { appendFileSync } from 'node:fs';
import { afterAll, test } from '@jest/globals';
import { mustBeReachable } from '../callbacks/reachability.ts';
import { OUTCOMES, type Outcome, statusOf } from '../judge/outcome.ts';
import { keyVariables } from '../profile/profile.ts';
import { Redactor } from '../report/redact.ts';
import type { Rule } from '../rules/rule.ts';
import { rules } from '../rules/table/rules.ts';
import { Link } from './link.ts';
import { missingFor, operationsOf } from './needs.ts';
import { currentRun } from './run-file.ts';
import { TestContext } from './test-context.ts';

const run = currentRun();
const byId = new Map(rules.map((rule) => [rule.id, rule]));
/** Properties that this worker has reported. */
const told = new Set<string>();
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

/** Runs a test body and returns its outcome; never throws. */
export async function tryRule(
  context: TestContext,
  body: (context: TestContext) => Promise<void> | void,
): Promise<{ outcome: Outcome; error: unknown }> {
  const begin = performance.now();
  const work = async () => {
    await meetNeeds(context);
    await body(context);
  };
  let error: unknown;
  try {
    if (context.rule.tenant === undefined) await work();
    else await context.link.holding('tenant', context.rule.tenant === 'quiet' ? 'shared' : 'exclusive', work);
  } catch (thrown) {
    error = thrown;
  }
  const verdict = statusOf(error, context.rule.level);
  const failed = verdict.status === 'FAIL' || verdict.status === 'WARN' || verdict.status === 'ERROR';
  const outcome: Outcome = {
    rule: context.rule.id,
    ...verdict,
    reason: context.redactor.text(verdict.reason),
    ...(context.notes.length > 0 ? { note: context.redactor.text(context.notes.join('; ')) } : {}),
    ...(failed ? (context.shownInstead ?? context.shown(context.last)) : { exchange: '', curl: '' }),
    ...(failed && !context.shownInstead ? { trail: context.trail() } : {}),
    exchanges: context.exchanges,
    writes: context.writes,
    durationMs: Math.round(performance.now() - begin),
  };
  return { outcome, error };
}

/** What Jest prints for a failed rule: its text, the exchange, and how to repeat it. */
export function report(rule: Rule, outcome: Outcome, profilePath: string): string {
  return [
    `${rule.id} (${rule.level}) ${outcome.status}: ${outcome.reason}`,
    `  rule: ${rule.text}`,
    `  contract: ${rule.place}${rule.decisions.length > 0 ? ` (${rule.decisions.join(', ')})` : ''}`,
    ...outcome.exchange.split('\n').map((line) => `  ${line}`),
    ...(outcome.curl === '' ? [] : [`  repeat the request: ${outcome.curl}`]),
    `  repeat the rule: npm run conformance -- --profile ${profilePath} --only ${rule.id}`,
  ].join('\n');
}

/**
 * Declares the test of a rule. The id must be a literal: the main process reads the files to learn which file holds
 * which rule.
 */
export function rule(id: string, body: (context: TestContext) => Promise<void> | void): void {
  const row = byId.get(id);
  if (!row) throw new Error(`no row of the rule table has the id ${id}`);
  if (!run?.selected.includes(id)) return;
  test(id, async () => {
    const { link, redactor } = connected();
    const context = new TestContext(row, run, link, redactor);
    const { outcome } = await tryRule(context, body);
    const shared = globalThis as unknown as Record<string, Record<string, Outcome> | undefined>;
    shared[OUTCOMES] = { ...shared[OUTCOMES], [id]: outcome };
    const judged = Object.fromEntries(context.judged);
    if (context.exchanges > 0) {
      appendFileSync(context.path(`judged-${process.pid}.jsonl`), `${JSON.stringify({ during: id, judged })}\n`);
      appendFileSync(context.path(`seen-${process.pid}.jsonl`), `${JSON.stringify(context.seen.told(id, told))}\n`);
    }
    const { status, reason, note = '' } = outcome;
    await link.ask({ op: 'progress', rule: id, status, reason: reason === '' ? note : reason });
    if (outcome.status !== 'PASS' && outcome.status !== 'WARN') {
      const error = new Error(report(row, outcome, run.profile_path));
      error.stack = error.message;
      throw error;
    }
  });
}
