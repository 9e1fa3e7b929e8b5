/** Groups what went wrong by its cause, so that one defect of the target is read once. */
import { operations } from '../../generated/contract.ts';
import { operationOf } from '../judge/contract.ts';
import type { RuleResult } from './results.ts';
import { unvaried } from './shown-values.ts';

type Judged = Pick<RuleResult, 'reason' | 'code' | 'exchange'>;

/** The operation of the exchange that decided; '' if it has none. */
function decidedAt({ exchange }: Judged): string {
  const [, method = '', target = ''] = /^> (\S+) (\S+)/.exec(exchange) ?? [];
  return operationOf(method, target) ?? '';
}

type Match = readonly string[];

type Kind = readonly [reason: RegExp, cause: (match: Match, operation: string) => string, isOfOperation?: true];

/** By how a reason reads: the cause in words. Of several, the first counts. */
const KINDS: readonly Kind[] = [
  [/^(.+?): (?:no answer|the connection|the answer is larger)/, ([, whose]) => `${whose}: no usable answer came`],
  [/the answer breaks the contract: /, (_match, operation) => `the answer of ${operation} breaks the contract`, true],
  [/the error body breaks the contract: /, () => 'the body of errors breaks the contract'],
  [/expected .*?(\d{3}) .*, got \1 without a code$/s, () => 'errors have no code'],
  [/(expected 40[13] [A-Z_.]+), got .+$/s, ([, expected]) => `${expected}, got something else`],
  [/expected \d{3}\b.*, got (5\d\d[^;]*)/s, ([, got], operation) => `${operation} is answered ${got}`, true],
  [/expected 200, got .+$/s, ([said], operation) => `${operation}: ${said}`, true],
  [/(expected \d{3} .+), got 2\d\d$/s, ([, expected]) => `${expected}, got a success`],
  [/expected [2-5]\d\d\b.*, got [2-5]\d\d.*$/s, ([said = '']) => said],
  [/the violations should name .+, and name nothing$/s, () => 'the violations name nothing'],
  [/the violations (should )?name /, () => 'the violations name another field than the one that is wrong'],
  [/was asked for and did not come$/, () => 'what expand asks for does not come'],
  [/admitted, .+ although no token can have been there/, () => 'more requests are admitted than the limit allows'],
  // What is compared is the cause, and neither its values nor when that was.
  [/^(?:.+?: )??([^:]+?):? (?:[^ :]+ )?expected .+, got /s, ([, compared = '']) => unvaried(compared)],
];

/** What probably is one and the same defect: the reason without what differs from rule to rule, in one line. */
export function causeOf(result: Judged): string {
  const { reason } = result;
  const operation = decidedAt(result);
  for (const [pattern, cause, isOfOperation] of KINDS) {
    const match = isOfOperation && operation === '' ? null : pattern.exec(reason);
    if (match) return oneLine(cause(match, operation));
  }
  return oneLine(unvaried(reason));
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 300);

/** The results of one cause: first those that are about the operation that decided, and of these the simplest. */
function simplestFirst(same: readonly RuleResult[]): RuleResult[] {
  const isAbout = (one: RuleResult) => one.place.split(/\W+/).includes(decidedAt(one) || 'no operation');
  return same.toSorted((a, b) => Number(isAbout(b)) - Number(isAbout(a)) || a.exchanges - b.exchanges);
}

const OPERATION = new RegExp(`\\b(${Object.keys(operations).join('|')})\\b`, 'g');

/** What rules of one family have met alone, each at an operation of its own. */
const familyOf = (result: RuleResult): string =>
  `${unvaried(result.text)} ${causeOf(result)}`.replaceAll(OPERATION, '…');

/** The results in groups of one cause; first the cause that most rules have met, which is what to mend first. */
export function byCause(results: readonly RuleResult[]): RuleResult[][] {
  const groups = [...Map.groupBy(results, causeOf).values()];
  const alone = groups.filter(({ length }) => length === 1).flat();
  const all = [...groups.filter(({ length }) => length > 1), ...Map.groupBy(alone, familyOf).values()];
  return all.toSorted((a, b) => b.length - a.length).map(simplestFirst);
}

/** Causes that leave out what came. */
const GENERAL = /(got something else|got a success|breaks the contract)$/;
/** So much of what came is named. */
const NAMED = 4;

/** What the rules of one cause have met, in a line. */
export function headingOf(same: readonly RuleResult[]): string {
  const cause = same.slice(0, 1).map(causeOf).join('');
  if (!GENERAL.test(cause)) {
    const compared = cause.includes('expected') ? undefined : /expected .+$/s.exec(same[0]?.reason ?? '')?.[0];
    return compared === undefined ? cause : `${cause}: ${oneLine(compared)}`;
  }
  const came = same.flatMap(({ reason }) =>
    (/(?:breaks the contract: |, got )(.+)$/s.exec(reason)?.[1] ?? '').split('; '),
  );
  const kinds = [...Map.groupBy(came, oneLine).values()].toSorted((a, b) => b.length - a.length);
  const more = kinds.length > NAMED ? ', …' : '';
  return `${cause}: ${kinds
    .slice(0, NAMED)
    .map(([one = '', ...others]) => `${oneLine(one)} (${others.length + 1})`)
    .join(', ')}${more}`;
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
