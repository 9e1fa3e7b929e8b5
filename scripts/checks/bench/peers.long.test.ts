/** The services that the bench compares give the same answers, so that it compares the same work. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PATIENCE_MS } from '../../../conformance/processes/program.ts';
import { prefix } from '../../../generated/operations.ts';
import type { RunningServer } from '../../operate/start/server.ts';
import { peerNames, startOurs, startPeer } from './contestants.ts';
import { openPlace, type Place, prepare, type Tenant } from './place.ts';
import { requestKinds } from './scenarios/requests.ts';

const contestants = new Map<string, RunningServer>();
let tenant: Tenant;
let place: Place;

beforeAll(async () => {
  place = await openPlace({ timeoutMs: PATIENCE_MS });
  tenant = await prepare(place.store, 150);
  contestants.set('ours', await startOurs(place, { env: { DATABASE_TIMEOUT_MS: '60000' } }));
  for (const name of peerNames) contestants.set(name, await startPeer(name, place, tenant.id));
});

afterAll(async () => {
  for (const server of contestants.values()) await server.stop();
  await place[Symbol.asyncDispose]();
});

/** The answer, without what depends on the service: the text of the page token. */
async function answerOf(name: string, path: string, key: string): Promise<object> {
  const answer = await fetch(`${contestants.get(name)?.url}${prefix}${path}`, { headers: { 'X-API-Key': key } });
  const body = (await answer.json()) as { next_page_token?: string };
  const token = body.next_page_token;
  return { status: answer.status, ...body, ...(token !== undefined && { next_page_token: token !== '' }) };
}

test.each(peerNames)('%s answers what our server answers', async (name) => {
  const key = tenant.keys[0] ?? '';
  const paths = requestKinds(tenant).map(({ path }) => path());
  for (const path of paths) {
    const ours = await answerOf('ours', path, key);
    expect(ours).toMatchObject({ status: 200 });
    expect([path, await answerOf(name, path, key)]).toEqual([path, ours]);
  }
});

test.each(peerNames)('%s looks up the key', async (name) => {
  const [path = ''] = requestKinds(tenant).map(({ path }) => path());
  expect(await answerOf(name, path, 'bench_unknown')).not.toMatchObject({ status: 200 });
});
