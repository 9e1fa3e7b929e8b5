/** What a run records of a rule, and what a rule that was never recorded finds out while it is checked. */
import { expect, test } from '@jest/globals';
import type { Profile } from '../profile/profile.ts';
import { rules } from '../rules/all-rules.ts';
import type { Check, Rule } from '../rules/rule.ts';
import { claimed } from '../rules/shared/calls.ts';
import { checkedIn, inJson, refusal, ruleWith, runWith, served } from '../testing/small-target.ts';
import { oncePerRun, sharedScenario } from './per-run.ts';
import { recorded } from './recorded.ts';
import type { RunnerOptions } from './runner.ts';
import type { TestContext } from './test-context.ts';
import { Uses } from './uses.ts';

/** Has no uploads, and answers {} to all else. */
const target = served(inJson(({ url }) => (url.endsWith('/files') ? refusal('PATH_NOT_FOUND') : [200, {}])));

async function outcomesOf(
  checks: Readonly<Record<string, Check>>,
  more: Partial<Rule> = {},
  options: RunnerOptions = {},
) {
  const profile: Partial<Profile> = {
    base_url: target.baseUrl,
    capabilities: ['1.3'],
    keys: { full: ['A'], no_scope: 'A' },
  };
  const run = runWith(profile, { A: 'dev_key' });
  const written = Object.entries(checks).map(([id, check]) => ruleWith(id, check, more));
  return checkedIn(run, written, options, 1);
}

const asksClaimed = async (t: TestContext) => {
  for (const { path } of claimed(t).slice(0, 2)) await t.as('full').send({ path, absolute: true });
};

test('what a rule used is what it needs, but not what it does without', async () => {
  const type = oncePerRun((t) => t.as('full').get('/document_types'));
  const outcomes = await outcomesOf({
    'X-1': async (t) => {
      t.fixture('employee_id');
      await t.as('no_scope').verify();
      if (t.has('load')) t.as('load');
      await type(t);
    },
    'X-2': async (t) => void (await type(t)),
    'X-3': asksClaimed,
    'X-4': async (t) => void (await t.withClock(async () => {})),
  });
  expect(outcomes.map(({ needs }) => needs)).toEqual([
    { keys: ['no_scope'], fixtures: ['employee_id'], operations: ['listDocumentTypes', 'verifyApiKey'] },
    { operations: ['listDocumentTypes'] },
    {},
    { clock: true },
  ]);
});

test('what is made once is needed by all that use it, and what its maker uses besides only by that', async () => {
  const scenario = sharedScenario(async (t) => {
    t.has('load');
    const type = await t.as('full').get('/document_types');
    await t.ifThere('load', () => t.as('full').employees());
    t.fixture('employee_id');
    return type;
  });
  const outcomes = await outcomesOf({
    'X-1': async (t) => {
      await t.as('full').get('/login_methods');
      await Promise.all([scenario(t), t.as('no_scope').verify()]);
      t.fixture('department_id');
    },
    'X-2': async (t) => {
      await asksClaimed(t);
      if (t.has('no_scope')) t.as('no_scope');
      await scenario(t);
    },
    'X-3': async (t) => void (await scenario(t)),
  });
  expect(outcomes.map(({ needs }) => needs)).toEqual([
    {
      keys: ['no_scope'],
      fixtures: ['department_id', 'employee_id'],
      operations: ['listDocumentTypes', 'listLoginMethods', 'verifyApiKey'],
    },
    { fixtures: ['employee_id'] },
    { fixtures: ['employee_id'], operations: ['listDocumentTypes'] },
  ]);
});

test('a rule needs what was made with something, even if it asks for that itself', () => {
  const [own, made] = [new Uses(), new Uses()];
  own.keys.add('load').add('no_scope');
  own.optional.add('load').add('no_scope').add('logs');
  own.admin.add('logs');
  made.keys.add('load').add('revoked');
  made.optional.add('revoked');
  made.flags.add('clock');
  own.add(made);
  expect(own.needs).toEqual({ keys: ['load'], clock: true });
});

test('a scenario whose rule had to end is played again', async () => {
  const hanging = sharedScenario(async (t) => {
    if (t.rule.id === 'X-3') await new Promise((_, reject) => Object.assign(t, { refuse: reject }));
    return t.rule.id;
  });
  const check: Check = async (t) => t.equal(await hanging(t), 'X-4', 'who played it');
  const checks = { 'X-3': check, 'X-4': check, 'X-5': check };
  const outcomes = await outcomesOf(checks, {}, { longestMs: 100 });
  expect(outcomes.map(({ status, code, reason }) => [status, code || reason])).toEqual([
    ['UNTESTED', 'timed_out'],
    ['PASS', ''],
    ['PASS', ''],
  ]);
});

test('a rule that was never recorded finds out what is missing, and is not to blame the target for it', async () => {
  const upload: Check = async (t) => void (await t.as('full').post('/files', {})).ok('reserveFile');
  const [lacking, keyless] = await outcomesOf({
    'X-1': upload,
    'X-2': (t) => void t.as('second_owner'),
  });
  expect(lacking).toMatchObject({ status: 'SKIP', code: 'capability_not_claimed' });
  expect(keyless).toMatchObject({ status: 'UNTESTED', code: 'missing_key' });
  const [known] = await outcomesOf({ 'X-1': upload }, { needs: {} });
  expect(known).toMatchObject({ status: 'FAIL' });
});

test('only rules that exist are recorded', () => {
  const ids = new Set(rules.map(({ id }) => id));
  expect(Object.keys(recorded).filter((id) => !ids.has(id))).toEqual([]);
});
