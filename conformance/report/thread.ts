/** The thread: from each statement of the source to what proves it, with the verdicts of a run or without any. */
import { escaped, statusBadge, table } from '../../scripts/kit/page/page.ts';
import type { Status } from '../judge/outcome.ts';
import { rules } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';
import { filterForm, linked } from './findings.ts';
import { decisionAnchor, operationAnchor } from './promise.ts';
import { departuresOf, proofsOf, type Statement, statements } from './statements.ts';
import { BY_WEIGHT } from './text.ts';

/** The verdicts of a run by rule, none before there is one. */
type Verdicts = ReadonlyMap<string, Status>;

/** The rule with the most serious verdict, which speaks for all. */
const worstOf = (proof: readonly Rule[], verdicts: Verdicts): Rule | undefined =>
  BY_WEIGHT.flatMap((status) => proof.filter(({ id }) => verdicts.get(id) === status))[0] ?? proof[0];

function badgeOf(id: string | undefined, verdicts: Verdicts): string {
  const status = verdicts.get(id ?? '');
  return status ? statusBadge(status) : '';
}

function rulesCell(statement: Statement, verdicts: Verdicts): string {
  const told = proofsOf(statement).flatMap((proof) => {
    const worst = worstOf(proof, verdicts);
    return worst ? [{ ...worst, name: proof.length > 1 ? `${worst.id} and ${proof.length - 1} more` : worst.id }] : [];
  });
  const items = told.map(({ id, name, text }) => {
    const link = linked(name, verdicts.has(id) ? `#rule-${id}` : '', '');
    return `<li>${badgeOf(id, verdicts)} ${link}: ${escaped(text)}</li>`;
  });
  const worst = badgeOf(worstOf(told, verdicts)?.id, verdicts);
  const summary = `<summary>${worst} ${told.map(({ name }) => escaped(name)).join(', ')}</summary>`;
  const left = statement.unproved ? `<p class="quiet">Not proved: ${escaped(statement.unproved)}</p>` : '';
  return (told.length > 0 ? `<details>${summary}<ul>${items.join('')}</ul></details>` : '') + left;
}

function contractCell(statement: Statement, docs: string | undefined): string {
  const { operations = [], decisions = [] } = statement;
  const ofDecision = (id: string) => linked(id, decisionAnchor(id), docs);
  const departs = departuresOf(statement).map(
    ({ decision, kind, instead }) =>
      `<p><mark class="${kind}">${kind}</mark> ${ofDecision(decision)}: ${escaped(instead).replaceAll(/`([^`]*)`/g, '<code>$1</code>')}</p>`,
  );
  const of = operations.map((id) => (id === 'all' ? 'every operation' : linked(id, operationAnchor(id), docs)));
  return [...of, ...decisions.map(ofDecision)].join(', ') + departs.join('');
}

/** What is found beside the verdicts. */
const GAPS = [
  ['part', 'proved in part'],
  ['none', 'proved by no rule'],
] as const;

function rowOf(statement: Statement, verdicts: Verdicts, docs: string | undefined) {
  const { id, text, section, under = '', unproved } = statement;
  const proof = proofsOf(statement).flat();
  const worst = worstOf(proof, verdicts);
  const kinds = departuresOf(statement).map(({ kind }) => kind);
  const gap = proof.length === 0 ? 'none' : unproved && 'part';
  const verdict = [verdicts.get(worst?.id ?? ''), gap].join(' ');
  return {
    attributes: `id="statement-${id}" data-statement data-place="${section}" data-verdict="${verdict}" data-departs="${kinds.join(' ')}"`,
    cells: [
      {
        html: `<strong>${escaped(text)}</strong><br><span class="quiet">${id} · ${section}${under && ': '}${escaped(under)}</span>`,
      },
      { html: contractCell(statement, docs) },
      { html: rulesCell(statement, verdicts) },
    ],
  };
}

/** What there is to read, to choose and to see, without a heading. @param docs the page of the docs; '' is this page */
export function thread(docs: string | undefined, verdicts: Verdicts = new Map()): string {
  const all = statements();
  const met = new Set(verdicts.values());
  const form = filterForm({
    label: 'Filter statements',
    rows: '[data-statement]',
    choices: {
      place: ['Section of the source', [...new Set(all.map(({ section }) => section))].map((one) => [one])],
      verdict: ['Proof', [...BY_WEIGHT.filter((status) => met.has(status)).map((one) => [one] as const), ...GAPS]],
      departs: [
        'Declared',
        [
          ['against', 'against the source'],
          ['beyond', 'beyond the source'],
        ],
      ],
    },
    text: ['words', 'id, text, rule, decision'],
  });
  const others = rules.length - new Set(all.flatMap(proofsOf).flat()).size;
  const columns = ['What the source demands', 'In the contract', 'Rules'];
  const rows = all.map((statement) => rowOf(statement, verdicts, docs));
  return `<p>${all.length} statements of the source. ${others} more rules prove what decisions alone say, or good practice.</p>
${form}
${table({ id: 'statements', columns, hasRowHeadings: true, rows })}`;
}
