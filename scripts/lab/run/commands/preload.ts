/**
 * Loaded before a program (`node --import`), so that the product needs no switch for it. Judges every command that the
 * program sends to the database, and adds each kind of verdict once to the file that JUDGED_COMMANDS names.
 */
import { appendFileSync } from 'node:fs';
import { onCommands } from '../../../world/examined.ts';
import { judge } from './judge.ts';

const { JUDGED_COMMANDS } = process.env;
if (JUDGED_COMMANDS !== undefined) {
  const recorded = new Set<string>();
  onCommands(({ command }) => {
    const line = JSON.stringify(judge(command));
    if (line === undefined || recorded.has(line)) return;
    recorded.add(line);
    appendFileSync(JUDGED_COMMANDS, `${line}\n`);
  });
}
