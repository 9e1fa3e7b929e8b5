/** Runs over a tiny project with commands that take no time: who counts as having found what. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openOf } from '../../../conformance/mutation/report.ts';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { type Mutation, misfitOf, mutationsIn } from './mutation.ts';
import { runAll } from './run-all.ts';
import { reportOf, verdictsIn } from './verdict.ts';

/** Stand for unit tests, service and suite: what they do follows from words in the sources. */
const READ = `
import { appendFileSync, readdirSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
const args = process.argv.slice(2);
const after = (option) => args[args.indexOf(option) + 1] ?? '';
const read = () => readdirSync('handlers').map((file) => readFileSync(join('handlers', file), 'utf8')).join();
`;
const JEST = `${READ}
const files = args.slice(args.indexOf('--runTestsByPath') + 1);
const status = (file) => (file === 'handlers/thing.test.ts' && read().includes('unit') ? 'failed' : 'passed');
const testResults = files.map((name) => ({
  name, status: status(name), message: 'expected', assertionResults: [{ status: status(name), fullName: 'the thing' }],
}));
if (args.includes('--listTests') && read().includes('untold')) process.exitCode = 1;
else if (args.includes('--listTests')) console.log('handlers/thing.test.ts\\nscripts/far.test.ts');
else writeFileSync(after('--outputFile'), JSON.stringify({ testResults }));
`;
const SERVICE = `${READ}
if (read().includes('dead')) process.exit(1);
writeFileSync(join(after('--data'), 'source'), read());
console.log(JSON.stringify({ event: 'ready' }));
setInterval(() => {}, 1000);
process.on('SIGTERM', () => process.exit(0));
`;
const SUITE = `${READ}
const source = readFileSync(join(dirname(after('--profile')), 'source'), 'utf8');
const chosen = args.includes('--only') ? after('--only') : '';
appendFileSync(LOG, chosen + '\\n');
const words = { 'A-1': 'rule', 'A-2': 'far', 'A-3': 'masked', 'B-1': '' };
const fails = (rule) => source.includes(words[rule]);
const rules = (chosen || Object.keys(words).join()).split(',').map((rule) => ({
  rule, status: fails(rule) ? 'FAIL' : 'PASS', reason: rule === 'A-2' ? 'during A-1: said' : 'said',
}));
mkdirSync(after('--out'), { recursive: true });
writeFileSync(join(after('--out'), 'results.json'), JSON.stringify({ rules }));
`;

/** @param words what the fakes find in the source with this mutation */
const mutation = (nth: number, id: string, words: string, more: Partial<Mutation> = {}): Mutation => ({
  id,
  file: `handlers/${nth % 2 === 0 ? 'one' : 'two'}.ts`,
  find: `CODE_${nth};`,
  replace: words,
  effect: 'It is wrong.',
  ...more,
});

const planned = [
  mutation(0, 'by-rule-and-test', 'rule unit'),
  mutation(1, 'by-test', 'unit'),
  mutation(2, 'far-away', 'far', { rule: 'B-1' }),
  mutation(3, 'by-own-rule', 'masked', { rule: 'A-3' }),
  mutation(4, 'by-nobody', 'nothing'),
  mutation(5, 'without-start', 'dead'),
  mutation(6, 'explained', 'nothing', { reason: 'Nobody can see it.' }),
  mutation(7, 'without-list-of-tests', 'untold'),
];
const SOURCES = {
  'handlers/one.ts': 'CODE_0; CODE_2; CODE_4; CODE_6;',
  'handlers/two.ts': 'CODE_1; CODE_3; CODE_5; CODE_7;',
};

/** The tiny project. @param log where its suite writes which rules it was asked for */
function makeProject(root: string, log: string): void {
  const files = {
    ...SOURCES,
    'node_modules/jest/bin/jest.js': JEST,
    'scripts/operate/start/main.ts': SERVICE,
    'conformance/main.ts': SUITE.replace('LOG', () => JSON.stringify(log)),
    'package.json': '{ "type": "module" }',
    'node_modules/jest/package.json': '{ "type": "module" }',
    '.gitignore': 'node_modules',
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  execFileSync('git', ['init', '-q'], { cwd: root });
}

const folder = testFolder();

describe('a run', () => {
  const root = join(folder, 'root');
  const log = join(folder, 'asked');
  const verdicts = verdictsIn(join(folder, 'out'), root);
  const said: string[] = [];
  const run = (mutations: readonly Mutation[]) =>
    runAll({
      root,
      mutations,
      verdicts,
      lanes: 3,
      runsUnitTests: true,
      say: (line) => said.push(line),
    });
  const verdictOf = (id: string) => verdicts.of(planned.find((one) => one.id === id) as Mutation);
  const asked = () => readFileSync(log, 'utf8').trimEnd().split('\n');

  beforeAll(async () => {
    makeProject(root, log);
    await run(planned);
  });

  test('names the rule that found a mutation, which then needs no unit test', () => {
    expect(verdictOf('by-rule-and-test')).toMatchObject({
      suite: { state: 'caught', by: 'A-1', reason: 'said' },
      unit: { state: 'not_run' },
    });
  });

  test('asks the unit tests for what the suite has missed', () => {
    expect(verdictOf('by-test')).toMatchObject({
      suite: { state: 'survived' },
      unit: { state: 'caught', by: 'handlers/thing.test.ts', reason: 'the thing: expected' },
    });
  });

  test('asks no other rule of what its own one finds', () => {
    expect(verdictOf('by-own-rule').suite).toMatchObject({ state: 'caught', by: 'A-3' });
    expect(asked()).toContain('A-3');
  });

  test('does not count what fails without the mutation', () => {
    for (const id of ['by-nobody', 'explained']) {
      expect(verdictOf(id)).toMatchObject({ suite: { state: 'survived' }, unit: { state: 'survived' } });
    }
  });

  test('says that the service did not start', () => {
    expect(verdictOf('without-start').suite.state).toBe('does_not_start');
  });

  test('does not know whether a mutation survives tests that Jest could not list', () => {
    expect(verdictOf('without-list-of-tests')).toMatchObject({
      suite: { state: 'survived' },
      unit: { state: 'unclear' },
    });
  });

  test('asks again only what failed, with the rules during which it was found', () => {
    expect(verdictOf('far-away').suite).toMatchObject({ state: 'caught', by: 'A-2' });
    expect(asked().filter((rules) => rules === '').length).toBeLessThan(planned.length);
    expect(asked()).toContain('A-2,A-1');
  });

  test('leaves source and temporary folder clean', () => {
    for (const [file, text] of Object.entries(SOURCES)) expect(readFileSync(join(root, file), 'utf8')).toBe(text);
    expect(readdirSync(folder).toSorted()).toEqual(['asked', 'out', 'root']);
  });

  test('goes on where it was: what has a verdict is not tried again', async () => {
    const before = asked().length;
    await run(planned);
    expect(asked()).toHaveLength(before);
  });

  test('is reported by area, with what nothing found and what does not fit', () => {
    const strange = mutation(9, 'strange', 'x');
    const report = reportOf([...planned, strange], verdicts, new Map([['strange', 'it does not fit']]), 0);
    expect(report.faults.filter(({ isFound }) => isFound)).toHaveLength(4);
    expect(openOf(report).map(({ id }) => id)).toEqual(['by-nobody', 'without-list-of-tests']);
    expect(report.without).toEqual([{ name: 'strange', reason: 'it does not fit' }]);
    expect(report).toMatchObject({
      whole: false,
      faults: expect.arrayContaining([expect.objectContaining({ part: 'one' })]),
    });
  });

  test('is void when the source has changed', () => {
    const [one] = planned as [Mutation];
    verdicts.keep(one, 'suite', { state: 'survived' });
    expect(verdicts.of(one).suite.state).toBe('survived');
    expect(verdicts.of({ ...one, replace: 'other' }).suite.state).toBe('not_run');
    writeFileSync(join(root, one.file), 'CODE_0; CODE_0;');
    expect(verdicts.of(one).suite.state).toBe('not_run');
    expect(misfitOf(root, one)?.[0][1]).toContain('its code is 2 times');
    writeFileSync(join(root, one.file), SOURCES['handlers/one.ts']);
  });
});

test('faults of your own are read from JSON, which may say more of each', () => {
  const file = join(folder, 'own.json');
  writeFileSync(file, JSON.stringify([{ ...mutation(0, 'A1', ''), subtlety: 'plain' }]));
  expect(mutationsIn(file)).toEqual([mutation(0, 'A1', '')]);
  writeFileSync(file, JSON.stringify([mutation(0, 'A1', ''), mutation(1, 'A1', '')]));
  expect(() => mutationsIn(file)).toThrow('has A1 twice');
});
