import { expect, test } from '@jest/globals';
import type { JudgedFault } from './judge.ts';
import { countsOf, type MutationReport } from './report.ts';
import { html } from './report-html.ts';

const fault = (id: string, verdict: JudgedFault['verdict']): JudgedFault => ({
  id,
  rule: 'AUTH-1',
  section: 'AUTH',
  breaks: `breaks <${id}>`,
  verdict,
  status: 'FAIL',
  reason: 'expected "401" & got <b>200</b>',
  changed: 1,
  alone: false,
});
const report = (faults: readonly JudgedFault[], whole = true): MutationReport => ({
  format_version: 1,
  started_at: '2026-01-01T00:00:00Z',
  duration_ms: 120_000,
  whole,
  counts: countsOf(faults),
  faults,
  controls: [{ name: 'nothing is altered', expected: 'every rule passes', found: 'exit 0', right: true }],
  out_of_reach: [{ rule: 'VER-2', reason: 'a file' }],
});

test('a page begins with what was not caught, and needs no other file', () => {
  const page = html(report([fault('one', 'caught'), fault('two', 'survived')]));
  expect(page).toContain('1 of 2 planted faults');
  expect(page.indexOf('<code>two</code>')).toBeLessThan(page.indexOf('<code>one</code>'));
  expect(page).toContain('data-tone="FAIL">survived');
  for (const part of ['nothing is altered', 'VER-2', 'href="#AUTH"', 'id="AUTH"']) expect(page).toContain(part);
  expect(page).not.toMatch(/https?:|<script|<link|<img/);
});

test('texts of rules and faults are escaped', () => {
  const page = html(report([fault('one', 'caught')]));
  expect(page).toContain('breaks &lt;one&gt;');
  expect(page).toContain('&quot;401&quot; &amp; got &lt;b&gt;200');
  expect(page).not.toContain('Not caught');
});

test('the page of a partial run says that it is one', () => {
  expect(html(report([fault('one', 'caught')], false))).toContain('says nothing of the rest');
});
