import { BSONType, serialize } from 'bson';
import { asBuffer, composed, decode, encode } from './documents.ts';
import { fail } from './errors.ts';
import type { Doc } from './values.ts';

/**
 * Framing of MongoDB's wire protocol (manual: "MongoDB Wire Protocol"). Every message begins with 16 bytes: its length,
 * its number, the number of the message that it answers, and its kind.
 */
const HEADER = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const MORE_TO_COME = 2;
const REQUIRED_FLAGS = 0xffff;

const SMALL_REPLY = 64 * 1024;

export const MAX_MESSAGE_BYTES = 48_000_000;

/** A command: a document, and lists of documents that are sent separately from it (for example those of an insert). */
export interface Request {
  readonly id: number;
  readonly body: Doc;
  readonly documents: ReadonlyMap<string, readonly Buffer[]>;
  /** Whether the client waits for an answer (it does not with write concern 0). */
  readonly answer: boolean;
  /** Whether the message has the old form of the first hello. */
  readonly legacy: boolean;
}

/** The bytes of a message that say how long it is, or a document. */
const LENGTH = 4;

/** Splits a byte stream into messages. */
export class Framing {
  private chunks: Buffer[] = [];
  private length = 0;
  /** How many bytes the next message needs, as far as it has said. */
  private needed = LENGTH;

  /** Takes the bytes that arrived and returns the messages that are complete. Fails for impossible lengths. */
  push(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk);
    this.length += chunk.length;
    if (this.length < this.needed) return [];
    const messages: Buffer[] = [];
    let rest = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    for (this.needed = LENGTH; rest.length >= this.needed; ) {
      const size = rest.readInt32LE(0);
      if (size < HEADER || size > MAX_MESSAGE_BYTES + HEADER) fail(17, `invalid message length ${size}`);
      const isWhole = rest.length >= size;
      this.needed = isWhole ? LENGTH : size;
      if (!isWhole) continue;
      messages.push(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    this.chunks = rest.length > 0 ? [rest] : [];
    this.length = rest.length;
    return messages;
  }
}

/** The document, or the section, that begins at a place with its length. Fails with 22 if it is cut. */
function sizedAt(bytes: Buffer, at: number): Buffer {
  const size = at + LENGTH <= bytes.length ? bytes.readInt32LE(at) : 0;
  if (size < 5 || at + size > bytes.length) fail(22, 'a section or a document exceeds its message');
  return bytes.subarray(at, at + size);
}

/** The place after the zero that ends a name. */
function nameEnd(bytes: Buffer, at: number): number {
  return bytes.indexOf(0, at) + 1 || fail(22, 'a name has no end');
}

/** Reads a message. Fails with 22 for damaged BSON and with 352 for unknown kinds of messages. */
export function parseRequest(message: Buffer): Request {
  const id = message.readInt32LE(4);
  const kind = message.readInt32LE(12);
  if (kind === OP_QUERY) return parseQuery(message, id);
  if (kind !== OP_MSG || message.length < HEADER + 5) return fail(352, `Unsupported OP code ${kind}`);
  const flags = message.readUInt32LE(HEADER);
  if ((flags & REQUIRED_FLAGS & ~MORE_TO_COME) !== 0) fail(9, `Message contains illegal flags value`);
  let body: Doc | undefined;
  const documents = new Map<string, Buffer[]>();
  for (let at = HEADER + 4; at < message.length; ) {
    const kind = message[at];
    const section = sizedAt(message, at + 1);
    if (kind === 0) body = decode(section);
    else if (kind === 1) readSequence(section, documents);
    else fail(22, `Unknown section kind ${kind}`);
    at += 1 + section.length;
  }
  if (body === undefined) return fail(22, 'OP_MSG messages must have a body section');
  return { id, body, documents, answer: (flags & MORE_TO_COME) === 0, legacy: false };
}

function readSequence(section: Buffer, into: Map<string, Buffer[]>): void {
  const list: Buffer[] = [];
  const start = nameEnd(section, LENGTH);
  for (let at = start; at < section.length; at += list.at(-1)?.length ?? 0) list.push(sizedAt(section, at));
  into.set(section.toString('utf8', LENGTH, start - 1), list);
}

/** OP_QUERY is used only for the first hello of a connection. */
function parseQuery(message: Buffer, id: number): Request {
  // Between the collection's name and the document there are two numbers.
  const body = decode(sizedAt(message, nameEnd(message, HEADER + 4) + 8));
  return { id, body: { ...body, $db: 'admin' }, documents: new Map(), answer: true, legacy: true };
}

/** Frames an answer: a document, or the bytes of one. */
export function frameReply(request: Pick<Request, 'id' | 'legacy'>, reply: Doc | Buffer): Buffer[] {
  const body = Buffer.isBuffer(reply) ? reply : encode(reply);
  const extra = request.legacy ? 20 : 5;
  const head = Buffer.alloc(HEADER + extra);
  head.writeInt32LE(HEADER + extra + body.length, 0);
  head.writeInt32LE(request.id, 8);
  head.writeInt32LE(request.legacy ? OP_REPLY : OP_MSG, 12);
  if (request.legacy) {
    head.writeInt32LE(8, HEADER);
    head.writeInt32LE(1, HEADER + 16);
  }
  // Writing one buffer is faster than writing two, as long as the copy is small.
  return body.length < SMALL_REPLY ? [Buffer.concat([head, body])] : [head, body];
}

/** A field of BSON: a document, or an array. */
const field = (type: number, name: string, document: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([type]), Buffer.from(`${name}\0`), document]);

/** The fields of a document, without its length and its end. */
const inside = (document: Uint8Array): Buffer => asBuffer(document).subarray(4, -1);

/** The answer with one batch of a cursor, composed of documents that are already encoded. */
export function batchReply(
  name: 'firstBatch' | 'nextBatch',
  batch: readonly Uint8Array[],
  id: number,
  namespace: string,
): Buffer {
  const { object, array } = BSONType;
  const list = composed(batch.map((document, i) => field(object, `${i}`, document)));
  const rest = inside(serialize({ id: BigInt(id), ns: namespace }));
  const cursor = composed([field(array, name, list), rest]);
  return composed([field(object, 'cursor', cursor), inside(encode({ ok: 1 }))]);
}
