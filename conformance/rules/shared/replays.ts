/** Answers to creations, and those that are replays. */

import type { TestContext } from '../../engine/test-context.ts';
import type { Answer } from '../../http/answer.ts';
import type { Document } from './document-calls.ts';

export const REPLAYED = 'idempotent-replayed';

/** The document of a creation that succeeded. */
export const documentOf = (answer: Answer, because = ''): Document => answer.ok('createDocument', because).document;

/** The answer must be a replay of this document, created by an earlier request. */
export function mustReplay(t: TestContext, answer: Answer, id: string, because: string): void {
  t.equal(documentOf(answer, because).id, id, `${because}: the document`, answer);
  t.equal(answer.header(REPLAYED), 'true', `${because}: Idempotent-Replayed`, answer);
}
