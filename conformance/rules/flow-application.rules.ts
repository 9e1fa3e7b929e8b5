import { rule } from './rule.ts';
import { draft, found, readDocument } from './shared/document-calls.ts';
import {
  act,
  actions,
  approval,
  cast,
  done,
  moves,
  outline,
  sent,
  setRoute,
  signing,
  unchanged,
} from './shared/flow-calls.ts';
import { need, together } from './shared/needs.ts';

const STATE = 'DOCUMENT_INVALID_STATUS_TRANSITION';

rule({
  id: 'FLOW-10',
  level: 'MUST',
  text: 'A request for changes stops the route; only after it is set again can the document be sent, and then completed.',
  place: 'setDocumentRoute, sendDocument, approveDocument, signDocument',
  decisions: ['D-19', 'D-20'],
  needs: together(need.threeOwners, { admin: ['request_changes'] }),
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const { id } = await draft(t, full.api, { subject_employee_ids: [restricted.id] });
    await setRoute(full.api, id, [approval(second, full), signing(restricted)]);
    await done(full.api, id, '_send');
    await t.admin('request_changes', { document_id: id, employee_id: second.id, comment: 'Исправьте дату.' });
    const stopped = await readDocument(full.api, id);
    t.equal(
      outline(t, stopped),
      'CHANGE_REQUESTED CANCELLED [APPROVAL CANCELLED CHANGE_REQUESTED SKIPPED] [SIGNING CANCELLED PENDING]',
      'statuses after a request for changes',
    );
    t.equal([stopped.completed_at, stopped.route.active], ['', false], 'completed_at and route.active');
    (await act(full.api, id, '_send')).fails(STATE, 'send before the route is set again');
    (await act(full.api, id, '_approve')).fails('INVALID_ARGUMENT', 'approve in a cancelled step');
    (await act(restricted.api, id, '_sign')).fails('INVALID_ARGUMENT', 'sign in a cancelled step');
    (await act(full.api, id, '_reject', { comment: 'x' })).fails('INVALID_ARGUMENT', 'reject then');
    await unchanged(full.api, stopped, 'refused actions while changes are requested');
    const again = await setRoute(full.api, id, [approval(second), signing(full)]);
    const fresh = 'DRAFT [APPROVAL PENDING PENDING] [SIGNING PENDING PENDING]';
    t.equal(outline(t, again), `CHANGE_REQUESTED ${fresh}`, 'statuses after the route was set again');
    t.check(again.route.id !== stopped.route.id, 'the new route has the id of the old one');
    await unchanged(restricted.api, again, 'the new route, as a subject sees it from the first send on');
    await moves(full, id, '_send', 'ON_APPROVAL ACTIVE [APPROVAL ACTIVE ACTIVE] [SIGNING PENDING PENDING]');
    await moves(second, id, '_approve', 'ON_SIGN ACTIVE [APPROVAL COMPLETED APPROVED] [SIGNING ACTIVE ACTIVE]');
    await moves(full, id, '_sign', 'COMPLETED COMPLETED [APPROVAL COMPLETED APPROVED] [SIGNING COMPLETED SIGNED]');
  },
});

rule({
  id: 'FLOW-11',
  level: 'MUST',
  text: 'A revoked document is REVOKED, its route CANCELLED, and nothing moves it any more.',
  place: 'setDocumentRoute, sendDocument, approveDocument, signDocument',
  decisions: ['D-19', 'D-20'],
  needs: together(need.threeOwners, { admin: ['revoke_document'] }),
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const steps = [approval(second), signing(restricted)];
    const { id } = await sent(t, full, steps);
    await done(second.api, id, '_approve');
    await t.admin('revoke_document', { document_id: id, employee_id: full.id });
    const revoked = await readDocument(full.api, id);
    t.equal(
      outline(t, revoked),
      'REVOKED CANCELLED [APPROVAL COMPLETED APPROVED] [SIGNING CANCELLED SKIPPED]',
      'statuses after the revocation',
    );
    t.equal([revoked.completed_at, revoked.route.active], ['', false], 'completed_at and route.active');
    (await act(full.api, id, '_set_route', { steps })).fails(STATE, 'set the route');
    (await act(full.api, id, '_send')).fails(STATE, 'send');
    (await act(second.api, id, '_approve')).fails(STATE, 'approve again');
    (await act(restricted.api, id, '_sign')).fails('INVALID_ARGUMENT', 'sign');
    (await act(restricted.api, id, '_reject', { comment: 'x' })).fails('INVALID_ARGUMENT', 'reject');
    await unchanged(full.api, revoked, 'refused actions on a revoked document');
  },
});

rule({
  id: 'FLOW-35',
  level: 'MUST',
  text: 'The initiator’s manager can revoke too, also while changes are requested, and then the initiator can do nothing.',
  place: 'setDocumentRoute, sendDocument, approveDocument, signDocument',
  decisions: ['D-19', 'D-20'],
  needs: together(need.threeOwners, { admin: ['request_changes', 'revoke_document'] }),
  check: async (t) => {
    const { full, second } = cast(t);
    const manager = (await full.api.employee(second.id)).manager_id;
    if (manager !== full.id) t.untested('no_such_data', 'the owner full is not the manager of second_owner');
    const { id } = await sent(t, second, [signing(second)]);
    await t.admin('request_changes', { document_id: id, employee_id: second.id, comment: 'Исправьте дату.' });
    await t.admin('revoke_document', { document_id: id, employee_id: full.id });
    const revoked = await readDocument(second.api, id);
    t.equal(outline(t, revoked), 'REVOKED CANCELLED [SIGNING CANCELLED CHANGE_REQUESTED]', 'statuses after both');
    (await act(second.api, id, '_set_route', { steps: [signing(second)] })).fails(STATE, 'set the route');
    (await act(second.api, id, '_send')).fails(STATE, 'send');
    await unchanged(second.api, revoked, 'refused actions of the initiator');
  },
});

rule({
  id: 'FLOW-12',
  level: 'MUST',
  text: 'A deleted document is 404 for everybody and every operation, and in no list.',
  place: 'setDocumentRoute, sendDocument, approveDocument, signDocument',
  decisions: ['D-20'],
  needs: together(need.threeOwners, { admin: ['delete_document'] }),
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const steps = [approval(second), signing(restricted)];
    const plain = await draft(t, full.api);
    const rejected = await sent(t, full, steps);
    await done(second.api, rejected.id, '_reject', { comment: 'Не нужно.' });
    const bodies = { _set_route: { steps }, _send: {}, _approve: {}, _sign: {}, _reject: { comment: 'x' } };
    await Promise.all(
      [plain, rejected].map(({ id }) => t.admin('delete_document', { document_id: id, employee_id: full.id })),
    );
    for (const { id, title } of [plain, rejected]) {
      for (const { name, api } of id === plain.id ? [full] : [full, second]) {
        (await api.get(`/documents/${id}`)).fails('DOCUMENT_NOT_FOUND', `read by ${name}`);
        (await api.get(`/documents/${id}/_download`)).fails('DOCUMENT_NOT_FOUND', `download by ${name}`);
        t.equal(await found(api, title), [], `what ${name} finds by the title`);
        for (const action of actions) {
          (await act(api, id, action, bodies[action])).fails('DOCUMENT_NOT_FOUND', `${action} by ${name}`);
        }
      }
    }
  },
});
