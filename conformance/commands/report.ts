/** `npm run conformance -- report RESULTS`. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { commandLine, pageUrl, standardOutput } from '../../scripts/kit/command-line.ts';
import { CONFORMANCE } from '../called-as.ts';
import { type RecordedRule, recorded } from '../engine/recorded.ts';
import { readResults } from '../report/read.ts';
import type { Results, RuleResult } from '../report/results.ts';
import { writeReports } from '../report/write.ts';
import { rules } from '../rules/all-rules.ts';

const FILE = join(import.meta.dirname, '../engine/recorded.json');

/**
 * Records what each rule that holds took and used, on which `--plan`, the remaining time and the order of a run are
 * based. Rules about the limit are taken only from runs with the light probe. A rule that is no more leaves no row.
 */
function renewRecord({ rules: results, limit }: Results): void {
  const isOther = ({ section }: RuleResult) => section === 'LIM' && limit?.probe === 'full';
  const after = results.flatMap((result): [string, RecordedRule][] => {
    const { rule, status, exchanges, writes = 0, durationMs, needs } = result;
    return status === 'PASS' && !isOther(result) ? [[rule, { cost: [exchanges, writes, durationMs], ...needs }]] : [];
  });
  const rows = { ...recorded, ...Object.fromEntries(after) };
  const ids = rules.flatMap(({ id }) => (id in rows ? [id] : []));
  const lines = ids.toSorted().map((id) => `  ${JSON.stringify(id)}: ${JSON.stringify(rows[id])}`);
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
}

/** Writes reports again. */
export function reportCommand(): Command {
  return commandLine(
    `${CONFORMANCE} report`,
    'Writes report.html, junit.xml, summary.md and the badge of an earlier run again.',
  )
    .argument('<results>', 'results.json of the run')
    .option('--out <directory>', 'where the reports are written; by default next to results.json')
    .option('--docs <url>', 'the page of the docs, to which the reports link rules (default: that of the run)', pageUrl)
    .option(
      '--recorded',
      'also write what its rules took and need to conformance/engine/recorded.json, for --plan and the order of a run',
    )
    .action((file: string, options: { out?: string; recorded?: true; docs?: string }) => {
      const results = readResults(file);
      if (options.docs !== undefined) results.target.docs = options.docs;
      standardOutput.stdout(`${writeReports(results, options.out ?? dirname(file))}\n`);
      if (options.recorded) renewRecord(results);
    });
}
