/** A change while another one is written first: each interleaving separately. */
import { describe, expect, test } from '@jest/globals';
import { draftRow } from '../../../scripts/world/document-row.ts';
import { ApiError } from '../../answers/errors.ts';
import type { DocumentRow } from '../../data/collections/documents.ts';
import type { TenantRows } from '../../data/of-tenant.ts';
import type { Filter, Update } from '../../data/store.ts';
import type { Act } from './acts.ts';
import { changeDocument, type ReachedDocument } from './change.ts';
import { anybody, type People } from './people.ts';
import type { RouteStep } from './route.ts';
import { approve, route, send, sign, step } from './testing/acts.ts';

/** One document in a store that supports only the writes of a change. */
class OneDocument implements ReachedDocument {
  row: DocumentRow = draftRow({ initiator_employee_id: 'ini' });
  writes = 0;
  /** Another change, which runs once before the next write. */
  faster: (() => Promise<unknown>) | undefined;

  async read(): Promise<DocumentRow> {
    if (!this.row.listed) throw new ApiError('DOCUMENT_NOT_FOUND');
    return structuredClone(this.row);
  }

  readonly rows = {
    change: async (filter: Filter<DocumentRow>, update: Update<DocumentRow>) => {
      const { faster } = this;
      this.faster = undefined;
      await faster?.();
      expect(Object.keys(filter).toSorted()).toEqual(['_id', 'listed', 'rev']);
      this.writes += 1;
      const { row } = this;
      if (filter._id !== row._id || filter.rev !== row.rev || filter.listed !== row.listed) return undefined;
      const { $set = {}, $addToSet, $push } = update as Record<string, Record<string, { $each: never[] }>>;
      this.row = {
        ...row,
        ...($set as object),
        visible_to: [...new Set([...row.visible_to, ...($addToSet?.visible_to?.$each ?? [])])],
        actors: [...new Set([...row.actors, ...($addToSet?.actors?.$each ?? [])])],
        pending_events: [...row.pending_events, ...($push?.pending_events?.$each ?? [])],
      };
      return structuredClone(this.row);
    },
  } as unknown as TenantRows<DocumentRow>;

  /** Who has left. */
  readonly gone = new Set<string>();

  async people(): Promise<People> {
    const gone = new Set(this.gone);
    const isThere = (id: string) => !gone.has(id);
    return { ...anybody, isThere, mayTakePart: isThere };
  }

  async claimed(): Promise<void> {}

  do(act: Act): Promise<DocumentRow> {
    return changeDocument(this, act);
  }

  get events(): string[] {
    return this.row.pending_events.map(({ type }) => type.replace('document.', ''));
  }
}

const STATE = { errorName: 'DOCUMENT_INVALID_STATUS_TRANSITION' };
const INVALID = { errorName: 'INVALID_ARGUMENT' };

async function sentOn(...steps: RouteStep[]): Promise<OneDocument> {
  const document = new OneDocument();
  await document.do(route(...steps));
  await document.do(send);
  return document;
}

describe('when another request is faster', () => {
  test('in another slot of an ALL step, both count, and the second completes it', async () => {
    const document = await sentOn(step('APPROVAL', 'ALL', 'a', 'b'), step('SIGNING', 'ALL', 'c'));
    document.faster = () => document.do(approve('b'));
    const row = await document.do(approve('a'));
    expect(row.status).toBe('DOCUMENT_STATUS_ON_SIGN');
    expect(document.events).toEqual(['sent', 'approval_started', 'signing_started']);
  });

  test('in another slot of an ANY step, only the first counts', async () => {
    const document = await sentOn(step('SIGNING', 'ANY', 'a', 'b'));
    document.faster = () => document.do(sign('b'));
    await expect(document.do(sign('a'))).rejects.toMatchObject(INVALID);
    expect(document.events).toEqual(['sent', 'signing_started', 'completed']);
  });

  test('in the same slot, a repeat never acts in a later slot of the same employee', async () => {
    const document = await sentOn(
      step('APPROVAL', 'ALL', 'a'),
      step('APPROVAL', 'ALL', 'a'),
      step('SIGNING', 'ALL', 'c'),
    );
    document.faster = () => document.do(approve('a'));
    await expect(document.do(approve('a'))).rejects.toMatchObject(STATE);
    expect(document.row.route?.steps.map(({ status }) => status)).toEqual([
      'STEP_STATUS_COMPLETED',
      'STEP_STATUS_ACTIVE',
      'STEP_STATUS_PENDING',
    ]);
  });

  test('with a new route, the sending takes the new one', async () => {
    const document = new OneDocument();
    await document.do(route(step('SIGNING', 'ALL', 'a')));
    document.faster = () => document.do(route(step('APPROVAL', 'ALL', 'b'), step('SIGNING', 'ALL', 'a')));
    const row = await document.do(send);
    expect([row.status, row.actors]).toEqual(['DOCUMENT_STATUS_ON_APPROVAL', ['ini', 'b']]);
  });

  test('and ends an employment meanwhile, the leaver acts no more, and nothing is sent to it', async () => {
    const sent = await sentOn(step('SIGNING', 'ALL', 'a', 'b'));
    sent.faster = async () => {
      sent.gone.add('a');
      await sent.do(sign('b'));
    };
    await expect(sent.do(sign('a'))).rejects.toMatchObject(INVALID);
    const routed = new OneDocument();
    await routed.do(route(step('SIGNING', 'ALL', 'a')));
    routed.faster = async () => {
      routed.gone.add('a');
      routed.row = { ...routed.row, rev: routed.row.rev + 1 };
    };
    await expect(routed.do(send)).rejects.toMatchObject(STATE);
  });

  test('by ending an employment while the signature is verified or the signing sheet is made, the act is refused', async () => {
    for (const slow of ['signatureOf', 'sheetOf'] as const) {
      const document = await sentOn(step('SIGNING', 'ALL', 'a'));
      const facts = { pdf_sha256: 'aa', file: null, certificate_serial: '' };
      const [file] = document.row.files as [DocumentRow['files'][0]];
      const leaves =
        <Made>(made: Made) =>
        async () => {
          document.gone.add('a');
          return made;
        };
      const work = slow === 'sheetOf' ? { sheetOf: leaves(file) } : { signatureOf: leaves(facts) };
      await expect(changeDocument(document, sign('a'), work)).rejects.toMatchObject(INVALID);
      expect(document.row.status).toBe('DOCUMENT_STATUS_ON_SIGN');
    }
  });

  test('again and again, the request ends as UNAVAILABLE', async () => {
    const document = await sentOn(step('SIGNING', 'ALL', 'a', 'b'));
    const overtake = async () => {
      document.row = { ...document.row, rev: document.row.rev + 1 };
      document.faster = overtake;
    };
    document.faster = overtake;
    await expect(document.do(sign('a'))).rejects.toMatchObject({ errorName: 'UNAVAILABLE' });
  });
});
