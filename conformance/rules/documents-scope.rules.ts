import { rule } from './rule.ts';
import { confirm, create, downloadOf, found, pdf, reserve, store, templateBody } from './shared/document-calls.ts';
import {
  act,
  actions,
  approval,
  cast,
  complete,
  done,
  sent,
  setRoute,
  signing,
  unchanged,
} from './shared/flow-calls.ts';
import { need, together } from './shared/needs.ts';

rule({
  id: 'SCOPE-27',
  level: 'MUST',
  text: 'Creations, confirmations and actions on documents that are refused for their scope leave no trace.',
  place: 'SCOPE_INSUFFICIENT',
  needs: together(need.threeOwners, need.uploads, {
    keys: ['no_scope', 'documents_read'],
    operations: ['createDocument', 'setDocumentRoute', 'sendDocument', 'rejectDocument'],
  }),
  check: async (t) => {
    const none = t.as('no_scope');
    const reader = t.as('documents_read');
    const { full, second } = cast(t);
    const body = await templateBody(t);
    const going = await sent(t, full, [signing(full), signing(second)]);
    const steps = [signing(second)];
    const bodies = { _set_route: { steps }, _send: {}, _approve: {}, _sign: {}, _reject: { comment: 'Нет.' } };
    for (const key of [none, reader]) {
      (await create(t, key, body, `scope-27-${t.run.run_id}`)).fails('SCOPE_INSUFFICIENT', 'create');
      for (const action of actions) {
        (await act(key, going.id, action, bodies[action])).fails('SCOPE_INSUFFICIENT', action);
      }
    }
    t.equal(await found(full.api, String(body.title)), [], 'documents with the title of the refused ones');
    await unchanged(full.api, going, 'actions without the scope');
    const bytes = pdf(`scope ${t.run.run_id}`);
    const { file, upload } = await reserve(t, full.api, bytes.length);
    await store(t, upload, bytes);
    (await confirm(t, none, file.id)).fails('SCOPE_INSUFFICIENT', 'confirm');
    const unconfirmed = { title: body.title, type_id: body.type_id, file_id: file.id };
    (await create(t, full.api, unconfirmed)).fails(
      'FILE_INVALID_STATUS_TRANSITION',
      'an upload whose confirmation was refused',
    );
    // The refused attempts have not used up the Idempotency-Key.
    (await create(t, full.api, body, `scope-27-${t.run.run_id}`)).ok('createDocument', 'the creation with the scope');
  },
});

rule({
  id: 'SCOPE-29',
  level: 'MUST',
  text: 'A key with documents:write alone moves a document along its route; a key with documents:read alone reads, finds and downloads it.',
  place: 'security',
  needs: together(need.threeOwners, {
    keys: ['documents_write', 'documents_read'],
    operations: ['createDocument', 'setDocumentRoute', 'sendDocument', 'rejectDocument'],
  }),
  check: async (t) => {
    const who = cast(t);
    const writer = t.as('documents_write');
    const reader = t.as('documents_read');
    const { document } = (await create(t, writer, await templateBody(t))).ok('createDocument');
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
