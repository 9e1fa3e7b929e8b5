/** The report of planted faults as files: the data, and one page of HTML. */
import { basename, dirname } from 'node:path';
import {
  badgeCell,
  codeCell,
  escaped,
  numbers,
  page,
  quietCell,
  section,
  table,
  verdictCard,
} from '../../scripts/kit/page/page.ts';
import { writeFiles } from '../../scripts/kit/write-files.ts';
import { byPart, type FaultReport, isRight, openOf, type ReportedFault, summary } from './report.ts';

function faultTable(faults: readonly ReportedFault[]): string {
  return table({
    columns: ['Where', 'Fault', 'What is wrong', 'Verdict', 'What was said'],
    hasRowHeadings: true,
    rows: faults.map(({ place, id, breaks, verdict, isFound, said, reason }) => [
      place,
      codeCell(id),
      breaks,
      badgeCell(isFound || reason !== undefined, verdict),
      quietCell(reason === undefined ? said : `${said} Nothing has to find it: ${reason}`),
    ]),
  });
}

const foundIn = (faults: readonly ReportedFault[]) => faults.filter(({ isFound }) => isFound).length;

/** First what is wrong, then the controls, then every fault by part. */
export function html(report: FaultReport): string {
  const parts = byPart(report);
  const open = openOf(report);
  const overview = table({
    columns: ['Part', numbers('Faults'), numbers('Found')],
    rows: parts.map(([name, own]) => [
      { html: `<a href="#${escaped(name)}">${escaped(name)}</a>` },
      own.length,
      { ...badgeCell(openOf({ faults: own }).length === 0, String(foundIn(own))), attributes: 'class="number"' },
    ]),
  });
  const controlled = table({
    columns: ['Control', 'Expected', 'Found', ''],
    rows: report.controls.map((one) => [
      one.name,
      one.expected,
      one.found,
      badgeCell(one.right, one.right ? 'right' : 'wrong'),
    ]),
  });
  const without = table({
    columns: ['Name', 'Why'],
    hasRowHeadings: true,
    rows: report.without.map(({ name, reason }) => [name, reason]),
  });
  const part = report.whole ? '' : '<p>Only some faults were planted; this page says nothing of the rest.</p>';
  const minutes = Math.round(report.duration_ms / 60_000);
  const how = `<p class="quiet">${escaped(report.how)} ${escaped(report.started_at)}, ${minutes} min.</p>`;
  return page({
    title: report.title,
    header: `<h1>${escaped(report.title)}</h1>${verdictCard(isRight(report) ? 'PASS' : 'FAIL', summary(report), part + how)}`,
    sections: [
      open.length === 0 ? '' : section('Not found', faultTable(open)),
      section('Parts', overview),
      report.controls.length === 0 ? '' : section('Controls', controlled),
      report.without.length === 0 ? '' : section('Without a fault', without),
      ...parts.map(([name, own]) => section(`${name}: ${foundIn(own)} of ${own.length}`, faultTable(own), name)),
    ],
  });
}

/** Writes `faults.json` and `faults.html` to the folder, and the data to another file too if one is given. */
export function writeReport(report: FaultReport, folder: string, json?: string): void {
  writeFiles(folder, { 'faults.json': report, 'faults.html': html(report) });
  if (json !== undefined) writeFiles(dirname(json), { [basename(json)]: report });
}
