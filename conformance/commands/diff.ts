/** `npm run conformance -- diff BEFORE AFTER`. */
import type { Command } from 'commander';
import { commandLine, exitingWith, standardOutput } from '../../scripts/kit/command-line.ts';
import { CONFORMANCE } from '../called-as.ts';
import { difference, differenceText } from '../report/diff.ts';
import { exitCodes } from '../report/exit-codes.ts';
import { readResults } from '../report/read.ts';

/** Ends with 1 if something got worse or is no longer tested. */
export function diffCommand(): Command {
  return commandLine(
    `${CONFORMANCE} diff`,
    'What changed between two runs. A rule that a partial run left out is not compared.',
  )
    .argument('<before>', 'results.json of the earlier run')
    .argument('<after>', 'results.json of the later run')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing got worse · 1 a rule got worse or is no longer tested · 2 a file is no results.json',
    )
    .action(
      exitingWith((before: string, after: string, options: { json?: true }) => {
        const found = difference(readResults(before), readResults(after));
        standardOutput.stdout(`${options.json ? JSON.stringify(found, null, 2) : differenceText(found)}\n`);
        return found.regressions + found.lost > 0 ? exitCodes.notConformant : exitCodes.conformant;
      }),
    );
}
