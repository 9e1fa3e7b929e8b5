/**
 * Makes thousands of structures that are a little other than a right signature: each member of each type left out,
 * doubled, moved, lengthened, of another type; and, for the places where any value may stand, a value of each tag in each
 * form. What is signed is signed again, so that the structure alone can be wrong.
 */
import { CONTEXT, TAG } from '../../../handlers/documents/signing/asn1.ts';
import {
  at,
  branch,
  CONSTRUCTED,
  encoded,
  leaf,
  NULL,
  type Path,
  replaced,
  sequence,
  type Tree,
  withMembers,
} from './der.ts';

export interface Shape {
  readonly name: string;
  /** Makes it, as few of them are tried each time; undefined where the change comes to nothing. */
  readonly make: () => Tree | undefined;
}

/** Every path in a tree but those below one for which `isLeft` holds. */
export function pathsOf(tree: Tree, isLeft: (path: Path) => boolean = () => false): Path[] {
  const below = (one: Tree, path: Path): Path[] =>
    (one.members ?? []).flatMap((member, i) => {
      const own = [...path, i];
      return [own, ...(isLeft(own) ? [] : below(member, own))];
    });
  return below(tree, []);
}

type Change = readonly [what: string, change: (old: Tree) => readonly Tree[]];

const retagged = (tag: number): Change => [
  `with the tag ${tag.toString(16)}`,
  (old) => [{ ...old, tag: tag | (old.tag & CONSTRUCTED) }],
];
const filled = (what: string, content: (old: Buffer) => Uint8Array | string): Change => [
  what,
  (old) => [leaf(old.tag, content(old.content))],
];
const ONE = leaf(TAG.integer, '01');
const STRINGS: readonly number[] = [TAG.octetString, TAG.bitString, TAG.utf8, TAG.printable, TAG.ia5];

const always: readonly Change[] = [
  ['left out', () => []],
  ['doubled', (old) => [old, old]],
  ['with NULL before it', (old) => [NULL, old]],
  ['with NULL behind it', (old) => [old, NULL]],
  ['with a length of one more byte', (old) => [{ ...old, length: 1 }]],
  ['with a length of four bytes', (old) => [{ ...old, length: 3 }]],
  ['in a sequence', (old) => [sequence(old)]],
  ['NULL instead', () => [NULL]],
  retagged(CONTEXT << 6),
  retagged((CONTEXT << 6) | 1),
  retagged((CONTEXT << 6) | 2),
  retagged(TAG.octetString),
  retagged(TAG.integer),
  retagged(TAG.utf8),
];

const ofMembers: readonly Change[] = [
  ['with an indefinite length', (old) => [{ ...old, length: 'indefinite' }]],
  ['empty', (old) => [{ ...old, members: [] }]],
  ['in reverse', (old) => [{ ...old, members: [...(old.members ?? [])].reverse() }]],
  ['with a NULL at its end', (old) => [withMembers(old, NULL)]],
  ['with a NULL at its begin', (old) => [{ ...old, members: [NULL, ...(old.members ?? [])] }]],
  ['with a number at its end', (old) => [withMembers(old, ONE)]],
  ['with [1] at its end', (old) => [withMembers(old, branch((CONTEXT << 6) | CONSTRUCTED | 1))]],
  ['primitive', (old) => [leaf(old.tag & ~CONSTRUCTED, Buffer.concat((old.members ?? []).map(encoded)))]],
];

const ofContent: readonly Change[] = [
  filled('without contents', () => ''),
  filled('with 00 before its contents', (old) => Buffer.concat([Buffer.of(0), old])),
  filled('with FF before its contents', (old) => Buffer.concat([Buffer.of(0xff), old])),
  filled('with 00 behind its contents', (old) => Buffer.concat([old, Buffer.of(0)])),
  filled('with its first bit changed', (old) => Buffer.concat([Buffer.of((old[0] ?? 0) ^ 0x80), old.subarray(1)])),
  filled('with its last bit changed', (old) => {
    return Buffer.concat([old.subarray(0, -1), Buffer.of((old.at(-1) ?? 0) ^ 1)]);
  }),
  filled('without its first byte', (old) => old.subarray(1)),
];

const ofIntegers: readonly Change[] = [
  '00',
  '01',
  '02',
  '03',
  '04',
  '05',
  'ff',
  '0100000001',
  `01${'00'.repeat(79)}`,
].map((content) => filled(`as the number ${content.slice(0, 12)}`, () => content));

const ofStrings: readonly Change[] = [
  ['in one part', (old) => [branch(old.tag | CONSTRUCTED, leaf(old.tag, old.content))]],
  ['in two parts', (old) => [inParts(old, 4)]],
  ['in parts of octets', (old) => [branch(old.tag | CONSTRUCTED, leaf(TAG.octetString, old.content))]],
];

function inParts({ tag, content }: Tree, at: number): Tree {
  return branch(tag | CONSTRUCTED, leaf(tag, content.subarray(0, at)), leaf(tag, content.subarray(at)));
}

const ofBits: readonly Change[] = [
  // It is zero, as in DER: keys and signatures end with any bit.
  filled('with an unused bit', (old) => {
    return Buffer.concat([Buffer.of(1), old.subarray(1, -1), Buffer.of((old.at(-1) ?? 0) & ~1)]);
  }),
  filled('with unused bits of one', (old) => Buffer.concat([Buffer.of(3), old.subarray(1, -1), Buffer.of(0xff)])),
  filled('with nine unused bits', (old) => Buffer.concat([Buffer.of(9), old.subarray(1)])),
];

function changesOf({ tag, members }: Tree): readonly Change[] {
  if (members !== undefined) return [...always, ...ofMembers];
  return [
    ...always,
    ...ofContent,
    ...(tag === TAG.integer ? ofIntegers : []),
    ...(STRINGS.includes(tag) || tag >= CONTEXT << 6 ? ofStrings : []),
    ...(tag === TAG.bitString ? ofBits : []),
    ...(tag === TAG.boolean ? [filled('as 01', () => '01'), filled('as 00', () => '00')] : []),
  ];
}

/** Contents that a type allows; those of all others are any byte. */
const CONTENTS: Readonly<Record<number, string>> = {
  [TAG.boolean]: 'ff',
  [TAG.bitString]: '0041',
  [TAG.null]: '',
  [TAG.oid]: '2a03',
  [TAG.utcTime]: Buffer.from('260301000000Z').toString('hex'),
  [TAG.generalizedTime]: Buffer.from('20260301000000Z').toString('hex'),
  [TAG.universal]: '00000041',
  [TAG.bmp]: '0041',
};
/** Of all universal types, of two with more bytes (258 is a negative INTEGER inside OpenSSL), and of the other classes. */
const TAGS = [...Array.from({ length: 30 }, (_, i) => i + 1), 0x1f1f, 0x1f8202, 0x41, 0x80, 0x9f1f, 0xc1];

const PART = leaf(TAG.octetString, '41');
/** OpenSSL reads parts of strings five deep. */
const sevenDeep = (tag: number) => Array.from({ length: 7 }).reduce<Tree>((one) => branch(tag, one), PART);

/** What is made of a primitive value. @param whole the tag of the constructed form */
const FORMS: readonly (readonly [form: string, make: (plain: Tree, whole: number) => Tree])[] = [
  ['as it should be', (plain) => plain],
  ['without contents', ({ tag }) => leaf(tag, '')],
  ['with 00 before its contents', ({ tag, content }) => leaf(tag, Buffer.concat([Buffer.of(0), content]))],
  ['constructed', (_, whole) => branch(whole, PART)],
  ['constructed, without contents', (_, whole) => branch(whole)],
  ['of an indefinite length', (_, whole) => ({ ...branch(whole, PART), length: 'indefinite' })],
  ['in itself, seven deep', (_, whole) => sevenDeep(whole)],
  ['with sequences in it, seven deep', (_, whole) => branch(whole, sevenDeep(0x30))],
];

/** A value of each tag in each form. */
export const anyValues: readonly (readonly [what: string, value: Tree])[] = TAGS.flatMap((tag) => {
  const plain = leaf(tag, CONTENTS[tag] ?? '41');
  // The bit is in the first byte.
  const whole = tag + CONSTRUCTED * 0x100 ** (encoded(leaf(tag, '')).length - 2);
  return FORMS.map(([form, make]) => [`tag ${tag.toString(16)} ${form}`, make(plain, whole)] as const);
});

/** The same values of a tree in another order. */
function moves(tree: Tree, path: Path): [what: string, tree: Tree][] {
  const own = path.at(-1) as number;
  const parent = path.slice(0, -1);
  const members = at(tree, parent).members ?? [];
  const others = members.toSpliced(own, 1);
  const put = (place: number): Tree => {
    const change = (old: Tree) => [{ ...old, members: others.toSpliced(place, 0, members[own] as Tree) }];
    return parent.length === 0 ? (change(tree)[0] as Tree) : replaced(tree, parent, change);
  };
  const places = new Map([
    ['first', 0],
    ['one later', own + 1],
    ['last', others.length],
  ]);
  return [...places]
    .filter(([, place]) => place !== own && place <= others.length)
    .map(([how, place]) => [how, put(place)]);
}

/** Each change of each value at these paths. @param finish signs again; undefined where that is impossible */
export function* changed(
  what: string,
  tree: Tree,
  paths: readonly Path[],
  finish: (tree: Tree) => Tree | undefined = (one) => one,
): Generator<Shape> {
  const before = encoded(tree);
  for (const path of paths) {
    const all = [
      ...changesOf(at(tree, path)).map(([how, change]) => [how, replaced(tree, path, change)] as const),
      ...moves(tree, path),
    ];
    for (const [how, one] of all) {
      const make = () => (encoded(one).equals(before) ? undefined : finish(one));
      yield { name: `${what} ${path.join('.')} ${how}`, make };
    }
  }
}
