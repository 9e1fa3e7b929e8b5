import { expect, test } from '@jest/globals';
import { decode, encode } from './documents.ts';
import { randomFrom } from './test-fixture.ts';
import { batchReply, Framing, frameReply, parseRequest } from './wire.ts';

/** An OP_MSG with a body and a separate list of documents. */
function message(id: number): Buffer {
  const body = encode({ insert: 'c', $db: 'd', id });
  const documents = [encode({ _id: 1 }), encode({ _id: 2, text: 'x'.repeat(id) })];
  const name = Buffer.from('documents\0');
  const size = Buffer.alloc(4);
  size.writeInt32LE(4 + name.length + documents.reduce((sum, each) => sum + each.length, 0));
  const head = Buffer.alloc(20);
  const whole = Buffer.concat([head, Buffer.from([0]), body, Buffer.from([1]), size, name, ...documents]);
  whole.writeInt32LE(whole.length, 0);
  whole.writeInt32LE(id, 4);
  whole.writeInt32LE(2013, 12);
  return whole;
}

test('messages are the same no matter how the stream is cut', () => {
  const { below } = randomFrom(3);
  const messages = Array.from({ length: 50 }, (_, i) => message(i));
  const stream = Buffer.concat(messages);
  for (let round = 0; round < 50; round++) {
    const framing = new Framing();
    const found: Buffer[] = [];
    for (let at = 0; at < stream.length; ) {
      const end = at + 1 + below(round < 25 ? 5 : 500);
      found.push(...framing.push(stream.subarray(at, end)));
      at = end;
    }
    expect(found).toEqual(messages);
  }
});

test('a message holds a body and documents beside it', () => {
  const request = parseRequest(message(7));
  expect(request).toMatchObject({ id: 7, body: { insert: 'c', $db: 'd' }, answer: true });
  expect(request.documents.get('documents')?.map((raw) => decode(raw))).toEqual([
    { _id: 1 },
    { _id: 2, text: 'xxxxxxx' },
  ]);
});

test('an impossible length ends the connection', () => {
  const framing = new Framing();
  expect(() => framing.push(Buffer.from([1, 0, 0, 0]))).toThrow('invalid message length');
});

test('a reply that is assembled from raw documents is the expected document', () => {
  const batch = Array.from({ length: 12 }, (_, i) => encode({ _id: i }));
  const reply = decode(batchReply('firstBatch', batch, 5, 'd.c'));
  expect(reply).toEqual({ cursor: { firstBatch: batch.map((raw) => decode(raw)), id: 5, ns: 'd.c' }, ok: 1 });
  const framed = Buffer.concat(frameReply({ id: 9, legacy: false }, reply));
  expect([framed.readInt32LE(0), framed.readInt32LE(8), framed.readInt32LE(12)]).toEqual([framed.length, 9, 2013]);
});
