/**
 * `npm run referee -- RECORD`: does express-openapi-validator agree with what the service did? For every recorded
 * exchange it judges the request (was it refused although the contract allows it, or served although the contract does
 * not?) and the answer. Exit codes: 0 agreement, 1 disagreement, 2 wrong usage.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compare, type Disagreement } from './compare.ts';
import { startReferee } from './judge.ts';
import { readRecord } from './recorded.ts';

const HELP = `Usage: npm run referee -- RECORD [--json]

Judges the exchanges that npm run conformance -- --record RECORD wrote, with express-openapi-validator.`;

const SHOWN = 20;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const [file] = positionals;
  if (file === undefined || !existsSync(file)) {
    console.error(
      file === undefined ? HELP : `There is no file ${file}; make it with npm run conformance -- --record.`,
    );
    return 2;
  }
  const referee = await startReferee(resolve(import.meta.dirname, '../../openapi.yaml'));
  const disagreements: Disagreement[] = [];
  const stated = new Map<string, number>();
  let judged = 0;
  try {
    for await (const recorded of readRecord(file)) {
      for (const verdict of await compare(recorded, referee)) {
        judged += 1;
        if (verdict.kind === 'disagreement') disagreements.push(verdict);
        if (verdict.kind === 'stated') stated.set(verdict.reason, (stated.get(verdict.reason) ?? 0) + 1);
      }
    }
  } finally {
    referee.close();
  }
  if (values.json) console.log(JSON.stringify({ judged, stated: Object.fromEntries(stated), disagreements }));
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

process.exitCode = await main();
