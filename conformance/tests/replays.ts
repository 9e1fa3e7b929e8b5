/** Idempotency-Keys, and answers that are replays. */
import type { Answer } from '../answer.ts';
import type { Trial } from '../trial.ts';
import type { Document } from './document-calls.ts';

export const REPLAYED = 'idempotent-replayed';

let keys = 0;

/** An Idempotency-Key that was never used. */
export const freshKey = (t: Trial): string => `C-${t.run.run_id}-${t.rule.id}-${++keys}`;

/** The document of a creation that succeeded. */
export const documentOf = (answer: Answer, because = ''): Document => answer.ok('createDocument', because).document;

/** The answer must be a replay of this document, created by an earlier request. */
export function mustReplay(t: Trial, answer: Answer, id: string, because: string): void {
  t.equal(documentOf(answer, because).id, id, `${because}: the document`, answer);
  t.equal(answer.header(REPLAYED), 'true', `${because}: Idempotent-Replayed`, answer);
}
