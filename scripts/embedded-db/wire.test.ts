import { expect, test } from '@jest/globals';
import { encode } from './documents.ts';
import { randomFrom } from './test-fixture.ts';
import { Framing } from './wire.ts';

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

test('an impossible length ends the connection', () => {
  const framing = new Framing();
  expect(() => framing.push(Buffer.from([1, 0, 0, 0]))).toThrow('invalid message length');
});
