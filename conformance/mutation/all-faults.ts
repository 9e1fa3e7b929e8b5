/** All faults: those of every `*.faults.ts` next to the rules. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rulesDirectory } from '../rules/all-rules.ts';
import type { Fault } from './fault.ts';

const files = readdirSync(rulesDirectory).filter((name) => name.endsWith('.faults.ts'));

export const faultsByFile: readonly [file: string, faults: readonly Fault[]][] = await Promise.all(
  files.map(async (file) => [file, (await import(join(rulesDirectory, file))).faults] as [string, readonly Fault[]]),
);

/** In the order of files. */
export const faults: readonly Fault[] = faultsByFile.flatMap(([, list]) => list);
