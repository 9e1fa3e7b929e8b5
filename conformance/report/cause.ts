/** Groups what went wrong by its cause, so that one defect of the target is read once. */
import { operations } from '../../generated/contract.ts';
import { operationOf } from '../judge/contract.ts';
import { GIVEN_BEFORE } from '../judge/given-answers.ts';
import type { RuleResult } from './results.ts';
import { unvaried } from './shown-values.ts';

type FailedResult = Pick<RuleResult, 'reason' | 'code' | 'exchange'>;

/** The operation of the exchange that decided; '' if it has none. */
function decidedAt({ exchange }: FailedResult): string {
  const [, method = '', target = ''] = /^> (\S+) (\S+)/.exec(exchange) ?? [];
  return operationOf(method, target) ?? '';
}

type Match = readonly string[];

type Kind = readonly [reason: RegExp, cause: (match: Match, operation: string) => string, isOfOperation?: true];

/** By how a reason reads: the cause in words. Of several, the first counts. */
const KINDS: readonly Kind[] = [
  [new RegExp(GIVEN_BEFORE), () => GIVEN_BEFORE],
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
  [
    /^(?:.+?: )??([^:]+?):? (?:[^ :]+ )?expected .+, got /s,
    ([, compared = '']) => `${unvaried(compared)}: not what was expected`,
  ],
];

/** What probably is one and the same defect: the reason without what differs from rule to rule, in one line. */
export function causeOf(result: FailedResult): string {
  const { reason } = result;
  const operation = decidedAt(result);
  for (const [pattern, cause, isOfOperation] of KINDS) {
    const match = isOfOperation && operation === '' ? null : pattern.exec(reason);
    if (match) return oneLine(cause(match, operation));
  }
  return oneLine(unvaried(reason));
}

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

/** Causes that leave out what came. */
const GENERAL = /(no usable answer came|got something else|got a success|breaks the contract)$/;
/** So much of what came is named. */
const NAMED = 4;

function headingOf([first, ...others]: Finding['rules']): string {
  const cause = causeOf(first);
  if (others.length === 0) return first.reason.split('\n')[0] ?? '';
  if (cause.endsWith(': not what was expected')) return oneLine(first.reason);
  if (!GENERAL.test(cause)) return cause;
  const came = [first, ...others].flatMap(({ reason }) =>
    reason
      .split(/breaks the contract: |, got |^.+?: (?=no answer|the connection)/)
      .slice(1)
      .join()
      .split('; '),
  );
  const kinds = [...Map.groupBy(came, oneLine)].toSorted(([, a], [, b]) => b.length - a.length);
  const named = kinds.slice(0, NAMED).map(([what, { length }]) => `${what} (${length})`);
  return `${cause}: ${[...named, ...(kinds.length > NAMED ? ['…'] : [])].join(', ')}`;
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
