import { bytesOf } from '../callbacks/delivery.ts';
import {
  arrived,
  EVENT_TYPES,
  type EventType,
  envelopeOf,
  observer,
  received,
  testHook,
  withHooks,
} from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rulesWith } from './rule.ts';
import { cast, done, draftFromUpload, pdf, sent, signing, titleOf } from './shared/document-calls.ts';
import {
  eventsAbout,
  marker,
  mustBeReported,
  mustBeSound,
  occurrenceComplaint,
  rejected,
} from './shared/event-calls.ts';
import { allowed, everyMove, refusals } from './shared/flow-model.ts';
import { broughtTo, type DocumentState, modelOf, moved, refuse, states } from './shared/flow-states.ts';
import { SKEW_MS } from './shared/movable-clock.ts';

const rule = rulesWith({ place: 'webhooks' });

const DOCUMENT_TYPES = EVENT_TYPES.filter((type) => type.startsWith('document.'));

/** A state whose last move causes the event; undefined if no way to it is known. */
function causeOf(type: EventType): DocumentState | undefined {
  return states.find((row) => {
    const before = modelOf({ ...row, moves: row.moves.slice(0, -1) }).events.length;
    return row.moves.length > 0 && modelOf(row).events.slice(before).includes(type);
  });
}

/** Causes the event, and compares what endpoints get that subscribe to it alone, to everything, and to all but it. */
async function reportedOnce(t: TestContext, type: EventType, row: DocumentState): Promise<void> {
  const who = cast(t);
  const all = await observer(t);
  const others = DOCUMENT_TYPES.filter((one) => one !== type);
  await withHooks(t, [{ types: [type] }, { types: others }], async (only, rest) => {
    const before = await broughtTo(t, who, { ...row, moves: row.moves.slice(0, -1) });
    const { id } = before.document;
    const begun = Date.now();
    const moving = moved(t, who, before, row.moves.at(-1) as DocumentState['moves'][number]);
    moving.catch(() => {});
    // Read at once: the event may come before the answer.
    const [delivery] = await arrived(t, only, { containing: id, type });
    const reading = await who.full.api.get(`/documents/${id}`);
    const { document, model } = await moving;
    const { id: eventId, data, occurred_at } = envelopeOf(delivery);
    if (model.isDeleted) reading.fails('DOCUMENT_NOT_FOUND', `read after ${type}`);
    else {
      t.equal(reading.ok('getDocument').document, document, `the document as it is read after ${type}`, reading);
      const early = Date.parse(occurred_at) - Date.parse(document.update_time);
      t.check(early <= SKEW_MS, `the document changed before ${type} occurred`, reading);
    }
    mustBeSound(t, delivery, only);
    t.equal(occurrenceComplaint(delivery), '', 'occurred_at');
    t.equal(data, { document_id: id }, 'the data');
    t.check(Date.parse(occurred_at) >= begun - SKEW_MS, `${type} occurred before it was caused`);
    const [same] = await arrived(t, all, { containing: id, type });
    t.equal(envelopeOf(same).id, eventId, 'the id of the event at another endpoint');
    t.equal(bytesOf(same).toString(), bytesOf(delivery).toString(), 'the body at another endpoint');
    await mustBeReported(t, all, [[id, model.events]]);
    await marker(t, type === 'document.rejected' ? only : rest);
    t.equal(Object.keys(await eventsAbout(t, only, id)), [type], 'what an endpoint got that subscribes to it alone');
    t.check(!(type in (await eventsAbout(t, rest, id))), `an endpoint got ${type} that does not subscribe to it`);
  });
}

for (const type of DOCUMENT_TYPES) {
  const row = causeOf(type);
  rule({
    id: `EVT-${type}`,
    family: 'event of each type',
    text: `${type} reports its cause once, with the same id to each endpoint that subscribes to it and to no other, and whoever then reads the document finds it as the event says.`,
    place: type,
    decisions: ['D-19', 'D-27'],
    ...(row === undefined
      ? { excluded: 'the suite knows no way to cause it' }
      : { check: (t: TestContext) => reportedOnce(t, type, row) }),
  });
}

rule({
  id: 'EVT-30',
  text: 'The events of a document are those of the moves that were accepted, however often a move is made: none reports a draft, or what was refused.',
  decisions: ['D-19'],
  check: async (t) => {
    const hook = await observer(t);
    const who = cast(t, { spread: true });
    const reports: [id: string, types: readonly EventType[]][] = [];
    for (const row of states) {
      const here = await broughtTo(t, who, row);
      const wrong = everyMove(row.plan).filter((move) => move.by === 'full' && refusals(here.model, move).length > 0);
      for (const move of wrong) await refuse(t, who, here, move);
      const moves = allowed(here.model, row.plan);
      const next = moves.find(({ action }) => action === '_send') ?? moves[0];
      const { model } = next === undefined ? here : await moved(t, who, here, next);
      reports.push([here.document.id, model.events]);
    }
    await mustBeReported(t, hook, reports);
  },
});

rule({
  id: 'EVT-31',
  text: 'Events report every document of the tenant: about one that the maker of the endpoint cannot see, even a confidential one, it gets only the id, and reading it is then 404.',
  decisions: ['D-31'],
  check: async (t) => {
    const types = ['document.sent', 'document.signing_started', 'document.completed'] as const;
    const key = 'not_confidential_owner';
    await withHooks(
      t,
      [
        { key, types },
        { key: 'restricted_owner', types },
      ],
      async (...hooks) => {
        const me = cast(t, { spread: true }).full;
        const type_id = t.fixture('document_type_confidential_id');
        const start = await draftFromUpload(t, me.api, pdf(titleOf(t)), { type_id });
        const { id, title } = await sent(t, me, [signing(me)], start);
        await done(me.api, id, '_sign');
        for (const hook of hooks) {
          for (const type of types) {
            const [delivery] = await arrived(t, hook, { containing: id, type });
            mustBeSound(t, delivery, hook);
            t.equal(envelopeOf(delivery).data, { document_id: id }, `the data of ${type}`);
            t.check(!bytesOf(delivery).toString('utf8').includes(title), `${type} holds the document's title`);
          }
        }
        for (const reader of [key, 'restricted_owner'] as const)
          (await t.as(reader).get(`/documents/${id}`)).fails('DOCUMENT_NOT_FOUND', `the re-read of ${reader}`);
      },
    );
  },
});

rule({
  id: 'EVT-24',
  text: 'No event reaches an endpoint of another tenant.',
  holds: ['endpoints of other_tenant'],
  check: async (t) => {
    await withHooks(t, [{ key: 'other_tenant' }, {}], async (foreign, own) => {
      const id = await rejected(t);
      await arrived(t, own, { containing: id });
      await marker(t, own);
      const answer = await testHook(t, foreign, 'other_tenant');
      t.equal(answer.ok('testWebhookEndpoint').status_code, 200, '_test of the foreign endpoint', answer);
      const types = (await received(t, foreign)).map((one) => envelopeOf(one).type);
      t.equal(types, ['webhook_endpoint.test'], 'what the foreign endpoint got');
    });
  },
});
