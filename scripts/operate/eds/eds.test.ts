import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { keptOutput } from '../../kit/command-line.ts';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { readIdentity, writeTestSigners } from '../../world/eds/folder.ts';
import { refusalOf } from '../../world/eds/judges.ts';
import { eds } from './main.ts';

const now = new Date('2026-05-01T00:00:00Z');
const iin = '850101300120';
const pdf = Buffer.from('%PDF-1.7\nSigned in a test.\n');
const dir = testFolder();
const at = (name: string) => path.join(dir, name);
const file = at('document.pdf');
const iins = { restricted: iin, second: '900202400450' };

beforeAll(async () => {
  await writeFile(file, pdf);
  await writeTestSigners(at('demo'), iins, now);
});

async function run(...argv: string[]) {
  const { written, ...output } = keptOutput();
  const code = await eds(argv, { ...output, now: () => now });
  return { code, ...written };
}

/** Why the service refuses the signature; `''` if it accepts it. */
async function refusal(value: string, ca: string) {
  return refusalOf(value.trim(), { content: pdf, iin, at: now, anchor: (await readIdentity(at(ca))).certificate });
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
  expect(await refusal(plain.out, ca)).toBe('');
  const { signature } = JSON.parse((await run(...sign, '--json')).out);
  expect(signature.format).toBe('CMS');
  expect(await refusal(signature.value, ca)).toBe('');
  expect((await run(...sign, '--out', at('signature.p7s'))).out).toBe('');
  expect(await refusal(await readFile(at('signature.p7s'), 'base64'), ca)).toBe('');
});

test('a certificate can be expired, or have another key usage', async () => {
  await run('ca', '--out', at('ca'));
  const sign = async (name: string, ...flags: string[]) => {
    const made = await run('certificate', '--ca', at('ca'), '--iin', iin, '--out', at(name), ...flags);
    expect(made.code).toBe(0);
    return (await run('sign', '--certificate', at(name), '--file', file)).out.trim();
  };
  expect(await refusal(await sign('expired', '--expired'), 'ca')).toContain('expired');
  expect(await refusal(await sign('usage', '--usage', 'keyEncipherment'), 'ca')).toContain('key usage');
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
    ['sign', '--certificate', at('once'), '--file', file, '--scheme', 'md5'],
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

/** Which signatures the service refuses is stated by the suite too, but not for which reason. */
test.each([
  ['restricted', 'sha256', ''],
  ['restricted', 'sha512', ''],
  ['restricted_p384', 'sha384', ''],
  ['restricted_rsa', 'sha256', ''],
  ['restricted_rsa', 'pss-sha512', ''],
  ['small_rsa', 'sha256', '2,048'],
  ['below', 'sha256', ''],
  ['digital_signature', 'sha256', ''],
  ['non_repudiation', 'sha256', ''],
  ['second', 'sha256', 'another person'],
  ['foreign', 'sha256', 'trust anchors'],
  ['expired', 'sha256', 'expired'],
  ['below_expired', 'sha256', 'an issuer is not valid at this time'],
  ['below_constrained', 'sha256', 'name constraints'],
  ['below_servers', 'sha256', 'extended key usage'],
  ['below_last', 'sha256', ''],
  ['below_beyond', 'sha256', 'pathLenConstraint'],
  ['wrong_usage', 'sha256', 'key usage'],
  ['no_usage', 'sha256', 'key usage'],
  ['wrong_purpose', 'sha256', 'extended key usage'],
  ['restricted', 'sha1', 'SHA-256'],
  ['restricted', 'sha256-then-sha512', 'another digest algorithm'],
  ['restricted', 'sha256-not-der', 'not DER'],
])('the demo signer %s by %s: %j', async (name, scheme, words) => {
  const signer = path.join(at('demo'), name);
  const { out } = await run('sign', '--certificate', signer, '--file', file, '--scheme', scheme);
  const said = await refusal(out, 'demo/ca');
  if (words === '') expect(said).toBe('');
  else expect(said).toContain(words);
});
