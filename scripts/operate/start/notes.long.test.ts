import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { instanceNote } from './notes.ts';

const folder = testFolder();

test('the note can be read at any time while it is written', async () => {
  instanceNote.write(folder, { start_pid: 1, server_pid: 0 });
  const module = JSON.stringify(join(import.meta.dirname, 'notes.ts'));
  const program = `import { instanceNote } from ${module};
    for (let pid = 1; pid <= 3000; pid++) instanceNote.write(${JSON.stringify(folder)}, { start_pid: 1, server_pid: pid });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  let read = 0;
  while (instanceNote.read(folder)?.server_pid !== 3000 && child.exitCode === null) {
    read++;
    if (read % 500 === 0) await new Promise(setImmediate);
  }
  expect(await ended).toEqual([0, null]);
  expect(read).toBeGreaterThan(0);
  expect(instanceNote.read(folder)).toEqual({ start_pid: 1, server_pid: 3000 });
  instanceNote.forget(folder);
  expect(instanceNote.read(folder)).toBeUndefined();
});
