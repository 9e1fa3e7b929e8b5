import { setTimeout as sleep } from 'node:timers/promises';
import { rule } from '../rule-test.ts';

rule('LIM-20', async (t) => {
  const perSecond = t.values.failed_auth_per_s;
  if (perSecond === 0) t.skip('the target declares no limit on failed authentication');
  // The bucket of this address is full again after a second; other tests left it in an unknown state.
  await sleep(1500);
  t.mayBeRefused = true;
  const nobody = t.anonymous({ unpaced: true });
  const wrong = { headers: { 'X-API-Key': 'wrong' } };
  const begin = performance.now();
  const sent = Array.from({ length: perSecond * 4 }, () => nobody.verify(wrong));
  const valid = t.as('full', { spread: true });
  const meanwhile = await Promise.all(Array.from({ length: 10 }, () => valid.verify()));
  const answers = await Promise.all(sent);
  const seconds = (performance.now() - begin) / 1000;
  for (const answer of meanwhile) answer.ok('verifyApiKey', 'a valid key from the same address meanwhile');
  const refused = answers.filter(({ status }) => status === 429);
  const failed = answers.filter(({ status }) => status === 401);
  t.equal(refused.length + failed.length, answers.length, 'answers that are 401 or 429');
  const most = Math.ceil(perSecond * (seconds + 1));
  t.check(
    failed.length <= most,
    `${failed.length} failed authentications in ${seconds.toFixed(2)} s; at most ${most} may be looked at`,
  );
  t.check(failed.length >= perSecond * 0.9, `only ${failed.length} of the first ${perSecond} were looked at`);
  for (const answer of refused) {
    answer.fails('RATE_LIMIT_EXCEEDED');
    t.check(answer.header('ratelimit') === undefined, 'a RateLimit field for nobody’s bucket', answer);
  }
  await sleep(1500);
  (await nobody.verify(wrong)).fails('API_KEY_INVALID', 'a second later');
});
