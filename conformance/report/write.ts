/** Writes the reports of a run into a folder. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../../scripts/kit/write-files.ts';
import { badge } from './badge.ts';
import { reportPage } from './html.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import type { Results } from './results.ts';

/**
 * results.json, report.html, junit.xml, summary.md, and badge.svg for a whole run.
 * @returns the path of the HTML file
 */
export function writeReports(results: Results, directory: string): string {
  const svg = badge(results);
  // A badge of an earlier run must not stay with the reports of a partial run, where it would seem to belong to them.
  if (svg === undefined) rmSync(join(directory, 'badge.svg'), { force: true });
  writeFiles(directory, {
    'results.json': results,
    'junit.xml': junit(results),
    'summary.md': markdown(results),
    'report.html': reportPage(results),
    ...(svg !== undefined && { 'badge.svg': svg }),
  });
  return join(directory, 'report.html');
}
