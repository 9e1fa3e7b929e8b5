import type { Delivery } from '../callbacks/delivery.ts';
import { type Hook, ofType, react, received, testHook, withHooks } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { need } from './shared/needs.ts';
import { interim, plainAnswer, UNASKED } from './shared/raw-answers.ts';

/** Calls `_test` while the receiver answers with these bytes. @returns what `_test` says */
async function testOf(t: TestContext, hook: Hook, parts: readonly string[]) {
  await react(t, hook, [{ answer: 'raw', parts }]);
  return (await testHook(t, hook)).ok('testWebhookEndpoint');
}

const SKIPPED: readonly (readonly [what: string, parts: readonly string[]])[] = [
  ['100', [UNASKED]],
  ['100 with fields', ['HTTP/1.1 100 Continue\r\nServer: x\r\nContent-Length: 5\r\n\r\n']],
  ['102', ['HTTP/1.1 102 Processing\r\n\r\n']],
  ['103', [interim(1)]],
  ['an unknown 1xx', ['HTTP/1.1 199 Words\r\n\r\n']],
  ['32 interim answers', [interim(32)]],
  ['interim answers in pieces', ['HT', 'TP/1.1 100 Con', 'tinue\r\n\r', '\nHTTP/1.1 10', '3 Early\r\n\r\n']],
];

rule({
  id: 'WHK-30',
  level: 'MUST',
  text: 'Interim answers of a receiver, up to 32 and also unasked, are skipped: _test tells the status after them.',
  place: 'testWebhookEndpoint',
  decisions: ['D-25', 'D-27'],
  needs: need.testDelivery,
  check: async (t) => {
    await withHooks(t, [{}], async (hook) => {
      for (const [what, parts] of SKIPPED) {
        for (const status of [200, 503]) {
          const said = await testOf(t, hook, [...parts, plainAnswer(status)]);
          t.equal(said, { status_code: status, error: '' }, `_test where ${what} comes before a ${status}`);
        }
      }
    });
  },
});

const OK = 'HTTP/1.1 200 OK\r\n';

const NOT_ALLOWED: readonly (readonly [what: string, answer: string])[] = [
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['HTTP/0.9', '<html></html>'],
  ['a malformed status', 'HTTP/1.1 20x OK\r\n\r\n'],
  ['two lengths', `${OK}Content-Length: 0\r\nContent-Length: 5\r\n\r\nabcde`],
  ['a length beside chunks', `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['lines without CR', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
  ['a field without a colon', `${OK}X\r\n\r\n`],
  ['a head of 64 KiB', `${OK}X: ${'x'.repeat(65_536)}\r\n\r\n`],
  ['101', 'HTTP/1.1 101 Switching\r\nUpgrade: ws\r\nConnection: upgrade\r\n\r\n'],
  ['a 33rd interim answer', interim(33) + plainAnswer(200)],
];

rule({
  id: 'WHK-31',
  level: 'MUST',
  text: 'An answer of a receiver that HTTP/1.1 does not allow, 101, or a 33rd interim answer is a protocol_error of _test.',
  place: 'testWebhookEndpoint',
  decisions: ['D-25', 'D-27'],
  needs: need.testDelivery,
  check: async (t) => {
    const { protocol_error: error } = t.spelling.test_webhook_endpoint_response_error;
    await withHooks(t, [{}], async (hook) => {
      for (const [what, answer] of NOT_ALLOWED) {
        t.equal(await testOf(t, hook, [answer]), { status_code: 0, error }, `_test where the answer is ${what}`);
      }
    });
  },
});

/** So many times a connection is looked for that the target uses again. */
const TRIES = 5;

rule({
  id: 'WHK-32',
  level: 'MUST',
  text: 'A reused connection that the receiver ends before a byte of its answer is replaced by a new one, once and within the attempt; a new connection is not.',
  place: 'testWebhookEndpoint',
  decisions: ['D-25', 'D-27'],
  needs: need.testDelivery,
  check: async (t) => {
    await withHooks(t, [{}], async (hook) => {
      const tests = async () => (await received(t, hook)).filter(ofType('webhook_endpoint.test'));
      for (let i = 0; i < TRIES; i++) {
        await react(t, hook, [{ answer: 200 }]);
        t.equal((await testHook(t, hook)).ok('testWebhookEndpoint').status_code, 200, 'the status of a plain answer');
        const before = await tests();
        await react(t, hook, [{ answer: 'reset' }, { answer: 201 }]);
        const { status_code } = (await testHook(t, hook)).ok('testWebhookEndpoint');
        const [first, ...more] = (await tests()).slice(before.length);
        const isReused = first?.is_reused === true;
        t.equal(status_code, isReused ? 201 : 0, `the status where a ${isReused ? 'reused' : 'new'} connection ends`);
        t.equal(more.length, isReused ? 1 : 0, 'how often the event came again');
        if (first !== undefined && more[0] !== undefined) return mustBeAgain(t, first, more[0]);
      }
      t.untested('not_exercised', 'the target used no connection again');
    });
  },
});

/** The same attempt: the same bytes, signed once, on a new connection. */
function mustBeAgain(t: TestContext, first: Delivery, again: Delivery): void {
  t.check(again.connection !== first.connection, 'the event came again on the connection that ended');
  t.equal([again.headers, again.body], [first.headers, first.body], 'the headers and the body that came again');
}
