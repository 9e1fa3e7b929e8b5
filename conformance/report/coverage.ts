/** The part of the HTML report that shows how much of the contract the run exercised. */
import type { OperationCoverage } from '../judge/coverage.ts';
import { EXERCISED, type Results, type RuleResult } from './results.ts';
import { html, percent, sum } from './text.ts';

const meter = (part: number, whole: number) =>
  `<progress class="meter" max="${Math.max(1, whole)}" value="${part}">${percent(part, whole)} %</progress>`;

function sections(rules: readonly RuleResult[]): string {
  const names = [...new Set(rules.map(({ section }) => section))].filter((name) => name !== '');
  const rows = names.map((name) => {
    const of = rules.filter(({ section }) => section === name);
    const done = of.filter(({ status }) => EXERCISED.includes(status)).length;
    return `<tr><th scope="row">${html(name)}</th><td class="number">${done} of ${of.length}</td><td>${meter(done, of.length)}</td></tr>`;
  });
  return `<div class="card scroll"><table><caption>Rules exercised, by section.</caption>
<thead><tr><th scope="col">Section</th><th scope="col" class="number">Exercised</th><th scope="col"><span class="quiet">Share</span></th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

function cellOf({ documented, seen }: OperationCoverage, status: number): string {
  const count = seen[status];
  const isDocumented = documented.includes(status);
  if (count !== undefined)
    return `<td class="number hit"${isDocumented ? '' : ' title="not documented"'}>${count}${isDocumented ? '' : ' !'}</td>`;
  return isDocumented ? '<td class="number miss" title="documented, not seen">–</td>' : '<td></td>';
}

function matrix(rows: readonly OperationCoverage[]): string {
  const statuses = [
    ...new Set(rows.flatMap(({ documented, seen }) => [...documented, ...Object.keys(seen).map(Number)])),
  ].sort((a, b) => a - b);
  const wanted = sum(rows.map(({ documented }) => documented.length));
  const met = sum(rows.map(({ documented, seen }) => documented.filter((status) => seen[status] !== undefined).length));
  const lines = rows.map(
    (row) =>
      `<tr><th scope="row">${html(row.operation)}</th><td class="quiet">${row.method}</td>${statuses.map((status) => cellOf(row, status)).join('')}</tr>`,
  );
  return `<div class="card scroll"><table><caption>Answers by operation and status: ${met} of ${wanted} documented pairs were seen. A dash is documented and was not seen; an empty cell is not documented; “!” was seen though not documented.</caption>
<thead><tr><th scope="col">Operation</th><th scope="col">Method</th>${statuses.map((status) => `<th scope="col" class="number">${status}</th>`).join('')}</tr></thead>
<tbody>${lines.join('\n')}</tbody></table></div>`;
}

function properties(rows: readonly OperationCoverage[]): string {
  const lines = rows.map(({ operation, properties: { declared, unseen } }) => {
    const seen = declared - unseen.length;
    const left =
      unseen.length === 0
        ? ''
        : `<details><summary>${unseen.length} never seen</summary>${html(unseen.join(', '))}</details>`;
    return `<tr><th scope="row">${html(operation)}</th><td class="number">${seen} of ${declared}</td><td>${declared === 0 ? '' : meter(seen, declared)}</td><td>${left}</td></tr>`;
  });
  return `<div class="card scroll"><table><caption>Properties of successful answers that came at least once.</caption>
<thead><tr><th scope="col">Operation</th><th scope="col" class="number">Seen</th><th scope="col"><span class="quiet">Share</span></th><th scope="col">Never seen</th></tr></thead>
<tbody>${lines.join('\n')}</tbody></table></div>`;
}

export function coverage({ coverage: rows, rules }: Results): string {
  const called = rows.filter(({ seen }) => Object.keys(seen).length > 0).length;
  return `<section aria-labelledby="coverage"><h2 id="coverage">How much of the contract was exercised</h2>
<p>${called} of ${rows.length} operations were called.</p>${sections(rules)}${matrix(rows)}${properties(rows)}</section>`;
}
