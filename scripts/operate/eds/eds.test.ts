import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verifyCms } from '../../../handlers/documents/signing/cms.ts';
import { readIdentity, writeTestSigners } from '../../testbed/eds/folder.ts';
import { eds } from './main.ts';

const now = new Date('2026-05-01T00:00:00Z');
const iin = '850101300120';
const pdf = Buffer.from('%PDF-1.7\nSigned in a test.\n');

let dir: string;
let file: string;
const at = (name: string) => path.join(dir, name);

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'eds-'));
  file = at('document.pdf');
  await writeFile(file, pdf);
});

afterAll(() => rm(dir, { recursive: true, force: true }));

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const stdout = (text: string) => {
    out += text;
  };
  const stderr = (text: string) => {
    err += text;
  };
  const code = await eds(argv, { stdout, stderr, now: () => now });
  return { code, out, err };
}

async function verified(value: string, ca: string, of = iin) {
  const content = {
    sha256: createHash('sha256').update(pdf).digest('hex'),
    read: async () =>
      (async function* () {
        yield pdf;
      })(),
  };
  const anchors = [(await readIdentity(at(ca))).certificate];
  return verifyCms(value, content, { anchors, iin: of, at: now });
}

test.each(['rsa', 'ec'])('%s: authority, signer, signatures in every form are accepted', async (algorithm) => {
  const [ca, signer] = [`ca-${algorithm}`, `signer-${algorithm}`];
  const made = await run('ca', '--out', at(ca), '--algorithm', algorithm);
  expect(made.code).toBe(0);
  expect(made.err).toContain('TEST ONLY');
  const options = ['--ca', at(ca), '--iin', iin, '--out', at(signer), '--algorithm', algorithm];
  expect((await run('certificate', ...options)).code).toBe(0);
  expect((await stat(path.join(at(signer), 'key.pem'))).mode & 0o777).toBe(0o600);
  const sign = ['sign', '--certificate', at(signer), '--file', file];
  const plain = await run(...sign);
  expect(plain.out).toMatch(/^[A-Za-z0-9+/]+=*\n$/);
  await expect(verified(plain.out.trim(), ca)).resolves.toBeDefined();
  const { signature } = JSON.parse((await run(...sign, '--json')).out);
  expect(signature.format).toBe('CMS');
  await expect(verified(signature.value, ca)).resolves.toBeDefined();
  expect((await run(...sign, '--out', at('signature.p7s'))).out).toBe('');
  await expect(verified((await readFile(at('signature.p7s'))).toString('base64'), ca)).resolves.toBeDefined();
});

test('a certificate can be expired, or have another key usage', async () => {
  await run('ca', '--out', at('ca'));
  const sign = async (name: string, ...flags: string[]) => {
    const made = await run('certificate', '--ca', at('ca'), '--iin', iin, '--out', at(name), ...flags);
    expect(made.code).toBe(0);
    return (await run('sign', '--certificate', at(name), '--file', file)).out.trim();
  };
  await expect(verified(await sign('expired', '--expired'), 'ca')).rejects.toThrow('expired');
  await expect(verified(await sign('usage', '--usage', 'keyEncipherment'), 'ca')).rejects.toThrow('key usage');
});

test('wrong usage has exit code 2, an existing or missing file 1', async () => {
  await run('ca', '--out', at('once'));
  const before = await readFile(path.join(at('once'), 'key.pem'), 'utf8');
  const again = await run('ca', '--out', at('once'));
  expect(again).toMatchObject({ code: 1, out: '' });
  expect(again.err).toContain('already');
  expect(await readFile(path.join(at('once'), 'key.pem'), 'utf8')).toBe(before);
  expect((await run('sign', '--certificate', at('missing'), '--file', file)).code).toBe(1);
  expect((await run('sign', '--certificate', at('once'), '--file', at('missing'))).code).toBe(1);
  for (const argv of [
    ['certificate'],
    ['ca', '--out', at('x'), '--algorithm', 'gost'],
    ['certificate', '--ca', at('once'), '--iin', '123', '--out', at('x')],
    ['certificate', '--ca', at('once'), '--iin', iin, '--out', at('x'), '--usage', 'everything'],
  ]) {
    expect((await run(...argv)).code).toBe(2);
  }
});

test('an IIN that a real person could have is refused', async () => {
  // Which of the ten possible last digits is right depends only on the checksum; at most one is.
  const codes: number[] = [];
  for (let last = 0; last < 10; last++) {
    const made = await run('certificate', '--ca', at('missing'), '--iin', `85010130012${last}`, '--out', at('x'));
    codes.push(made.code);
  }
  expect(codes.filter((code) => code === 2)).toHaveLength(1);
  expect(codes.filter((code) => code === 1)).toHaveLength(9);
});

test('help shows examples, and says that the authority is for tests only', async () => {
  for (const argv of [['--help'], ['sign', '--help']]) {
    const { code, out } = await run(...argv);
    expect(code).toBe(0);
    expect(out).toContain('THIS IS A TEST AUTHORITY');
    expect(out).toContain('npm run eds --');
  }
});

test('the demo signers (correct, another person, another authority, expired) are made once', async () => {
  const iins = { restricted: iin, second: '900202400450' };
  const { ca } = await writeTestSigners(at('demo'), iins, now);
  expect((await writeTestSigners(at('demo'), iins, now)).ca).toEqual(ca);
  const sign = async (name: string) =>
    (await run('sign', '--certificate', path.join(at('demo'), name), '--file', file)).out.trim();
  await expect(verified(await sign('restricted'), 'demo/ca')).resolves.toBeDefined();
  await expect(verified(await sign('second'), 'demo/ca', iins.second)).resolves.toBeDefined();
  await expect(verified(await sign('second'), 'demo/ca')).rejects.toThrow('another person');
  await expect(verified(await sign('foreign'), 'demo/ca')).rejects.toThrow('trust anchors');
  await expect(verified(await sign('expired'), 'demo/ca')).rejects.toThrow('expired');
  await expect(verified(await sign('below'), 'demo/ca')).resolves.toBeDefined();
  await expect(verified(await sign('below_expired'), 'demo/ca')).rejects.toThrow('an issuer is not valid at this time');
  await expect(verified(await sign('below_constrained'), 'demo/ca')).rejects.toThrow('name constraints');
  await expect(verified(await sign('below_servers'), 'demo/ca')).rejects.toThrow('extended key usage');
  for (const name of ['digital_signature', 'non_repudiation'])
    await expect(verified(await sign(name), 'demo/ca')).resolves.toBeDefined();
  await expect(verified(await sign('wrong_usage'), 'demo/ca')).rejects.toThrow('key usage');
  await expect(verified(await sign('wrong_purpose'), 'demo/ca')).rejects.toThrow('extended key usage');
});

test.each([
  ['restricted', 'sha512'],
  ['restricted_p384', 'sha384'],
  ['restricted_rsa', 'sha256'],
  ['restricted_rsa', 'pss-sha512'],
])('%s signs by %s', async (name, scheme) => {
  await writeTestSigners(at('schemes'), { restricted: iin, second: '900202400450' }, now);
  const made = await run('sign', '--certificate', path.join(at('schemes'), name), '--file', file, '--scheme', scheme);
  await expect(verified(made.out.trim(), 'schemes/ca')).resolves.toBeDefined();
});

test('SHA-1 and the wrong schemes are refused, and so is a scheme that nobody knows', async () => {
  await writeTestSigners(at('schemes'), { restricted: iin, second: '900202400450' }, now);
  const sign = ['sign', '--certificate', path.join(at('schemes'), 'restricted'), '--file', file, '--scheme'];
  await expect(verified((await run(...sign, 'sha1')).out.trim(), 'schemes/ca')).rejects.toThrow('SHA-256');
  const wrong = async (scheme: string) => verified((await run(...sign, scheme)).out.trim(), 'schemes/ca');
  await expect(wrong('sha256-then-sha512')).rejects.toThrow('another digest algorithm');
  await expect(wrong('sha256-not-der')).rejects.toThrow('not DER');
  expect((await run(...sign, 'md5')).code).toBe(2);
});
