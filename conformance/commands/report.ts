/** `npm run conformance -- report RESULTS`. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { readResults } from '../report/read.ts';
import { writeReports } from '../report/write.ts';
import { EXERCISED, exitCodes, type Results } from '../results.ts';

/** What `--plan` and the time left rest on: requests, writes and milliseconds of each rule that was judged. */
function costsText({ rules }: Results): string {
  const judged = rules.filter(({ status }) => EXERCISED.includes(status));
  const lines = judged.map(
    ({ rule, exchanges, writes = 0, durationMs }) =>
      `  ${JSON.stringify(rule)}: [${exchanges}, ${writes}, ${durationMs}]`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** @throws BadResults */
export async function reportCommand(argv: readonly string[]): Promise<number> {
  await new Command('conformance report')
    .exitOverride()
    .description('Makes report.html, junit.xml, summary.md and the badge of an earlier run again.')
    .argument('<results>', 'results.json of the run')
    .option('--out <directory>', 'where they go; beside results.json by default')
    .option('--costs', 'also take the costs of rules from this run, for --plan (conformance/costs.json)')
    .action((file: string, options: { out?: string; costs?: true }) => {
      const results = readResults(file);
      process.stdout.write(`${writeReports(results, options.out ?? dirname(file))}\n`);
      if (options.costs) writeFileSync(join(import.meta.dirname, '../costs.json'), costsText(results));
    })
    .parseAsync(argv, { from: 'user' });
  return exitCodes.conformant;
}
