/** An image is laid out with OpenSSL, or not at all. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../../scripts/kit/leftovers.ts';
import { startAlone } from '../../scripts/kit/run-program.ts';

const folder = temporaryFolder('openssl-');

test('where there is none, no tree is laid out, and the reason is said', async () => {
  const out = join(folder, 'tree');
  const running = startAlone('deploy/image/main.ts', ['service', '--out', out], { PATH: folder });
  expect(await running.ended).toBe(1);
  expect(running.stderr).toMatch(/OpenSSL 3.*OPENSSL/);
  expect(existsSync(out)).toBe(false);
});
