/** A summary in Markdown, for the summary of a CI job or for a comment. */

import { calledOf } from '../judge/coverage.ts';
import type { Status } from '../judge/outcome.ts';
import { findingsOf, idsOf } from './cause.ts';
import { lastLine, type Results, type RuleResult, unsentInputs } from './results.ts';
import { BY_WEIGHT, commandFor, duration, MEANINGS, percent, remarks, verdictText } from './text.ts';

const MOST = 30;
const LONGEST = 240;

/** Text for a table cell: one line, with nothing that Markdown or HTML would interpret. */
function cell(text: string): string {
  const line = text.toWellFormed().replace(/\s+/g, ' ').trim();
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  return short.replace(/[\\`*_{}[\]<>#|~!&]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => ' --- |').join('')}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ];
}

/** The id of a rule, as a link to its promise where the docs are known. */
function named({ rule, promise = '' }: RuleResult, docs: string | undefined): string {
  return docs === undefined || promise === '' ? cell(rule) : `[${cell(rule)}](<${docs}${promise}>)`;
}

function violations(status: Status, all: readonly RuleResult[], docs: string | undefined): string[] {
  const of = all.filter((result) => result.status === status);
  const causes = status === 'DEVIATION' ? of.flatMap((one) => findingsOf([one])) : findingsOf(of);
  if (causes.length === 0) return [];
  const rows = causes.slice(0, MOST).map(({ heading, rules: [first, ...others] }) => {
    const { text, deviation } = first;
    const until = deviation ? ` — excused until ${deviation.expires}: ${cell(deviation.link)}` : '';
    const more = others.length > 0 ? ` and ${cell(idsOf(others))}` : '';
    return [`${named(first, docs)}${more}`, cell(text), `${cell(heading)}${until}`];
  });
  const more = causes.length > MOST ? ['', `… and ${causes.length - MOST} more causes.`] : [];
  return [
    '',
    `### ${status}: ${MEANINGS[status]}`,
    '',
    ...table(['Rule', 'What it guarantees', 'What happened'], rows),
    ...more,
  ];
}

/** Rules that were not judged, grouped by reason code. */
function gaps(all: readonly RuleResult[]): string[] {
  const untested = all.filter(({ status }) => status === 'UNTESTED');
  if (untested.length === 0) return [];
  const rows = [...Map.groupBy(untested, ({ code }) => code)].map(([code, of]) => {
    return [code, String(of.length), cell(of.map(({ rule }) => rule).join(', '))];
  });
  return ['', '### UNTESTED', '', ...table(['Reason', 'Rules', 'Which'], rows)];
}

/** The inputs that no rule sent. */
function unsent(results: Results): string[] {
  const names = unsentInputs(results);
  return names.length === 0
    ? []
    : [
        '',
        `Never sent (${names.length}): ${names.slice(0, MOST).map(cell).join(', ')}${names.length > MOST ? ', …' : ''}`,
      ];
}

/** The summary of a run. */
export function markdown(results: Results): string {
  const { rules, counts, coverage, target, whole } = results;
  const tally = BY_WEIGHT.filter((status) => counts[status] > 0);
  const called = calledOf(coverage);
  const first = rules.find(({ status }) => status === 'FAIL');
  return [
    `## Conformance: ${verdictText(results)}${whole ? '' : ' (part of the rules)'}`,
    '',
    `${cell(target.name)} at ${cell(target.base_url)}, ${results.started_at}, ${duration(results.duration_ms)}, ${results.exchanges} requests, ${results.writes} writes.`,
    '',
    ...table(tally, [tally.map((status) => String(counts[status]))]),
    '',
    `${lastLine(results)}. Operations called: ${called} of ${coverage.length} (${percent(called, coverage.length)} %).`,
    ...unsent(results),
    ...remarks(results).flatMap((remark) => ['', cell(remark)]),
    ...(['FAIL', 'ERROR', 'WARN', 'DEVIATION'] as const).flatMap((status) => violations(status, rules, target.docs)),
    ...gaps(rules),
    ...(first ? ['', 'One rule alone:', '', '```', commandFor(first.rule, results.profile), '```'] : []),
    '',
  ].join('\n');
}
