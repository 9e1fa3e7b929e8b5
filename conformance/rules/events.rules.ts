import { bytesOf } from '../callbacks/delivery.ts';
import { arrived, envelopeOf, observer, received, testHook, waitFor, withHooks } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import {
  act,
  approvalBy,
  draft,
  draftFromUpload,
  pdf,
  sendOff,
  setRoute,
  signingBy,
  titleOf,
} from './shared/document-calls.ts';
import {
  eventsAbout,
  many,
  marker,
  mustBeSound,
  occurrenceComplaint,
  reject,
  rejected,
  waiting,
} from './shared/event-calls.ts';
import { type Actor, approval, cast, complete, done, sent, signing } from './shared/flow-calls.ts';
import { SKEW_MS } from './shared/movable-clock.ts';
import { need, together } from './shared/needs.ts';

type Ending = { before: readonly string[]; type: string; end: (id: string) => Promise<void> };

/** Takes a document through two stages to its end, and checks that exactly these events report it, each once. */
async function toldOnce(t: TestContext, { before, type, end }: Ending): Promise<string> {
  const hook = await observer(t);
  const who = cast(t);
  const { id } = await sent(t, who.full, [approval(who.second), signing(who.restricted)]);
  const begun = Date.now();
  await end(id);
  const [delivery] = await arrived(t, hook, { containing: id, type });
  mustBeSound(t, delivery, hook);
  const { data, occurred_at } = envelopeOf(delivery);
  t.equal(data, { document_id: id }, 'the data');
  t.check(Date.parse(occurred_at) >= begun - SKEW_MS, `${type} occurred before it was caused`);
  for (const earlier of before) await arrived(t, hook, { containing: id, type: earlier });
  await marker(t, hook);
  const events = await eventsAbout(t, hook, id);
  t.equal(Object.keys(events).sort(), [...before, type].sort(), 'the types of all events of the document');
  for (const [name, ids] of Object.entries(events)) t.equal(ids.length, 1, `how many events ${name} there were`);
  return id;
}

const started = ['document.sent', 'document.approval_started'];

rule({
  id: 'EVT-15',
  level: 'MUST',
  text: 'Sending a document is reported by document.sent, once.',
  place: 'document.sent',
  decisions: ['D-19'],
  needs: together(need.documentEvents, need.threeOwners, { callbacks: true }),
  check: async (t) => {
    await toldOnce(t, { before: ['document.approval_started'], type: 'document.sent', end: async () => {} });
  },
});

rule({
  id: 'EVT-16',
  level: 'MUST',
  text: 'The start of approval is reported by document.approval_started, once.',
  place: 'document.approval_started',
  decisions: ['D-19'],
  needs: together(need.documentEvents, need.threeOwners, { callbacks: true }),
  check: async (t) => {
    await toldOnce(t, { before: ['document.sent'], type: 'document.approval_started', end: async () => {} });
  },
});

rule({
  id: 'EVT-17',
  level: 'MUST',
  text: 'The start of signing is reported by document.signing_started, once.',
  place: 'document.signing_started',
  decisions: ['D-19'],
  needs: together(need.documentEvents, need.threeOwners, { callbacks: true }),
  check: async (t) => {
    const { second } = cast(t);
    const end = async (id: string) => void (await done(second.api, id, '_approve'));
    await toldOnce(t, { before: started, type: 'document.signing_started', end });
  },
});

rule({
  id: 'EVT-18',
  level: 'MUST',
  text: 'The completion of a document is reported by document.completed, once.',
  place: 'document.completed',
  decisions: ['D-19'],
  needs: together(need.documentEvents, need.threeOwners, { callbacks: true }),
  check: async (t) => {
    const who = cast(t);
    const end = async (id: string) => {
      await complete(t, await done(who.second.api, id, '_approve'), who);
    };
    await toldOnce(t, { before: [...started, 'document.signing_started'], type: 'document.completed', end });
  },
});

rule({
  id: 'EVT-19',
  level: 'MUST',
  text: 'A rejection is reported by document.rejected, once.',
  place: 'document.rejected',
  decisions: ['D-19'],
  needs: together(need.documentEvents, need.threeOwners, { callbacks: true }),
  check: async (t) => {
    const { second } = cast(t);
    const end = async (id: string) => void (await done(second.api, id, '_reject', { comment: 'Проверка' }));
    await toldOnce(t, { before: started, type: 'document.rejected', end });
  },
});

const command = (t: TestContext, name: 'request_changes' | 'revoke_document' | 'delete_document', actor: Actor) => {
  return async (document_id: string) => {
    await t.admin(name, { document_id, employee_id: actor.id, comment: 'Проверка' });
  };
};

rule({
  id: 'EVT-20',
  level: 'MUST',
  text: 'A request for changes is reported by document.change_requested, once.',
  place: 'document.change_requested',
  decisions: ['D-19'],
  needs: together(need.documentEvents, need.threeOwners, { admin: ['request_changes'], callbacks: true }),
  check: async (t) => {
    const end = command(t, 'request_changes', cast(t).second);
    await toldOnce(t, { before: started, type: 'document.change_requested', end });
  },
});

rule({
  id: 'EVT-33',
  level: 'MUST',
  text: 'Each sending is reported: a document that is sent again after a request for changes is reported by a second document.sent and by the start of its stage.',
  place: 'document.sent',
  decisions: ['D-19'],
  needs: together(need.documentEvents, need.threeOwners, { admin: ['request_changes'], callbacks: true }),
  check: async (t) => {
    const hook = await observer(t);
    const { full, second, restricted } = cast(t);
    const route = [approval(second), signing(restricted)];
    const { id } = await sent(t, full, route);
    await command(t, 'request_changes', second)(id);
    await setRoute(t, full.api, id, route);
    await done(full.api, id, '_send');
    await marker(t, hook);
    const events = await eventsAbout(t, hook, id);
    for (const type of started) t.equal(events[type]?.length ?? 0, 2, `how many events ${type} there were`);
  },
});

rule({
  id: 'EVT-21',
  level: 'MUST',
  text: 'A revocation is reported by document.revoked, once.',
  place: 'document.revoked',
  decisions: ['D-19'],
  needs: together(need.documentEvents, need.threeOwners, { admin: ['revoke_document'], callbacks: true }),
  check: async (t) => {
    const end = command(t, 'revoke_document', cast(t).full);
    await toldOnce(t, { before: started, type: 'document.revoked', end });
  },
});

rule({
  id: 'EVT-22',
  level: 'MUST',
  text: 'A deletion is reported by document.deleted, once; the document is then 404.',
  place: 'document.deleted',
  decisions: ['D-19'],
  needs: together(need.documentEvents, need.threeOwners, { admin: ['delete_document'], callbacks: true }),
  check: async (t) => {
    const { full } = cast(t);
    // A document that is under way cannot be deleted, so it is revoked first.
    const end = async (id: string) => {
      await command(t, 'revoke_document', full)(id);
      await command(t, 'delete_document', full)(id);
    };
    const id = await toldOnce(t, { before: [...started, 'document.revoked'], type: 'document.deleted', end });
    (await full.api.get(`/documents/${id}`)).fails('DOCUMENT_NOT_FOUND', 'a re-read');
  },
});

rule({
  id: 'EVT-23',
  level: 'MUST',
  text: 'Events report every document of the tenant, also those that the maker of the endpoint cannot see; reading such a document is then 404.',
  place: 'webhooks',
  needs: together(need.documentEvents, { keys: ['restricted_owner'], callbacks: true }),
  check: async (t) => {
    await withHooks(t, [{ key: 'restricted_owner' }], async (hook) => {
      const id = await rejected(t);
      const [delivery] = await arrived(t, hook, { containing: id, type: 'document.rejected' });
      t.equal(envelopeOf(delivery).data, { document_id: id }, 'the data');
      (await t.as('restricted_owner').get(`/documents/${id}`)).fails('DOCUMENT_NOT_FOUND', 'the re-read');
    });
  },
});

rule({
  id: 'EVT-31',
  level: 'MUST',
  text: 'About a confidential document, the endpoint of an owner who sees nothing confidential gets only the id.',
  place: 'webhooks',
  decisions: ['D-31'],
  needs: together(need.documentEvents, need.uploads, {
    keys: ['not_confidential_owner'],
    fixtures: ['document_type_confidential_id'],
    operations: ['signDocument'],
    callbacks: true,
  }),
  check: async (t) => {
    const types = ['document.sent', 'document.signing_started', 'document.completed'] as const;
    await withHooks(t, [{ key: 'not_confidential_owner', types }], async (hook) => {
      const full = many(t);
      const type_id = t.fixture('document_type_confidential_id');
      const { id, title } = await draftFromUpload(t, full, pdf(titleOf(t)), { type_id });
      await setRoute(t, full, id, [signingBy(t, t.fixture('owner_employee_id'))]);
      await sendOff(t, full, id);
      (await act(t, full, id, 'sign')).ok('signDocument');
      for (const type of types) {
        const [delivery] = await arrived(t, hook, { containing: id, type });
        mustBeSound(t, delivery, hook);
        t.equal(envelopeOf(delivery).data, { document_id: id }, `the data of ${type}`);
        t.check(!bytesOf(delivery).toString('utf8').includes(title), `${type} holds the document's title`);
      }
      (await t.as('not_confidential_owner').get(`/documents/${id}`)).fails('DOCUMENT_NOT_FOUND', 'the re-read');
    });
  },
});

rule({
  id: 'EVT-24',
  level: 'MUST',
  text: 'No event reaches an endpoint of another tenant.',
  place: 'webhooks',
  needs: together(need.documentEvents, { keys: ['other_tenant'], callbacks: true }),
  check: async (t) => {
    await t.link.holding('endpoints of the other tenant', 'shared', async () => {
      await withHooks(t, [{ key: 'other_tenant' }, {}], async (foreign, own) => {
        const id = await rejected(t);
        await arrived(t, own, { containing: id });
        await marker(t, own);
        const answer = await testHook(t, foreign, 'other_tenant');
        t.equal(answer.ok('testWebhookEndpoint').status_code, 200, '_test of the foreign endpoint', answer);
        const types = (await received(t, foreign)).map((one) => envelopeOf(one).type);
        t.equal(types, ['webhook_endpoint.test'], 'what the foreign endpoint got');
      });
    });
  },
});

rule({
  id: 'EVT-26',
  level: 'MUST',
  text: 'A draft causes no event, and neither does anything that is done to it before it is sent.',
  place: 'webhooks',
  needs: together(need.documentEvents, { callbacks: true }),
  check: async (t) => {
    const hook = await observer(t);
    const full = many(t);
    const { id } = await draft(t, full);
    const me = t.fixture('owner_employee_id');
    await setRoute(t, full, id, [signingBy(t, me)]);
    await setRoute(t, full, id, [approvalBy(t, me), signingBy(t, me)]);
    await marker(t, hook);
    t.equal(await eventsAbout(t, hook, id), {}, 'the events of a draft');
  },
});

rule({
  id: 'EVT-27',
  level: 'MUST',
  text: 'A client that reads a document after its event finds it in the state that the event tells.',
  place: 'webhooks',
  needs: together(need.documentEvents, { callbacks: true }),
  check: async (t) => {
    const full = many(t);
    await withHooks(t, [{ types: ['document.rejected', 'document.signing_started'] }], async (hook) => {
      const { ON_SIGN, REJECTED } = t.spelling.document_status;
      const wanted = { 'document.signing_started': ON_SIGN, 'document.rejected': REJECTED };
      const { id } = await draft(t, full);
      await setRoute(t, full, id, [signingBy(t, t.fixture('owner_employee_id'))]);
      const acts: Record<string, () => Promise<unknown>> = {
        'document.signing_started': () => full.post(`/documents/${id}/_send`, {}),
        'document.rejected': () => reject(t, id),
      };
      for (const [type, status] of Object.entries(wanted)) {
        await t.mayWrite();
        const caused = acts[type]?.();
        const [delivery] = await arrived(t, hook, { containing: id, type });
        const { document } = (await full.get(`/documents/${id}`)).ok('getDocument');
        await caused;
        t.equal(document.status, status, `the status at ${type}`);
        t.check(
          Date.parse(document.update_time) >= Date.parse(envelopeOf(delivery).occurred_at) - SKEW_MS,
          `the document changed before ${type} occurred`,
        );
      }
    });
  },
});

rule({
  id: 'EVT-28',
  level: 'MUST',
  text: 'Every endpoint that subscribes to a type gets its events.',
  place: 'webhooks',
  needs: together(need.documentEvents, { callbacks: true }),
  check: async (t) => {
    await withHooks(t, [{}, {}, { types: ['document.rejected', 'document.sent'] }], async (...hooks) => {
      const id = await rejected(t);
      for (const hook of hooks) await arrived(t, hook, { containing: id, type: 'document.rejected' });
    });
  },
});

rule({
  id: 'EVT-29',
  level: 'MUST',
  text: 'An event has the same id and the same body for all endpoints.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.documentEvents, { callbacks: true }),
  check: async (t) => {
    await withHooks(t, [{}, {}], async (one, two) => {
      const id = await rejected(t);
      const [first] = await arrived(t, one, { containing: id });
      const [second] = await arrived(t, two, { containing: id });
      t.equal(envelopeOf(second).id, envelopeOf(first).id, 'the id at the other endpoint');
      t.equal(bytesOf(second).toString(), bytesOf(first).toString(), 'the body at the other endpoint');
    });
  },
});

rule({
  id: 'EVT-30',
  level: 'MUST',
  text: 'No event reports what was refused: a repeated send or signature, or a wrong action.',
  place: 'webhooks',
  needs: together(need.documentEvents, { callbacks: true }),
  check: async (t) => {
    const hook = await observer(t);
    const full = many(t);
    const id = await waiting(t);
    (await act(t, full, id, 'reject', { comment: '' })).blames('comment', 'an empty comment');
    (await act(t, full, id, 'approve', {})).fails('INVALID_ARGUMENT', 'an approval where a signature is due');
    const again = await full.post(`/documents/${id}/_send`, {});
    again.fails('DOCUMENT_INVALID_STATUS_TRANSITION', 'a repeated send');
    (await act(t, full, id, 'sign', {})).ok('signDocument');
    (await act(t, full, id, 'sign', {})).fails('DOCUMENT_INVALID_STATUS_TRANSITION', 'a repeated signature');
    await arrived(t, hook, { containing: id, type: 'document.completed' });
    await marker(t, hook);
    const counts = Object.entries(await eventsAbout(t, hook, id)).map(([type, ids]) => `${type} ${ids.length}`);
    const expected = ['document.completed 1', 'document.sent 1', 'document.signing_started 1'];
    t.equal(counts.sort(), expected, 'the events of the document');
  },
});

rule({
  id: 'EVT-5',
  level: 'MUST',
  text: 'occurred_at is an RFC 3339 instant before the delivery and after the change was asked for.',
  place: 'webhooks',
  needs: together(need.documentEvents, { callbacks: true }),
  check: async (t) => {
    const hook = await observer(t);
    const id = await waiting(t);
    const begun = Date.now();
    await reject(t, id);
    const [delivery] = await arrived(t, hook, { containing: id, type: 'document.rejected' });
    t.equal(occurrenceComplaint(delivery), '', 'occurred_at');
    t.check(Date.parse(envelopeOf(delivery).occurred_at) >= begun - SKEW_MS, 'it occurred before it was asked for');
  },
});

rule({
  id: 'EVT-9',
  level: 'MUST',
  text: 'An endpoint gets only the types that it subscribes to.',
  place: 'webhooks',
  needs: together(need.documentEvents, { callbacks: true }),
  check: async (t) => {
    await withHooks(t, [{ types: ['document.signing_started'] }, { types: ['document.sent'] }], async (one, two) => {
      const id = await rejected(t);
      const last = await rejected(t);
      for (const [hook, type] of [
        [one, 'document.signing_started'],
        [two, 'document.sent'],
      ] as const) {
        await arrived(t, hook, { containing: last });
        const types = (await waitFor(t, hook, { containing: id })).map((delivery) => envelopeOf(delivery).type);
        t.equal([...new Set(types)], [type], 'the types that came');
      }
    });
  },
});
