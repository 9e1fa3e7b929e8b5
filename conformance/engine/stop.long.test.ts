/** A run that is stopped leaves no process behind, and its reports with what it has found. */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { testFolder } from '../../scripts/kit/testing/test-folder.ts';
import { ruleOfHead } from '../http/exchange.ts';
import type { Results } from '../report/results.ts';
import { served } from '../testing/small-target.ts';
import { TargetWatch } from './target-watch.ts';

/** Rules that are checked beside each other. */
const [FIRST, SECOND] = ['AUTH-1', 'AUTH-9'];
/** A rule of the phase of those that need the target for themselves. */
const LATER = 'AUTH-26';

const directory = testFolder();
const asked: string[] = [];
const held = new Set<Socket>();

const requests = new EventEmitter();

/** Leaves every request of a rule unanswered. */
const target = served((request, response) => {
  const rule = ruleOfHead(`User-Agent: ${request.headers['user-agent']}\r\n`);
  if (rule === undefined) {
    requests.emit('reached');
    return void response.end('{}');
  }
  asked.push(rule);
  held.add(request.socket);
  request.socket.once('close', () => held.delete(request.socket));
  requests.emit('asked');
});

const rulesAreChecked = async () => {
  while (!(asked.includes(FIRST) && asked.includes(SECOND))) await once(requests, 'asked');
};
/** Has the process send itself the signal when it loads its rules. */
const LOADING = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  if (url.endsWith('all-rules.ts')) process.kill(process.pid, 'SIGINT');
  return next(url, context);
} });`;
const AT_ONCE = `--import data:text/javascript,${encodeURIComponent(LOADING)}`;

interface Moment {
  /** When the signals are sent. */
  readonly is: (child: ChildProcess) => Promise<unknown>;
  readonly options?: string;
  readonly signals?: readonly NodeJS.Signals[];
}

test.each<[name: string, moment: Moment]>([
  ['while its rules load', { is: async () => {}, options: AT_ONCE, signals: [] }],
  ['while it looks whether the target is there', { is: () => once(requests, 'reached') }],
  ['while rules are checked', { is: rulesAreChecked }],
  ['while rules are checked, twice at once', { is: rulesAreChecked, signals: ['SIGINT', 'SIGINT'] }],
  ['by SIGTERM', { is: rulesAreChecked, signals: ['SIGTERM'] }],
])('a run that is stopped %s ends with its reports', async (name, { is, options = '', signals = ['SIGINT'] }) => {
  const profile = join(directory, 'profile.yaml');
  const example = readFileSync(join(import.meta.dirname, '../profile.example.yaml'), 'utf8');
  writeFileSync(
    profile,
    example.replace(/^env_file:.*\n/m, '').replace(/^keys:\n(?: .*\n)+/m, 'keys:\n  full: [CONF_KEY_FULL_1]\n'),
  );
  asked.length = 0;
  const out = join(directory, name.replaceAll(/\W/g, '-'));
  const words = ['--profile', profile, '--only', [FIRST, SECOND, LATER].join(), '--out', out];
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), ...words], {
    env: {
      ...process.env,
      NODE_OPTIONS: options,
      CONF_KEY_FULL_1: 'ak_test_0',
      CONF_BASE_URL: target.baseUrl,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close');
  child.stderr.resume();
  await is(child);
  for (const signal of signals) child.kill(signal);
  expect(await ended).toEqual([4, null]);
  // Every requester has closed its connection, though it had no answer.
  while (held.size > 0) await once([...held][0] as Socket, 'close');
  expect(asked).not.toContain(LATER);
  const results = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as Results;
  expect(results).toMatchObject({ verdict: 'unfinished', unfinished: { cause: 'stopped' } });
  expect(results.rules.map(({ rule, code }) => [rule, code])).toEqual(
    [FIRST, SECOND, LATER].map((rule) => [rule, 'not_run']),
  );
  for (const name of ['report.html', 'junit.xml', 'summary.md']) {
    expect(readFileSync(join(out, name), 'utf8')).toContain('was stopped before its end');
  }
});

describe('the watch on the target', () => {
  const watched = async (answers: readonly boolean[], goneMs: number) => {
    const left = [...answers];
    let lost = 0;
    const isThere = async () => left.shift() ?? false;
    const watch = new TargetWatch(isThere, () => lost++, { goneMs, pauseMs: 1 });
    await Promise.all([watch.note('AUTH-1'), watch.note('VER-1')]);
    return { lost, unanswered: [...watch.unanswered], asked: answers.length - left.length };
  };

  test('forgets a rule without an answer if the target is there, also soon afterwards', async () => {
    expect(await watched([true], 60_000)).toEqual({ lost: 0, unanswered: [], asked: 1 });
    expect(await watched([false, false, true], 60_000)).toEqual({ lost: 0, unanswered: [], asked: 3 });
  });

  test('tells when it is known whether the target is there', async () => {
    const there = Promise.withResolvers<boolean>();
    const watch = new TargetWatch(
      () => there.promise,
      () => {},
    );
    expect(watch.known).toBeUndefined();
    const noted = watch.note('AUTH-1');
    expect(watch.known).toBe(noted);
    there.resolve(true);
    await noted;
    expect([watch.known, [...watch.unanswered]]).toEqual([undefined, []]);
  });

  test('reports once that nothing answers, and which rules saw it', async () => {
    expect(await watched([], 5)).toMatchObject({ lost: 1, unanswered: ['AUTH-1', 'VER-1'] });
  });
});
