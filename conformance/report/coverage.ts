/** The part of the HTML report that shows how much of the contract the run exercised. */

import { escaped, meterCell, numbers, quietCell, section, table } from '../../scripts/kit/page/page.ts';
import { calledOf, type OperationCoverage, sharesText } from '../judge/coverage.ts';
import type { Results } from './results.ts';
import { percent, sum } from './text.ts';

const meter = (part: number, whole: number) => meterCell(part, Math.max(1, whole), `${percent(part, whole)} %`);

function cellOf({ documented, seen }: OperationCoverage, status: number) {
  const count = seen[status];
  const isDocumented = documented.includes(status);
  if (count === undefined) {
    return isDocumented ? { html: '–', attributes: 'class="number miss" title="documented, not seen"' } : '';
  }
  const hit = 'class="number hit"';
  return isDocumented
    ? { html: String(count), attributes: hit }
    : { html: `${count} !`, attributes: `${hit} title="not documented"` };
}

function matrix(rows: readonly OperationCoverage[]): string {
  const statuses = [
    ...new Set(rows.flatMap(({ documented, seen }) => [...documented, ...Object.keys(seen).map(Number)])),
  ].sort((a, b) => a - b);
  const wanted = sum(rows.map(({ documented }) => documented.length));
  const met = sum(rows.map(({ documented, seen }) => documented.filter((status) => seen[status] !== undefined).length));
  return table({
    caption: `Answers by operation and status: ${met} of ${wanted} documented pairs were seen. A dash is documented and was not seen; an empty cell is not documented; “!” was seen though not documented.`,
    columns: ['Operation', 'Method', ...statuses.map(String).map(numbers)],
    hasRowHeadings: true,
    rows: rows.map((row) => [row.operation, quietCell(row.method), ...statuses.map((status) => cellOf(row, status))]),
  });
}

/** A table of what each operation has, and what is missing of it. */
function shares(
  { caption, verb }: { readonly caption: string; readonly verb: string },
  rows: readonly { operation: string; declared: number; missing: readonly string[] }[],
): string {
  return table({
    caption,
    columns: ['Operation', numbers(verb), { title: 'Share', isQuiet: true }, `Never ${verb}`],
    hasRowHeadings: true,
    rows: rows.map(({ operation, declared, missing }) => {
      const met = declared - missing.length;
      const left = `<details><summary>${missing.length} never ${verb}</summary>${escaped(missing.join(', '))}</details>`;
      return [
        operation,
        `${met} of ${declared}`,
        declared === 0 ? '' : meter(met, declared),
        { html: missing.length === 0 ? '' : left },
      ];
    }),
  });
}

const properties = (rows: readonly OperationCoverage[]) =>
  shares(
    { caption: 'Properties of successful answers that came at least once.', verb: 'seen' },
    rows.map(({ operation, properties: { declared, unseen } }) => ({ operation, declared, missing: unseen })),
  );

const inputs = (rows: readonly OperationCoverage[]) =>
  shares(
    { caption: 'Parameters, fields of bodies and their values that a successful request had.', verb: 'sent' },
    rows.flatMap(({ operation, inputs: sent }) =>
      sent ? { operation, declared: sent.declared, missing: sent.unsent } : [],
    ),
  );

/** What the run exercised of the rules and of the contract. */
export function coverage({ coverage: rows, touched }: Results): string {
  const tables = `${matrix(rows)}${inputs(rows)}${properties(rows)}`;
  const share = touched ? `<p>Touched of the contract: ${escaped(sharesText(touched))}.</p>` : '';
  const summary = `<p>${calledOf(rows)} of ${rows.length} operations were called.</p>${share}`;
  return section('How much of the contract was exercised', `${summary}${tables}`, 'coverage');
}
