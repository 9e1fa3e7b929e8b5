/** Chains and structures of signatures, each with what the service's own verifier says of it, whoever judges after it. */
import { expect, test } from '@jest/globals';
import { chains } from '../../../scripts/world/eds/chains.ts';
import { refusalOf } from '../../../scripts/world/eds/judges.ts';
import { type Signature, world } from '../../../scripts/world/eds/shape-world.ts';
import { structures } from '../../../scripts/world/eds/structures.ts';

const refused = ({ der, anchor }: Signature, own = anchor) =>
  refusalOf(der.toString('base64'), { ...world, anchor: own });

const KEPT_NOT = 'does not keep';
const NOT_IMPLEMENTED = 'not implemented';
const NO_CHAIN = 'does not lead';

/** Each chain with the words of its refusal; `''` when it is right. */
test.each([
  ['names: its name permitted', ''],
  ['names: its name excluded', KEPT_NOT],
  ['names: its name in PrintableString permitted', ''],
  ['names: its name in BMPString permitted', ''],
  ['names: its name in UniversalString excluded', KEPT_NOT],
  ['names: its name in NumericString permitted', KEPT_NOT],
  ['names: its name in other case and blanks excluded', KEPT_NOT],
  ['names: its name in other letters permitted', KEPT_NOT],
  ['names: its name in other letters excluded', KEPT_NOT],
  ['names: another name permitted', KEPT_NOT],
  ['names: another name excluded', ''],
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
  ['names: the domain with a dot permitted', ''],
  ['names: every host permitted', ''],
  ['names: the host in its common name excluded', KEPT_NOT],
  ['names: the host of the address in its subject excluded', KEPT_NOT],
  ['names: another host with the same end excluded', ''],
  ['names: a network permitted', NOT_IMPLEMENTED],
  ['names: a network where it has none permitted', ''],
  ['names: constraints with a minimum', NOT_IMPLEMENTED],
  ['names: an empty list of constraints', 'a list is empty'],
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
  ['signer: extension of another type', 'it has another type'],
  ['signer: extension with bytes behind its value', 'there are bytes behind it'],
  ['signer: critical that is written out', 'a default is written out'],
  ['signer: path length without an authority', 'it is there without cA'],
  ['authority: places of lists', ''],
  ['signer: places of the issuer', ''],
  ['signer: places of the issuer, critical', 'not understood'],
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
  ['reference: serial 41 as 41', ''],
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
  const made = chains.get(name)?.();
  if (made === undefined) throw new Error('there is no such chain');
  const refusal = await refused(made);
  if (words === '') expect(refusal).toBe('');
  else expect(refusal).toContain(words);
});

test('an anchor that cannot be read leads to nobody, and stops nothing', async () => {
  const right = chains.get('reference: key 0102 as 0102')?.();
  expect(right && (await refused(right, Buffer.from('3000', 'hex')))).toContain(NO_CHAIN);
});

const NO_SIGNER = "must hold the signer's certificate";
const NOT_DER = 'SignerInfo.signedAttrs: it is not DER';
const WRONG_FORM = 'a value has a form that its type does not have';

/** Structures with the words of their refusal. */
const words: Readonly<Record<string, string>> = {
  'every member that there can be': '',
  'a signer by key, and a list of another format': '',
  'bytes behind it': 'there are bytes behind it',
  'another type than SignedData': 'it is not id-signedData',
  'a digest algorithm that the list has not': 'among its own',
  'another type of content': 'it is not id-data',
  'no certificates': NO_SIGNER,
  'the certificates last': 'SignedData',
  'a certificate of another format': 'a list has a member of another type',
  'no signer': 'exactly one signer',
  'the signer twice': 'exactly one signer',
  'another issuer of the signer': NO_SIGNER,
  'another key of the signer': NO_SIGNER,
  'no signed attributes': 'must have signed attributes',
  'a number of five bytes as the version': 'SignedData.version: a number is out of range',
  'the version of a signer by key': 'SignedData.version: it does not fit its members',
  'the version of the signer as by key': 'SignerInfo.version: it does not fit its sid',
  'a NULL behind the parameters of the digest': 'AlgorithmIdentifier: a further or misplaced member',
  'NULL for the parameters of ECDSA': 'its parameters are not those of the algorithm',
  'indefinite lengths': '',
  'a signature whose length has four bytes': '',
  'the empty parameters in a longer length': 'the length of an empty value is longer than needed',
  'the key of the signer in a longer length': '',
  'the key of the signer in two parts': WRONG_FORM,
  'a set that is primitive': WRONG_FORM,
  'an empty identifier': 'a value has contents that its type forbids',
  'no unsigned attribute in their set': 'a list is empty',
  'no content type': 'content-type',
  'no message digest': 'message-digest',
  'an attribute in a longer length': NOT_DER,
  'an attribute of an indefinite length': NOT_DER,
  'attributes in reverse': 'not in the order of DER',
  'a second signing time': 'twice',
  'a signing time on no day': 'a time is wrong',
  'two values of the signing time': 'it has not one value of its type',
  'a countersignature that is signed': 'has to be unsigned',
  'a message digest that is unsigned': 'has to be signed',
  'the digest of another certificate': "another certificate than its signer's",
  'other algorithms to be protected': 'other algorithms than it uses',
  'an unknown attribute that is signed': '',
  'an unknown attribute that is unsigned': '',
  'the serial number 00c1, named so': '',
  'the serial number 00c1, named c1': NO_SIGNER,
  'a negative serial number': 'it is negative',
  'a serial number of 21 bytes': 'more than 20 bytes',
  'another algorithm inside': 'another one than that around it',
  'a key with an unused bit': 'a key or signature has unused bits',
  'a digest by SHA-512 under ECDSA with it': '',
  'a digest by SHA-256 under PSS with SHA-512': 'another digest algorithm',
};

test('the structure is exactly that of RFC 5652, and BER around it is read', async () => {
  const found: Record<string, string> = {};
  for (const [name, make] of Object.entries(structures)) {
    const made = make();
    const refusal = made === undefined ? 'it cannot be made' : await refused(made);
    const own = words[name] ?? '';
    found[name] = own !== '' && refusal.includes(own) ? own : refusal;
  }
  expect(found).toEqual(words);
});
