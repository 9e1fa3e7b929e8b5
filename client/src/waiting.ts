import { DeveloperApiError, TimeoutError } from './errors.ts';
import { type CallOptions, limited, type Transport } from './transport.ts';
import type { Document, DocumentStatus } from './types.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 15_000;
const WAITING = { operation: 'documents.waitFor', requestId: '', attempts: 1 };
/** No document leaves these. */
const FINAL: readonly DocumentStatus[] = [
  'DOCUMENT_STATUS_COMPLETED',
  'DOCUMENT_STATUS_REJECTED',
  'DOCUMENT_STATUS_REVOKED',
];

export interface WaitOptions extends Omit<CallOptions, 'timeoutMs'> {
  /** How long to wait for the status; ten minutes unless stated. */
  readonly timeoutMs?: number | undefined;
}

/** The document can no longer get what was waited for. */
export class DocumentEndedError extends DeveloperApiError {
  override readonly name = 'DocumentEndedError';
  readonly document: Document;

  constructor(document: Document) {
    super(`the document ended as ${document.status}`, WAITING);
    this.document = document;
  }
}

/**
 * Reads a document, less and less often, until it has one of the statuses. A webhook tells of it sooner and with fewer
 * requests. @throws TimeoutError, or DocumentEndedError if it ended in another way
 */
export function waitForDocument(
  transport: Transport,
  id: string,
  statuses: readonly DocumentStatus[],
  { timeoutMs = 600_000, signal: outer, ...options }: WaitOptions,
): Promise<Document> {
  const endMs = transport.clock.now() + timeoutMs;
  return limited({ call: WAITING, timeoutMs, signal: outer }, async (signal) => {
    for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(LONGEST_MS, pauseMs * 1.5)) {
      const { document } = await transport.call('getDocument', { path: { document_id: id } }, { ...options, signal });
      if (statuses.includes(document.status)) return document;
      if (FINAL.includes(document.status)) throw new DocumentEndedError(document);
      if (transport.clock.now() + pauseMs > endMs)
        throw new TimeoutError(timeoutMs, WAITING, `still ${document.status}`);
      await transport.pause(pauseMs, WAITING.operation, signal);
    }
  });
}
