/** Values of ASN.1 as trees, which certificates, signatures and structures that are nearly right are made of. */
import { CONTEXT, TAG } from '../../../handlers/documents/signing/asn1.ts';

export interface Tree {
  /** The bytes of class, form and number: one, and more from number 31 on. */
  readonly tag: number;
  /** Absent in a primitive value. */
  readonly members?: readonly Tree[];
  readonly content: Buffer;
  /** How many bytes more than needed the length takes, or that it is indefinite. */
  readonly length?: number | 'indefinite';
}

export const CONSTRUCTED = 0x20;

export function encoded({ tag, members, content, length = 0 }: Tree): Buffer {
  const inside = members === undefined ? content : Buffer.concat(members.map(encoded));
  const head = Buffer.from(tag.toString(16).padStart(2, '0'), 'hex');
  if (length === 'indefinite') return Buffer.concat([head, Buffer.of(0x80), inside, Buffer.alloc(2)]);
  if (inside.length < 0x80 && length === 0) return Buffer.concat([head, Buffer.of(inside.length), inside]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(inside.length);
  const needed = inside.length < 0x100 ? 1 : inside.length < 0x10000 ? 2 : 3;
  const bytes = size.subarray(4 - Math.min(4, needed + length));
  return Buffer.concat([head, Buffer.of(0x80 + bytes.length), bytes, inside]);
}

/** DER sorts the members of a SET OF by their encoding. */
export const byEncoding = (one: Tree, other: Tree): number => Buffer.compare(encoded(one), encoded(other));

/** A primitive value. @param content bytes, or their digits */
export const leaf = (tag: number, content: Uint8Array | string): Tree => ({
  tag,
  content: typeof content === 'string' ? Buffer.from(content, 'hex') : Buffer.from(content),
});
/** A value with members. */
export const branch = (tag: number, ...members: Tree[]): Tree => ({ tag, members, content: Buffer.alloc(0) });
export const sequence = (...members: Tree[]): Tree => branch(0x30, ...members);
export const set = (...members: Tree[]): Tree => branch(0x31, ...members);
export const NULL = leaf(TAG.null, '');
/** A value with the tag [n] around its members, or in place of theirs. */
export const tagged = (number: number, ...members: Tree[]) => branch((CONTEXT << 6) | CONSTRUCTED | number, ...members);
/** A primitive value with the tag [n]. */
export const plain = (number: number, content: Uint8Array | string) =>
  leaf((CONTEXT << 6) | number, typeof content === 'string' ? Buffer.from(content) : content);

export function identifier(dotted: string): Tree {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...others].flatMap((number) => {
    const groups = [number & 0x7f];
    for (let rest = number >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
    return groups;
  });
  return leaf(TAG.oid, Uint8Array.from(bytes));
}

/** What begins with an identifier: an algorithm, an attribute of a name, another name, a policy. */
export const identified = (id: string, ...values: Tree[]) => sequence(identifier(id), ...values);

/** A signed or unsigned attribute. */
export const attribute = (type: string, ...values: Tree[]) => identified(type, set(...values));

export function extension(id: string, value: Tree, isCritical = false): Tree {
  const critical = isCritical ? [leaf(TAG.boolean, 'ff')] : [];
  return identified(id, ...critical, leaf(TAG.octetString, encoded(value)));
}

export const COMMON_NAME = '2.5.4.3';
/** One attribute of a name. */
export const rdn = (value: Tree, type = COMMON_NAME) => set(identified(type, value));

export const directory = (name: Tree) => tagged(4, name);

/** Until 2049. */
export const utcTime = (time: Date) =>
  leaf(TAG.utcTime, Buffer.from(time.toISOString().replace(/^\d\d|[-:T]|\.\d+/g, '')));

/** The bits of whole bytes. */
export const bitString = (bytes: Uint8Array) => leaf(TAG.bitString, Buffer.concat([Buffer.of(0), bytes]));

/** A value with further ones behind those in it. */
export const withMembers = (old: Tree, ...more: Tree[]): Tree => ({
  ...old,
  members: [...(old.members ?? []), ...more],
});

/**
 * Takes a value apart by tags and lengths alone: what is no right value of its type stays as it is.
 * @param isOpened whether octet strings that hold one value are taken apart too, as in extensions
 * @throws RangeError where a length is indefinite, or leads behind the end
 */
export function treeOf(bytes: Uint8Array, isOpened = false): Tree {
  const [tree, ...others] = treesIn(Buffer.from(bytes), isOpened);
  if (tree === undefined || others.length > 0) throw new RangeError('it is not one value');
  return tree;
}

function treesIn(bytes: Buffer, isOpened: boolean): Tree[] {
  const trees: Tree[] = [];
  for (let end = 0; end < bytes.length; ) {
    const [tag, first] = [bytes.readUInt8(end), bytes.readUInt8(end + 1)];
    const sizeBytes = first < 0x80 ? 0 : first - 0x80;
    const start = end + 2 + sizeBytes;
    end = start + (first < 0x80 ? first : bytes.readUIntBE(end + 2, sizeBytes));
    if (end > bytes.length) throw new RangeError('a value ends too late');
    trees.push(treeWith(tag, bytes.subarray(start, end), isOpened));
  }
  return trees;
}

function treeWith(tag: number, content: Buffer, isOpened: boolean): Tree {
  if (tag & CONSTRUCTED) return branch(tag, ...treesIn(content, isOpened));
  if (isOpened && tag === TAG.octetString) {
    try {
      return { ...branch(tag, treeOf(content, true)), content };
    } catch {
      // It holds something else.
    }
  }
  return leaf(tag, content);
}

/** Positions from the root down to a value. */
export type Path = readonly number[];

export function at(tree: Tree, path: Path): Tree {
  return path.reduce((one, i) => one.members?.[i] as Tree, tree);
}

/** The tree with the value at the path replaced by any number of them. */
export function replaced(tree: Tree, [first, ...rest]: Path, change: (old: Tree) => readonly Tree[]): Tree {
  const members = (tree.members ?? []).flatMap((member, i) => {
    if (i !== first) return [member];
    return rest.length === 0 ? change(member) : [replaced(member, rest, change)];
  });
  return { ...tree, members };
}
