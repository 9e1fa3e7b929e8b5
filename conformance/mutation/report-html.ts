/** The report of the mutation tests as one HTML file. */
import { escaped, page, section, statusBadge, table, verdictCard } from '../report/markup.ts';
import type { JudgedFault } from './judge.ts';
import { bySection, isAllCaught, type MutationReport } from './report.ts';

const TITLE = 'Mutation tests of the conformance suite';
const code = (text: string) => ({ html: `<code>${escaped(text)}</code>` });
const badge = (isRight: boolean, word: string) => ({ html: statusBadge(isRight ? 'PASS' : 'FAIL', word) });
const number = (title: string) => ({ title, isNumber: true });

function faultTable(faults: readonly JudgedFault[]): string {
  return table({
    columns: ['Rule', 'Fault', 'What is wrong', 'Verdict', 'What the rule said'],
    hasRowHeadings: true,
    rows: faults.map(({ rule, id, breaks, verdict, reason }) => [
      rule,
      code(id),
      breaks,
      badge(verdict === 'caught', verdict.replace('_', ' ')),
      { html: escaped(reason), attributes: 'class="quiet"' },
    ]),
  });
}

const caughtOf = (faults: readonly JudgedFault[]) => faults.filter(({ verdict }) => verdict === 'caught').length;

/** First what is wrong, then the controls, then every fault by section. */
export function html(report: MutationReport): string {
  const { faults, controls, counts } = report;
  const sections = bySection(faults);
  const left = faults.filter(({ verdict }) => verdict !== 'caught');
  const right = controls.filter((one) => one.right).length;
  const overview = table({
    columns: ['Section', number('Rules'), number('Faults'), number('Caught')],
    rows: sections.map(([name, own]) => [
      { html: `<a href="#${escaped(name)}">${escaped(name)}</a>` },
      new Set(own.map(({ rule }) => rule)).size,
      own.length,
      { ...badge(caughtOf(own) === own.length, String(caughtOf(own))), attributes: 'class="number"' },
    ]),
  });
  const controlled = table({
    columns: ['Control', 'Expected', 'Found', ''],
    rows: controls.map((one) => [one.name, one.expected, one.found, badge(one.right, one.right ? 'right' : 'wrong')]),
  });
  const unreached = table({
    columns: ['Rule', 'Why'],
    hasRowHeadings: true,
    rows: report.out_of_reach.map(({ rule, reason }) => [rule, reason]),
  });
  const found = `${counts.caught} of ${faults.length} planted faults were found by the very rule that must find them`;
  const verdict = `${found}; ${right} of ${controls.length} controls are right.`;
  const part = report.whole ? '' : '<p>Only some faults were planted; this page says nothing of the rest.</p>';
  const minutes = Math.round(report.duration_ms / 60_000);
  const how = `<p class="quiet">Each fault is wrong in one way and is planted between suite and service. ${escaped(report.started_at)}, ${minutes} min.</p>`;
  return page({
    title: TITLE,
    header: `<h1>${TITLE}</h1>${verdictCard(isAllCaught(report) ? 'PASS' : 'FAIL', verdict, part + how)}`,
    sections: [
      left.length === 0 ? '' : section('Not caught', faultTable(left)),
      section('Sections', overview),
      controls.length === 0 ? '' : section('Controls', controlled),
      report.out_of_reach.length === 0 ? '' : section('Rules that no fault is planted for', unreached),
      ...sections.map(([name, own]) => section(`${name}: ${caughtOf(own)} of ${own.length}`, faultTable(own), name)),
    ],
  });
}
