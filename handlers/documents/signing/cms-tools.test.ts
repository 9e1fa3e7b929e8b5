/** What signing programs make is accepted, each kind of it (D-21); OpenSSL verifies it too. */
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAuthority, newSigner, pemOf, writeIdentity } from '../../../scripts/world/eds/folder.ts';
import { complaintOfOpenssl, hasOpenssl, NO_OPENSSL, refusalOf } from '../../../scripts/world/eds/judges.ts';
import { bytesOfSignature } from './signature-text.ts';

const tools = join(import.meta.dirname, 'fixtures', 'tools');
const pdfFile = join(import.meta.dirname, 'fixtures', 'openssl.pdf');
const pdf = readFileSync(pdfFile);
const iin = '850101300120';
const at = new Date('2026-12-01T00:00:00Z');
const judgedUnder = (anchor: Uint8Array) => ({ content: pdf, iin, at, anchor });
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cms-tools-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function openssl(...argv: string[]): string {
  const { status, stdout, stderr } = spawnSync('openssl', argv, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

describe('made by', () => {
  const files = readdirSync(tools).filter((name) => name.endsWith('.pem'));
  const given = judgedUnder(new X509Certificate(readFileSync(join(tools, 'anchor.crt'))).raw);

  test.each(files)('%s', async (name) => {
    const text = readFileSync(join(tools, name), 'utf8');
    expect(await refusalOf(text, given)).toBe('');
    if (hasOpenssl) expect(complaintOfOpenssl(bytesOfSignature(text), given)).toBe('');
  });

  test('all of them', () => {
    expect(files).toHaveLength(18);
  });
});

/** Options of `openssl cms -sign`; `''` for those whose signatures are accepted, else the words of the refusal. */
const options: readonly (readonly [signer: 'ec' | 'ec-384' | 'rsa', options: readonly string[], words: string])[] = [
  ['ec', [], ''],
  ['ec-384', ['-md', 'sha384'], ''],
  ['rsa', [], ''],
  ['rsa', ['-md', 'sha512'], ''],
  ['rsa', ['-keyopt', 'rsa_padding_mode:pss'], ''],
  ['rsa', ['-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_pss_saltlen:20', '-md', 'sha384'], ''],
  ['ec', ['-keyid'], ''],
  ['ec', ['-nosmimecap'], ''],
  ['ec', ['-cades'], ''],
  ['ec', ['-stream'], 'must be detached'],
  ['ec', ['-certfile', 'anchor.pem'], ''],
  ['ec', ['-nodetach'], 'must be detached'],
  ['ec', ['-noattr'], 'must have signed attributes'],
  ['ec', ['-nocerts'], "must hold the signer's certificate"],
  ['ec', ['-md', 'sha1'], 'SHA-256'],
  ['ec', ['-econtent_type', 'pkcs7-envelopedData'], 'it is not id-data'],
];

if (!hasOpenssl) test.skip(`${NO_OPENSSL}its own signatures`, () => {});

(hasOpenssl ? describe : describe.skip)('openssl cms -sign', () => {
  const authority = newAuthority('ec', at);
  const given = judgedUnder(authority.certificate);
  const anchor = () => join(folder, 'anchor.pem');

  beforeAll(async () => {
    writeFileSync(anchor(), pemOf(authority.certificate));
    for (const kind of ['ec', 'ec-384', 'rsa'] as const) {
      await writeIdentity(join(folder, kind), newSigner(authority, { iin, kind }, at));
    }
  });

  const sign = (command: string, signer: string, form: string, argv: readonly string[]) => {
    const out = join(folder, 'signature');
    const keys = ['-signer', join(folder, signer, 'certificate.pem'), '-inkey', join(folder, signer, 'key.pem')];
    const given = argv.map((one) => (one === 'anchor.pem' ? anchor() : one));
    openssl(command, '-sign', '-binary', '-in', pdfFile, '-outform', form, '-out', out, ...keys, ...given);
    return out;
  };

  test.each(options)('%s %j: %j', async (signer, argv, words) => {
    const file = sign('cms', signer, 'DER', argv);
    const refusal = await refusalOf(readFileSync(file).toString('base64'), given);
    if (words !== '') return expect(refusal).toContain(words);
    expect(refusal).toBe('');
    expect(complaintOfOpenssl(readFileSync(file), given)).toBe('');
  });

  test.each(['cms', 'smime'])('PEM of openssl %s', async (command) => {
    const text = readFileSync(sign(command, 'ec', 'PEM', []), 'utf8');
    expect(text).toContain(command === 'cms' ? 'BEGIN CMS' : 'BEGIN PKCS7');
    expect(await refusalOf(text, given)).toBe('');
  });
});
