/** What is checked twice: failures that the target or the machine may have caused by standing still. */
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { madeError, setHeader } from '../mutation/alter.ts';
import type { Rule } from '../rules/rule.ts';
import { checkedIn, ruleWith, runWith, served } from '../testing/small-target.ts';
import { sharedScenario } from './per-run.ts';
import { StallWatch } from './stall-watch.ts';
import type { TestContext } from './test-context.ts';

/** How the target answers its next requests; 200 after that. */
let answers: ((response: ServerResponse) => void)[] = [];
const target = served((_request, response) => {
  const answer = answers.shift();
  if (answer) answer(response);
  else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
});

const away = (retryAfter?: string) => (response: ServerResponse) => {
  const answer = madeError('UNAVAILABLE');
  setHeader(answer, 'Retry-After', retryAfter);
  response.writeHead(answer.status, answer.headers.flat()).end(answer.body);
};
const tooSlow = (response: ServerResponse) => response.writeHead(408).end('{}');
const gone = (response: ServerResponse) => response.destroy();

/** A clock that stands still unless it is moved. */
let now = 0;

/** Checks a rule. @returns how it ended, and the run */
async function outcomeOf(check: (t: TestContext) => Promise<void>, nth = 1, level: Rule['level'] = 'MUST') {
  const stalls = new StallWatch(() => now);
  const run = runWith({ base_url: target.baseUrl, keys: { full: ['A'], load: 'A' } }, { A: 'dev_key_a' }, { stalls });
  const rules = Array.from({ length: nth }, (_, n) => ruleWith(`X-${n + 1}`, check, { level }));
  const outcomes = await checkedIn(run, rules, { repeatAfterMs: 0 }, 1);
  const complaints = run.judgements.flatMap(({ judged }) => judged.get('GEN-11')?.complaints ?? []);
  return { outcomes, run, complaints };
}

const written = async (t: TestContext) => {
  const answer = await t.as('full').post('/documents', {});
  t.check(answer.status === 200, `it was ${answer.status}`, answer);
};

describe('a failure is checked again', () => {
  test('after an answer 503 with Retry-After, which then counts as repeated', async () => {
    answers = [away('0')];
    const { outcomes, run, complaints } = await outcomeOf(written);
    const note = expect.stringContaining('503 UNAVAILABLE during the first check, which said: it was 503');
    expect(outcomes).toMatchObject([{ status: 'PASS', note, exchanges: 2 }]);
    expect([run.unavailable, complaints]).toEqual([1, []]);
  });

  test('of a rule that the source does not demand, too', async () => {
    answers = [away('0')];
    expect((await outcomeOf(written, 1, 'SHOULD')).outcomes).toMatchObject([{ status: 'PASS', exchanges: 2 }]);
  });

  test.each([
    ['a 408', tooSlow, 'answered 408'],
    ['no answer', gone, 'no answer'],
  ])('after %s', async (_what, answer, said) => {
    // A connection that was idle is tried again before that.
    answers = [answer];
    const check = async (t: TestContext) => {
      const { status } = await t.as('full').verify({ freshConnection: true });
      t.check(status === 200, `it was ${status}`);
    };
    const { outcomes } = await outcomeOf(check);
    expect(outcomes).toMatchObject([{ status: 'PASS', note: expect.stringContaining(said) }]);
  });

  test('if this process stood still during it', async () => {
    let tries = 0;
    const { outcomes } = await outcomeOf(async (t) => {
      if (tries++ > 0) return;
      now += 4_000;
      t.fail('too late');
    });
    expect(outcomes).toMatchObject([{ status: 'PASS', note: expect.stringMatching(/stood still for 3\.9 s/) }]);
  });

  test('only once: the second verdict counts', async () => {
    answers = [away('0'), away('0')];
    const { outcomes, run, complaints } = await outcomeOf(written);
    expect(outcomes).toMatchObject([{ status: 'FAIL', reason: 'it was 503' }]);
    expect([run.unavailable, complaints.length]).toEqual([1, 1]);
  });

  test('with a shared scenario made anew, which is not made more often than that', async () => {
    let played = 0;
    const scenario = sharedScenario(async (t) => {
      played++;
      await written(t);
      return t.run_id;
    });
    const ids = new Set<string>();
    const check = async (t: TestContext) => void ids.add(await scenario(t));
    answers = [away('0')];
    expect((await outcomeOf(check, 3)).outcomes.map(({ status }) => status)).toEqual(['PASS', 'PASS', 'PASS']);
    const [id] = ids;
    expect([played, ids.size, id?.length]).toEqual([2, 1, 9]);
    played = 0;
    answers = Array.from({ length: 9 }, () => away('0'));
    expect((await outcomeOf(check, 3)).outcomes.map(({ status }) => status)).toEqual(['FAIL', 'FAIL', 'FAIL']);
    expect(played).toBe(2);
  });
});

describe('a rule that waits in vain', () => {
  const waiting = (id: string, look: (t: TestContext) => boolean) =>
    ruleWith(id, async (t) => {
      const isSeen = await t.seenOnceDone('event is delivered', 0, async () => look(t), Boolean);
      t.check(isSeen, 'nothing came');
    });
  const checked = async (...rules: readonly Rule[]) => {
    const outcomes = await checkedIn(runWith({}, {}), rules);
    return Object.fromEntries(outcomes.map(({ rule, status, reason, note = '' }) => [rule, [status, reason, note]]));
  };
  const seen = waiting('X-1', () => true);

  test('beside others is checked again when they have ended, and what it says then counts', async () => {
    const note = expect.stringContaining('in vain beside other rules, which said: nothing came');
    const found = await checked(
      seen,
      waiting('X-2', ({ isRepeated }) => isRepeated),
      waiting('X-3', () => false),
    );
    expect(found).toEqual({
      'X-1': ['PASS', '', ''],
      'X-2': ['PASS', '', note],
      'X-3': ['FAIL', 'nothing came', note],
    });
  });

  test('ten times in a run, and not if it is alone', async () => {
    const all = Array.from({ length: 12 }, (_, n) => waiting(`X-${n + 2}`, ({ isRepeated }) => isRepeated));
    const found = Object.values(await checked(seen, ...all)).map(([status]) => status);
    expect(found.toSorted()).toEqual(['FAIL', 'FAIL', ...Array(11).fill('PASS')]);
    const alone = { ...waiting('X-2', ({ isRepeated }) => isRepeated), runs: 'alone' } as const;
    expect(await checked(seen, alone)).toMatchObject({ 'X-2': ['FAIL', 'nothing came', ''] });
  });

  test('with others for one thing is checked again like each of them, and it is made once more', async () => {
    let played = 0;
    const scenario = sharedScenario(async (t) => {
      played++;
      const isSeen = await t.seenOnceDone('event is delivered', 0, async () => t.isRepeated, Boolean);
      t.check(isSeen, 'nothing came');
    });
    const all = Array.from({ length: 12 }, (_, n) => ruleWith(`X-${n + 2}`, (t) => scenario(t)));
    const found = Object.values(await checked(seen, ...all)).map(([status]) => status);
    expect([found, played]).toEqual([Array(13).fill('PASS'), 2]);
  });

  test('for what nobody has seen yet is the cause of those that wait for it, too', async () => {
    const never = ['X-1', 'X-2', 'X-3'].map((id) => waiting(id, () => false));
    const because = ['UNTESTED', 'the cause: X-1, which found that no event is delivered', ''];
    const cause = ['FAIL', 'nothing came', expect.stringContaining('in vain')];
    expect(await checked(...never)).toEqual({ 'X-1': cause, 'X-2': because, 'X-3': because });
  });
});

describe('a failure counts at once', () => {
  test.each([
    ['without any of these', (response: ServerResponse) => response.writeHead(404).end('{}')],
    ['after a 503 without Retry-After', away()],
    ['after another 5xx', (response: ServerResponse) => response.writeHead(500, { 'Retry-After': '0' }).end('{}')],
  ])('%s', async (_what, answer) => {
    answers = [answer];
    const { outcomes } = await outcomeOf(written);
    expect(outcomes).toMatchObject([{ status: 'FAIL', exchanges: 1 }]);
    expect(outcomes[0]?.note).toBeUndefined();
  });

  test('if this process stood still only before it, or for less than a second', async () => {
    let tries = 0;
    const first = ruleWith('X-1', () => {
      now += 4_000;
    });
    const second = ruleWith('X-2', (t) => {
      now += 900;
      tries++;
      t.fail('wrong');
    });
    const run = runWith({}, {}, { stalls: new StallWatch(() => now) });
    const outcomes = await checkedIn(run, [first, second], { repeatAfterMs: 0 }, 1);
    expect([outcomes.map(({ status }) => status), tries]).toEqual([['PASS', 'FAIL'], 1]);
  });
});

test('a check that passes is not repeated, and its answer 503 counts', async () => {
  answers = [away('0')];
  const { outcomes, run, complaints } = await outcomeOf(async (t) => void (await t.as('full').post('/documents', {})));
  expect([outcomes[0]?.exchanges, run.unavailable, complaints]).toEqual([1, 1, []]);
});
