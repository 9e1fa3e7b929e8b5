import type { TestContext } from '../engine/test-context.ts';
import type { Api } from '../http/api.ts';
import { rulesWith } from './rule.ts';
import {
  act,
  actions,
  bodyFor,
  cast,
  done,
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
  text: 'To an owner who sees all documents but confidential ones, a confidential document of others does not exist: not by id, in lists, for download or for any action, even if his list of document types has its type.',
  decisions: ['D-15', 'D-31'],
  check: async (t) => {
    const api = t.as('not_confidential_owner');
    const [open, confidential] = [t.fixture('document_type_id'), t.fixture('document_type_confidential_id')];
    const types = await t.as('full').walk('listDocumentTypes');
    const marked = [open, confidential].map((id) => types.find((type) => type.id === id)?.confidential);
    if (marked[0] !== false || marked[1] !== true)
      t.untested('no_such_data', 'document_type_id is confidential, or document_type_confidential_id is not');
    for (const owner of t.has('listed_types_owner') ? [api, t.as('listed_types_owner')] : [api]) {
      await throughItsLife(t, owner, open, true, 'of a type that is not confidential');
      await throughItsLife(t, owner, confidential, false, 'of a confidential type');
    }
    const own = await draftFromUpload(t, api, pdf(titleOf(t)), { type_id: confidential });
    await seen(api, own, true, 'of a confidential type, for its initiator');
  },
});
