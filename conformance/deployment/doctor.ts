/** Checks before a run whether everything is as the profile says, beginning with whether the target can be reached. */
import { deleteEndpoints } from '../callbacks/delete-endpoints.ts';
import { findReachability } from '../callbacks/reachability.ts';
import { openSession } from '../deferred/session.ts';
import { NoAnswer } from '../http/client.ts';
import { askClock } from '../http/control-clock.ts';
import { HarnessFault, RuleUntested } from '../judge/outcome.ts';
import { BadProfile, type LoadedProfile, type Profile } from '../profile/profile.ts';
import { exitCodes } from '../report/exit-codes.ts';
import { type Ask, asker, type Finding, gap, judged, ok, PAUSE_MS, problem } from './ask.ts';
import { checkFixtures } from './check-fixtures.ts';
import { checkClock, checkKeys } from './keys.ts';
import { listsOf } from './lists.ts';
import { checkScopes, checkTwins, checkViews } from './views.ts';

async function checkReplicas(ask: Ask, { replicas, keys }: Profile): Promise<Finding[]> {
  if (replicas.length === 0)
    return [gap('replicas', 'the profile lists none; rules about several processes will be UNTESTED.')];
  const found: Finding[] = [];
  for (const baseUrl of replicas) {
    const { status, brief } = await ask(keys.full[0], '/api_key/_verify', { baseUrl });
    const complaint = status === 200 ? '' : `answers ${brief} to key full; correct or remove it.`;
    found.push(judged(`replica ${baseUrl}`, complaint, 'answers'));
  }
  return found;
}

async function checkControl({ clock }: Profile): Promise<Finding> {
  const about = 'control clock';
  if (clock.mode === 'none' || clock.url === undefined)
    return gap(about, 'the profile has none; rules that need hours will be UNTESTED (or use `deferred`).');
  const answer = await askClock(clock.url).catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  });
  if (answer === undefined)
    return problem(about, `nothing answers at ${clock.url}; correct clock.url, or start the target with it.`);
  const { status, offsetMs } = answer;
  if (status !== 200 || offsetMs === undefined)
    return problem(about, `answers ${status} at ${clock.url}; correct clock.url.`);
  return offsetMs === 0
    ? ok(about, 'answers')
    : problem(about, `is moved by ${offsetMs} ms, perhaps by a run that was killed; put it back to 0.`);
}

/** Creates an endpoint, has the target deliver a test event to it, and deletes it, as a run does first. */
async function checkCallbacks(loaded: LoadedProfile): Promise<Finding> {
  const about = 'callbacks';
  const { callbacks, tenant } = loaded.profile;
  if (callbacks.mode === 'none')
    return gap(about, 'the profile has no way to receive deliveries; rules about them will be UNTESTED.');
  if (!tenant.consent_to_writes) return gap(about, 'not tried: the profile does not consent to writes.');
  const session = await openSession(loaded, true).catch((error: unknown) => {
    if (error instanceof BadProfile) return error;
    throw error;
  });
  if (session instanceof BadProfile) return problem(about, session.problems.join(' '));
  const context = session.context('WHK-1');
  try {
    const { url, problem: why } = session.callbacks.facts;
    if (url === '') return problem(about, `${why}.`);
    const found = await findReachability(context);
    return found.is === 'open'
      ? ok(about, `a test event arrived at ${url}`)
      : problem(about, `${found.reason}; see whether the target may reach ${url}.`);
  } catch (error) {
    if (error instanceof RuleUntested || error instanceof HarnessFault) return problem(about, `${error.message}.`);
    throw error;
  } finally {
    await deleteEndpoints(context.run.endpoints.all, loaded);
    await session.close();
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
  add(...checkTwins(loaded), ...(await checkKeys(ask, profile)), ...(await checkScopes(ask, profile)));
  add(...(await checkReplicas(ask, profile)));
  add(await checkControl(profile));
  const lists = listsOf(ask, profile);
  add(...(await checkFixtures(ask, lists, profile)), ...(await checkViews(lists, profile)));
  add(await checkCallbacks(loaded));
  if (!profile.tenant.consent_to_writes)
    add(gap('writes', 'the profile does not consent to writes; most rules will be UNTESTED.'));
  if (all.some(({ kind }) => kind === 'problem')) return exitCodes.notConformant;
  return all.some(({ kind }) => kind === 'gap') ? exitCodes.incomplete : exitCodes.conformant;
}
