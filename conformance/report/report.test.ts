import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Failure } from '../../scripts/kit/command-line.ts';
import { testFolder } from '../../scripts/kit/testing/test-folder.ts';
import { coverageOf } from '../judge/coverage.ts';
import type { LimitFacts } from '../judge/limit-facts.ts';
import { type Cause, outcomeWithout, type Status } from '../judge/outcome.ts';
import type { Values } from '../profile/values.ts';
import { badge } from './badge.ts';
import { causeOf, findingsOf } from './cause.ts';
import { reportPage } from './html.ts';
import { markdown } from './markdown.ts';
import { readResults } from './read.ts';
import { countsOf, mustOf, type Results, type RuleResult, verdictOf } from './results.ts';
import { differenceText } from './shown-values.ts';
import { summary } from './summary.ts';
import { commandFor, duration, percent } from './text.ts';
import { writeReports } from './write.ts';

const HOSTILE = `</script><img src=x onerror="alert('1')">|\`# \u0000`;

function rule(id: string, status: Status, more: Partial<RuleResult> = {}): RuleResult {
  return {
    ...outcomeWithout(id, status, '', status === 'PASS' ? '' : `why ${id}`),
    section: id.split('-')[0] ?? '',
    level: 'MUST',
    text: `What ${id} guarantees.`,
    place: 'listEmployees',
    decisions: ['D-9'],
    exchanges: 3,
    durationMs: 1200,
    operations: { listEmployees: { '200': 3 } },
    ...more,
  };
}

function results(list: RuleResult[], more: Partial<Results> = {}): Results {
  const values = { error_code_pointer: '/x', invalid_argument_status: 400 } as Values;
  const seen = {
    rule: 'X',
    operations: { listEmployees: { '200': 3, '418': 1 } },
    properties: { listEmployees: ['employees'] },
    inputs: { listEmployees: ['query limit'] },
  };
  return {
    format_version: 1,
    run_id: 'r1',
    target: { name: 'staging', base_url: 'https://api.example', tenant: 'qa', capabilities: ['1.5'] },
    started_at: '2030-01-02T03:04:05.000Z',
    duration_ms: 200_000,
    whole: true,
    profile: 'staging profile.yaml',
    ...verdictOf(list),
    counts: countsOf(list),
    must: mustOf(list),
    exchanges: 30,
    writes: 2,
    rules: list,
    baseline: [],
    coverage: coverageOf([seen], values),
    excluded: [{ id: 'x.inside', text: 'Something inside.', reason: 'nobody sees it' }],
    ...more,
  };
}

const coarse: LimitFacts = {
  probe: 'light',
  requests: 105,
  round_trip_ms: { median: 81.5, p95: 127.3 },
  resolution_tokens: 2,
  not_told_apart: 'a bucket of 19 to 21 tokens cannot be distinguished from one of 20',
};

const failing = results(
  [
    rule('PAGE-1', 'PASS'),
    rule('PAGE-2', 'FAIL', {
      reason: HOSTILE,
      exchange: '> GET /x\n< 500 after 3 ms',
      curl: "curl 'https://api.example/x'",
      trail: [{ exchange: '> GET /earlier', curl: '' }],
    }),
    rule('PAGE-3', 'DEVIATION', {
      deviation: { link: 'https://tracker.example/9', expires: '2030-06-30', note: 'soon' },
    }),
    rule('EMP-1', 'DEVIATION', { deviation: { link: 'javascript:alert(1)', expires: '2030-06-30', note: '' } }),
    rule('EMP-2', 'UNTESTED', { code: 'missing_key', reason: 'the profile has no key load' }),
    rule('LIM-18', 'PASS', { note: '20 of 40 admitted <round trip>' }),
  ],
  { limit: coarse },
);

const directory = testFolder();

describe('the HTML report', () => {
  const html = reportPage(failing);

  test('shows for each failure the rule, the exchange, what led to it, the request and the command', () => {
    for (const part of [
      'What PAGE-2 guarantees.',
      '&gt; GET /x',
      '&gt; GET /earlier',
      'curl &#39;https://api.example/x&#39;',
    ])
      expect(html).toContain(part);
    expect(html).toContain('npm run conformance -- --profile &#39;staging profile.yaml&#39; --only PAGE-2');
    expect(html).toContain('<strong>Not conformant</strong>');
  });

  test('loads nothing and runs only its own script', () => {
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none';[^"]*script-src 'sha256-/);
    expect(html).not.toMatch(/<(link|img|iframe)\b|<\w+[^>]*\bsrc=|@import|url\(/);
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  test('escapes hostile text, and links only to web pages', () => {
    expect(html).not.toContain('\0');
    expect(html).toContain('&lt;/script&gt;&lt;img src=x');
    expect(html).toContain('<a href="https://tracker.example/9"');
    expect(html).not.toContain('href="javascript:');
  });

  test('can be filtered by section, status and operation', () => {
    expect(html).toContain('data-rule="PAGE-2" data-section="PAGE" data-status="FAIL" data-operation="listEmployees"');
    for (const name of ['section', 'status', 'operation', 'text']) expect(html).toContain(`name="${name}"`);
  });

  test('says what was not tested and why, and marks answers that are not documented', () => {
    expect(html).toContain('the profile has no key load');
    expect(html).toContain('title="not documented">1 !</td>');
    expect(html).toContain('1 of 23 operations were called');
  });
});

test('every report lists what the contract takes and no rule sent', () => {
  const unsent = 'listEmployees query department_id';
  expect(reportPage(failing)).toMatch(/<th[^>]*>listEmployees<\/th>.*1 of \d+.*never sent.*query department_id/);
  expect(markdown(failing)).toMatch(/^Never sent \(\d+\): listEmployees query page&#95;token, /m);
  expect(summary(failing, 'p.yaml')).toContain(`  ${unsent}`);
  expect(summary(failing, 'p.yaml')).not.toContain('  listEmployees query limit');
  expect(summary({ ...failing, whole: false }, 'p.yaml')).not.toContain(`  ${unsent}`);
});

test('every report states how finely the limit was judged, and which wrong limit may pass', () => {
  const line =
    'light probe, 105 requests, round trip 81.5 ms, 95 % within 127.3 ms: ±2 tokens resolution; a bucket of 19 to 21 tokens cannot be distinguished from one of 20';
  expect(reportPage(failing)).toContain(`<dt>Limit</dt><dd>${line}</dd>`);
  expect(reportPage(failing)).toContain('20 of 40 admitted &lt;round trip&gt;');
  expect(markdown(failing)).toContain(`\nThe limit: ${line}\n`);
  expect(summary(failing, 'p.yaml')).toContain(`\nThe limit: ${line}`);
  const none = results([rule('PAGE-1', 'PASS')]);
  for (const text of [reportPage(none), markdown(none), summary(none, 'p.yaml').join('\n')])
    expect(text).not.toContain('The limit:');
});

test('violations of one cause stand together, first the cause that most rules have met', () => {
  const refused = (id: string, cause: Cause | string, more: Partial<RuleResult> = {}) =>
    rule(id, 'FAIL', { ...(typeof cause === 'string' ? { reason: cause } : { cause, reason: `${id}: …` }), ...more });
  const at = (target: string) => ({ exchange: `> GET /developer/v1/${target}\n< 500 after 3 ms` });
  const noKey = (...came: string[]) => ({ what: 'expected 401 X, got something else', came });
  const down = { what: 'listEmployees is answered 500' };
  const total = { what: 'the total: not what was expected', came: ['expected 3, got 4'] };
  const list = [
    refused('EMP-1', total),
    refused('PAGE-1', { what: 'the violations name nothing' }),
    refused('PAGE-2', { what: 'the violations name nothing' }),
    refused('DLV-1', 'the delivery 64b7f0c2a1d3e4f5a6b7c8d9 came 3 times'),
    refused('DLV-2', 'the delivery 64b7f0c2a1d3e4f5a6b7c8da came 4 times'),
    refused('DOC-1', down, { ...at('employees?limit=1'), place: 'Document' }),
    refused('EMP-4', down, at('employees?limit=0')),
    refused('AUTH-1', noKey('200')),
    refused('AUTH-2', noKey('404')),
    refused('AUTH-3', noKey('404')),
  ];
  expect(findingsOf(list).map(({ rules }) => [causeOf(rules[0]), ...rules.map((one) => one.rule)])).toEqual([
    ['expected 401 X, got something else', 'AUTH-1', 'AUTH-2', 'AUTH-3'],
    ['the violations name nothing', 'PAGE-1', 'PAGE-2'],
    ['the delivery … came … times', 'DLV-1', 'DLV-2'],
    // What is about the operation that failed comes before what only needs it.
    ['listEmployees is answered 500', 'EMP-4', 'DOC-1'],
    ['the total: not what was expected', 'EMP-1'],
  ]);
  expect(reportPage(results(list))).toContain('2 rules:</strong> the violations name nothing');
  expect(markdown(results(list))).toMatch(/^\| PAGE-1 and PAGE-2 \|/m);
  expect(reportPage(results(list))).toContain('expected 401 X, got something else: 404 (2), 200 (1)');
});

test('two values are shown as where they differ, and long ones with their length', () => {
  const show = (value: unknown) => JSON.stringify(value) ?? 'nothing';
  const expected = { name: 'a', steps: [{ rule: 'ANY' }, { rule: 'ALL' }], left: 1 };
  const actual = { name: 'a', steps: [{ rule: 'ANY' }, { rule: 'ONE' }], more: null };
  expect(differenceText(actual, expected, show)).toBe(
    'steps[1].rule expected "ALL", got "ONE"; left expected 1, got nothing; more expected nothing, got null',
  );
  expect(differenceText([1], [1, 2], show)).toBe('expected [1,2], got [1]');
  expect(differenceText('x'.repeat(1000), '', show)).toMatch(/^expected "", got "x{299}… \(1002 characters\)$/);
  expect(differenceText([1, 2, 3, 4, 5, 6, 7], [0, 0, 0, 0, 0, 0, 0], show)).toMatch(/; and 2 more differences$/);
});

describe('Markdown', () => {
  test('has one row for each violation, with no text that Markdown would interpret', () => {
    const text = markdown(failing);
    const row = text.split('\n').find((line) => line.startsWith('| PAGE-2'));
    expect(text).toContain('## Conformance: Not conformant\n');
    expect(row?.split('|')).toHaveLength(5);
    expect(row).not.toMatch(/<img|`/);
    expect(text).toContain('excused until 2030-06-30');
    expect(text).toContain('| missing_key | 1 | EMP-2 |');
  });
});

describe('the badge', () => {
  test('says the verdict of a whole run, and is not made for a part', () => {
    expect(badge(failing)).toContain('aria-label="conformance: not conformant"');
    const gaps = results([rule('PAGE-1', 'PASS'), rule('PAGE-2', 'PASS'), rule('PAGE-3', 'UNTESTED')]);
    expect(badge(gaps)).toContain('conformant but incomplete (66% of MUST)');
    const excused = results([rule('PAGE-1', 'PASS'), rule('PAGE-2', 'DEVIATION')]);
    expect(badge(excused)).toContain('aria-label="conformance: conformant, 1 known deviation"');
    expect(badge({ ...failing, whole: false })).toBeUndefined();
  });

  test('of an earlier run is removed when a partial run writes its reports', () => {
    writeReports(failing, directory);
    expect(existsSync(join(directory, 'badge.svg'))).toBe(true);
    writeReports({ ...failing, whole: false }, directory);
    expect(existsSync(join(directory, 'badge.svg'))).toBe(false);
    expect(readFileSync(join(directory, 'report.html'), 'utf8')).toContain('in a part of the rules');
  });
});

describe('results.json', () => {
  test('is read back unchanged, and anything else is refused with a reason', () => {
    writeReports(failing, directory);
    expect(readResults(join(directory, 'results.json'))).toEqual(JSON.parse(JSON.stringify(failing)));
    const wrong = join(directory, 'wrong.json');
    writeFileSync(wrong, JSON.stringify({ ...failing, verdict: 'splendid' }));
    expect(() => readResults(wrong)).toThrow(/verdict must be equal to one of/);
    expect(() => readResults(join(directory, 'nothing.json'))).toThrow(Failure);
  });
});

test('numbers and commands are formatted for people', () => {
  expect([850, 12_000, 200_000, 7_260_000].map(duration)).toEqual(['850 ms', '12 s', '3 min 20 s', '2 h 1 min']);
  expect([percent(999, 1000), percent(3, 3), percent(0, 0)]).toEqual([99, 100, 0]);
  expect(commandFor('A-1', "it's.yaml")).toBe(String.raw`npm run conformance -- --profile 'it'\''s.yaml' --only A-1`);
});

describe('a rule', () => {
  const promised = [rule('PAGE-1', 'FAIL', { promise: '#/employees/listemployees' }), rule('PAGE-2', 'PASS')];
  const of = (docs?: string) => results(promised, { target: { ...failing.target, docs } });

  test('is a link to its promise, and so is each decision, where the docs are known', () => {
    const known = of('https://docs.example/api?a=1&b=2');
    const page = reportPage(known);
    const address = 'https://docs.example/api?a=1&amp;b=2';
    expect(page).toContain(`<a href="${address}#/employees/listemployees" rel="noreferrer">listEmployees</a>`);
    expect(page).toContain(`<a href="${address}#/employees/listemployees" rel="noreferrer">PAGE-1</a>`);
    expect(page).toContain(`<a href="${address}#/d-9" rel="noreferrer">D-9</a>`);
    expect(page).not.toContain('>PAGE-2</a>');
    expect(markdown(known)).toContain('| [PAGE-1](<https://docs.example/api?a=1&b=2#/employees/listemployees>) |');
    expect(summary(known, 'p.yaml').join('\n')).toContain(
      '  docs: https://docs.example/api?a=1&b=2#/employees/listemp',
    );
  });

  test('what nothing else was checked beside is shown with its reason and its time', () => {
    const page = reportPage(results([rule('PAGE-1', 'PASS', { alone: 'It stops the clock.', durationMs: 2_000 })]));
    expect(page).toMatch(/Nothing else was checked beside these.*It stops the clock\..*2 s.*/s);
    expect(reportPage(of())).not.toContain('What ran alone');
  });

  test('the id of an earlier release leads to the finding of the rule that covers it', () => {
    const page = reportPage(results([rule('PAGE-1', 'FAIL', { replaces: ['PAGE-7', 'PAGE-8'] })]));
    expect(page).toMatch(/<details class="card finding" id="PAGE-1".*<span id="PAGE-8">PAGE-8<\/span>.*<\/details>/s);
  });

  test('is no link where they are not', () => {
    expect(reportPage(of())).not.toContain('#/employees');
    expect(markdown(of())).toContain('| PAGE-1 |');
    expect(summary(of(), 'p.yaml').join('\n')).not.toContain('docs:');
  });
});

describe('a reader of many failures', () => {
  const status = (n: number) =>
    rule(`PAGE-${n}`, 'FAIL', { reason: 'no', cause: { what: `expected ${200 + n}, got 500` } });

  test('gets an index, which leads to the findings of each cause', () => {
    const page = reportPage(results([1, 1, 2, 3, 4].map((n, at) => ({ ...status(n), rule: `PAGE-${at}` }))));
    const [nav = ''] = /<nav.*?<\/nav>/s.exec(page) ?? [];
    expect(nav.match(/<li>/g)).toHaveLength(4);
    expect(nav).toContain('expected 201, got 500: <a href="#PAGE-0">PAGE-0</a>, <a href="#PAGE-1">PAGE-1</a>');
    for (let at = 0; at < 5; at++) expect(page).toContain(`id="PAGE-${at}"`);
    expect(reportPage(results([status(1), status(2)]))).not.toContain('<nav');
  });

  test('sees on the terminal no headers that every answer has, unless the reason is about one', () => {
    const exchange = '> GET /x\n< 200 after 1 ms\n< Date: now\n< Cache-Control: no-store\n< Allow: GET\n< {}';
    const shown = (reason: string) =>
      summary(results([rule('GEN-1', 'FAIL', { exchange, reason })]), 'p').filter((line) => line.startsWith('  <'));
    expect(shown('why')).toEqual(['  < 200 after 1 ms', '  < Allow: GET', '  < {}']);
    expect(shown('cache-control is wrong')).toContain('  < Cache-Control: no-store');
  });
});
