import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testFolder } from '../../testbed/test-surroundings.ts';
import { forgetInstance, readInstance, writeInstance } from './instance.ts';

const folder = testFolder();

test('the note can be read at any time while it is written', async () => {
  writeInstance(folder, { start_pid: 1, server_pid: 0 });
  const module = JSON.stringify(join(import.meta.dirname, 'instance.ts'));
  const program = `import { writeInstance } from ${module};
    for (let pid = 1; pid <= 3000; pid++) writeInstance(${JSON.stringify(folder)}, { start_pid: 1, server_pid: pid });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  let read = 0;
  while (readInstance(folder)?.server_pid !== 3000 && child.exitCode === null) {
    read++;
    if (read % 500 === 0) await new Promise(setImmediate);
  }
  expect(await ended).toEqual([0, null]);
  expect(read).toBeGreaterThan(0);
  expect(readInstance(folder)).toEqual({ start_pid: 1, server_pid: 3000 });
  forgetInstance(folder);
  expect(readInstance(folder)).toBeUndefined();
}, 60_000);
