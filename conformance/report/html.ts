/** The report as one HTML file. It loads nothing, so it works offline and can be sent to others unchanged. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitLine } from '../judge/limit-facts.ts';
import type { Status } from '../judge/outcome.ts';
import { coverage } from './coverage.ts';
import { filters, findings, gaps, list } from './findings.ts';
import type { Results } from './results.ts';
import { BY_WEIGHT, duration, html, MEANINGS, percent, verdictText } from './text.ts';

const TONES: Readonly<Record<Results['verdict'], Status>> = {
  conformant: 'PASS',
  not_conformant: 'FAIL',
  harness_fault: 'ERROR',
  outdated_baseline: 'WARN',
  incomplete: 'UNTESTED',
};

const asset = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function head(results: Results): string {
  const { target, must, counts, rules, verdict, whole } = results;
  const facts: [string, string][] = [
    ['Target', target.base_url],
    ['Tenant', target.tenant],
    ['Additions claimed', target.capabilities.join(', ') || 'none'],
    ['Began', results.started_at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')],
    ['Took', duration(results.duration_ms)],
    ['Requests', String(results.exchanges)],
    ['Writes', String(results.writes)],
    ['Run', results.run_id],
    ...(results.limit ? [['Limit', limitLine(results.limit)] satisfies [string, string]] : []),
  ];
  const present = BY_WEIGHT.filter((status) => counts[status] > 0);
  const bar = present.map(
    (status) =>
      `<span data-tone="${status}" style="flex-grow:${counts[status]}" title="${counts[status]} ${status}"></span>`,
  );
  const tally = present.map(
    (status) =>
      `<li><button type="button" value="${status}" title="${html(MEANINGS[status])}" aria-pressed="false" data-tone="${status}"><span class="status">${status}</span> ${counts[status]}</button></li>`,
  );
  return `<header><h1>Conformance of ${html(target.name)}</h1>
<div class="card verdict" data-tone="${TONES[verdict]}"><strong>${verdictText(results)}</strong>${whole ? '' : ' <span>in a part of the rules; this says nothing of the others</span>'}
<p>${must.exercised} of ${must.selected} MUST rules exercised (${percent(must.exercised, must.selected)} %); ${rules.length} rules in all.</p>
<div class="bar" role="img" aria-label="${html(present.map((status) => `${counts[status]} ${status}`).join(', '))}">${bar.join('')}</div>
<ul class="tally">${tally.join('')}</ul>
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${html(value)}</dd></div>`).join('')}</dl></div></header>`;
}

/** The whole page. */
export function page(results: Results): string {
  const style = ['colours.css', 'page.css', 'print.css'].map(asset).join('\n');
  const script = asset('page.js');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${verdictText(results)}: ${html(results.target.name)}</title>
<style>${style}</style>
</head>
<body>
${head(results)}
<main>
${filters(results)}
${findings(results)}
${gaps(results)}
${coverage(results)}
${list(results)}
</main>
<footer class="quiet"><p>Keys are shown as their prefix, personal values as hashes that differ from run to run.</p></footer>
<script>${script}</script>
</body>
</html>
`;
}
