import { rule } from './rule.ts';
import {
  act,
  actions,
  approval,
  bodyFor,
  cast,
  complete,
  confirm,
  create,
  done,
  downloadOf,
  found,
  pdf,
  sent,
  setRoute,
  signing,
  stored,
  templateBody,
  unchanged,
  uploadBody,
} from './shared/document-calls.ts';

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
