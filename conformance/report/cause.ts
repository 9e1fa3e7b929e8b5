/** Groups what went wrong by its cause, so that one defect of the target is read once. */
import { operations } from '../../generated/contract.ts';
import { operationOf } from '../judge/contract.ts';
import type { RuleResult } from './results.ts';
import { unvaried } from './shown-values.ts';

type FailedResult = Pick<RuleResult, 'reason' | 'cause' | 'exchange'>;

/** The operation of the exchange that decided; '' if it has none. */
function decidedAt({ exchange }: FailedResult): string {
  const [, method = '', target = ''] = /^> (\S+) (\S+)/.exec(exchange) ?? [];
  return operationOf(method, target) ?? '';
}

/** What probably is one and the same defect, in one line: what the failure said of it, or its reason without what differs from rule to rule. */
export const causeOf = ({ cause, reason }: FailedResult): string => oneLine(cause?.what ?? unvaried(reason));

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 300);

/** What rules have met of one cause. */
export interface Finding {
  /** In a line, with what came. */
  readonly heading: string;
  /** The rule that shows it best, and then the others. */
  readonly rules: readonly [RuleResult, ...RuleResult[]];
}

/** First rules that are about the operation that decided, and of these the simplest. */
function simplestFirst(same: readonly RuleResult[]): Finding['rules'] {
  const isAbout = (one: RuleResult) => Number(one.place.split(/\W+/).includes(decidedAt(one) || 'no operation'));
  return same.toSorted((a, b) => isAbout(b) - isAbout(a) || a.exchanges - b.exchanges) as unknown as Finding['rules'];
}

const OPERATION = new RegExp(`\\b(${Object.keys(operations).join('|')})\\b`, 'g');

/** What rules of one family have met alone, each at an operation of its own. */
const familyOf = (result: RuleResult): string =>
  `${unvaried(result.text)} ${causeOf(result)}`.replaceAll(OPERATION, '…');

/** So much of what came is named. */
const NAMED = 4;

function headingOf(rules: Finding['rules']): string {
  const [first] = rules;
  if (rules.length === 1) return first.reason.split('\n')[0] ?? '';
  const came = rules.flatMap(({ cause }) => cause?.came ?? []);
  const kinds = [...Map.groupBy(came, oneLine)].toSorted(([, a], [, b]) => b.length - a.length);
  const named = kinds.slice(0, NAMED).map(([what, { length }]) => `${what} (${length})`);
  const shown = [...named, ...(kinds.length > NAMED ? ['…'] : [])].join(', ');
  return causeOf(first) + (shown && `: ${shown}`);
}

/** What is wrong, by cause; first the cause that most rules have met, which is what to mend first. */
export function findingsOf(results: readonly RuleResult[]): Finding[] {
  const groups = [...Map.groupBy(results, causeOf).values()];
  const alone = groups.filter(({ length }) => length === 1).flat();
  const all = [...groups.filter(({ length }) => length > 1), ...Map.groupBy(alone, familyOf).values()];
  const ordered = all.toSorted((a, b) => b.length - a.length).map(simplestFirst);
  return ordered.map((rules) => ({ heading: headingOf(rules), rules }));
}

/** The results of rules that were not judged, in groups of one reason. */
export const byGap = (results: readonly RuleResult[]): RuleResult[][] => [
  ...Map.groupBy(
    results.filter(({ status }) => status === 'UNTESTED' || status === 'SKIP'),
    ({ status, code, reason }) => `${status} ${code} ${reason}`,
  ).values(),
];

/** The ids of rules, separated by commas. */
export const idsOf = (results: readonly RuleResult[]): string => results.map(({ rule }) => rule).join(', ');
