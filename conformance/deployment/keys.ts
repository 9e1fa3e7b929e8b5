/** Whether each key of the ring is what its name says, and whether the target's clock agrees with ours. */

import { type Headers, headerOf } from '../http/exchange.ts';
import { expectedError } from '../judge/contract.ts';
import { namedKeys, type Profile } from '../profile/profile.ts';
import { type KeyName, keyNames } from '../profile/schema.ts';
import { type Ask, type Finding, gap, ok, problem } from './ask.ts';

const REFUSED: readonly KeyName[] = ['revoked', 'expired', 'inactive', 'owner_removed'];

/** What `_verify` must answer to a key of this name. */
export function expectation(name: KeyName, { values }: Pick<Profile, 'values'>): { status: number; code: string } {
  if (REFUSED.includes(name)) return expectedError('API_KEY_INVALID', values);
  if (name === 'flag_off') return expectedError('FEATURE_FLAG_OFF', values);
  return { status: 200, code: '' };
}

export async function checkKeys(ask: Ask, profile: Profile): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [name, variable] of namedKeys(profile.keys)) {
    const about = `key ${name} (${variable})`;
    const { status, code } = expectation(name, profile);
    const reply = await ask(variable, '/api_key/_verify');
    if (name === 'disposable' && reply.status === 401) found.push(ok(about, 'is used up: an earlier run revoked it'));
    else if (reply.status === status && reply.code === code) found.push(ok(about, `_verify answers ${reply.brief}`));
    else {
      const wanted = `${status}${code && ` ${code}`}`;
      found.push(problem(about, `_verify answers ${reply.brief}, not ${wanted}; put another key into ${variable}.`));
    }
  }
  const usable = found.some(
    ({ about, kind, says }) => kind === 'ok' && about.startsWith('key disposable') && !says.includes('used up'),
  );
  if (profile.keys.disposable && !usable)
    found.push(gap('key disposable', 'all are used up; make new ones, or a rule will be UNTESTED.'));
  const missing = keyNames.filter((name) => (profile.keys[name]?.length ?? 0) === 0);
  if (missing.length > 0)
    found.push(gap('keys', `not in the profile: ${missing.join(', ')}; rules that need them will be UNTESTED.`));
  return found;
}

/** The Date header has whole seconds, and the answer took some time to arrive. */
const TOLERANCE_S = 5;

/** @param nowMs milliseconds since 1970, when the answer arrived */
export function checkClock(headers: Headers, nowMs: number): Finding {
  const theirs = Date.parse(headerOf({ headers }, 'date') ?? '');
  if (!Number.isFinite(theirs))
    return gap('clock', 'the target sends no Date header, so its clock cannot be compared with ours.');
  const skew = Math.round((theirs - nowMs) / 1000);
  const agrees = Math.abs(skew) <= TOLERANCE_S;
  if (agrees) return ok('clock', `the target's clock agrees with ours (${skew} s)`);
  const says = `the target's clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} ours; set the clock of this machine or of the target, or rules about times will fail.`;
  return problem('clock', says);
}
