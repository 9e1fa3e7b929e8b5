import { sharedScenario } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Api } from '../http/api.ts';
import { rule } from './rule.ts';
import { callOf, idsOf, UNKNOWN_ID } from './shared/calls.ts';
import { contractInputs } from './shared/contract-inputs.ts';
import {
  type Actor,
  act,
  actions,
  approval,
  bodyFor,
  cast,
  complete,
  confirm,
  create,
  created,
  documentOf,
  done,
  downloadOf,
  draft,
  draftFromUpload,
  found,
  pdf,
  readDocument,
  routed,
  seen,
  sent,
  setRoute,
  signing,
  stored,
  templateBody,
  titleOf,
  unchanged,
  uploadBody,
  uploaded,
} from './shared/document-calls.ts';
import { mustLookTheSame } from './shared/same-answer.ts';
import { meantBody, takenInputs } from './shared/target-inputs.ts';

/** Letters beside those of Russian: what is the same in lower case is found, what is only alike is not. */
async function findsInAnyAlphabet(t: TestContext): Promise<void> {
  const full = t.asAny('full');
  const title = titleOf(t);
  const { id } = await draft(t, full, { title: `${title} ΟΔΟΣΑ Straße ҚӘҢӨҰҮҺІ Été Z ъъъъ` });
  const right = ['οδοσα', 'οδος', 'οδοσ', 'ΟΔΟΣ', 'οδοςΑ'].map((greek) => `${title} ${greek}`);
  right.push('οδοσα STRAßE', 'straẞe қәңөұүһі', `қәңөұүһі E\u0301tE\u0301 z`, 'ЪЪЪ', 'z ЪЪЪЪ');
  for (const search of right) {
    t.check((await found(full, search)).includes(id), `search=${search} does not find the title`);
  }
  for (const search of [`${title} οδοςβ`, 'οδοσα strasse', 'straße каноуухи', 'қәңөұүһі ete z', 'ъъъъъ', 'z ъъъъъ']) {
    t.check(!(await found(full, search)).includes(id), `search=${search} finds the title`);
  }
}

rule({
  id: 'DREAD-6',
  text: 'search finds a literal part of the title, and of the number as the target declares, in any case and alphabet, and nothing else.',
  place: 'listDocuments: search',
  decisions: ['D-15'],
  check: async (t) => {
    const full = t.asAny('full');
    const run = t.run_id;
    const mark = titleOf(t, 'Ёлка ПРИКАЗ (a.b*c) %_$ café');
    const number = `№-${run}/Ж-118`;
    const { id } = await draft(t, full, { title: mark, number });
    const finds = async (search: string, whether: boolean) => {
      const ids = await found(full, search);
      t.equal(ids.includes(id), whether, `whether search=${search} finds ${mark}`);
    };
    const tail = mark.slice(mark.indexOf(run));
    const right = [
      mark,
      mark.toLowerCase(),
      mark.toUpperCase(),
      'приказ (A.B*C)',
      `%_$ cafe\u0301 ${tail}`,
      tail,
      'ёлка приказ',
    ];
    for (const search of right) await finds(search, true);
    for (const search of [
      'елка приказ',
      'ПРИКАЗ (a.bxc)',
      `^${tail}`,
      `.*${run}`,
      `${tail}x`,
      '(a.b*c)%',
      'ПРИКАЗ  (a',
      // A letter with an accent is another letter, wherever the search ends.
      '(a.b*c) %_$ cafe',
    ]) {
      await finds(search, false);
    }
    await findsInAnyAlphabet(t);
    const byNumber = t.values.document_search === 'title_and_number';
    for (const search of [number, number.toLowerCase(), `${run}/ж-1`]) await finds(search, byNumber);
    // A text must be part of one of them, not of both together.
    for (const between of ['', ' ']) await finds(tail + between + number, false);
  },
});

/** A document of a type that is hidden from somebody by the profile, of which it is the subject, and one that it signs. */
async function hiddenFrom(t: TestContext, me: Actor, type_id: string): Promise<void> {
  const { full } = cast(t);
  const hidden = (more: object) => draftFromUpload(t, full.api, pdf(titleOf(t)), { type_id, ...more });
  const about = await sent(t, full, [signing(full)], await hidden({ subject_employee_ids: [me.id] }));
  await seen(me.api, about, false, 'as the subject of a hidden type');
  const going = await sent(t, full, [signing(me)], await hidden({}));
  await seen(me.api, going, true, 'as a participant of a hidden type');
}

rule({
  id: 'DREAD-15',
  text: 'A document of a type that the profile does not see is hidden from its subject and shown to its participant, also where the profile sees all documents of other types.',
  decisions: ['D-15'],
  place: 'listDocuments, getDocument',
  check: async (t) => {
    const { full, restricted } = cast(t);
    await hiddenFrom(t, restricted, t.fixture('document_type_hidden_from_restricted_id'));
    if (!t.has('listed_types_owner')) return;
    const api = t.as('listed_types_owner');
    const listed = idsOf(await api.walk('listDocumentTypes'));
    const status = t.spelling.catalogue_status.ACTIVE;
    const type = (await full.api.walk('listDocumentTypes')).find(
      (one) => !listed.includes(one.id) && one.status === status && one.allow_api && one.allow_upload,
    );
    const own = await create(t, api, uploadBody(t, await uploaded(t, api)));
    // Of an owner who is no employee, no document is about it.
    if (type === undefined || own.status !== 200) return;
    await hiddenFrom(t, { ...full, api, id: documentOf(own).initiator_employee_id }, type.id);
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
  place: 'listDocuments, getDocument',
  check: async (t, full) => {
    const api = t.as('not_confidential_owner');
    const [open, confidential] = [t.fixture('document_type_id'), t.fixture('document_type_confidential_id')];
    const types = await full.walk('listDocumentTypes');
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

/** Documents whose participants do not see them yet: a draft, and one that waits for the step before theirs. */
const hidden = sharedScenario(async (t) => {
  const { full, second, restricted } = cast(t);
  const steps = [approval(full), signing(second, restricted)];
  return { draft: await routed(t, full, steps), 'document on its way': await sent(t, full, steps) };
});

for (const { operation, body } of contractInputs.filter((one) => one.operation.path.includes('{document_id}'))) {
  const { operationId } = operation;
  rule({
    id: `DREAD-${operationId}.hidden`,
    family: 'documents out of view',
    text: `${operationId} answers for a document out of the owner’s view, and for one of another tenant, exactly as for an unknown one, and changes nothing.`,
    place: operationId,
    decisions: ['D-5', 'D-14'],
    check: async (t) => {
      const { full, second, restricted } = cast(t);
      const documents = Object.entries(await hidden(t));
      const right = await meantBody(t, takenInputs(t, operationId));
      for (const [owner, api] of Object.entries({
        'a participant': second.api,
        'one who sees little': restricted.api,
        'another tenant': t.as('other_tenant'),
      })) {
        const ask = async (of: string) => {
          if (body !== undefined) await t.mayWrite();
          return api.send({ ...callOf(operation, of), body: right });
        };
        const unknown = (await ask(UNKNOWN_ID)).fails('DOCUMENT_NOT_FOUND', `an unknown document, for ${owner}`);
        for (const [what, { id: of, title }] of documents) {
          mustLookTheSame(t, await ask(of), unknown, `a ${what}, for ${owner},`, [of, UNKNOWN_ID]);
          if (operationId === 'getDocument') t.equal(await found(api, title), [], `what ${owner} finds of a ${what}`);
        }
      }
      for (const [, document] of documents) await unchanged(full.api, document, 'what was refused');
    },
  });
}

rule({
  id: 'SCOPE-27',
  text: 'Creations, confirmations and actions on documents that are refused for their scope leave no trace.',
  place: 'SCOPE_INSUFFICIENT',
  check: async (t) => {
    const none = t.as('no_scope');
    const reader = t.as('documents_read');
    const { full, second } = cast(t);
    const body = await templateBody(t);
    const going = await sent(t, full, [signing(full), signing(second)]);
    const steps = [signing(second)];
    for (const key of [none, reader]) {
      (await create(t, key, body, `scope-27-${t.run_id}`)).fails('SCOPE_INSUFFICIENT', 'create');
      for (const action of actions) {
        (await act(key, going.id, action, bodyFor(action, steps))).fails('SCOPE_INSUFFICIENT', action);
      }
    }
    t.equal(await found(full.api, String(body.title)), [], 'documents with the title of the refused ones');
    await unchanged(full.api, going, 'actions without the scope');
    const { file } = await stored(t, full.api, pdf(`scope ${t.run_id}`));
    (await confirm(t, none, file.id)).fails('SCOPE_INSUFFICIENT', 'confirm');
    const unconfirmed = await create(t, full.api, uploadBody(t, file.id));
    unconfirmed.fails('FILE_INVALID_STATUS_TRANSITION', 'an upload whose confirmation was refused');
    // The refused attempts have not used up the Idempotency-Key.
    (await create(t, full.api, body, `scope-27-${t.run_id}`)).ok('createDocument', 'the creation with the scope');
  },
});

rule({
  id: 'SCOPE-29',
  text: 'A key with documents:write alone moves a document along its route; a key with documents:read alone reads, finds and downloads it.',
  place: 'security',
  check: async (t) => {
    const who = cast(t);
    const writer = t.as('documents_write');
    const reader = t.as('documents_read');
    const document = await created(t, writer, await templateBody(t));
    await setRoute(writer, document.id, [approval(who.full), signing(who.full, who.second)]);
    await done(writer, document.id, '_send');
    await done(writer, document.id, '_approve');
    const next = await done(writer, document.id, '_sign');
    (await writer.get(`/documents/${document.id}`)).fails('SCOPE_INSUFFICIENT', 'read with documents:write alone');
    (await writer.get(`/documents/${document.id}/_download`)).fails('SCOPE_INSUFFICIENT', 'download with it');
    (await writer.get('/documents')).fails('SCOPE_INSUFFICIENT', 'list with it');
    await unchanged(reader, next, 'reading with documents:read alone');
    t.equal(await found(reader, document.title), [document.id], 'what documents:read finds');
    await downloadOf(reader, document.id);
    await complete(t, next, who);
  },
});
