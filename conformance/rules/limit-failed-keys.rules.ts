import { setTimeout as sleep } from 'node:timers/promises';
import { judgeLimiter } from '../judge/oracle.ts';
import { rule } from './rule.ts';
import { atOnce, observed, shoot, verifyCall } from './shared/limit-probe.ts';

/** How many addresses the callers claim to have. */
const ADDRESSES = 50;

rule({
  id: 'LIM-20',
  text: 'Failed authentication is limited for each address as the target declares, whatever addresses its callers claim to have, and valid keys from that address are not affected.',
  place: 'RATE_LIMIT_EXCEEDED',
  decisions: ['D-7'],
  runs: 'alone',
  check: async (t) => {
    const perSecond = t.values.failed_auth_per_s;
    if (perSecond === 0) t.skip('the target declares no limit on failed authentication');
    // Other tests left the bucket of this address in an unknown state; after a second it is full again.
    await sleep(1500);
    t.mayBeRefused = true;
    const nobody = t.anonymous({ unpaced: true });
    const wrong = { headers: { 'X-API-Key': 'wrong' } };
    // An address that a caller only claims to have is none of its own.
    const claiming = Array.from({ length: ADDRESSES }, (_, n) => ({
      ...verifyCall,
      headers: { ...wrong.headers, 'X-Forwarded-For': `203.0.113.${n}`, Forwarded: `for=203.0.113.${n}` },
    }));
    const valid = t.asAny('full');
    const [shots, ...meanwhile] = await Promise.all([
      shoot([nobody], atOnce(perSecond * 4), claiming),
      ...Array.from({ length: 10 }, () => valid.verify()),
    ]);
    for (const answer of meanwhile) answer.ok('verifyApiKey', 'a valid key from the same address meanwhile');
    const answers = shots.map(({ answer }) => answer);
    const refused = answers.filter(({ status }) => status === 429);
    const failed = answers.filter(({ status }) => status === 401);
    t.equal(refused.length + failed.length, answers.length, 'answers that are 401 or 429');
    const observations = observed(shots);
    const { lax } = judgeLimiter(observations, { perSecond, burst: perSecond });
    const seconds =
      Math.max(...observations.map(({ q }) => q)) / 1000 - Math.min(...observations.map(({ s }) => s)) / 1000;
    const what = `of ${answers.length} failed authentications in ${seconds.toFixed(2)} s`;
    t.notes.push(`${what} ${failed.length} were looked at`);
    t.check(lax.length === 0, `${what} ${failed.length} were looked at, ${lax.length} of them too many`);
    t.check(failed.length >= perSecond * 0.9, `only ${failed.length} of the first ${perSecond} were looked at`);
    if (refused.length === 0) t.untested('not_exercised', `${what} none was too many: the answers take too long`);
    for (const answer of refused) {
      answer.fails('RATE_LIMIT_EXCEEDED');
      t.check(answer.header('ratelimit') === undefined, 'a RateLimit field for nobody’s bucket', answer);
    }
    await sleep(1500);
    (await nobody.verify(wrong)).fails('API_KEY_INVALID', 'a second later');
  },
});
