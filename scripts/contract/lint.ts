import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { ROOT, redocly } from './redocly.ts';

if (import.meta.main) {
  await new Command('npm run lint:contract --')
    .description(
      'Judges the contract by the rules of redocly.yaml: those of Redocly, and those of the house (scripts/contract/rules-*.ts).',
    )
    .argument('[file]', 'the contract', join(ROOT, 'openapi.yaml'))
    .option('--json', 'findings as JSON')
    .option('--max-problems <number>', 'show at most so many findings', '100')
    .addHelpText('after', '\nExit codes: 0 no finding, 1 findings, which name the place, the rule and the remedy.')
    .action(async (file: string, options: { json?: boolean; maxProblems: string }) => {
      const path = relative(ROOT, resolve(file));
      const format = options.json === true ? 'json' : 'codeframe';
      const { code } = await redocly(['lint', path, '--format', format, '--max-problems', options.maxProblems], true);
      process.exitCode = code;
    })
    .parseAsync();
}
