import type { TestContext } from '../engine/test-context.ts';
import type { Api } from '../http/api.ts';
import { rule } from './rule.ts';
import {
  act,
  approvalBy,
  draft,
  draftFromUpload,
  found,
  pdf,
  readDocument,
  sendOff,
  setRoute,
  signingBy,
  titleOf,
} from './shared/document-calls.ts';
import { need, together } from './shared/needs.ts';

/** A document must be visible or invisible to an owner in the same way by its id, in the list and for download. */
async function seen(t: TestContext, api: Api, document: { id: string; title: string }, whether: boolean, when: string) {
  const one = await api.get(`/documents/${document.id}`);
  if (whether) one.ok('getDocument', `reading it ${when}`);
  else one.fails('DOCUMENT_NOT_FOUND', `reading it ${when}`);
  const download = await api.get(`/documents/${document.id}/_download`);
  if (whether) download.ok('downloadDocument', `downloading it ${when}`);
  else download.fails('DOCUMENT_NOT_FOUND', `downloading it ${when}`);
  const ids = await found(api, document.title);
  t.equal(ids, whether ? [document.id] : [], `the list ${when}`);
}

rule({
  id: 'DREAD-8',
  level: 'MUST',
  text: 'The list of documents holds only documents that its reader may also read by id.',
  place: 'listDocuments, getDocument',
  needs: together(need.template, {
    keys: ['restricted_owner', 'second_owner'],
    operations: [
      'createDocument',
      'getDocument',
      'listDocuments',
      'downloadDocument',
      'setDocumentRoute',
      'sendDocument',
      'approveDocument',
      'signDocument',
    ],
  }),
  check: async (t) => {
    const mine = await draft(t, t.as('second_owner'));
    for (const owner of ['second_owner', 'restricted_owner'] as const) {
      const api = t.as(owner);
      const { rows, answer } = await api.list('listDocuments', { limit: 200 });
      for (const { id, status } of rows.slice(0, 8)) {
        t.equal(
          (await api.get(`/documents/${id}`)).ok('getDocument', 'what is listed').document.id,
          id,
          'the id',
          answer,
        );
        t.check(status !== t.spelling.document_status.UNSPECIFIED, 'a document without a status is listed', answer);
      }
      const own = t.profile.fixtures[`${owner}_employee_id`];
      const strange = rows.find(
        (row) =>
          row.status === t.spelling.document_status.DRAFT && own !== undefined && row.initiator_employee_id !== own,
      );
      // An owner who sees only his own documents sees no drafts of others, unless they were returned for changes.
      t.check(strange === undefined, `the draft ${strange?.id} of somebody else is listed`, answer);
    }
    await seen(t, t.as('second_owner'), mine, true, 'for its initiator');
    await seen(t, t.as('restricted_owner'), mine, false, 'for somebody else');
  },
});

rule({
  id: 'DREAD-13',
  level: 'MUST',
  text: 'A subject can read, list and download a document from the moment it is sent, not before.',
  place: 'listDocuments, getDocument',
  decisions: ['D-15'],
  needs: together(need.template, {
    keys: ['second_owner'],
    fixtures: ['owner_employee_id', 'second_owner_employee_id'],
    operations: [
      'createDocument',
      'getDocument',
      'listDocuments',
      'downloadDocument',
      'setDocumentRoute',
      'sendDocument',
      'approveDocument',
      'signDocument',
    ],
  }),
  check: async (t) => {
    const full = t.as('full');
    const second = t.as('second_owner');
    const me = t.fixture('owner_employee_id');
    const subject_employee_ids = [t.fixture('second_owner_employee_id')];
    const document = await draft(t, full, { subject_employee_ids });
    await seen(t, second, document, false, 'as the subject of a draft');
    await setRoute(t, full, document.id, [signingBy(t, me)]);
    await seen(t, second, document, false, 'as the subject of a draft with a route');
    await sendOff(t, full, document.id);
    await seen(t, second, document, true, 'as the subject of a sent document');
    (await act(t, full, document.id, 'sign')).ok('signDocument');
    await seen(t, second, document, true, 'as the subject of a completed document');
  },
});

rule({
  id: 'DREAD-14',
  level: 'MUST',
  text: 'A participant can read, list and download a document from the moment the step becomes active, not before.',
  place: 'listDocuments, getDocument',
  decisions: ['D-15'],
  needs: together(need.template, {
    keys: ['second_owner'],
    fixtures: ['owner_employee_id', 'second_owner_employee_id'],
    operations: [
      'createDocument',
      'getDocument',
      'listDocuments',
      'downloadDocument',
      'setDocumentRoute',
      'sendDocument',
      'approveDocument',
      'signDocument',
    ],
  }),
  check: async (t) => {
    const full = t.as('full');
    const second = t.as('second_owner');
    const [me, other] = [t.fixture('owner_employee_id'), t.fixture('second_owner_employee_id')];
    const document = await draft(t, full);
    await setRoute(t, full, document.id, [approvalBy(t, me), signingBy(t, other)]);
    await seen(t, second, document, false, 'as a participant of a draft');
    await sendOff(t, full, document.id);
    await seen(t, second, document, false, 'as a participant of a later step');
    (await act(t, full, document.id, 'approve')).ok('approveDocument');
    await seen(t, second, document, true, 'as a participant of the active step');
    (await act(t, second, document.id, 'sign')).ok('signDocument');
    await seen(t, second, document, true, 'as a participant who has acted');
  },
});

rule({
  id: 'DREAD-15',
  level: 'MUST',
  text: 'A document of a type that the profile does not see is hidden from its subject and shown to its participant.',
  place: 'listDocuments, getDocument',
  decisions: ['D-15'],
  needs: together(need.uploads, {
    keys: ['restricted_owner'],
    fixtures: [
      'document_type_id',
      'document_type_hidden_from_restricted_id',
      'restricted_owner_employee_id',
      'owner_employee_id',
    ],
    operations: [
      'createDocument',
      'getDocument',
      'listDocuments',
      'downloadDocument',
      'setDocumentRoute',
      'sendDocument',
    ],
  }),
  check: async (t) => {
    const full = t.as('full');
    const restricted = t.as('restricted_owner');
    const [me, other] = [t.fixture('owner_employee_id'), t.fixture('restricted_owner_employee_id')];
    const type_id = t.fixture('document_type_hidden_from_restricted_id');
    const subject = await draftFromUpload(t, full, pdf(titleOf(t)), { type_id, subject_employee_ids: [other] });
    await setRoute(t, full, subject.id, [signingBy(t, me)]);
    await sendOff(t, full, subject.id);
    await seen(t, restricted, subject, false, 'as the subject of a hidden type');
    const routed = await draftFromUpload(t, full, pdf(titleOf(t)), { type_id });
    await setRoute(t, full, routed.id, [signingBy(t, other)]);
    await sendOff(t, full, routed.id);
    await seen(t, restricted, routed, true, 'as a participant of a hidden type');
  },
});

rule({
  id: 'DREAD-19',
  level: 'MUST',
  text: 'A draft is visible to its initiator, and to others only if they see all documents.',
  place: 'getDocument, listDocuments',
  decisions: ['D-15'],
  needs: together(need.template, {
    keys: ['second_owner', 'restricted_owner', 'second_key_same_owner'],
    operations: [
      'createDocument',
      'getDocument',
      'listDocuments',
      'downloadDocument',
      'setDocumentRoute',
      'sendDocument',
      'approveDocument',
      'signDocument',
    ],
  }),
  check: async (t) => {
    const document = await draft(t, t.as('full'));
    await seen(t, t.as('full'), document, true, 'for its initiator');
    await seen(t, t.as('second_key_same_owner'), document, true, 'for another key of its initiator');
    for (const owner of ['second_owner', 'restricted_owner'] as const) {
      await seen(t, t.as(owner), document, false, `for ${owner}`);
      const theirs = await draft(t, t.as(owner));
      await seen(t, t.as(owner), theirs, true, `for its initiator ${owner}`);
      await seen(t, t.as('full'), theirs, true, 'for an owner who sees all documents');
    }
  },
});

/** An upload of this type, sent and signed by `full`, as it must look to another owner at each moment. */
async function throughItsLife(t: TestContext, api: Api, type: string, whether: boolean, what: string): Promise<void> {
  const full = t.as('full');
  const steps = [signingBy(t, t.fixture('owner_employee_id'))];
  const document = await draftFromUpload(t, full, pdf(titleOf(t)), { type_id: type });
  await seen(t, api, document, whether, `as a draft ${what}`);
  await setRoute(t, full, document.id, steps);
  await sendOff(t, full, document.id);
  await seen(t, api, document, whether, `as a sent document ${what}`);
  if (!whether) {
    for (const [action, body] of Object.entries({
      _set_route: { steps },
      _send: {},
      _approve: {},
      _sign: {},
      _reject: { comment: 'Нет.' },
    })) {
      await t.mayWrite();
      const refused = await api.post(`/documents/${document.id}/${action}`, body);
      refused.fails('DOCUMENT_NOT_FOUND', `${action} of a document ${what}`);
    }
    const { files } = await readDocument(full, document.id);
    const download = await api.get(`/documents/${document.id}/_download`, { file_id: files[0]?.file_id });
    download.fails('DOCUMENT_NOT_FOUND', `downloading a named file of a document ${what}`);
  }
  (await act(t, full, document.id, 'sign')).ok('signDocument');
  await seen(t, api, document, whether, `as a completed document ${what}`);
  const listed = await found(api, document.title, { type_id: type });
  t.equal(listed, whether ? [document.id] : [], `the list of one type, for a completed document ${what}`);
}

rule({
  id: 'DREAD-23',
  level: 'MUST',
  text: 'To an owner who sees all documents but confidential ones, a confidential document of others does not exist: not by id, in lists, for download or for any action.',
  place: 'listDocuments, getDocument',
  decisions: ['D-15', 'D-31'],
  needs: together(need.uploads, {
    keys: ['not_confidential_owner'],
    fixtures: ['document_type_id', 'document_type_confidential_id', 'owner_employee_id'],
    operations: [
      'listDocumentTypes',
      'createDocument',
      'getDocument',
      'listDocuments',
      'downloadDocument',
      'setDocumentRoute',
      'sendDocument',
      'approveDocument',
      'signDocument',
      'rejectDocument',
    ],
  }),
  check: async (t) => {
    const api = t.as('not_confidential_owner');
    const [open, confidential] = [t.fixture('document_type_id'), t.fixture('document_type_confidential_id')];
    const types = await t.as('full').walk('listDocumentTypes', { limit: 1000 });
    const marked = [open, confidential].map((id) => types.find((type) => type.id === id)?.confidential);
    if (marked[0] !== false || marked[1] !== true)
      t.untested('no_such_data', 'document_type_id is confidential, or document_type_confidential_id is not');
    await throughItsLife(t, api, open, true, 'of a type that is not confidential');
    await throughItsLife(t, api, confidential, false, 'of a confidential type');
    const own = await draftFromUpload(t, api, pdf(titleOf(t)), { type_id: confidential });
    await seen(t, api, own, true, 'of a confidential type, for its initiator');
  },
});

rule({
  id: 'DREAD-24',
  level: 'MUST',
  text: 'A confidential document does not exist either for an owner who sees all documents but confidential ones, and whose list of document types has its type.',
  place: 'listDocuments, getDocument',
  decisions: ['D-31'],
  needs: together(need.uploads, {
    keys: ['listed_types_owner'],
    fixtures: ['document_type_id', 'document_type_confidential_id'],
    operations: ['createDocument', 'getDocument', 'listDocuments', 'downloadDocument'],
  }),
  check: async (t) => {
    for (const fixture of ['document_type_id', 'document_type_confidential_id'] as const) {
      const document = await draftFromUpload(t, t.as('full'), pdf(titleOf(t)), { type_id: t.fixture(fixture) });
      const isOpen = fixture === 'document_type_id';
      await seen(t, t.as('listed_types_owner'), document, isOpen, `of the type ${fixture}`);
    }
  },
});
