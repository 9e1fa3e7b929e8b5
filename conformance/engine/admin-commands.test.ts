import { expect, test } from '@jest/globals';
import { AdminCommands } from './admin-commands.ts';

const HANGING = [process.execPath, '-e', 'process.stdin.resume()'];

test('of commands that a runner was running when one hung, each says which took too long', async () => {
  const commands = new AdminCommands({ runner: HANGING }, 200);
  const ends = await Promise.all([commands.run(['off'], 'flag_off'), commands.run(['on'], 'flag_on')]);
  for (const { code, stderr } of ends)
    expect([code, stderr]).toEqual(['SIGTERM', 'The runner was stopped: flag_off took longer than 0.2 s.']);
  await commands.close();
});

test('a command that hangs is ended, and says so', async () => {
  const end = await new AdminCommands({}, 200).run([process.execPath, '-e', 'setInterval(() => {}, 1)'], 'restart');
  expect(end).toMatchObject({ code: 'SIGTERM', stderr: expect.stringContaining('restart took longer than 0.2 s.') });
});
