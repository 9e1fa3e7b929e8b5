import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { prefix } from '../../generated/contract.ts';
import { arrived, deleteHook, leftLate, makeHook, received, testHook, withHooks } from '../callbacks/hooks.ts';
import { sharedScenario } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { Api, Call } from '../http/api.ts';
import { rule } from './rule.ts';
import { all, callOf, claimed, series } from './shared/calls.ts';
import {
  confirmed,
  create,
  created,
  done,
  downloadOf,
  fetchFile,
  otherTenantBody,
  PRINTED_WITHIN_MS,
  pdf,
  reserve,
  store,
  templateBody,
  uploadBody,
} from './shared/document-calls.ts';
import { marker, mustBeSound, reject, waiting } from './shared/event-calls.ts';
import { DAY_MS } from './shared/movable-clock.ts';

rule({
  id: 'GEN-1',
  text: 'Every operation is served under /developer/v1, an addition of a release if, and only if, the target claims it; the same path without that prefix is not.',
  place: 'paths, x-since',
  check: async (t) => {
    const full = t.asAny('full');
    const ours = claimed(t);
    for (const operation of all) {
      const call = callOf(operation);
      const answer = await full.send(call);
      const isLost = answer.status === 501 || ['PATH_NOT_FOUND', 'METHOD_NOT_ALLOWED'].includes(answer.code ?? '');
      t.equal(!isLost, ours.includes(operation), `whether ${operation.operationId} is served`, answer);
      const bare = await full.send({ ...call, path: call.path.replace('/developer/v1', '') });
      // Something else may be there, such as pages for people. But a JSON answer must say that there is no such path.
      const other = !/json/i.test(bare.header('content-type') ?? '') && bare.status < 500;
      const isAbsent = bare.status === 404 || other;
      t.check(isAbsent, `${operation.operationId} without the prefix: expected 404, got ${bare.brief}`, bare);
    }
  },
});

const contract = () =>
  parse(readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8')) as {
    info: { version: string };
    paths: Record<string, unknown>;
    servers: { url: string }[];
  };

rule({
  id: 'VER-2',
  text: 'The description of the interface is labelled 1.0.0, and every path of it carries the prefix.',
  place: 'info.version, paths',
  decisions: ['D-32'],
  check: (t) => {
    const { info, paths, servers } = contract();
    t.equal(info.version, '1.0.0', 'info.version of the contract');
    for (const path of Object.keys(paths))
      t.check(path.startsWith(`${prefix}/`), `${path} does not begin with ${prefix}`);
    for (const { url } of servers) t.check(!url.includes(prefix), `the server ${url} repeats the prefix`);
  },
});

/** Idempotency-Keys belong to one key. */
const KEY = 'second_key_same_owner';

/** Longer than a stop waits for nothing, and shorter than the time that a receiver has. */
const SLOW_MS = 2_500;

/** Documents that are being printed when the service stops. */
const PRINTS = 4;

/** Restarts the service. @returns what was under way then, also the document whose rejection was being delivered */
const stopped = sharedScenario(async (t) => {
  const slow = [{ answer: 200, delayMs: SLOW_MS }] as const;
  const [hook, tested] = [await makeHook(t, { reactions: slow }), await makeHook(t, { reactions: slow })];
  const api = t.as(KEY);
  const document = await waiting(t);
  const bodies = await Promise.all(series(PRINTS, () => templateBody(t)));
  // What follows may take no longer than a receiver has.
  await t.turn();
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
  const late = deliveries.find(leftLate);
  if (late) t.untested('not_exercised', `an answer to a delivery left only after ${late.answered_after_ms} ms`);
  return { test, creations, hook, document };
});

rule({
  id: 'GEN-18',
  text: 'A stop of the service ends no request that is under way: each has its answer, and what it made is there afterwards.',
  place: 'UNAVAILABLE',
  runs: 'moving',
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
  runs: 'moving',
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
      await confirmed(t, other, file.id, 'a confirmation elsewhere');
      const made = await created(t, one, uploadBody(t, file.id));
      const { url } = await downloadOf(other, made.id);
      t.check((await fetchFile(t, url)).equals(bytes), 'a download elsewhere gives other bytes');
    }
  },
});

rule({
  id: 'GEN-20',
  text: 'An endpoint that one process has made is signed for, tested and deleted by each other one.',
  place: 'createWebhookEndpoint, Service-Signature',
  check: async (t, full) => {
    const baseUrl = otherProcess(t);
    const there = t.as('full', { baseUrl });
    await withHooks(t, [{ baseUrl }, {}], async (theirs, ours) => {
      for (const hook of [theirs, ours]) {
        for (const api of [there, full]) {
          const answer = await api.post(`/webhook_endpoints/${hook.id}/_test`, {});
          t.equal(answer.ok('testWebhookEndpoint').status_code, 200, '_test by each process', answer);
        }
        const id = await waiting(t);
        await done(full, id, '_reject', { comment: 'Нет.' });
        const deliveries = [...(await received(t, hook, hook.id)), ...(await arrived(t, hook, { containing: id }))];
        for (const one of deliveries) mustBeSound(t, one, hook);
      }
      const path = `/webhook_endpoints/${ours.id}`;
      (await there.send({ method: 'DELETE', path })).ok('deleteWebhookEndpoint');
      (await testHook(t, ours)).fails('WEBHOOK_ENDPOINT_NOT_FOUND', 'after a deletion by another process');
    });
  },
});

/** A tenant that asks for much at once, with the keys that it has. */
interface GreedyTenant {
  readonly api: Api;
  readonly calls: readonly Call[];
}

const times = (count: number, call: Call): Call[] => series(count, () => call);

/** With fewer requests that were open nothing can be said. */
const FEWEST = 8;

/**
 * Sends all at once, and the patient's requests one after the other from the first answer on.
 * @returns the part of what greedy tenants were served that came before the patient's last answer, from 0 to 1. Only what
 * was open when the patient's first request left counts: undefined if that was too little to say anything
 */
async function waitOf(
  t: TestContext,
  greedy: readonly GreedyTenant[],
  patient: Api,
  calls: readonly Call[],
): Promise<number | undefined> {
  t.mayBeUnavailable = true;
  const first = Promise.withResolvers<void>();
  const asked = Promise.all(
    greedy.flatMap(({ api, calls: all }) =>
      all.map(async (call) => {
        const answer = await api.send(call);
        // A tenant that asks for more than its share may be refused.
        if (answer.status !== 503) t.check(answer.status === 200, `a greedy tenant got ${answer.brief}`, answer);
        first.resolve();
        return answer;
      }),
    ),
  );
  await Promise.race([first.promise, asked]);
  const answers: Answer[] = [];
  for (const call of calls) {
    const answer = await patient.send({ ...call, isPatient: true });
    t.check(answer.status === 200, `the patient tenant got ${answer.brief}`, answer);
    answers.push(answer);
  }
  const leftMs = answers[0]?.exchange.sentAtMs ?? 0;
  const servedMs = answers.at(-1)?.exchange.receivedAtMs ?? 0;
  const open = (await asked)
    .filter(({ status, exchange }) => status === 200 && exchange.receivedAtMs > leftMs)
    .map(({ exchange }) => exchange.receivedAtMs);
  return open.length < FEWEST ? undefined : open.filter((at) => at <= servedMs).length / open.length;
}

/** The most that may come before. A queue that knows no tenants serves all of it before. */
const MOST = 0.75;

/** Played up to five times: on a busy machine the patient's requests do not leave in time. */
async function mustBeServed(t: TestContext, what: string, play: () => Promise<number | undefined>): Promise<void> {
  let least: number | undefined;
  for (let plays = 0; plays < 5 && (least === undefined || least > MOST); plays++) {
    const part = await play();
    if (part !== undefined) least = Math.min(part, least ?? part);
  }
  if (least === undefined)
    t.untested('not_exercised', `${what}: each time all but a few had been served before the patient asked`);
  const said = `${what}: ${Math.round(least * 100)} % of what was open when the patient asked`;
  t.notes.push(`${said} came before`);
  t.check(least <= MOST, `${said} was answered before`);
}

rule({
  id: 'GEN-21',
  text: 'While two tenants read large pages and search, a third one is answered before most of that.',
  place: 'UNAVAILABLE',
  holds: ['flag_toggle'],
  decisions: ['D-33'],
  runs: 'alone',
  because: 'It measures which tenant is served first.',
  check: async (t) => {
    const page = { path: '/employees', query: 'limit=1000&expand=person&expand=manager&expand=department' };
    const search = { path: '/documents', query: 'search=conformance' };
    const main = { api: t.asAny('full'), calls: times(40, page) };
    const other = { api: t.as('other_tenant'), calls: times(15, search) };
    const patient = t.as('flag_toggle');
    await mustBeServed(t, 'lists', () => waitOf(t, [main, other], patient, times(3, search)));
  },
});

rule({
  id: 'GEN-22',
  text: 'While one tenant has many documents printed, another one’s document is printed before most of them.',
  place: 'createDocument, UNAVAILABLE',
  decisions: ['D-33'],
  runs: 'alone',
  because: 'It measures which tenant is served first.',
  check: async (t) => {
    const creation = (body: object): Call => ({
      method: 'POST',
      path: '/documents',
      body,
      timeoutMs: PRINTED_WITHIN_MS,
    });
    const main = { api: t.asAny('full'), calls: times(40, creation(await templateBody(t))) };
    const theirs = times(1, creation(await otherTenantBody(t)));
    await mustBeServed(t, 'documents', () => waitOf(t, [main], t.as('other_tenant'), theirs));
  },
});
