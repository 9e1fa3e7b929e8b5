/** The results of a run as JUnit. */

import { escaped } from '../../scripts/kit/page/page.ts';
import type { Status } from '../judge/outcome.ts';
import { countsOf, type Results } from './results.ts';

const UNJUDGED: readonly Status[] = ['SKIP', 'UNTESTED', 'DEVIATION'];

/**
 * JUnit in the form that CI servers read: a suite for each section. What was not tested, and what the baseline excuses,
 * is `skipped` with its reason.
 */
export function junit(results: Results): string {
  const { unfinished } = results;
  const lines = [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites name="conformance ${escaped(results.target.name)}">`,
    ...(unfinished ? [`  <!-- ${escaped(unfinished.reason).replaceAll('--', '- -')} -->`] : []),
  ];
  for (const [section, rules] of Map.groupBy(results.rules, (rule) => rule.section)) {
    const counts = countsOf(rules);
    lines.push(
      `  <testsuite name="${escaped(section)}" tests="${rules.length}" failures="${counts.FAIL}" errors="${counts.ERROR}" skipped="${counts.SKIP + counts.UNTESTED + counts.DEVIATION}" time="${seconds(rules.reduce((sum, rule) => sum + rule.durationMs, 0))}">`,
    );
    for (const rule of rules) {
      lines.push(
        `    <testcase classname="${escaped(section)}" name="${escaped(`${rule.rule} ${rule.text}`)}" time="${seconds(rule.durationMs)}">`,
      );
      const message = escaped(`${rule.status}${rule.code && ` (${rule.code})`}: ${rule.reason}`);
      const body = escaped([rule.exchange, rule.curl].filter((part) => part !== '').join('\n'));
      if (rule.status === 'FAIL') lines.push(`      <failure message="${message}">${body}</failure>`);
      if (rule.status === 'ERROR') lines.push(`      <error message="${message}">${body}</error>`);
      if (UNJUDGED.includes(rule.status)) lines.push(`      <skipped message="${message}"/>`);
      if (rule.status === 'WARN') lines.push(`      <system-out>${message}</system-out>`);
      lines.push('    </testcase>');
    }
    lines.push('  </testsuite>');
  }
  return `${[...lines, '</testsuites>'].join('\n')}\n`;
}

const seconds = (ms: number) => (ms / 1000).toFixed(3);
