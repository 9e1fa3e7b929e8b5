/**
 * `npm run cross-check -- RECORD`: does express-openapi-validator agree with what the service did? For every recorded
 * exchange it judges the request (was it refused although the contract allows it, or served although the contract does
 * not?) and the answer. Exit codes: 0 agreement, 1 disagreement, 2 wrong usage.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { commandLine, exitingWith, misuse, runProgram } from '../../../conformance/command-line.ts';
import { runMain } from '../../../conformance/processes/ending.ts';
import { compare, type Disagreement } from './compare.ts';
import { startSecondValidator } from './judge.ts';
import { readRecord } from './recorded.ts';

const SHOWN = 20;

async function judge(file: string, { json }: { json?: boolean }): Promise<number> {
  if (!existsSync(file)) misuse(`There is no file ${file}; make it with npm run conformance -- --record.`);
  const second = await startSecondValidator(resolve(import.meta.dirname, '../../../openapi.yaml'));
  const disagreements: Disagreement[] = [];
  const stated = new Map<string, number>();
  let judged = 0;
  try {
    for await (const recorded of readRecord(file)) {
      for (const verdict of await compare(recorded, second)) {
        judged += 1;
        if (verdict.kind === 'disagreement') disagreements.push(verdict);
        if (verdict.kind === 'stated') stated.set(verdict.reason, (stated.get(verdict.reason) ?? 0) + 1);
      }
    }
  } finally {
    await second.close();
  }
  if (json) console.log(JSON.stringify({ judged, stated: Object.fromEntries(stated), disagreements }));
  else report(judged, stated, disagreements);
  return disagreements.length === 0 && judged > 0 ? 0 : 1;
}

function report(judged: number, stated: ReadonlyMap<string, number>, disagreements: readonly Disagreement[]): void {
  for (const { rule, request, what, objections } of disagreements.slice(0, SHOWN)) {
    console.log(`${rule}  ${request}\n  ${what}${objections.map((text) => `\n    ${text}`).join('')}`);
  }
  if (disagreements.length > SHOWN) console.log(`… and ${disagreements.length - SHOWN} more (--json lists all).`);
  for (const [reason, count] of [...stated].sort()) console.log(`${String(count).padStart(6)} refused by ${reason}`);
  console.log(`${judged} judgements, ${disagreements.length} disagreements`);
}

const about = 'Checks the exchanges that npm run conformance -- --record RECORD wrote, with express-openapi-validator.';
const program = commandLine('npm run cross-check --', about)
  .argument('<record>', 'the file of the exchanges')
  .option('--json', 'all disagreements as JSON')
  .addHelpText('after', '\nExit codes: 0 agreement, 1 disagreement, 2 wrong usage.')
  .action(exitingWith(judge));
/** Runs the program. @returns the exit code */
export const main = (argv: readonly string[]): Promise<number> => runProgram(program, argv);

if (import.meta.main) await runMain(main);
