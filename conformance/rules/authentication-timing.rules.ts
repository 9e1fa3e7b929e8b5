import { rule } from './rule.ts';
import { altered, withKey } from './shared/keys.ts';

const ROUNDS = 200;
/**
 * Share of pairs in which the key that is wrong at its end is slower; near 0.5 if the two groups cannot be told apart.
 */
const INDISTINGUISHABLE = { from: 0.35, to: 0.65 };

rule({
  id: 'AUTH-26',
  level: 'SHOULD',
  text: 'The time of a refusal does not tell how much of a key was right.',
  place: 'security',
  runs: 'alone',
  check: async (t) => {
    const key = t.secret('full');
    const start = key.indexOf('_') + 1;
    const timed = async (value: string) => (await withKey(t, value)).fails('API_KEY_INVALID').tookMs;
    const [early, late]: [number[], number[]] = [[], []];
    const groups = [
      { times: early, wrong: altered(key, start) },
      { times: late, wrong: altered(key, key.length - 1) },
    ];
    for (let n = 0; n < ROUNDS; n++) {
      // What happens at every second request on either side must not always meet the same group.
      for (const { times, wrong } of n % 2 === 0 ? groups : groups.toReversed()) times.push(await timed(wrong));
    }
    let slower = 0;
    for (const a of late) for (const b of early) slower += a > b ? 1 : a === b ? 0.5 : 0;
    const share = slower / (ROUNDS * ROUNDS);
    t.check(
      share > INDISTINGUISHABLE.from && share < INDISTINGUISHABLE.to,
      `keys wrong at the end are slower than keys wrong at the start in ${(100 * share).toFixed(0)} % of pairs`,
    );
  },
});
