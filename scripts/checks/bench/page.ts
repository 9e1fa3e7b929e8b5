/** The report as a page: for each operation a table, with bars of the processor time that a request costs. */
import { escaped, facts, page, section } from '../../../conformance/report/markup.ts';
import { peers } from './contestants.ts';
import type { BenchReport, Figures, ScenarioResult } from './results.ts';

const STYLE = `.bar{display:inline-block;height:.8rem;background:currentColor;opacity:.55;vertical-align:middle}
tr.ours{font-weight:600}td.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}`;
const WIDEST_REM = 18;

function row(name: string, figures: Figures, most: number): string {
  const number = (text: string) => `<td class="number">${text}</td>`;
  const width = ((figures.cpu_us / most) * WIDEST_REM).toFixed(2);
  const cells = [
    number(figures.per_second.toFixed(0)),
    number(`${figures.p50_ms.toFixed(1)} ms`),
    number(`${figures.p99_ms.toFixed(1)} ms`),
    number(figures.database_cpu_us === null ? '' : `${figures.database_cpu_us.toFixed(0)} µs`),
    number(`${figures.rss_mb.toFixed(0)} MB`),
    number(figures.of_ideal === null ? '' : figures.of_ideal.toFixed(2)),
    number(`${figures.cpu_us.toFixed(0)} µs`),
    `<td><span class="bar" style="width:${width}rem"></span></td>`,
  ];
  return `<tr${name === 'ours' ? ' class="ours"' : ''}><th scope="row">${escaped(name)}</th>${cells.join('')}</tr>`;
}

const HEADS = ['', 'requests/s', 'p50', 'p99', 'database', 'memory', 'of ideal', 'processor time', 'of a request'];

function scenario({ name, services }: ScenarioResult): string {
  const all = Object.entries(services);
  const most = Math.max(...all.map(([, { cpu_us }]) => cpu_us));
  const heads = HEADS.map((head) => `<th scope="col">${head}</th>`).join('');
  const rows = all.map(([label, figures]) => row(label, figures, most)).join('\n');
  return section(name, `<div class="scroll"><table><tr>${heads}</tr>${rows}</table></div>`);
}

export function benchPage(report: BenchReport): string {
  const given = facts([
    ['Database', report.engine],
    ['Processors', String(report.processors)],
    ['Node', report.node],
    ['Employees', String(report.employees)],
    ['Rounds', `${report.rounds} of ${report.seconds} s, ${report.connections} requests at a time; medians`],
    ['Made', report.made_at],
  ]);
  const names = Object.entries(peers).map(([name, about]): [string, string] => [name, about]);
  return page({
    title: 'What a request costs',
    header: `<h1>What a request costs</h1>${given}`,
    sections: [...report.scenarios.map(scenario), section('The services', facts([['ours', 'this project'], ...names]))],
    footer: 'Of ideal: how much is done with the same processor time, compared with ideal; more is better.',
    style: STYLE,
  });
}
