import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testFolder } from '../../scripts/kit/testing/test-folder.ts';
import { type FaultReport, isRight, type ReportedFault, text } from './report.ts';
import { html, writeReport } from './report-html.ts';

const fault = (id: string, verdict: string, more: Partial<ReportedFault> = {}): ReportedFault => ({
  id,
  part: 'AUTH',
  place: 'AUTH-1',
  breaks: `breaks <${id}>`,
  verdict,
  isFound: verdict === 'caught',
  said: 'expected "401" & got <b>200</b>',
  ...more,
});
const report = (faults: readonly ReportedFault[], whole = true): FaultReport => ({
  format_version: 2,
  title: 'Faults in traffic',
  how: 'Each is planted between suite and service.',
  started_at: '2026-01-01T00:00:00Z',
  duration_ms: 120_000,
  whole,
  faults,
  controls: [{ name: 'nothing is altered', expected: 'every rule passes', found: 'exit 0', right: true }],
  without: [{ name: 'VER-2', reason: 'a file' }],
});

test('a page begins with what was not found, and needs no other file', () => {
  const page = html(report([fault('one', 'caught'), fault('two', 'survived')]));
  expect(page).toContain('2 planted faults: 1 caught, 1 survived; 1 of 1 controls are right.');
  expect(page.indexOf('<code>two</code>')).toBeLessThan(page.indexOf('<code>one</code>'));
  expect(page).toContain('data-tone="FAIL">survived');
  for (const part of ['nothing is altered', 'VER-2', 'href="#AUTH"', 'id="AUTH"']) expect(page).toContain(part);
  expect(page).not.toMatch(/https?:|<script|<link|<img/);
});

test('texts of rules and faults are escaped', () => {
  const page = html(report([fault('one', 'caught')]));
  expect(page).toContain('breaks &lt;one&gt;');
  expect(page).toContain('&quot;401&quot; &amp; got &lt;b&gt;200');
  expect(page).not.toContain('Not found');
});

test('the page of a partial run says that it is one', () => {
  expect(html(report([fault('one', 'caught')], false))).toContain('says nothing of the rest');
});

test('with one open fault or one wrong control, a run is not right; a reason closes a fault', () => {
  const { controls } = report([]);
  expect(isRight({ faults: [fault('one', 'caught')], controls })).toBe(true);
  expect(isRight({ faults: [fault('one', 'survived')], controls })).toBe(false);
  expect(isRight({ faults: [fault('one', 'survived', { reason: 'Nobody sees it.' })], controls })).toBe(true);
  expect(isRight({ faults: [], controls: controls.map((one) => ({ ...one, right: false })) })).toBe(false);
});

test('the text counts each verdict in each part, and names what was not found', () => {
  const said = text(
    report([fault('one', 'caught'), fault('two', 'survived'), fault('three', 'caught', { part: 'PAGE' })]),
  );
  expect(said).toContain('faults  caught  survived');
  expect(said).toMatch(/AUTH +2 +1 +1\nPAGE +1 +1 +0/);
  expect(said).toContain('survived  AUTH-1  two: breaks <two>');
});

const folder = testFolder();

test('data and page are written to the folder', () => {
  writeReport(report([fault('one', 'caught')]), join(folder, 'out'), join(folder, 'more', 'data.json'));
  const [data, more] = ['out/faults.json', 'more/data.json'].map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(more).toBe(data);
  expect(JSON.parse(data ?? '')).toMatchObject({ faults: [{ id: 'one' }] });
  expect(readFileSync(join(folder, 'out/faults.html'), 'utf8')).toContain('<code>one</code>');
});
