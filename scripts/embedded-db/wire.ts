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

/** Splits a byte stream into messages. */
export class Framing {
  private chunks: Buffer[] = [];
  private length = 0;

  /** Takes the bytes that arrived and returns the messages that are complete. Fails for impossible lengths. */
  push(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk);
    this.length += chunk.length;
    const messages: Buffer[] = [];
    while (this.length >= 4) {
      const size = this.peekLength();
      if (size < HEADER || size > MAX_MESSAGE_BYTES + HEADER) fail(17, `invalid message length ${size}`);
      if (this.length < size) break;
      const all = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks, this.length);
      messages.push(all.subarray(0, size));
      const rest = all.subarray(size);
      this.chunks = rest.length > 0 ? [rest] : [];
      this.length = rest.length;
    }
    return messages;
  }

  private peekLength(): number {
    const [first] = this.chunks as [Buffer];
    if (first.length < 4) this.chunks = [Buffer.concat(this.chunks, this.length)];
    return (this.chunks[0] as Buffer).readInt32LE(0);
  }
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
    const section = message[at++];
    if (at + 4 > message.length) fail(22, 'section exceeds its message');
    const size = message.readInt32LE(at);
    if (size < 5 || at + size > message.length) fail(22, 'section exceeds its message');
    if (section === 0) body = decode(message.subarray(at, at + size));
    else if (section === 1) readSequence(message.subarray(at, at + size), documents);
    else fail(22, `Unknown section kind ${section}`);
    at += size;
  }
  if (body === undefined) return fail(22, 'OP_MSG messages must have a body section');
  return { id, body, documents, answer: (flags & MORE_TO_COME) === 0, legacy: false };
}

function readSequence(section: Buffer, into: Map<string, Buffer[]>): void {
  const nameEnd = section.indexOf(0, 4);
  const list: Buffer[] = [];
  let at = nameEnd + 1;
  if (nameEnd < 0) fail(22, 'document sequence has no name');
  while (at < section.length) {
    const size = at + 4 <= section.length ? section.readInt32LE(at) : 0;
    if (size < 5 || at + size > section.length) fail(22, 'document exceeds its sequence');
    list.push(section.subarray(at, at + size));
    at += size;
  }
  into.set(section.toString('utf8', 4, nameEnd), list);
}

/** OP_QUERY is used only for the first hello of a connection. */
function parseQuery(message: Buffer, id: number): Request {
  const nameEnd = message.indexOf(0, HEADER + 4);
  const at = nameEnd + 9;
  if (nameEnd < 0 || at + 4 > message.length) fail(22, 'OP_QUERY is damaged');
  const body = decode(message.subarray(at, at + message.readInt32LE(at)));
  return { id, body: { ...body, $db: 'admin' }, documents: new Map(), answer: true, legacy: true };
}

/** Frames an answer: a document, or the bytes of one. */
export function frameReply(request: { id: number; legacy: boolean }, reply: Doc | Uint8Array): Buffer[] {
  const body =
    reply instanceof Uint8Array || Buffer.isBuffer(reply) ? asBuffer(reply as Uint8Array) : encode(reply as Doc);
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
