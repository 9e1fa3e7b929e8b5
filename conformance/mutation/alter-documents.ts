/** Ways to alter documents, which faults of several files share. */

import type { OperationId } from '../../generated/operations.ts';
import { accepts, asks, each, headerOf, type Json, permits, reasonOf, setHeader } from './alter.ts';
import type { Alter, Memory, ProxiedRequest } from './fault.ts';

const CREATE = 'createDocument';

const LIST = 'listDocuments';

const ONE = 'getDocument';

const ACTIONS = ['sendDocument', 'approveDocument', 'signDocument', 'rejectDocument', 'setDocumentRoute'] as const;

const SHOWN = [CREATE, LIST, ONE, ...ACTIONS] as const;

/** Changes each document of an answer. */
export const shown = (change: (document: Json, asked: ProxiedRequest, memory: Memory) => void): Alter =>
  each(SHOWN, change);

/** The participants of all steps of a route. */
export const participants = (document: Json): Json[] =>
  (document.route?.steps ?? []).flatMap((step: Json) => step.participants);

/** Changes each document of an answer by itself. */
export const walk = (change: (document: Json) => void): Alter => shown((one) => change(one));

const INVALID = 'INVALID_ARGUMENT';

const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

/** Answers a refused request with a document that the operation has returned before. */
export const lenient = (which: OperationId | readonly OperationId[], reason = INVALID): Alter =>
  accepts(which, (answer) => reasonOf(answer) === reason, { document: { id: UNKNOWN } });

/** The Idempotency-Key of a request. */
export const idempotencyKey = (asked: ProxiedRequest) => headerOf(asked, 'idempotency-key');

/** Creates documents without an Idempotency-Key. */
export const withoutKey: Alter = asks(CREATE, (asked) => setHeader(asked, 'Idempotency-Key', undefined));

/** Answers a refused action with the document as it is. */
export const nothingHappened =
  (which: OperationId | readonly OperationId[], reason?: string): Alter =>
  async (asked, forward) => {
    const answer = await forward(asked);
    if (
      asked.operation === undefined ||
      ![which].flat().includes(asked.operation) ||
      answer.status < 400 ||
      (reason !== undefined && reasonOf(answer) !== reason)
    )
      return answer;
    return forward({
      ...asked,
      method: 'GET',
      target: asked.target.replace(/\/_\w+$/, ''),
      body: Buffer.alloc(0),
      headers: asked.headers.filter(([name]) => !/^content-/i.test(name)),
    });
  };

/** Shows documents that the key may not see. */
export const visible = permits([ONE, 'downloadDocument', ...ACTIONS], 'full', (answer) => answer.status === 404);
