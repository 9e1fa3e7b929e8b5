/** How chains are judged, without OpenSSL; cms-shapes.long.test.ts compares all of them with it. */
import { expect, test } from '@jest/globals';
import { refusalOf } from '../../../scripts/world/eds/judges.ts';
import { type JudgedShape, world } from '../../../scripts/world/eds/shape-world.ts';
import { chainShapes } from '../../../scripts/world/eds/shapes-of-chains.ts';
import { cmsShapes } from '../../../scripts/world/eds/shapes-of-cms.ts';

const chains = new Map([...chainShapes()].map((shape) => [shape.name, shape]));
function judged({ make }: JudgedShape): Promise<string> {
  const { der = Buffer.alloc(0), anchor = der } = make() ?? {};
  return refusalOf(der.toString('base64'), { ...world, anchor });
}

const KEPT_NOT = 'does not keep';
const NOT_IMPLEMENTED = 'not implemented';
const NO_CHAIN = 'does not lead';

/** Each chain with the words of its refusal; `''` when it is right. */
test.each([
  ['names: its name permitted', ''],
  ['names: its name excluded', KEPT_NOT],
  ['names: its name in PrintableString permitted, critical', ''],
  ['names: its name in other case and blanks excluded', KEPT_NOT],
  ['names: its name in other letters permitted', KEPT_NOT],
  ['names: its name in other letters excluded', KEPT_NOT],
  ['names: another name permitted', KEPT_NOT],
  ['names: another name excluded, critical', ''],
  ['names: every name excluded', KEPT_NOT],
  ['names: its address in other case permitted', ''],
  ['names: its address with another case before the @ permitted', KEPT_NOT],
  ['names: its mail host excluded', KEPT_NOT],
  ['names: the domain of its mail host permitted', ''],
  ['names: the domain itself permitted', KEPT_NOT],
  ['names: one of two addresses permitted', KEPT_NOT],
  ['names: an address that is none excluded', NOT_IMPLEMENTED],
  ['names: an address where it has none permitted', ''],
  ['names: the domain of its host permitted', ''],
  ['names: another host with the same end excluded', ''],
  ['names: a network permitted', NOT_IMPLEMENTED],
  ['names: a network where it has none permitted', ''],
  ['names: constraints with a minimum', NOT_IMPLEMENTED],
  ['names: an authority in between of another name', KEPT_NOT],
  ['names: constraints of the anchor that are kept', ''],
  ['names: constraints of the anchor that are not kept', KEPT_NOT],
  ['authority: purpose 1.3.6.1.5.5.7.3.1', 'extended key usage'],
  ['authority: purpose 1.3.6.1.5.5.7.3.2', ''],
  ['anchor: purpose 2.5.29.37.0', ''],
  ['upper authority: unknown extension, critical', 'not understood'],
  ['anchor: unknown extension, critical', 'not understood'],
  ['authority: unknown extension', ''],
  ['authority: require explicit policy', NOT_IMPLEMENTED],
  ['authority: policies', ''],
  ['signer: proxy, critical', 'not understood'],
  ['signer: addresses of networks', NOT_IMPLEMENTED],
  ['signer: same extension twice', 'is in it twice'],
  ['authority: no authority', 'not a certificate authority'],
  ['authority: expired', 'not valid at this time'],
  ['anchor: expired', 'not valid at this time'],
  ['authority: SHA-1', NO_CHAIN],
  ['two levels', NO_CHAIN],
  ['upper authority: path length 0', 'pathLenConstraint'],
  ['authority: path length 0', ''],
  ['path length 0 above a self-issued one', ''],
  ['anchor: usage cRLSign', 'keyCertSign'],
  ['signer: RSA exponent 1', 'an exponent of 3 or more'],
  ['signer: RSA exponent 2', 'an exponent of 3 or more'],
  ['signer: RSA exponent 3', ''],
  ['authority: RSA exponent 1', NO_CHAIN],
  ['upper authority: RSA exponent 1', NO_CHAIN],
  ['anchor: RSA exponent 1', NO_CHAIN],
  ['anchor: RSA exponent 3', ''],
  ['reference: key 0102 as 0102', ''],
  ['reference: key 0102 as 0103', NO_CHAIN],
  ['reference: serial 41 as 00c1', NO_CHAIN],
  ['reference: another name', NO_CHAIN],
  ['issuer in other case', ''],
  ['issuer of another name', NO_CHAIN],
  ['alike: of another key, first', NO_CHAIN],
  ['alike: of another key, last', ''],
  ['alike: that has expired, first', ''],
  ['alike: that is its own issuer, first', NO_CHAIN],
  ['alike: with constraints, first', KEPT_NOT],
  ['5 authorities', ''],
  ['6 authorities', NO_CHAIN],
])('%s: %j', async (name, words) => {
  const shape = chains.get(name);
  if (shape === undefined) throw new Error('there is no such chain');
  const refusal = await judged(shape);
  if (words === '') expect(refusal).toBe('');
  else expect(refusal).toContain(words);
});

test('an anchor that cannot be read leads to nobody, and stops nothing', async () => {
  const right = chains.get('reference: key 0102 as 0102')?.make();
  const text = right?.der.toString('base64') ?? '';
  expect(await refusalOf(text, { ...world, anchor: Buffer.from('3000', 'hex') })).toContain(NO_CHAIN);
});

/** Structures by their names, with the words of the refusal. */
const structures: Readonly<Record<string, string>> = {
  'rsa PSS, digest sha256, signature sha512': 'another digest algorithm',
  'ec, digest sha512, signature sha512': '',
  'data 0 with its last bit changed': 'it is not id-signedData',
  'data 1.0.1.0.0 with its last bit changed': 'among its own',
  'data 1.0.2.0 with its last bit changed': 'it is not id-data',
  'data 1.0.3 left out': "must hold the signer's certificate",
  'data 1.0.5 empty': 'exactly one signer',
  'data 1.0.5.0.1.0.0.0.1 with its last bit changed': "must hold the signer's certificate",
  'data 1.0.5.0.3 left out': 'must have signed attributes',
  'by key 1.0.5.0.1 with a length of one more byte': '',
  'by key 1.0.5.0.1 with its last bit changed': "must hold the signer's certificate",
  'signed attributes 0.0 left out': 'content-type',
  'signed attributes 0.2 left out': 'message-digest',
  'data 1.0.3 last': 'SignedData',
  'data 1.0.0 as the number 010000000000': 'SignedData.version',
  'data 1.0.5.0.2 with a NULL at its end': 'AlgorithmIdentifier: a further or misplaced member',
  'data 1.0.5.0.5 with a length of four bytes': '',
  'data 1.0 with an indefinite length': '',
  'signed attributes 0.0 with a length of one more byte': 'SignerInfo.signedAttrs: it is not DER',
  'signed attributes 0.0 with an indefinite length': 'SignerInfo.signedAttrs: it is not DER',
  'signed attributes 0 in reverse': 'not in the order of DER',
  '1.2.840.113549.1.9.5 signed too': 'twice',
  '1.2.840.113549.1.9.6 signed too': 'has to be unsigned',
  '1.2.840.113549.1.9.4 unsigned too': 'has to be signed',
  '1.2.840.113549.1.9.16.2.47 signed too': "another certificate than its signer's",
  '1.2.840.113549.1.9.52 signed too': 'other algorithms than it uses',
  '1.2.3.4.5 signed too': '',
  'serial 00c1, named 00c1': '',
  'serial 00c1, named c1': "must hold the signer's certificate",
  'serial c1, named c1': 'it is negative',
  'certificate 0.2.0 with its last bit changed': 'another one than that around it',
  'certificate 0.1 with its first bit changed': 'it is negative',
};

test('the structure is exactly that of RFC 5652, and BER around it is read', async () => {
  const found: Record<string, string> = {};
  for (const shape of cmsShapes()) {
    const words = structures[shape.name];
    if (words === undefined) continue;
    const refusal = await judged(shape);
    found[shape.name] = words !== '' && refusal.includes(words) ? words : refusal;
  }
  expect(found).toEqual(structures);
});
