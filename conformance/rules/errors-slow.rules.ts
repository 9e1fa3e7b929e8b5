import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { NoAnswer } from '../http/client.ts';
import { rule } from './rule.ts';

/** Announces a body and sends only its beginning. @returns the answer, or undefined if none comes in time */
async function sentInPart(t: TestContext, body: string, announced: number): Promise<Answer | undefined> {
  const head = `POST /developer/v1/documents HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\n`;
  const type = `Content-Type: application/json\r\nContent-Length: ${announced}\r\n\r\n`;
  try {
    return await t.as('full').wire(head + type + body);
  } catch (error) {
    if (error instanceof NoAnswer && error.code === 'TIMEOUT') return undefined;
    throw error;
  }
}

rule({
  id: 'ERR-35',
  text: 'A body that does not go on is 408 after a few seconds and not before, and the connection ends with it.',
  place: 'requestBody',
  decisions: ['D-6', 'D-33'],
  check: async (t) => {
    if (t.profile.terminator === true) t.untested('not_exercised', 'who stands in front may wait for the whole body');
    const begun = performance.now();
    const answer = t.present(await sentInPart(t, '{"title":', 100), 'a body that does not go on is waited for');
    t.equal(answer.status, 408, 'the status', answer);
    t.equal(answer.code, 'INVALID_ARGUMENT', 'the code', answer);
    t.equal(answer.header('connection'), 'close', 'the header Connection', answer);
    t.check(performance.now() - begun > 4_000, 'a body is given up within four seconds', answer);
    (await t.as('full').verify()).ok('verifyApiKey', 'the next request');
  },
});
