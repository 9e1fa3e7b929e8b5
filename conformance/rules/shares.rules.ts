import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { Api, Call } from '../http/api.ts';
import { rulesWith } from './rule.ts';
import { otherTenantBody, PRINTED_WITHIN_MS, templateBody } from './shared/document-calls.ts';

const rule = rulesWith({ decisions: ['D-33'], runs: 'alone' });

/** A tenant that asks for much at once, with the keys that it has. */
interface GreedyTenant {
  readonly api: Api;
  readonly calls: readonly Call[];
}

const times = (count: number, call: Call): Call[] => Array.from({ length: count }, () => call);

/** With fewer requests that were open nothing can be said. */
const FEWEST = 8;

/**
 * Sends all at once, and the patient's requests one after the other from the first answer on.
 * @returns the part of what greedy tenants were served that came before the patient's last answer, from 0 to 1. Only what
 * was open when the patient's first request left counts: undefined if that was too little to say anything
 */
async function waitOf(
  t: TestContext,
  greedy: readonly GreedyTenant[],
  patient: Api,
  calls: readonly Call[],
): Promise<number | undefined> {
  t.mayBeUnavailable = true;
  const first = Promise.withResolvers<void>();
  const asked = Promise.all(
    greedy.flatMap(({ api, calls: all }) =>
      all.map(async (call) => {
        const answer = await api.send(call);
        // A tenant that asks for more than its share may be refused.
        if (answer.status !== 503) t.check(answer.status === 200, `a greedy tenant got ${answer.brief}`, answer);
        first.resolve();
        return answer;
      }),
    ),
  );
  await Promise.race([first.promise, asked]);
  const answers: Answer[] = [];
  for (const call of calls) {
    const answer = await patient.send({ ...call, isPatient: true });
    t.check(answer.status === 200, `the patient tenant got ${answer.brief}`, answer);
    answers.push(answer);
  }
  const leftMs = answers[0]?.exchange.sentAtMs ?? 0;
  const servedMs = answers.at(-1)?.exchange.receivedAtMs ?? 0;
  const open = (await asked)
    .filter(({ status, exchange }) => status === 200 && exchange.receivedAtMs > leftMs)
    .map(({ exchange }) => exchange.receivedAtMs);
  return open.length < FEWEST ? undefined : open.filter((at) => at <= servedMs).length / open.length;
}

/** The most that may come before. A queue that knows no tenants serves all of it before. */
const MOST = 0.75;

/** Played up to five times: on a busy machine the patient's requests do not leave in time. */
async function mustBeServed(t: TestContext, what: string, play: () => Promise<number | undefined>): Promise<void> {
  let least: number | undefined;
  for (let plays = 0; plays < 5 && (least === undefined || least > MOST); plays++) {
    const part = await play();
    if (part !== undefined) least = Math.min(part, least ?? part);
  }
  if (least === undefined)
    t.untested('not_exercised', `${what}: each time all but a few had been served before the patient asked`);
  const said = `${what}: ${Math.round(least * 100)} % of what was open when the patient asked`;
  t.notes.push(`${said} came before`);
  t.check(least <= MOST, `${said} was answered before`);
}

rule({
  id: 'GEN-21',
  text: 'While two tenants read large pages and search, a third one is answered before most of that.',
  place: 'UNAVAILABLE',
  holds: ['flag_toggle'],
  check: async (t) => {
    const page = { path: '/employees', query: 'limit=1000&expand=person&expand=manager&expand=department' };
    const search = { path: '/documents', query: 'search=conformance' };
    const main = { api: t.asAny('full'), calls: times(40, page) };
    const other = { api: t.as('other_tenant'), calls: times(15, search) };
    const patient = t.as('flag_toggle');
    await mustBeServed(t, 'lists', () => waitOf(t, [main, other], patient, times(3, search)));
  },
});

rule({
  id: 'GEN-22',
  text: 'While one tenant has many documents printed, another one’s document is printed before most of them.',
  place: 'createDocument, UNAVAILABLE',
  check: async (t) => {
    const creation = (body: object): Call => ({
      method: 'POST',
      path: '/documents',
      body,
      timeoutMs: PRINTED_WITHIN_MS,
    });
    const main = { api: t.asAny('full'), calls: times(40, creation(await templateBody(t))) };
    const theirs = times(1, creation(await otherTenantBody(t)));
    await mustBeServed(t, 'documents', () => waitOf(t, [main], t.as('other_tenant'), theirs));
  },
});
