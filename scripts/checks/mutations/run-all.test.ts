/** Runs over a tiny project with commands that take no time: who counts as having found what. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Commands } from './commands.ts';
import type { PlannedMutation } from './mutation.ts';
import { page } from './page.ts';
import { markdown, reportOf } from './report.ts';
import { runAll } from './run-all.ts';
import { endingOf, isOpen, type Verdict, Verdicts } from './verdict.ts';

/** Stands for unit tests, service and suite: what it does follows from words in the source. */
const FAKE = `
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
const [what, place, out] = process.argv.slice(2);
if (what === 'related') console.log('handlers/thing.test.ts\\nscripts/far.test.ts');
if (what === 'tests') {
  const source = readFileSync('handlers/thing.ts', 'utf8');
  const status = out === 'handlers/thing.test.ts' && source.includes('unit') ? 'failed' : 'passed';
  const assertionResults = [{ status, fullName: 'the thing' }];
  writeFileSync(place, JSON.stringify({ testResults: [{ name: out, status, message: 'expected', assertionResults }] }));
}
if (what === 'service') {
  const source = readFileSync('handlers/thing.ts', 'utf8');
  if (source.includes('dead')) process.exit(1);
  writeFileSync(join(place, 'source'), source);
  console.log(JSON.stringify({ event: 'ready' }));
  setInterval(() => {}, 1000);
  process.on('SIGTERM', () => process.exit(0));
}
if (what === 'suite') {
  const source = readFileSync(join(dirname(place), 'source'), 'utf8');
  const fails = { 'A-1': source.includes('rule'), 'A-2': source.includes('far'), 'B-1': true };
  const chosen = process.argv[5].split(',');
  const rules = chosen.map((rule) => ({ rule, status: fails[rule] ? 'FAIL' : 'PASS', reason: 'said' }));
  if (source.includes('warn')) rules.push({ rule: 'A-3', status: 'WARN', reason: '' });
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'results.json'), JSON.stringify({ rules }));
}
`;

const mutation = (id: string, more: Partial<PlannedMutation> = {}): PlannedMutation => ({
  id,
  file: 'handlers/thing.ts',
  find: 'fine',
  replace: id,
  customer: 'It is wrong.',
  area: 'things',
  sections: ['A'],
  ...more,
});

const planned = [
  mutation('rule-and-unit'),
  mutation('unit-alone'),
  mutation('found-far-away'),
  mutation('warned'),
  mutation('dead'),
  mutation('explained', { reason: 'Nobody can see it.' }),
];

describe('a run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutations-test-'));
  const root = join(folder, 'root');
  const fake = join(folder, 'fake.mjs');
  const node = (...rest: string[]) => [process.execPath, fake, ...rest];
  // The section A holds A-1 only: what just A-2 finds is found by the run of the other sections.
  const commands: Commands = {
    relatedTests: () => node('related'),
    tests: ([file = ''], results) => node('tests', results, file),
    service: (data) => node('service', data),
    suite: (profile, { sections = [], only = [] }, out) =>
      node('suite', profile, out, sections.length === 0 ? only.join() : sections.includes('A') ? 'A-1' : 'A-2,B-1'),
  };
  const verdicts = new Verdicts(join(folder, 'out'));
  const said: string[] = [];
  const run = (mutations: readonly PlannedMutation[], byOwnRule = false) =>
    runAll({
      root,
      mutations,
      commands,
      verdicts,
      lanes: 3,
      reach: 'related',
      runsSuite: true,
      byOwnRule,
      say: (line) => said.push(line),
      stop: new AbortController().signal,
    });
  const verdictOf = (id: string) => verdicts.of(mutation(id), root) as Verdict;

  beforeAll(async () => {
    mkdirSync(join(root, 'handlers'), { recursive: true });
    writeFileSync(join(root, 'handlers/thing.ts'), 'fine');
    writeFileSync(fake, FAKE);
    execFileSync('git', ['init', '-q'], { cwd: root });
    await run(planned);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('names the rule and the test that found it, and prefers the rule', () => {
    const verdict = verdictOf('rule-and-unit');
    expect(verdict.suite).toEqual({ state: 'caught', by: 'A-1', reason: 'said' });
    expect(verdict.unit).toMatchObject({ state: 'caught', by: 'handlers/thing.test.ts: the thing' });
    expect(endingOf(verdict)).toBe('suite');
    expect(endingOf(verdictOf('unit-alone'))).toBe('unit');
  });

  test('runs the other sections where those concerned found nothing', () => {
    expect(verdictOf('found-far-away').suite).toMatchObject({ state: 'caught', by: 'A-2' });
  });

  test('does not count what fails without the mutation, nor a warning', () => {
    const { suite } = verdictOf('warned');
    expect(suite).toEqual({ state: 'survived', warned: ['A-3'], unsteady: ['B-1'] });
    expect(endingOf(verdictOf('warned'))).toBe('survived');
  });

  test('says that the service did not start', () => {
    expect(endingOf(verdictOf('dead'))).toBe('does_not_start');
  });

  test('tells each verdict and how long the rest takes, and leaves source and temporary folder clean', () => {
    expect(said).toHaveLength(planned.length);
    expect(said[0]).toMatch(/^\[1\/6] .* about 1 min left$/);
    expect(readFileSync(join(root, 'handlers/thing.ts'), 'utf8')).toBe('fine');
    expect(readdirSync(folder).toSorted()).toEqual(['fake.mjs', 'out', 'root']);
  });

  test('asks nothing but the own rule, where only that has to find it', async () => {
    const found = mutation('far', { rule: 'A-2' });
    const missed = mutation('rule and far', { rule: 'B-2' });
    await run([found, missed, mutation('without a rule')], true);
    expect(verdictOf('far').suite).toMatchObject({ state: 'caught', by: 'A-2' });
    expect(verdictOf('rule and far').suite).toEqual({ state: 'survived' });
    expect(verdictOf('without a rule').suite).toEqual({ state: 'not_run' });
  });

  test('is void when the source has changed', async () => {
    expect(verdicts.of(mutation('dead'), root)).toBeDefined();
    expect(verdicts.of(mutation('dead', { replace: 'other' }), root)).toBeUndefined();
    writeFileSync(join(root, 'handlers/thing.ts'), 'fine fine');
    expect(verdicts.of(mutation('dead'), root)).toBeUndefined();
    await expect(run([mutation('dead')])).rejects.toThrow('its text stands 2 times');
    writeFileSync(join(root, 'handlers/thing.ts'), 'fine');
  });

  test('is reported by area, with what nobody found', () => {
    const known = new Map(planned.map(({ id }) => [id, verdictOf(id)]));
    const report = reportOf(planned, known, '2026-03-02T05:00:00Z');
    expect(report.areas.at(-1)).toMatchObject({ tried: 6, suite: 2, both: 1, unit: 1, does_not_start: 1, survived: 2 });
    expect(report.tried.filter(isOpen).map((one) => one.mutation.id)).toEqual(['warned']);
    expect(markdown(report)).toContain('Reason: Nobody can see it.');
    expect(page(report)).toContain('caught by unit tests');
  });
});
