/** Which OpenSSL goes into the image: by what it says of its version. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../../conformance/processes/leftovers.ts';
import { startAlone } from '../../scripts/testbed/run-program.ts';
import { opensslHere } from './openssl.ts';

const folder = temporaryFolder('openssl-');

test.each([
  ['OpenSSL 3.0.2 15 Mar 2022', '3.0.2'],
  ['OpenSSL 3.5.1 1 Jul 2025 (Library: OpenSSL 3.5.1 1 Jul 2025)', '3.5.1'],
  ['OpenSSL 1.1.1w  11 Sep 2023', undefined],
  ['LibreSSL 3.3.6', undefined],
])('%s: %s', (said, version) => {
  const OPENSSL = join(folder, 'program');
  writeFileSync(OPENSSL, `#!/bin/sh\necho '${said}'\n`, { mode: 0o755 });
  expect(opensslHere({ OPENSSL })?.version).toBe(version);
});

test('where there is none, no tree is laid out, and the reason is said', async () => {
  const out = join(folder, 'tree');
  const running = startAlone('deploy/image/main.ts', ['service', '--out', out], { PATH: folder });
  expect(await running.ended).toBe(1);
  expect(running.stderr).toMatch(/OpenSSL 3.*OPENSSL/);
  expect(existsSync(out)).toBe(false);
});
