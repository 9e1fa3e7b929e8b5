import type { TestContext } from '../engine/test-context.ts';
import type { Api } from '../http/api.ts';
import { rulesWith } from './rule.ts';
import {
  act,
  actions,
  bodyFor,
  cast,
  done,
  draft,
  draftFromUpload,
  found,
  pdf,
  readDocument,
  seen,
  sent,
  signing,
  titleOf,
} from './shared/document-calls.ts';

const rule = rulesWith({ place: 'listDocuments, getDocument' });

rule({
  id: 'DREAD-8',
  text: 'The list of documents holds only documents that its reader may also read by id.',
  check: async (t) => {
    const mine = await draft(t, t.as('second_owner'));
    for (const owner of ['second_owner', 'restricted_owner'] as const) {
      const api = t.as(owner);
      const { rows, answer } = await api.list('listDocuments', { limit: 200 });
      for (const { id, status } of rows.slice(0, 8)) {
        t.equal((await readDocument(api, id)).id, id, 'the id of what is listed', answer);
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
    await seen(t.as('second_owner'), mine, true, 'for its initiator');
    await seen(t.as('restricted_owner'), mine, false, 'for somebody else');
  },
});

rule({
  id: 'DREAD-15',
  text: 'A document of a type that the profile does not see is hidden from its subject and shown to its participant.',
  decisions: ['D-15'],
  check: async (t) => {
    const who = cast(t);
    const [full, restricted] = [who.full.api, who.restricted.api];
    const type_id = t.fixture('document_type_hidden_from_restricted_id');
    const hidden = (more: object) => draftFromUpload(t, full, pdf(titleOf(t)), { type_id, ...more });
    const about = await hidden({ subject_employee_ids: [who.restricted.id] });
    const subject = await sent(t, who.full, [signing(who.full)], about);
    await seen(restricted, subject, false, 'as the subject of a hidden type');
    const going = await sent(t, who.full, [signing(who.restricted)], await hidden({}));
    await seen(restricted, going, true, 'as a participant of a hidden type');
  },
});

/** An upload of this type, sent and signed by `full`, as it must look to another owner at each moment. */
async function throughItsLife(t: TestContext, api: Api, type: string, whether: boolean, what: string): Promise<void> {
  const me = cast(t).full;
  const full = me.api;
  const steps = [signing(me)];
  const document = await draftFromUpload(t, full, pdf(titleOf(t)), { type_id: type });
  await seen(api, document, whether, `as a draft ${what}`);
  await sent(t, me, steps, document);
  await seen(api, document, whether, `as a sent document ${what}`);
  if (!whether) {
    for (const action of actions) {
      const refused = await act(api, document.id, action, bodyFor(action, steps));
      refused.fails('DOCUMENT_NOT_FOUND', `${action} of a document ${what}`);
    }
    const { files } = await readDocument(full, document.id);
    const download = await api.get(`/documents/${document.id}/_download`, { file_id: files[0]?.file_id });
    download.fails('DOCUMENT_NOT_FOUND', `downloading a named file of a document ${what}`);
  }
  await done(full, document.id, '_sign');
  await seen(api, document, whether, `as a completed document ${what}`);
  const listed = await found(api, document.title, { type_id: type });
  t.equal(listed, whether ? [document.id] : [], `the list of one type, for a completed document ${what}`);
}

rule({
  id: 'DREAD-23',
  text: 'To an owner who sees all documents but confidential ones, a confidential document of others does not exist: not by id, in lists, for download or for any action.',
  decisions: ['D-15', 'D-31'],
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
    await seen(api, own, true, 'of a confidential type, for its initiator');
  },
});

rule({
  id: 'DREAD-24',
  text: 'A confidential document does not exist either for an owner who sees all documents but confidential ones, and whose list of document types has its type.',
  decisions: ['D-31'],
  check: async (t) => {
    for (const fixture of ['document_type_id', 'document_type_confidential_id'] as const) {
      const document = await draftFromUpload(t, t.as('full'), pdf(titleOf(t)), { type_id: t.fixture(fixture) });
      const isOpen = fixture === 'document_type_id';
      await seen(t.as('listed_types_owner'), document, isOpen, `of the type ${fixture}`);
    }
  },
});
