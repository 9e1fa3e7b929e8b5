/** `npm run conformance -- report RESULTS`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { CONFORMANCE } from '../called-as.ts';
import { commandLine, pageUrl } from '../command-line.ts';
import { readResults } from '../report/read.ts';
import { EXERCISED, type Results, type RuleResult } from '../report/results.ts';
import { writeReports } from '../report/write.ts';

const costs = join(import.meta.dirname, '../engine/costs.json');

/**
 * Updates the costs on which `--plan` and the remaining time are based: requests, writes and milliseconds of each
 * judged rule. Rules about the limit are taken only from runs with the light probe.
 */
function renewCosts({ rules, limit }: Results): void {
  const before = JSON.parse(readFileSync(costs, 'utf8')) as Record<string, number[]>;
  const isOther = ({ section }: RuleResult) => section === 'LIM' && limit?.probe === 'full';
  const judged = rules.filter((result) => EXERCISED.includes(result.status) && !isOther(result));
  const after = judged.map(
    ({ rule, exchanges, writes = 0, durationMs }) => [rule, [exchanges, writes, durationMs]] as const,
  );
  const all = Object.entries({ ...before, ...Object.fromEntries(after) }).sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = all.map(
    ([rule, numbers]: [string, readonly number[]]) => `  ${JSON.stringify(rule)}: [${numbers.join(', ')}]`,
  );
  writeFileSync(costs, `{\n${lines.join(',\n')}\n}\n`);
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
      '--costs',
      'also save the costs of its rules, for --plan and the remaining time (conformance/engine/costs.json)',
    )
    .action((file: string, options: { out?: string; costs?: true; docs?: string }) => {
      const results = readResults(file);
      if (options.docs !== undefined) results.target.docs = options.docs;
      process.stdout.write(`${writeReports(results, options.out ?? dirname(file))}\n`);
      if (options.costs) renewCosts(results);
    });
}
