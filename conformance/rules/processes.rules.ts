import {
  arrived,
  deleteHook,
  type Hook,
  leftLate,
  makeHook,
  received,
  testHook,
  withHooks,
} from '../callbacks/hooks.ts';
import { sharedScenario } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { rule } from './rule.ts';
import {
  cast,
  confirm,
  create,
  done,
  downloadOf,
  fetchFile,
  pdf,
  reserve,
  store,
  templateBody,
  uploadBody,
} from './shared/document-calls.ts';
import { marker, mustBeSound, reject, waiting } from './shared/event-calls.ts';
import { DAY_MS } from './shared/movable-clock.ts';

/** Idempotency-Keys belong to one key. */
const KEY = 'second_key_same_owner';
/** Longer than a stop waits for nothing, and shorter than the time that a receiver has. */
const SLOW_MS = 4_000;
/** Documents that are being printed when the service stops. */
const PRINTS = 4;

/** What was under way when the service was restarted. */
interface StoppedWork {
  test: Answer;
  creations: readonly { key: string; body: object; answer: Answer }[];
  hook: Hook;
  /** The document whose rejection was being delivered. */
  document: string;
}

async function stopBusy(t: TestContext): Promise<StoppedWork> {
  const slow = [{ answer: 200, delayMs: SLOW_MS }] as const;
  const [hook, tested] = [await makeHook(t, { reactions: slow }), await makeHook(t, { reactions: slow })];
  const api = t.as(KEY);
  const document = await waiting(t);
  const bodies = await Promise.all(Array.from({ length: PRINTS }, () => templateBody(t)));
  // Their connections are open before the service stops, so that none is refused.
  await Promise.all(bodies.map(() => api.verify()));
  await reject(t, document);
  await arrived(t, hook, { containing: document });
  const testing = testHook(t, tested);
  await arrived(t, tested, { containing: tested.id });
  const creating = bodies.map(async (body, n) => {
    const key = `stop-${t.run_id}-${n}`;
    return { key, body, answer: await create(t, api, body, key) };
  });
  const restarting = t.admin('restart');
  const [test, creations] = await Promise.all([testing, Promise.all(creating), restarting]);
  const deliveries = [...(await received(t, hook)), ...(await received(t, tested))];
  if (deliveries.some(leftLate)) t.untested('not_exercised', 'an answer to a delivery left too late');
  return { test, creations, hook, document };
}

const stopped = sharedScenario(stopBusy);

rule({
  id: 'GEN-18',
  text: 'A stop of the service ends no request that is under way: each has its answer, and what it made is there afterwards.',
  place: 'UNAVAILABLE',
  runs: 'alone',
  check: async (t) => {
    const { test, creations } = await stopped(t);
    t.equal(test.ok('testWebhookEndpoint'), { status_code: 200, error: '' }, '_test during the stop', test);
    for (const { key, body, answer } of creations) {
      const { document } = answer.ok('createDocument', 'a creation during the stop');
      const again = await create(t, t.as(KEY), body, key);
      t.equal(again.ok('createDocument').document, document, 'the document after the stop', again);
    }
  },
});

rule({
  id: 'DLV-22',
  text: 'A delivery that is under way when the service stops is made once, and what its receiver answers counts.',
  place: 'webhooks',
  decisions: ['D-27'],
  runs: 'alone',
  check: async (t) => {
    const { hook, document } = await stopped(t);
    // What was interrupted, or not noted as done, is due again within the day.
    await t.withClock(async (advance) => {
      await advance(DAY_MS);
      await marker(t, hook);
    });
    t.equal((await received(t, hook, document)).length, 1, 'how often the event came');
    await deleteHook(t, hook);
  },
});

/** The address of another process than the one at `base_url`. @throws Untested if the profile lists none */
function otherProcess(t: TestContext): string {
  return t.profile.replicas[0] ?? t.untested('missing_replica', 'the profile lists no replicas');
}

rule({
  id: 'GEN-19',
  text: 'What one process of a deployment makes serves at each other one: endpoints and their secrets, keys of creations, uploads, documents and downloads.',
  place: 'paths',
  check: async (t) => {
    const baseUrl = otherProcess(t);
    const places = [t.profile.base_url, baseUrl] as const;
    for (const [here, there] of [places, places.toReversed()] as [string, string][]) {
      const [one, other] = [t.as(KEY, { baseUrl: here }), t.as(KEY, { baseUrl: there })];
      const [body, key] = [await templateBody(t), `place-${t.run_id}-${here.length}-${t.exchanges}`];
      const both = await Promise.all([create(t, one, body, key), create(t, other, body, key)]);
      for (const answer of both) if (answer.status !== 200) answer.fails('IDEMPOTENCY_IN_PROGRESS');
      const [first, again] = [await create(t, one, body, key), await create(t, other, body, key)];
      t.equal(again.ok('createDocument'), first.ok('createDocument'), 'the document of a repeat elsewhere', again);
      const bytes = pdf(`${t.run_id} ${here}`);
      const { file, upload } = await reserve(t, one, bytes.length);
      await store(t, upload, bytes);
      (await confirm(t, other, file.id)).ok('confirmFile', 'a confirmation elsewhere');
      const made = (await create(t, one, uploadBody(t, file.id))).ok('createDocument').document;
      const { url } = await downloadOf(other, made.id);
      t.check((await fetchFile(t, url)).equals(bytes), 'a download elsewhere gives other bytes');
    }
  },
});

rule({
  id: 'GEN-20',
  text: 'An endpoint that one process has made is signed for, tested and deleted by each other one.',
  place: 'createWebhookEndpoint, Service-Signature',
  check: async (t) => {
    const baseUrl = otherProcess(t);
    const there = t.as('full', { baseUrl });
    await withHooks(t, [{ baseUrl }, {}], async (theirs, ours) => {
      for (const hook of [theirs, ours]) {
        for (const api of [there, t.as('full')]) {
          const answer = await api.post(`/webhook_endpoints/${hook.id}/_test`, {});
          t.equal(answer.ok('testWebhookEndpoint').status_code, 200, '_test by each process', answer);
        }
        const { full } = cast(t);
        const id = await waiting(t);
        await done(full.api, id, '_reject', { comment: 'Нет.' });
        const deliveries = [...(await received(t, hook, hook.id)), ...(await arrived(t, hook, { containing: id }))];
        for (const one of deliveries) mustBeSound(t, one, hook);
      }
      const path = `/webhook_endpoints/${ours.id}`;
      (await there.send({ method: 'DELETE', path })).ok('deleteWebhookEndpoint');
      (await testHook(t, ours)).fails('WEBHOOK_ENDPOINT_NOT_FOUND', 'after a deletion by another process');
    });
  },
});
