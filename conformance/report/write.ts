/** Writes the reports of a run into a folder. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  mkdirSync(directory, { recursive: true });
  const file = (name: string) => join(directory, name);
  writeFileSync(file('results.json'), `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(file('junit.xml'), junit(results));
  writeFileSync(file('summary.md'), markdown(results));
  writeFileSync(file('report.html'), reportPage(results));
  const svg = badge(results);
  // A badge of an earlier run must not stay with the reports of a partial run, where it would seem to belong to them.
  if (svg === undefined) rmSync(file('badge.svg'), { force: true });
  else writeFileSync(file('badge.svg'), svg);
  return file('report.html');
}
