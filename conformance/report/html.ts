/** The report of a run as one HTML file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escaped, facts, page, section, verdictCard } from '../../scripts/kit/page/page.ts';
import { limitLine } from '../judge/limit-facts.ts';
import { coverage } from './coverage.ts';
import { alone, filters, findings, gaps, list } from './findings.ts';
import { type Results, VERDICTS } from './results.ts';
import { BY_WEIGHT, duration, MEANINGS, percent, verdictText } from './text.ts';
import { thread } from './thread.ts';

const asset = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const SCRIPT = `${asset('filter.js')}\n${asset('page.js')}`;
const STYLE = asset('lists.css');

function head(results: Results): string {
  const { target, must, counts, rules, verdict, whole, unfinished } = results;
  const run = facts([
    ['Target', target.base_url],
    ['Tenant', target.tenant],
    ['Additions claimed', target.capabilities.join(', ') || 'none'],
    ['Terminator', target.terminator],
    ['Began', results.started_at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')],
    ['Took', duration(results.duration_ms)],
    ['Requests', results.exchanges],
    ['Writes', results.writes],
    ['Run', results.run_id],
    ['Limit', results.limit && limitLine(results.limit)],
  ]);
  const present = BY_WEIGHT.filter((status) => counts[status] > 0);
  const bar = present.map(
    (status) =>
      `<span data-tone="${status}" style="flex-grow:${counts[status]}" title="${counts[status]} ${status}"></span>`,
  );
  const tally = present.map(
    (status) =>
      `<li><button type="button" value="${status}" title="${escaped(MEANINGS[status])}" aria-pressed="false" data-tone="${status}"><span class="status">${status}</span> ${counts[status]}</button></li>`,
  );
  const part = whole ? '' : ' <span>in a part of the rules; this says nothing of the others</span>';
  const share = percent(must.exercised, must.selected);
  const end = unfinished ? `\n<p><strong>${escaped(unfinished.reason)}</strong></p>` : '';
  const rest = `${part}${end}
<p>${must.exercised} of ${must.selected} MUST rules exercised (${share} %); ${rules.length} rules in all. <a href="#source">From the source to its proof</a></p>
<div class="bar" role="img" aria-label="${escaped(present.map((status) => `${counts[status]} ${status}`).join(', '))}">${bar.join('')}</div>
<ul class="tally">${tally.join('')}</ul>
${run}`;
  return `<h1>Conformance of ${escaped(target.name)}</h1>\n${verdictCard(VERDICTS[verdict].tone, verdictText(results), rest)}`;
}

/** The whole page. */
export function reportPage(results: Results): string {
  const { rules, target } = results;
  const verdicts = new Map(rules.map(({ rule, status }) => [rule, status]));
  const ofRules = [filters, findings, gaps, coverage, alone, list].map((part) => part(results));
  return page({
    title: `${verdictText(results)}: ${target.name}`,
    header: head(results),
    // The filters of the rules stay in view as long as their part does.
    sections: [
      `<div>${ofRules.join('\n')}</div>`,
      section('From the source to its proof', thread(target.docs, verdicts), 'source'),
    ],
    footer: 'Keys are shown as their prefix, personal values as hashes that differ from run to run.',
    script: SCRIPT,
    style: STYLE,
  });
}
