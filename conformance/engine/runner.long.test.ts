/** How rules are checked: several at a time, for a limited time, and without anything that goes unnoticed. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import type { Profile } from '../profile/profile.ts';
import type { AdminCommand } from '../profile/schema.ts';
import type { Check, Rule } from '../rules/rule.ts';
import { checkedIn, exampleProfile, inJson, ruleWith, runWith, served } from '../testing/small-target.ts';
import { sharedScenario } from './per-run.ts';
import type { RunContext } from './run-context.ts';
import { Runner, type RunnerOptions } from './runner.ts';
import type { TestContext } from './test-context.ts';

const example = exampleProfile();

/** What the target was asked, and the offset of its clock. */
const asked: string[] = [];
let offset_ms = 0;
let isClockAway = false;
const answering = inJson(({ method, url, body }) => {
  asked.push(`${method} ${url}`);
  const set = JSON.parse(body || '{}') as { advance_ms?: number; offset_ms?: number };
  offset_ms = set.offset_ms ?? offset_ms + (set.advance_ms ?? 0);
  return [200, { offset_ms }];
});
const target = served((request, response) => {
  if (isClockAway) request.socket.destroy();
  else answering(request, response);
});

const clock = {
  mode: 'control',
  get url() {
    return target.baseUrl;
  },
} as const;

const runOf = (change: Partial<Profile> = {}): RunContext =>
  runWith(
    { base_url: target.baseUrl, keys: { full: ['A', 'B'], load: 'A' }, ...change },
    { A: 'dev_key_a', B: 'dev_key_b' },
  );

const errorWith = (reason: string) => ({ status: 'ERROR', reason: expect.stringContaining(reason) });

const never = () => new Promise<never>(() => {});

/** Checks rules at the same time. @returns how they ended */
async function checked(rules: readonly Rule[], options: RunnerOptions = {}, run = runOf()) {
  const outcomes = await checkedIn(run, rules, options);
  return Object.fromEntries(outcomes.map(({ rule, status, code, reason }) => [rule, { status, code, reason }]));
}

describe('rules that are checked beside each other', () => {
  test('begin together unless one changes what the other needs', async () => {
    const all = Promise.withResolvers<void>();
    const events: string[] = [];
    const noted = async (event: string) => void events.push(event);
    const rules = [
      ruleWith('X-1', () => noted('quiet').then(() => all.promise), { runs: 'quiet' }),
      ruleWith('X-2', () => noted('changing'), { runs: 'changing' }),
      ruleWith('X-3', () => noted('free').then(all.resolve)),
    ];
    expect(Object.keys(await checked(rules))).toHaveLength(3);
    expect(events).toEqual(['quiet', 'free', 'changing']);
  });

  test('have no more of the keys, of requests and of writes than the profile allows', async () => {
    const run = runOf({ tenant: { ...example.tenant, max_writes: 1 } });
    // Each of the two keys has a burst of 16 requests.
    const used = await Promise.all(Array.from({ length: 32 }, () => run.permit(['A', 'B'])));
    expect(used.filter((name) => name === 'A')).toHaveLength(16);
    const writing = ['X-1', 'X-2'].map((id) => ruleWith(id, (t) => t.mayWrite()));
    expect(await checked([...writing, ruleWith('X-3', (t) => void t.as('load'))], {}, run)).toMatchObject({
      'X-1': { status: 'PASS' },
      'X-2': { status: 'UNTESTED', code: 'write_budget_used_up' },
      'X-3': errorWith('must hold it'),
    });
    expect(run.writes).toBe(2);
  });
});

test('an admin command gets no Ctrl-C of the terminal, and its failure is no fault of the target', async () => {
  const command = (code: string) => [process.execPath, '-e', code];
  const [flag_on, flag_off] = [
    command('process.kill(-process.pid, 0); console.log("{x}")'),
    command('process.exit(7)'),
  ];
  const rules = [
    ruleWith('X-1', async (t) => t.equal(await t.admin('flag_on', { x: 'said' }), 'said\n', 'what it printed')),
    ruleWith('X-2', async (t) => void (await t.admin('flag_off'))),
  ];
  expect(await checked(rules, {}, runOf({ admin: { flag_on, flag_off } }))).toMatchObject({
    'X-1': { status: 'PASS', reason: '' },
    'X-2': errorWith('flag_off failed (7)'),
  });
});

test('long output of an admin command loses its beginning, after personal values in it were replaced', async () => {
  const flag_on = [process.execPath, '-e', "console.log('Surname' + '.'.repeat(496)); process.exit(1)"];
  const rule = ruleWith('X-1', async (t) => {
    t.redactor.learn({ last_name: 'Surname' });
    await t.admin('flag_on');
  });
  const { 'X-1': outcome } = await checked([rule], {}, runOf({ admin: { flag_on } }));
  expect(outcome?.reason).toMatch(/ flag_on failed \(1\): (?!.*name)[0-9a-f]{4}\.{496}/);
});

describe('a runner of the admin commands', () => {
  const answer =
    'console.log(JSON.stringify({ id, code: words[0].length, stdout: words[1] + process.pid, stderr: "" }))';
  const code = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, words } = JSON.parse(line);
    words[0] === 'die' ? process.exit(9) : words[0] === 'talk' ? console.log(words[1]) : ${answer};
  });`;
  const runner = [process.execPath, '-e', code];
  /** Has the runner say something and its process id. */
  const on = async (t: TestContext, x: string) => (await t.admin('flag_on', { x })).slice(x.length);

  /** Checks two groups of commands, and between them one that fails. @returns what it failed with, and the process ids */
  async function interrupted(flag_off: string[]) {
    const pids: string[] = [];
    const noted = (t: TestContext, ...all: string[]) =>
      Promise.all(all.map((x) => on(t, x))).then((found) => void pids.push(...found));
    const rules = [
      ruleWith('X-1', (t) => noted(t, 'one', 'two')),
      ruleWith('X-2', (t) => t.admin('flag_off').then(() => {}), { runs: 'alone' }),
      ruleWith('X-3', (t) => noted(t, 'three'), { runs: 'alone' }),
    ];
    const run = runOf({ admin: { runner, flag_on: ['', '{x}'], flag_off } });
    const [before, failed, after] = await checkedIn(run, rules, {}, 1);
    expect([before?.status, failed?.status, after?.status]).toEqual(['PASS', 'ERROR', 'PASS']);
    return { reason: failed?.reason, pids };
  }

  test('runs all commands; when it ends, the command fails and the next one has a new runner', async () => {
    const { reason, pids } = await interrupted(['die']);
    const [one, two, three] = pids;
    expect(reason).toContain('flag_off failed (9): The runner of the admin commands has ended');
    expect([two === one, three === one]).toEqual([true, false]);
  });

  test.each(['not JSON dev_key_a', 'null', '{"id":99}'])('is stopped at once if it prints %s', async (line) => {
    const { reason, pids } = await interrupted(['talk', line]);
    const shown = line.replace('dev_key_a', '…(A)');
    expect(reason).toContain(`(SIGTERM): "${shown}" is what the runner of the admin commands printed in place of an`);
    for (const pid of pids) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  });
});

describe('a check that does not end', () => {
  /** How a rule ends that has moved the clock and keeps it. @param begun called when it has moved it */
  async function keeping(begun: () => void) {
    let isMoved = false;
    const hanging = async (advance: (ms: number) => Promise<void>) => {
      await advance(7);
      isMoved = true;
      begun();
      await never();
    };
    // On a busy machine the rule may have to end before it has moved the clock; then there is nothing to put back.
    for (let longestMs = 50; ; longestMs *= 2) {
      asked.length = 0;
      const rule = ruleWith('X-1', (t) => t.withClock(hanging), { runs: 'alone' });
      const outcomes = await checked([rule], { longestMs, lastChangesMs: 50 }, runOf({ clock }));
      if (isMoved) return outcomes['X-1'];
    }
  }

  test('is untested, and sends nothing any more', async () => {
    const [over, tried] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let refusal: unknown;
    const late = ruleWith('X-1', async (t) => {
      await over.promise;
      refusal = await t
        .as('full')
        .verify()
        .catch((error: unknown) => error);
      tried.resolve();
    });
    const outcomes = await checked([late, ruleWith('X-2', () => {})], { longestMs: 50, lastChangesMs: 5_000 });
    expect(outcomes).toEqual({
      'X-1': { status: 'UNTESTED', code: 'timed_out', reason: expect.stringContaining('had not ended') },
      'X-2': { status: 'PASS', code: '', reason: '' },
    });
    asked.length = 0;
    over.resolve();
    await tried.promise;
    expect([refusal, asked]).toEqual([expect.objectContaining({ code: 'timed_out' }), []]);
  });

  test('is an ERROR if its clock cannot be put back', async () => {
    const outcome = await keeping(() => {
      isClockAway = true;
    });
    isClockAway = false;
    expect(outcome).toMatchObject(errorWith('its clock is left moved'));
  });

  test('leaves no clock moved', async () => {
    expect(await keeping(() => {})).toMatchObject({ code: 'timed_out' });
    expect([offset_ms, asked.at(-1)]).toEqual([0, 'POST /clock']);
  });
});

test('a run that is stopped begins nothing, and waits for rules that change the tenant and for creations', async () => {
  const run = runOf();
  const ended: string[] = [];
  const runner = new Runner(run, { onDone: ({ rule }) => ended.push(rule) });
  const [begun, putBack] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = ruleWith('X-3', () => {}, { runs: 'changing' });
  const putBackLater = () => {
    begun.resolve();
    return putBack.promise;
  };
  const phase = runner.check({
    rules: [ruleWith('X-1', never), ruleWith('X-2', putBackLater, { runs: 'changing' }), late],
    atOnce: 8,
  });
  await begun.promise;
  const answer = Promise.withResolvers<void>();
  const creation = run.endpoints.create(
    'A',
    () => answer.promise,
    () => 'made',
  );
  const stopped = runner.stop();
  const quiet = run.endpoints.stop();
  await phase;
  await expect(run.endpoints.create('A', async () => 'x', String)).rejects.toMatchObject({ code: 'not_run' });
  putBack.resolve();
  answer.resolve();
  expect(await stopped).toEqual([]);
  await Promise.all([creation, quiet]);
  expect([ended, run.endpoints.all]).toEqual([['X-2'], [{ id: 'made', key: 'A' }]]);
  run.endpoints.deleted('made');
  expect(run.endpoints.all).toEqual([]);
  await run.close();
});

describe('a rule that has changed the tenant by an admin command', () => {
  const called: string[] = [];
  const runWithFlag = () => {
    const saying = (word: string) => [process.execPath, '-e', `console.log('${word}')`];
    called.length = 0;
    return runOf({ admin: { flag_on: saying('on'), flag_off: saying('off'), logs: saying('read') } });
  };
  const admin = async (t: TestContext, command: AdminCommand) => void called.push((await t.admin(command)).trim());

  test('puts it back when the run is stopped, also beside one that has only read', async () => {
    const run = runWithFlag();
    const runner = new Runner(run);
    const [off, read, over] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    const switching = ruleWith('X-1', async (t) => {
      await admin(t, 'flag_off');
      off.resolve();
      await over.promise;
      await admin(t, 'flag_on');
    });
    const reading = ruleWith('X-2', async (t) => {
      await admin(t, 'logs');
      read.resolve();
      await never();
    });
    const phase = runner.check({ rules: [switching, reading], atOnce: 2 });
    await Promise.all([off.promise, read.promise]);
    const stopped = runner.stop();
    await phase;
    over.resolve();
    expect(await stopped).toEqual([]);
    expect(called.toSorted()).toEqual(['off', 'on', 'read']);
    expect(runner.outcomes.map(({ rule, status }) => [rule, status])).toEqual([['X-1', 'PASS']]);
    await run.close();
  });

  test('puts it back when its time is over', async () => {
    const over = Promise.withResolvers<void>();
    // Its requests fail from then on, as they do for a rule that waits for an answer.
    const refused = ruleWith('X-1', async (t) => {
      await admin(t, 'flag_off');
      t.refuse = () => over.reject(new Error('refused'));
      await over.promise.finally(() => admin(t, 'flag_on'));
    });
    const outcomes = await checked([refused], { longestMs: 500 }, runWithFlag());
    expect([outcomes['X-1']?.code, called]).toEqual(['timed_out', ['off', 'on']]);
  });
});

describe('rules that move the clock or restart the target', () => {
  const moving = (id: string, check: Check) => ruleWith(id, check, { runs: 'moving' });
  const restarts = async (t: TestContext) => void (await t.admin('restart'));

  test('find the time that they asked for, and a step is made when each of them waits', async () => {
    const events: string[] = [];
    offset_ms = 0;
    const steps = (name: string, ...all: readonly number[]) =>
      moving(name, (t) =>
        t.withClock(async (advance) => {
          for (const ms of all) {
            await advance(ms);
            events.push(`${name} at ${offset_ms}`);
            await t.as('full').verify();
            events.push(`${name} still at ${offset_ms}`);
          }
        }),
      );
    const both = (text: string) => [text, text.replace('at', 'still at')];
    const found = await checked([steps('A', 10, 20), steps('B', -5, 25), steps('C', 100)], {}, runOf({ clock }));
    expect(Object.values(found).map(({ status }) => status)).toEqual(['PASS', 'PASS', 'PASS']);
    expect(events).toEqual(['B at -5', 'A at 10', 'B at 20', 'A at 30', 'C at 100'].flatMap(both));
    expect(offset_ms).toBe(0);
  });

  test('have one restart, for which nobody works, and it comes before the clock moves', async () => {
    const telling = `fetch('${target.baseUrl}/restarted')`;
    const run = runOf({ clock, admin: { restart: [process.execPath, '-e', telling] } });
    asked.length = 0;
    const rules = [
      moving('A', restarts),
      moving('B', (t) => t.withClock((advance) => advance(10))),
      moving('C', async (t) => {
        await t.turn();
        asked.push('turn');
        await restarts(t);
      }),
    ];
    await checked(rules, {}, run);
    const moved = 'POST /clock';
    expect(asked.filter((one) => one !== 'GET /clock')).toEqual(['turn', 'GET /restarted', moved, moved]);
  });

  test('have their turn where nobody has moved the clock, also one that begins later', async () => {
    const seen: number[] = [];
    const late = Promise.withResolvers<void>();
    const rules = [
      moving('A', (t) =>
        t.withClock(async (advance) => {
          await advance(-10);
          late.resolve();
          await advance(20);
        }),
      ),
      moving('B', async (t) => {
        await t.whileIdle(late.promise);
        await t.turn();
        seen.push(offset_ms);
      }),
    ];
    await checked(rules, {}, runOf({ clock }));
    expect([seen, offset_ms]).toEqual([[0], 0]);
  });

  test('keep the time for one that takes what another has made already', async () => {
    const made = sharedScenario(async () => {});
    const seen: number[] = [];
    const rules = [
      moving('A', async (t) => {
        await made(t);
        await t.withClock((advance) => advance(10));
      }),
      moving('B', (t) =>
        t.withClock(async (advance) => {
          await advance(-10);
          await made(t);
          await fetch(target.baseUrl);
          seen.push(offset_ms);
        }),
      ),
    ];
    await checked(rules, {}, runOf({ clock }));
    expect(seen).toEqual([-10]);
  });

  test('do not wait for one that had to end and then ends its work', async () => {
    const [over, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = moving('A', (t) => t.withClock(() => over.promise).finally(ended.resolve));
    const run = runOf({ clock });
    const runner = new Runner(run, { longestMs: 50, lastChangesMs: 50 });
    await runner.check({ rules: [late], atOnce: 8 });
    over.resolve();
    await ended.promise;
    const next = new Runner(run, { longestMs: 2_000 });
    await next.check({
      rules: [ruleWith('B', (t) => t.withClock((advance) => advance(1)), { runs: 'alone' })],
      atOnce: 1,
    });
    await run.close();
    expect([runner, next].map(({ outcomes }) => outcomes[0]?.status)).toEqual(['UNTESTED', 'PASS']);
  });

  test('wait neither for one that ends nor for one that waits for what another makes', async () => {
    const scenario = sharedScenario((t) => t.withClock((advance) => advance(7)));
    const rules = [moving('A', scenario), moving('B', scenario), moving('C', (t) => t.fail('no'))];
    const found = await checked(rules, {}, runOf({ clock }));
    expect(
      Object.values(found)
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(['FAIL', 'PASS', 'PASS']);
  });
});

test('a control clock that does not answer is no fault of the target', async () => {
  isClockAway = true;
  const moving = ruleWith('X-1', (t) => t.withClock((advance) => advance(1)), { runs: 'alone' });
  const run = runOf({ clock });
  expect(await checked([moving], {}, run)).toMatchObject({
    'X-1': errorWith('the control clock does not answer'),
  });
  isClockAway = false;
});

test('a phase ends whose last rule ends while nobody knows whether the target is there', async () => {
  const known = Promise.withResolvers<void>();
  let asked = 0;
  const mayBegin = () => (asked++ === 0 ? undefined : known.promise);
  const found = await checked([ruleWith('X-1', () => {})], { mayBegin, onDone: () => known.resolve() });
  expect(Object.keys(found)).toEqual(['X-1']);
});

test('no rule begins while nobody knows whether the target is there', async () => {
  const events: string[] = [];
  const noting = (id: string) => ruleWith(id, () => void events.push(id));
  let known: Promise<void> | undefined;
  const onDone = () => {
    known = new Promise(setImmediate).then(() => {
      known = undefined;
      events.push('known');
    });
  };
  await checkedIn(runOf(), [noting('X-1'), noting('X-2')], { mayBegin: () => known, onDone }, 1);
  expect(events).toEqual(['X-1', 'known', 'X-2']);
});

test('a run that is stopped names the rules that take too long to put back what they changed', async () => {
  const run = runOf();
  const runner = new Runner(run);
  const changing = ruleWith('X-1', never, { runs: 'changing' });
  const phase = runner.check({ rules: [changing], atOnce: 1 });
  expect(await runner.stop(1)).toEqual(['X-1']);
  await phase;
  expect(runner.outcomes).toEqual([]);
  await run.close();
});

test('an error that nothing awaits makes its rule an ERROR, and one of no rule the run', () => {
  const program = `
    import { RunContext } from '${import.meta.dirname}/run-context.ts';
    import { Runner } from '${import.meta.dirname}/runner.ts';
    const profile = ${JSON.stringify({ values: example.values, tenant: example.tenant, keys: { full: ['K'] }, fixtures: {}, admin: {} })};
    const run = new RunContext({ profile, secrets: { K: 'dev_x' } }, ${JSON.stringify({ facts: {} })});
    const runner = new Runner(run);
    process.on('unhandledRejection', runner.noteStray).on('uncaughtException', runner.noteStray);
    const rule = (id, check) => ({ id, section: 'X', level: 'MUST', text: '', place: '', decisions: [], check });
    const soon = () => new Promise((resolve) => setImmediate(resolve));
    const { promise: late, resolve: isLate } = Promise.withResolvers();
    const rules = [
      rule('X-1', async () => { setTimeout(() => { throw new Error('thrown'); }, 1); await late; }),
      rule('X-2', async () => { void Promise.reject(new Error('rejected')); await soon(); }),
      rule('X-3', () => void setTimeout(() => { isLate(); throw new Error('late'); }, 10)),
      rule('X-4', () => late.then(soon)),
    ];
    setTimeout(() => { throw new Error('elsewhere'); }, 1);
    await runner.check({ rules, atOnce: 8 });
    console.log(JSON.stringify(runner.outcomes.map(({ rule, status, reason }) => [rule, status, reason.slice(0, 60)])));
    await run.close();`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  const failed = (what: string) => expect.stringContaining(`beside the rule: Error: ${what}`);
  expect(stderr).toBe('');
  expect((JSON.parse(stdout) as [string][]).toSorted()).toEqual([
    ['X-1', 'ERROR', failed('thrown')],
    ['X-2', 'ERROR', failed('rejected')],
    ['X-3', 'ERROR', failed('late')],
    ['X-4', 'PASS', ''],
    ['beside all rules 1', 'ERROR', failed('elsewhere')],
  ]);
});
