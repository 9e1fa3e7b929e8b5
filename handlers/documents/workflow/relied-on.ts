/**
 * What one write checks and later writes rely on, and what each of these does about it: it checks again, or why it need
 * not. Creation and routes refuse what the store says only by a {@link Refusal}, which names a row here, so no such
 * check is added without its row, and no row without an answer for each later write. `relied-on.long.test.ts` lets each fact
 * change after its check and makes each later write.
 */
import type { ErrorName } from '../../../generated/errors.ts';
import type { Violation } from '../../answers/errors.ts';

/** The error with which a later write refuses when it checks again; or why it does not. */
export type LaterCheck = { readonly again: ErrorName } | { readonly not: string };

/** The writes that rely on what each kind of first write has checked. `act`: approve, sign and reject. */
export type LaterWrite = {
  readonly creation: 'set_route' | 'send' | 'act';
  readonly route: 'send' | 'act' | 'give_on';
  readonly key: 'request' | 'ingest';
  readonly reservation: 'confirm' | 'create';
};

interface ReliedCheck<Write extends string> {
  /** What a refusal says of the field; `''` where the error itself says it. */
  readonly says: string;
  readonly later: Readonly<Record<Write, LaterCheck>>;
}

const not = (why: string): LaterCheck => ({ not: why });
const again = (error: ErrorName): LaterCheck => ({ again: error });

const keeps = (why: string) => ({ set_route: not(why), send: not(why), act: not(why) });
const ofType = keeps('a document keeps the type that it was created with, whatever becomes of the type (D-16)');
const ofTemplate = keeps('the PDF was printed at the creation; what is signed is its bytes');

const LEFT_INITIATOR = again('DOCUMENT_ACTION_NOT_ALLOWED');
const ROUTE_AGAIN = again('DOCUMENT_INVALID_STATUS_TRANSITION');

const creation = {
  initiator_there: {
    says: '',
    later: {
      set_route: LEFT_INITIATOR,
      send: LEFT_INITIATOR,
      act: not('a document that was sent is its participants’: they end what the initiator began'),
    },
  },
  type_seen: { says: "is not a document type that the key's owner sees", later: ofType },
  type_active: { says: 'is an archived document type', later: ofType },
  type_for_api: { says: 'is a document type without allow_api', later: ofType },
  type_for_upload: { says: 'is a document type without allow_upload', later: ofType },
  template_of_type: { says: 'is not a template of this document type', later: ofTemplate },
  template_active: { says: 'is an archived template', later: ofTemplate },
  template_version: { says: 'is not a version of this template', later: ofTemplate },
  organization: {
    says: 'is not an organisation of the tenant',
    later: keeps('a document names the organisation that it was created for'),
  },
  subject_seen: {
    says: "is not an employee whom the key's owner sees",
    later: keeps('who has left stays whom the document is about; a subject acts in nothing'),
  },
} as const satisfies Readonly<Record<string, ReliedCheck<LaterWrite['creation']>>>;

const route = {
  participant_there: {
    says: 'must be an employee whom the initiator sees, or the manager of the initiator, and who is not terminated',
    later: { send: ROUTE_AGAIN, act: again('INVALID_ARGUMENT'), give_on: again('INVALID_ARGUMENT') },
  },
  participant_seen: {
    says: '',
    later: {
      send: ROUTE_AGAIN,
      act: not('the document was sent to the participant, who sees it by the slot and not by the initiator’s view'),
      give_on: again('INVALID_ARGUMENT'),
    },
  },
  participant_once: {
    says: 'must not stand twice in one step',
    later: {
      send: not('nothing but a new route changes who stands in a step before the sending'),
      act: not('who acts has one slot in each step'),
      give_on: again('INVALID_ARGUMENT'),
    },
  },
} as const satisfies Readonly<Record<string, ReliedCheck<LaterWrite['route']>>>;

const key = {
  owner_there: { says: '', later: { request: again('API_KEY_INVALID'), ingest: again('API_KEY_INVALID') } },
  owner_super_admin: {
    says: '',
    later: {
      request: not('only ingest needs it (D-31)'),
      ingest: again('SCOPE_INSUFFICIENT'),
    },
  },
  creator_super_admin: {
    says: '',
    later: {
      request: not('a key works for its owner, whoever made it'),
      ingest: not('the key notes that a super-administrator made it: it was right to make it then (D-31)'),
    },
  },
} as const satisfies Readonly<Record<string, ReliedCheck<LaterWrite['key']>>>;

const reservation = {
  reserved_by_owner: { says: '', later: { confirm: again('FILE_NOT_FOUND'), create: again('FILE_NOT_FOUND') } },
  size_reserved: {
    says: '',
    later: {
      confirm: again('FILE_SIZE_MISMATCH'),
      create: not('the confirmation has pinned the object, which nothing changes any more (D-23)'),
    },
  },
} as const satisfies Readonly<Record<string, ReliedCheck<LaterWrite['reservation']>>>;

/** Every check that a later write relies on, by the write that makes it first. */
export const reliedOn = { creation, route, key, reservation };

const refusing = { ...creation, ...route };

/** The refusal of a field for what the store says. Nothing else is one: the private field tells it from a violation. */
export class Refusal implements Violation {
  readonly field: string;
  readonly description: string;
  readonly #check: keyof typeof refusing;

  constructor(check: keyof typeof refusing, field: string) {
    this.#check = check;
    this.field = field;
    this.description = refusing[this.#check].says;
  }
}
