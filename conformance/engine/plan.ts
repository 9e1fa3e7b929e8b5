/** What a run would do, without sending anything. */
import type { OperationId } from '../../generated/contract.ts';
import type { Profile } from '../profile/profile.ts';
import type { Rule } from '../rules/rule.ts';
import { estimateMs } from './estimate.ts';
import { missingFor, noConsent, operationsOf, unclaimed } from './needs.ts';
import { costOf } from './recorded.ts';

interface PlannedRule {
  rule: string;
  section: string;
  level: Rule['level'];
  text: string;
  /** RUN; UNTESTED if the profile lacks something; SKIP if the target turns out not to have what it does not claim. */
  expected: 'RUN' | 'UNTESTED' | 'SKIP';
  code: string;
  reason: string;
  operations: OperationId[];
  requests: number;
  writes: number;
}

/** What a run would do. */
export interface Plan {
  base_url: string;
  rules: PlannedRule[];
  /** Estimates, from a run against our own service. */
  requests: number;
  writes: number;
  max_writes: number;
  duration_ms: number;
}

/** The plan of a run of these rules. */
export function planOf(selected: readonly Rule[], profile: Profile): Plan {
  const callbacks = { code: 'missing_callbacks', reason: 'the profile has no way to receive deliveries' };
  const rules = selected.map((rule): PlannedRule => {
    const { id, section, level, text, needs } = rule;
    const { requests, writes } = costOf(id, profile.limit_probe);
    const addition = unclaimed(rule, profile);
    const missing =
      missingFor(rule, profile) ??
      (needs?.callbacks && profile.callbacks.mode === 'none' ? callbacks : undefined) ??
      (writes > 0 && !profile.tenant.consent_to_writes ? noConsent : undefined);
    const shared = { rule: id, section, level, text, operations: operationsOf(rule) };
    if (addition !== undefined) {
      const reason = `${addition} is not claimed; a request finds out whether it is absent`;
      return { ...shared, expected: 'SKIP', code: 'capability_not_claimed', reason, requests: 1, writes: 0 };
    }
    if (missing) return { ...shared, expected: 'UNTESTED', ...missing, requests: 0, writes: 0 };
    return { ...shared, expected: 'RUN', code: '', reason: '', requests, writes };
  });
  const running = selected.filter((_, at) => rules[at]?.expected === 'RUN');
  return {
    base_url: profile.base_url,
    rules,
    requests: rules.reduce((sum, { requests }) => sum + requests, 0),
    writes: rules.reduce((sum, { writes }) => sum + writes, 0),
    max_writes: profile.tenant.max_writes,
    duration_ms: Math.round(estimateMs(running, profile)),
  };
}

/** The plan for people. */
export function planText(plan: Plan, duration: (ms: number) => string): string {
  const { rules } = plan;
  const running = rules.filter(({ expected }) => expected === 'RUN');
  const sections = [...Map.groupBy(rules, ({ section }) => section)].map(([section, of]) => {
    const total = (name: 'requests' | 'writes') => of.reduce((sum, rule) => sum + rule[name], 0);
    const run = of.filter(({ expected }) => expected === 'RUN').length;
    return `  ${section.padEnd(6)} ${`${run} of ${of.length}`.padStart(9)} rules  ${String(total('requests')).padStart(6)} requests  ${String(total('writes')).padStart(5)} writes`;
  });
  const operations = [...new Set(running.flatMap((rule) => rule.operations))];
  const gaps = rules.filter(({ expected }) => expected !== 'RUN');
  const kinds = Map.groupBy(gaps, ({ expected, code, reason }) => `${expected} ${code}: ${reason}`);
  const left = [...kinds].map(([kind, of]) => `  ${kind}\n      ${of.map(({ rule }) => rule).join(', ')}`);
  const tight = plan.writes > plan.max_writes;
  return [
    `Nothing was sent. A run at ${plan.base_url} would try ${running.length} of ${rules.length} rules:`,
    ...sections,
    `About ${plan.requests} requests, ${plan.writes} writes (the profile allows ${plan.max_writes}), ${duration(plan.duration_ms)}.`,
    tight && 'tenant.max_writes is too small for that: the last rules that write would be UNTESTED.',
    operations.length > 0 && `Operations that rules name: ${operations.join(', ')}.`,
    gaps.length > 0 && `${gaps.length} rules would say nothing:`,
    ...left,
  ]
    .filter(Boolean)
    .join('\n');
}
