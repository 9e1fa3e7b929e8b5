/** The last judge: what it verifies, and what happens when the program is not as it was at the start. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../scripts/kit/leftovers.ts';
import { newAuthority, newSigner } from '../../scripts/world/eds/folder.ts';
import { hasOpenssl, NO_OPENSSL } from '../../scripts/world/eds/judges.ts';
import { makeCms } from '../../scripts/world/eds/signatures.ts';
import { signatureInTurn } from '../fairness/work-in-turn.ts';
import { Openssl } from './openssl.ts';

const at = new Date();
const authority = newAuthority('ec', at);
const signer = newSigner(authority, { iin: '850101300120', kind: 'ec' }, at);
const content = Buffer.from('%PDF-1.7\nWhat is signed.\n');
const signature = {
  der: makeCms({ content, signers: [signer], at }),
  anchors: [authority.certificate],
  certificate: signer.certificate,
  at,
};
const folder = temporaryFolder('openssl-');

/** A program that acts like OpenSSL up to the verification of a signature, and then does this. */
function acting(name: string, verification: string, version = 'OpenSSL 3.0.0'): string {
  const program = join(folder, name);
  // The signer of the trial is its own authority. The numbers are the open files here, as /dev/fd/3 is to some systems.
  const trial = `[ -e ${program}.used ] || { : > ${program}.used; exec cat <&3 >&4; }`;
  writeFileSync(program, `#!/bin/sh\n[ $1 = version ] && { echo '${version}'; exit 0; }\n${trial}\n${verification}\n`);
  chmodSync(program, 0o755);
  return program;
}

async function found(program: string, limitMs?: number): Promise<Openssl> {
  const openssl = await Openssl.find({ OPENSSL: program }, limitMs);
  if (!(openssl instanceof Openssl)) throw new Error(openssl);
  return openssl;
}

describe('the program gives no verdict', () => {
  test.each([
    ['is killed', 'kill -9 $$'],
    ['crashes', 'exit 139'],
    ['has no place for its files', 'echo "Can\'t open /dev/fd/3" >&2; exit 2'],
  ])('because it %s', async (name, verification) => {
    const openssl = await found(acting(name.replaceAll(' ', '-'), verification));
    expect(await openssl.verifies(signature)).toBeUndefined();
  });

  test('because it takes too long, and it is ended', async () => {
    const pid = join(folder, 'pid');
    const slow = acting('slow', `echo $$ > ${pid}; while :; do :; done`);
    const openssl = await found(slow, 1_000);
    expect(await openssl.verifies(signature)).toBeUndefined();
    if (existsSync(pid)) expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH');
  });

  test('because it is gone', async () => {
    const program = acting('gone', 'exit 0');
    const openssl = await found(program);
    rmSync(program);
    expect(await openssl.verifies(signature)).toBeUndefined();
  });
});

test.each([
  ['has no place for its files', `echo "Can't open /dev/fd/3" >&2; exit 2`, 'it ended with 2'],
  ['refuses a right signature', 'exit 4', 'it refuses what is right'],
  ['verifies it and names no signer', 'exit 0', 'it refuses what is right'],
])('one that %s is not taken, and the reason is said', async (name, verification, words) => {
  const program = acting(name.replaceAll(' ', '-'), verification);
  writeFileSync(`${program}.used`, '');
  expect(await Openssl.find({ OPENSSL: program })).toBe(`${program} cannot judge here: ${words}`);
});

test.each([
  ['another make', acting('libressl', '', 'LibreSSL 3.3.6'), 'is no OpenSSL 3: LibreSSL 3.3.6'],
  ['an older one', acting('old', '', 'OpenSSL 1.1.1w  11 Sep 2023'), 'is no OpenSSL 3: OpenSSL 1.1.1w'],
  ['none', join(folder, 'absent'), 'cannot be run'],
])('%s is not taken, and the reason is said', async (_, program, words) => {
  expect(await Openssl.find({ OPENSSL: program })).toContain(words);
});

test('it is looked for on the PATH', async () => {
  acting('openssl', 'exit 4');
  expect(await Openssl.find({ PATH: `${join(folder, 'empty')}:${folder}` })).toMatchObject({
    program: join(folder, 'openssl'),
  });
  expect(await Openssl.find({})).toBe('no openssl is on the PATH');
});

test('it gets nothing of the environment and no configuration file', async () => {
  const seen = join(folder, 'environment');
  const openssl = await found(acting('env', `env > ${seen}; exit 4`));
  expect(await openssl.verifies(signature)).toBe(false);
  // The last three are those of the shell.
  const names = readFileSync(seen, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => !/^(PWD|SHLVL|_)=/.test(line));
  expect(names).toEqual(['OPENSSL_CONF=']);
});

test('two work at once, one for each of two tenants', async () => {
  const log = join(folder, 'log');
  // The first waits for a second one.
  const openssl = await found(
    acting('paired', `echo + >> ${log}; while [ $(grep -c + ${log}) -lt 2 ]; do :; done; echo - >> ${log}; exit 4`),
    20_000,
  );
  const asked = ['a', 'b', 'a', 'b'].map((tenantId) => signatureInTurn(tenantId, () => openssl.verifies(signature)));
  expect(await Promise.all(asked)).toEqual([false, false, false, false]);
  let [now, most] = [0, 0];
  for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
    now += line === '+' ? 1 : -1;
    most = Math.max(most, now);
  }
  expect(most).toBe(2);
});

(hasOpenssl ? describe : describe.skip)(`${hasOpenssl ? '' : NO_OPENSSL}OpenSSL itself`, () => {
  const judged = async (change: Partial<typeof signature>) => {
    const openssl = await Openssl.find({ PATH: process.env.PATH });
    return openssl instanceof Openssl ? openssl.verifies({ ...signature, ...change }) : openssl;
  };

  test('verifies a signature, and leaves no file', async () => {
    const files = join(folder, 'files');
    mkdirSync(files);
    process.env.TMPDIR = files;
    expect(await judged({})).toBe(true);
    expect(readdirSync(files)).toEqual([]);
  });

  test.each([
    ['of another authority', { anchors: [newAuthority('ec', at).certificate] }],
    ['of nobody who is trusted', { anchors: [] }],
    ["with another certificate than its signer's", { certificate: authority.certificate }],
    ['of another time', { at: new Date(at.getTime() + 1_000 * 86_400_000) }],
    ['with other bytes', { der: Buffer.concat([signature.der.subarray(0, -1), Buffer.of(0)]) }],
    ['that is none', { der: Buffer.from('no DER') }],
  ])('refuses one %s', async (_, change) => {
    expect(await judged(change)).toBe(false);
  });
});
