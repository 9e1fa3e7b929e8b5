/** The services that the bench compares give the same answers, so that it compares the same work. */
import { beforeAll, expect, test } from '@jest/globals';
import { prefix } from '../../../generated/contract.ts';
import type { RunningServer } from '../../world/server.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { prepare, startMeasured, type Tenant } from './measuring.ts';
import { peerNames, requestKinds, startPeer } from './scenarios/requests.ts';

const place = await testDeployment();
const contestants = new Map<string, RunningServer>();
let tenant: Tenant;

beforeAll(async () => {
  tenant = await prepare(place.store, 150);
  contestants.set('ours', await startMeasured(place));
  for (const name of peerNames) contestants.set(name, await startPeer(place, name, tenant.id));
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
  const shared = requestKinds(tenant).filter(({ isOurs }) => !isOurs);
  const paths = shared.map(({ path }) => path());
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
