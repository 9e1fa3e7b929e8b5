/**
 * The process of the greedy tenant. It is given the contest, reports when it has begun, and at the end how much it
 * requested.
 */
import { once } from 'node:events';
import { askAndAsk } from './fair.ts';
import { contests } from './fair-contests.ts';
import { askAs, type FairTenant } from './fair-tenants.ts';

const [{ name, url, side }] = (await once(process, 'message')) as [{ name: string; url: string; side: FairTenant }];
const contest = contests.find((one) => one.name === name);
if (!contest?.asks) throw new Error(`The contest ${name} sends no HTTP requests.`);
const { asks, perSecond } = contest;
// The bodies are made before it begins.
for (const nth of [0, 1]) asks(side, nth);
const greedy = askAndAsk(perSecond, async (nth) => {
  const { path, body, coding } = asks(side, nth);
  return (await askAs(side, url, path, body, coding)).status === 200;
});
process.send?.('begun');
await once(process, 'message');
process.send?.(await greedy.end());
