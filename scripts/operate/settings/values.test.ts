import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';

test('a command waits for standard input, also if it is a socket without data yet', async () => {
  const module = JSON.stringify(join(import.meta.dirname, 'values.ts'));
  const program = `import { inputFile } from ${module}; console.log('READY'); console.log((await inputFile('path').resolve({}, '-')).text);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [ready] = await once(child.stdout, 'data');
  expect(String(ready)).toBe('READY\n');
  child.stdin.end('{"op":"delete"}');
  expect(await text(child.stdout)).toBe('{"op":"delete"}\n');
});
