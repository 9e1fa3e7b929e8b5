/** Checks before a run whether everything is as the profile says, beginning with whether the target can be reached. */
import { randomBytes } from 'node:crypto';
import { openCallbacks } from '../callbacks/open.ts';
import { exchangeOverHttp, NoAnswer } from '../http/client.ts';
import { BadProfile, type LoadedProfile, type Profile } from '../profile/profile.ts';
import { keyNames } from '../profile/schema.ts';
import { exitCodes } from '../report/results.ts';
import { type Ask, asker, type Finding, gap, jsonFrom, ok, PAUSE_MS, problem } from './ask.ts';
import { checkFixtures } from './fixtures.ts';
import { checkClock, checkKeys } from './keys.ts';
import { checkScopes, checkTwins, checkViews } from './views.ts';

async function checkReplicas(ask: Ask, { replicas, keys }: Profile): Promise<Finding[]> {
  if (replicas.length === 0)
    return [gap('replicas', 'the profile lists none; rules about several processes will be UNTESTED.')];
  const found: Finding[] = [];
  for (const baseUrl of replicas) {
    const { status, brief } = await ask(keys.full[0], '/api_key/_verify', { baseUrl });
    const about = `replica ${baseUrl}`;
    found.push(
      status === 200 ? ok(about, 'answers') : problem(about, `answers ${brief} to key full; correct or remove it.`),
    );
  }
  return found;
}

async function checkControl({ clock }: Profile): Promise<Finding> {
  const about = 'control clock';
  if (clock.mode === 'none' || clock.url === undefined)
    return gap(about, 'the profile has none; rules that need hours will be UNTESTED (or use `deferred`).');
  const base = new URL(clock.url);
  try {
    const target = `${base.pathname.replace(/\/$/, '')}/clock`;
    const { status, body } = await exchangeOverHttp({ baseUrl: base.origin, method: 'GET', target, headers: [] });
    const offset = (jsonFrom(body) as { offset_ms?: number } | undefined)?.offset_ms;
    if (status !== 200 || typeof offset !== 'number')
      return problem(about, `answers ${status} at ${clock.url}; correct clock.url.`);
    return offset === 0
      ? ok(about, 'answers')
      : problem(about, `is moved by ${offset} ms, perhaps by a run that was killed; put it back to 0.`);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return problem(about, `nothing answers at ${clock.url}; correct clock.url, or start the target with it.`);
  }
}

/** Creates an endpoint, has the target deliver a test event to it, and deletes it. */
async function checkCallbacks(ask: Ask, profile: Profile): Promise<Finding> {
  const about = 'callbacks';
  if (profile.callbacks.mode === 'none')
    return gap(about, 'the profile has no way to receive deliveries; rules about them will be UNTESTED.');
  if (!profile.tenant.consent_to_writes) return gap(about, 'not tried: the profile does not consent to writes.');
  const opened = await openCallbacks(profile.callbacks).catch((error: unknown) => {
    if (error instanceof BadProfile) return error;
    throw error;
  });
  if (opened instanceof BadProfile) return problem(about, opened.problems.join(' '));
  try {
    if (opened.facts.url === '' || !opened.receiver) return problem(about, `${opened.facts.problem}.`);
    const route = `doctor-${randomBytes(4).toString('hex')}`;
    const url = `${opened.facts.url}/${route}`;
    const made = await ask(profile.keys.full[0], '/webhook_endpoints', {
      method: 'POST',
      body: { url, event_types: ['document.rejected'] },
    });
    const id = (made.body as { webhook_endpoint?: { id?: string } } | undefined)?.webhook_endpoint?.id;
    if (made.status !== 200 || id === undefined)
      return problem(about, `no endpoint can be made for ${opened.facts.url}: ${made.brief}.`);
    const path = `/webhook_endpoints/${encodeURIComponent(id)}`;
    const tested = await ask(profile.keys.full[0], `${path}/_test`, { method: 'POST', body: {} });
    await ask(profile.keys.full[0], path, { method: 'DELETE' });
    return opened.receiver.deliveries.some((delivery) => delivery.route === route)
      ? ok(about, `a test event arrived at ${opened.facts.url}`)
      : problem(
          about,
          `a test event did not arrive at ${opened.facts.url} (_test answered ${tested.brief}); see whether the target may reach it.`,
        );
  } finally {
    await opened.close();
  }
}

/**
 * @param report is called with each finding at once
 * @param pauseMs pause before each request, for a target without a limit
 */
export async function examine(
  loaded: LoadedProfile,
  report: (finding: Finding) => void,
  pauseMs = PAUSE_MS,
): Promise<number> {
  const { profile } = loaded;
  const ask = asker(loaded, pauseMs);
  const all: Finding[] = [];
  const add = (...findings: Finding[]) => {
    for (const finding of findings) report(finding);
    all.push(...findings);
  };
  const first = await ask(undefined, '/api_key/_verify');
  if (first.status === 0) {
    report(
      problem(
        'target',
        `nothing answers at ${profile.base_url}: ${first.brief}. Is it running, and is base_url right?`,
      ),
    );
    return exitCodes.unreachable;
  }
  add(
    first.status === 401
      ? ok('target', `answers at ${profile.base_url}, and refuses a request without a key`)
      : problem('target', `answers ${first.brief} to a request without a key, not 401; is base_url that of the API?`),
    checkClock(first.headers, Date.now()),
  );
  add(...checkTwins(loaded), ...(await checkKeys(ask, profile, keyNames)), ...(await checkScopes(ask, profile)));
  add(...(await checkReplicas(ask, profile)));
  add(await checkControl(profile));
  add(...(await checkFixtures(ask, profile)), ...(await checkViews(ask, profile)));
  add(await checkCallbacks(ask, profile));
  if (!profile.tenant.consent_to_writes)
    add(gap('writes', 'the profile does not consent to writes; most rules will be UNTESTED.'));
  if (all.some(({ kind }) => kind === 'problem')) return exitCodes.notConformant;
  return all.some(({ kind }) => kind === 'gap') ? exitCodes.incomplete : exitCodes.conformant;
}
