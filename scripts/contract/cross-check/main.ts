/**
 * `npm run cross-check -- RECORD`: does express-openapi-validator agree with what the service did? For every recorded
 * exchange it judges the request (was it refused although the contract allows it, or served although the contract does
 * not?) and the answer. Exit codes: 0 agreement, 1 disagreement, 2 wrong usage.
 */
import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { commandLine, exitingWith, misuse, runProgram } from '../../kit/command-line.ts';
import { openCrossCheck } from './cross-check.ts';
import { exchangeOf, linesOf } from './recorded.ts';

async function judge(file: string): Promise<number> {
  if (!existsSync(file)) misuse(`There is no file ${file}; make it with npm run conformance -- --record.`);
  const check = await openCrossCheck(resolve(import.meta.dirname, '../../../openapi.yaml'), console.log);
  for await (const line of linesOf(createReadStream(file, 'utf8'))) await check.judge(exchangeOf(line));
  const { judged, disagreements } = await check.close();
  return disagreements === 0 && judged > 0 ? 0 : 1;
}

const about = 'Checks the exchanges that npm run conformance -- --record RECORD wrote, with express-openapi-validator.';
const program = commandLine('npm run cross-check --', about)
  .argument('<record>', 'the file of the exchanges')
  .addHelpText('after', '\nExit codes: 0 agreement, 1 disagreement, 2 wrong usage.')
  .action(exitingWith(judge));
/** Runs the program. @returns the exit code */
export const main = (argv: readonly string[]): Promise<number> => runProgram(program, argv);
