/** IDEM: a document is created once even if its creation is requested twice. */
import { type Extra, ofTemplate, type Rule, row } from '../rule.ts';

function once(id: string, text: string, extra: Extra = {}): Rule {
  const operations = [...(extra.needs?.operations ?? []), 'createDocument' as const];
  const fixtures = [...ofTemplate, ...(extra.needs?.fixtures ?? [])] as const;
  return row(id, 'MUST', text, 'createDocument: Idempotency-Key', {
    ...extra,
    needs: { ...extra.needs, operations, fixtures },
  });
}

export const idempotencyRules: readonly Rule[] = [
  once('IDEM-1', 'The first request with a key creates the document and is no replay.'),
  once('IDEM-2', 'An identical repeat answers 200 with the same document, marked as a replay.', { decisions: ['D-8'] }),
  once('IDEM-3', 'However often it is repeated, a request with a key makes one document.', {
    needs: { operations: ['listDocuments'] },
  }),
  once('IDEM-4', 'The same key with another body is IDEMPOTENCY_KEY_CONFLICT and creates nothing.', {
    needs: { operations: ['listDocuments'] },
  }),
  once(
    'IDEM-5',
    'A hundred requests at the same time with one key make one document: each answers with it or IDEMPOTENCY_IN_PROGRESS.',
    {
      needs: { operations: ['listDocuments'] },
    },
  ),
  once(
    'IDEM-6',
    'A repeat that comes while the first runs is IDEMPOTENCY_IN_PROGRESS with Retry-After, and answers with the document afterwards.',
  ),
  once('IDEM-7', 'A key belongs to one API key: the same header under another one creates a document of its own.', {
    needs: { keys: ['second_key_same_owner', 'second_owner'] },
  }),
  once('IDEM-8', 'A minute before its 24 hours end a key still replays.', { needs: { clock: true } }),
  once('IDEM-9', 'After its 24 hours a key is new: the same request creates another document.', {
    needs: { clock: true },
  }),
  once('IDEM-10', 'Without the header, equal requests create as many documents.'),
  once('IDEM-11', 'A replay shows the document as it is now, not as it was.', {
    needs: { operations: ['setDocumentRoute', 'sendDocument'], fixtures: ['owner_employee_id'] },
  }),
  once(
    'IDEM-12',
    'A replay checks permissions anew: an owner who lost sight of the document gets DOCUMENT_NOT_FOUND.',
    {
      needs: { keys: ['detachable'], admin: ['detach_owner', 'attach_owner'] },
    },
  ),
  once('IDEM-13', 'A replay of a document that was deleted is DOCUMENT_NOT_FOUND, and creates none.', {
    needs: { operations: ['listDocuments'], admin: ['delete_document'], fixtures: ['owner_employee_id'] },
  }),
  once('IDEM-14', 'Whether another order of fields and other white space are another body is as the target declares.', {
    decisions: ['D-17'],
  }),
  once('IDEM-15', 'Whether a request that ended in a 4xx uses its key up is as the target declares.', {
    decisions: ['D-17'],
  }),
  once(
    'IDEM-16',
    'No other write takes the header: with one key two reservations are two uploads, and a malformed one does not matter.',
    {
      needs: { operations: ['reserveFile'] },
    },
  ),
  once(
    'IDEM-17',
    'Actions of a route are not replayed: repeated with the same key they are refused as any repeat is.',
    {
      needs: {
        operations: ['setDocumentRoute', 'sendDocument', 'approveDocument', 'signDocument', 'rejectDocument'],
        fixtures: ['owner_employee_id'],
      },
    },
  ),
  once(
    'IDEM-18',
    'An empty, repeated, too long or otherwise malformed key is treated as the target declares, and creates nothing where it is refused.',
    {
      decisions: ['D-17'],
    },
  ),
  once('IDEM-19', 'A key used on one operation is free on another, or not, as the target declares.', {
    decisions: ['D-17'],
    needs: { operations: ['ingestRecords'] },
  }),
  once('IDEM-20', 'A key outlives a restart of the service: the repeat gives the document of before.', {
    needs: { admin: ['restart'] },
  }),
  once('IDEM-21', 'A repeat of a creation from an upload answers with the document, although the upload is taken.', {
    needs: { operations: ['reserveFile', 'confirmFile'] },
  }),
  once(
    'IDEM-22',
    'A refusal of a key that holds a document neither changes nor frees it: the right repeat still replays.',
  ),
  once('IDEM-23', 'Of two bodies sent at the same time with one key, many times each, one makes the one document.', {
    needs: { operations: ['listDocuments'] },
  }),
];
