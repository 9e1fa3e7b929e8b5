/**
 * Thousands of structures that are a little other than a right signature: OpenSSL verifies whatever of them the service
 * accepts (D-21), and what it accepts and the service refuses has a reason here. `CMS_SHAPES=all` tries all of them, and
 * prints how many; without it, one in five to eleven is tried, and OpenSSL judges few of those that the service refuses.
 */
import { expect, test } from '@jest/globals';
import { complaintOfOpenssl, hasOpenssl, NO_OPENSSL, refusalOf } from '../../../scripts/world/eds/judges.ts';
import { type Signature, world } from '../../../scripts/world/eds/shape-world.ts';
import { chainShapes } from '../../../scripts/world/eds/shapes-of-chains.ts';
import { cmsShapes, valueShapes } from '../../../scripts/world/eds/shapes-of-cms.ts';

const isWhole = process.env.CMS_SHAPES === 'all';
/** Of the structures that the service refuses. */
const REFUSED_ONE_IN = isWhole ? 1 : 8;

/** Why the service refuses what OpenSSL accepts: by the words of the refusal. */
const reasons: readonly (readonly [words: RegExp, reason: string])[] = [
  [
    /not DER|order of DER|default is written out/,
    'RFC 5652 §5.3 and RFC 5280 §4.1: attributes and certificates are DER',
  ],
  [/a string is in parts|form that its type does not have/, 'X.690 §8: no signing program splits these values'],
  [/contents that its type forbids/, 'X.690 §8.3, §8.6, §8.23: numbers, bits and text that not all readers read alike'],
  [/length of an empty value/, 'OpenSSL itself refuses it at the end of a value'],
  [/there are bytes behind it|it has another type/, 'RFC 5280 §4.2: an extension holds one value, of its own type'],
  [
    /number is out of range|does not fit its (members|sid)|lower than the fields/,
    'RFC 5652 §5, RFC 5280 §4.1: versions',
  ],
  [/negative or has more than 20 bytes/, 'RFC 5280 §4.1.2.2: a serial number is positive and has at most 20 bytes'],
  [/a time is wrong/, 'RFC 5280 §4.1.2.5: times have one form; OpenSSL does not read all of them'],
  [/has unused bits/, 'RFC 5280 §4.1.1.3: keys and signatures are whole bytes'],
  [/list is empty/, 'RFC 5652 §5.3 and RFC 5280: these lists have a member'],
  [/member of another type/, 'RFC 5652 §10.2: only certificates of X.509 are read'],
  [
    /is not there, or not in its place|further or misplaced member/,
    'RFC 5280: the structure is exact in lists of others too',
  ],
  [
    /twice, or has to be unsigned|has to be signed|not one value of its type/,
    'RFC 5652 §11, RFC 5035, RFC 3161: attributes',
  ],
  [/its parameters are not those of the algorithm/, 'RFC 5754 §3: parameters are absent or NULL'],
  [/name another certificate than its signer's/, 'RFC 5035 §5.4; OpenSSL looks only with -cades'],
  [/name other algorithms than it uses/, 'RFC 6211 §3; OpenSSL does not know the attribute'],
  [/names another digest algorithm/, 'RFC 5754: the digest is the signature’s'],
  [/among its own, and none but|must use RSA|SHA-1/, 'D-21: SHA-256, SHA-384 and SHA-512 alone'],
  [/exactly one signer/, 'D-21: exactly one signer'],
  [/it is not id-data|content-type that names id-data/, 'D-21: a PDF is data'],
  [/well-formed certificates and attributes$/, 'the OpenSSL in Node, which is of a later release, refuses it'],
  [/an exponent of 3 or more/, 'D-21: RSA exponents are 3 or more'],
  [/by another person/, 'D-21: the IIN of the participant'],
  [/is not for signing|for another purpose|does not allow signing/, 'D-21, RFC 5280 §4.2.1.12: meant for signing'],
  [/not implemented|critical extension that is not understood/, 'RFC 5280 §6.1: what is not implemented is refused'],
  [/does not keep/, 'RFC 5280 §7.1: excluded names are compared without case and width of all letters'],
  [/pathLenConstraint: it is there without cA/, 'RFC 5280 §4.2.1.9'],
  [
    /does not lead to one of the tenant's trust anchors/,
    'D-21: no SHA-1 and no RSA exponent below 3 in the chain, and at most five authorities',
  ],
];

interface JudgedSignature extends Signature {
  readonly name: string;
  readonly refusal: string;
}

/** What the service says of each structure that is tried, and of which it is worth to ask OpenSSL. */
async function* judgedShapes(): AsyncGenerator<JudgedSignature> {
  let refused = 0;
  for (const [shapes, oneIn] of [
    [chainShapes(), 5],
    [cmsShapes(), 7],
    [valueShapes(), 11],
  ] as const) {
    let nth = 0;
    for (const { name, make } of shapes) {
      const made = isWhole || ++nth % oneIn === 0 ? make() : undefined;
      if (made === undefined) continue;
      const refusal = await refusalOf(made.der.toString('base64'), { ...world, anchor: made.anchor });
      if (refusal === '' || refused++ % REFUSED_ONE_IN === 0) yield { ...made, name, refusal };
    }
  }
}

(hasOpenssl ? test : test.skip)(
  `${hasOpenssl ? '' : NO_OPENSSL}OpenSSL verifies every structure that the service accepts`,
  async () => {
    const count = { shapes: 0, acceptedByBoth: 0, refusedByBoth: 0, refusedByUsAlone: 0, acceptedByUsAlone: 0 };
    const wrong: string[] = [];
    const used = new Set<string>();
    for await (const { name, der, anchor, refusal } of judgedShapes()) {
      count.shapes++;
      const complaint = complaintOfOpenssl(der, { ...world, anchor });
      if (refusal === '' && complaint === '') count.acceptedByBoth++;
      else if (refusal !== '' && complaint !== '') count.refusedByBoth++;
      else if (refusal === '') {
        count.acceptedByUsAlone++;
        wrong.push(`${name}: ${complaint}\n${der.toString('base64')}`);
      } else {
        count.refusedByUsAlone++;
        const [, reason] = reasons.find(([words]) => words.test(refusal)) ?? [];
        if (reason === undefined) wrong.push(`${name} has no reason: ${refusal}`);
        else used.add(reason);
      }
    }
    if (isWhole) process.stdout.write(`${JSON.stringify(count)}\n`);
    expect(wrong).toEqual([]);
    expect(count).toMatchObject({ acceptedByUsAlone: 0 });
    expect(count.acceptedByBoth).toBeGreaterThan(100);
    expect(count.refusedByBoth).toBeGreaterThan(100);
    if (isWhole) expect(reasons.filter(([, reason]) => !used.has(reason))).toEqual([]);
  },
  // Milliseconds: it starts OpenSSL hundreds of times, and the machine may be busy.
  1_800_000,
);
