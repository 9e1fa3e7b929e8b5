import { rulesWith } from './rule.ts';
import { idsOf } from './shared/calls.ts';

const rule = rulesWith({ place: 'listEmployees: page_token', decisions: ['D-10'], runs: 'alone' });

rule({
  id: 'PAGE-22',
  text: 'A page token survives a restart of the service.',
  check: async (t) => {
    const full = t.as('full');
    const page = await full.employees({ limit: 3 });
    const wanted = idsOf((await full.employees({ limit: 3, page_token: page.token })).rows);
    await t.admin('restart');
    const again = await full.employees({ limit: 3, page_token: page.token });
    t.equal(idsOf(again.rows), wanted, 'the second page after the restart', again.answer);
  },
});

rule({
  id: 'PAGE-24',
  text: 'A page token is good for its declared lifetime and not a second longer.',
  check: async (t) => {
    const full = t.as('full');
    const lifetimeMs = t.values.page_token_lifetime_s * 1000;
    const page = await full.employees({ limit: 3 });
    const next = () => full.get('/employees', { limit: 3, page_token: page.token });
    await t.withClock(async (advance) => {
      if (lifetimeMs === 0) {
        await advance(400 * 86_400_000);
        (await next()).ok('listEmployees', 'a token that never expires, after 400 days');
        return;
      }
      await advance(lifetimeMs - 60_000);
      (await next()).ok('listEmployees', 'a minute before the end');
      await advance(61_000);
      (await next()).blames('page_token', 'a second after the end');
      const fresh = await full.employees({ limit: 3 });
      (await full.get('/employees', { limit: 3, page_token: fresh.token })).ok('listEmployees', 'a new token then');
    });
    (await next()).ok('listEmployees', 'the token after the clock was put back');
  },
});
