/** `npm run dashboards`: writes the dashboards for Grafana from `pages/`. Exit codes: 0 done, 2 wrong usage. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, runProgram } from '../../scripts/kit/command-line.ts';
import { dashboardFile, pages } from './dashboards.ts';

const FILES = join(import.meta.dirname, 'dashboards');

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const about = 'Writes the dashboards for Grafana from deploy/monitoring/pages.';
  const program = commandLine('npm run dashboards', about).action(() => {
    for (const page of pages) writeFileSync(join(FILES, `${page.name}.json`), dashboardFile(page));
  });
  return runProgram(program, argv);
}
