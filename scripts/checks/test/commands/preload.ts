/**
 * Loaded before a program (`node --import`), so that the product needs no switch for it. Judges every command that the
 * program sends to the database, and adds each kind of verdict once to the file that JUDGED_COMMANDS names.
 */
import { appendFileSync } from 'node:fs';
import { watchAll } from './watch.ts';

const { JUDGED_COMMANDS } = process.env;
if (JUDGED_COMMANDS !== undefined) {
  const recorded = new Set<string>();
  watchAll((verdict) => {
    const line = JSON.stringify(verdict);
    if (recorded.has(line)) return;
    recorded.add(line);
    appendFileSync(JUDGED_COMMANDS, `${line}\n`);
  });
}
