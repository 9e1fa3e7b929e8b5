import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { commandLine, exitingWith, runProgram, wholeNumber } from '../kit/command-line.ts';
import { runMain } from '../kit/ending.ts';
import { ROOT, redocly } from './redocly.ts';
import { otherReadings } from './yaml-versions.ts';

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const program = commandLine(
    'npm run lint:contract --',
    'Judges the contract by the rules of redocly.yaml: those of Redocly, and those of the house (scripts/contract/rules-*.ts). Says which words readers of YAML 1.1 refuse or understand otherwise.',
  )
    .argument('[file]', 'the contract', join(ROOT, 'openapi.yaml'))
    .option('--json', 'findings as JSON')
    .option('--max-problems <number>', 'the maximum number of findings to show', wholeNumber(1, 100_000), 100)
    .addHelpText(
      'after',
      '\nExit codes: 0 no finding, 1 findings, which name the place, the rule and the remedy, 2 wrong usage.',
    )
    .action(
      exitingWith(async (file: string, options: { json?: boolean; maxProblems: number }) => {
        const path = relative(ROOT, resolve(file));
        const format = options.json ? 'json' : 'codeframe';
        const { code } = await redocly(
          ['lint', path, '--format', format, '--max-problems', String(options.maxProblems)],
          true,
        );
        const readings = code === 0 ? otherReadings(readFileSync(path, 'utf8')) : [];
        for (const reading of readings) console.error(`${path}, ${reading}`);
        return code === 0 && readings.length === 0 ? 0 : 1;
      }),
    );
  return runProgram(program, argv);
}

if (import.meta.main) await runMain(main);
