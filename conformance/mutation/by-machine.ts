/**
 * Faults that a machine makes for a rule, from what the rule asks and is answered without any fault. They are of six
 * kinds. Of each kind that the rule promises to find, there are a few, of which it must notice one.
 */
import { errors, type OperationId } from '../../generated/contract.ts';
import { isAlone } from '../engine/phases.ts';
import { headerOf } from '../http/exchange.ts';
import { NOBODY } from '../http/probe.ts';
import type { Rule } from '../rules/rule.ts';
import { UNKNOWN_ID } from '../rules/shared/calls.ts';
import {
  accepts,
  asks,
  everything,
  fault,
  type Json,
  jsonBody,
  madeError,
  onAnswer,
  parse,
  reasonOf,
  refused,
  refuses,
  rows,
  rowsOf,
  setHeader,
} from './alter.ts';
import type { Alter, Fault, ProxiedAnswer, ProxiedRequest } from './fault.ts';
import { outOfReach, unpromised } from './out-of-reach.ts';

/**
 * Whether a machine tries faults on a rule. Those of events, the limit, clocks and of what other rules leave are planted by
 * hand.
 */
export const isByMachine = (rule: Rule): boolean =>
  !isAlone(rule) &&
  !['EVT', 'DLV', 'SIG', 'LIM'].includes(rule.section) &&
  !outOfReach.some((one) => one.rule === rule.id);

/** What a rule has asked of an operation, and was answered. */
interface Traffic {
  isAccepted: boolean;
  /** A read without any parameter was answered; the suite itself sends such a one. */
  isRead: boolean;
  isRefused: boolean;
  hasRows: boolean;
  /** The names of fields, parameters and headers that were sent. */
  readonly asked: Set<string>;
  /** The names of headers of answers. */
  readonly headers: Set<string>;
  /** The names of fields of answers, and of refusals. */
  readonly fields: Set<string>;
  readonly fieldsOfRefusals: Set<string>;
}

/** What a rule has exchanged, by operation; undefined stands for what is no operation. */
export type RuleTraffic = Map<OperationId | undefined, Traffic>;

/** The service reads these headers. */
const READ = ['Idempotency-Key', 'X-Request-Id'];
const MOST_READ = 100_000;
const PROBED = new RegExp(`${NOBODY}|"probe|"https://127.0.0.1/"`);

const namesOfFields = (body: Buffer): string[] =>
  [...body.toString('utf8', 0, MOST_READ).matchAll(/"([^"\\]+)"\s*:/g)].map(([, name = '']) => name);

/** Notes an exchange of a rule. */
export function noteTraffic(traffic: RuleTraffic, asked: ProxiedRequest, answer: ProxiedAnswer): void {
  const { operation, target, body } = asked;
  // By these the suite finds out which operations there are.
  if (target.includes(NOBODY) || PROBED.test(body.toString('utf8', 0, MOST_READ))) return;
  const one = traffic.get(operation) ?? {
    isAccepted: false,
    isRead: false,
    isRefused: false,
    hasRows: false,
    asked: new Set<string>(),
    headers: new Set<string>(),
    fields: new Set<string>(),
    fieldsOfRefusals: new Set<string>(),
  };
  traffic.set(operation, one);
  const query = new URLSearchParams(target.split('?')[1]);
  const headers = READ.filter((name) => headerOf(asked, name) !== undefined);
  for (const name of [...query.keys(), ...headers, ...namesOfFields(body)]) one.asked.add(name);
  for (const [name] of answer.headers) one.headers.add(name);
  const fields = isRefusal(answer) ? one.fieldsOfRefusals : one.fields;
  for (const name of namesOfFields(answer.body)) fields.add(name);
  const isBare = body.length === 0 && asked.method === 'GET' && !/[?]|[0-9a-f]{12}/.test(target);
  one.isAccepted ||= answer.status === 200 && !isBare;
  one.isRead ||= answer.status === 200 && isBare;
  one.isRefused ||= isRefusal(answer);
  one.hasRows ||= rowsOf(parse(answer.body)).rows.length > 0;
}

/** A refusal of what was asked, not of when or how often. */
const isRefusal = (answer: ProxiedAnswer): boolean => refused(answer) && ![429, 503].includes(answer.status);

/** Another error than the answer has, with the same status if there is one. */
function anotherError(answer: ProxiedAnswer): ProxiedAnswer {
  const others = Object.values(errors).filter(({ reason }) => reason !== reasonOf(answer));
  const like = others.find(({ httpStatus }) => httpStatus === answer.status);
  return madeError(like?.name ?? 'DOCUMENT_ACTION_NOT_ALLOWED');
}

/** Another value of the same form. */
function otherValue(value: Json): Json {
  if (Array.isArray(value)) return value.length > 0 ? value.slice(1) : ['x'];
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'object' && value !== null) return value;
  const text = String(value ?? '');
  if (/^\d+$/.test(text)) return String(Number(text) + 1);
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return new Date(Date.parse(text) + 3_600_000).toISOString();
  return /^[0-9a-f-]{36}$/.test(text) ? UNKNOWN_ID : `${text}x`;
}

const nothing = (): undefined => undefined;

/** Changes fields of JSON wherever they stand; undefined leaves a field out. What is no JSON stays as it is. */
function withFields(body: Buffer, isMeant: (name: string) => boolean, change: (value: Json) => unknown): Buffer {
  const json = parse(body);
  if (typeof json !== 'object' || json === null || !namesOfFields(body).some(isMeant)) return body;
  return jsonBody(JSON.parse(body.toString('utf8'), (name, value) => (isMeant(name) ? change(value) : value)));
}

type InOperation = (asked: ProxiedRequest) => boolean;

/** Changes a field or a header of answers. */
const answering = (which: InOperation, isMeant: (name: string) => boolean, change: (value: Json) => unknown): Alter =>
  onAnswer(which, everything, (answer) => {
    const next = { ...answer, body: withFields(answer.body, isMeant, change) };
    for (const [name, value] of answer.headers.filter(([given]) => isMeant(given))) {
      const other = change(value);
      setHeader(next, name, other === undefined ? undefined : String(other));
    }
    return next;
  });

/** Leaves a field, a parameter or a header out of requests, as if the target did not read it. */
const unread = (which: InOperation, name: string): Alter =>
  asks(which, (asked) => {
    const [path, query] = asked.target.split(/\?(.*)/s);
    const kept = query?.split('&').filter((part) => !new URLSearchParams(part).has(name));
    if (kept !== undefined) asked.target = `${path}?${kept.join('&')}`;
    asked.body = withFields(asked.body, (one) => one === name, nothing);
    setHeader(asked, name, undefined);
  });

/** What a try needs to know of an operation. */
interface Place extends Traffic {
  readonly which: InOperation;
  /** The rule names the operation, or it is none. */
  readonly isNamed: boolean;
  readonly rule: Rule;
  /** Whether the rule is refused anything anywhere. */
  readonly isRefusedAnywhere: boolean;
  /** The names that the rule promises something about. */
  readonly names: ReadonlySet<string>;
}

/** What is never altered, since it would be asked for again: ids, tokens and addresses. */
const LEADS_ON = /(^|_)(id|ids|token|url)$/;

/**
 * Other values of the headers and fields that a rule names, and each of them left out. Of a rule that is refused something
 * these are fields of refusals. One that is never refused and names no field promises something of any.
 */
function inAnswers(place: Place): Alter[] {
  const { which, names, headers, fields, fieldsOfRefusals, isAccepted, isRead, isRefusedAnywhere } = place;
  const shown = isRefusedAnywhere ? fieldsOfRefusals : fields;
  const named = [...names].filter((name) => headers.has(name) || shown.has(name));
  if (named.length > 0)
    return named.flatMap((name) => [
      answering(which, (one) => one === name, otherValue),
      answering(which, (one) => one === name, nothing),
    ]);
  const isAny = (name: string) => fields.has(name) && !LEADS_ON.test(name);
  const isDue = (isAccepted || isRead) && !isRefusedAnywhere && [...fields].some(isAny);
  return isDue ? [answering(which, isAny, otherValue)] : [];
}

/** What a target decides itself it need not read. */
const MAY_BE_UNREAD = /as the target declares|may change/;
const PROMISES_ROWS = /(exactly the|as many|neither) rows|each row|each listed/;

/** By kind: what is wrong, and the ways to try it on an operation; none where the rule promises nothing of the kind. */
const KINDS: Readonly<Record<string, readonly [breaks: string, of: (place: Place) => Alter[]]>> = {
  accepted: ['what is refused is accepted', ({ which, isRefused }) => (isRefused ? [accepts(which, isRefusal)] : [])],
  'another-error': [
    'what is refused has another error',
    ({ which, isRefused }) => (isRefused ? [onAnswer(which, isRefusal, anotherError)] : []),
  ],
  refused: [
    'what is accepted is refused',
    ({ which, isAccepted, isRead, isRefusedAnywhere }) =>
      isAccepted || (isRead && !isRefusedAnywhere) ? [refuses(which, 'SCOPE_INSUFFICIENT')] : [],
  ],
  field: ['a field of an answer is altered or left out', inAnswers],
  unread: [
    'a field, parameter or header of a request is not read',
    ({ rule, which, names, asked, isAccepted, isRead, isRefusedAnywhere }) => {
      // Where everything is refused, so is a request without the field.
      if (MAY_BE_UNREAD.test(rule.text) || !(isAccepted || isRead)) return [];
      const sent = [...names].filter((name) => asked.has(name));
      // Without its tokens a walk has no end, and takes minutes to say so.
      return sent.filter((name) => isRefusedAnywhere || name !== 'page_token').map((name) => unread(which, name));
    },
  ],
  row: [
    'a list has a row less or more',
    ({ rule, which, isNamed, hasRows, isRefusedAnywhere }) =>
      isNamed && hasRows && !isRefusedAnywhere && PROMISES_ROWS.test(rule.text)
        ? [rows(which, (all) => all.slice(0, -1)), rows(which, (all) => [...all, ...all.slice(0, 1)])]
        : [],
  ],
};

/** How many ways of a kind are tried. */
const TRIES = 4;

/** Of such a rule, a refusal names the field that is wrong or the scope that is missing. */
const NAMES_WHAT_IS_WRONG = /\bnaming\b|names (it|every)/;

/** The words that may name a field: all of the place, and of the text those that are no words of English. */
function namesOf({ place, text }: Pick<Rule, 'place' | 'text'>): ReadonlySet<string> {
  const words = (sentence: string) => sentence.match(/[\p{L}\d_-]+/gu) ?? [];
  const spelled = words(text).filter((word) => /[_-]|^\p{Lu}|[^ -~]/u.test(word));
  return new Set([...words(place), ...spelled, ...(NAMES_WHAT_IS_WRONG.test(text) ? ['field', 'required_scope'] : [])]);
}

/** Faults of which the rule must notice one. */
export type Tries = readonly [Fault, ...Fault[]];

/** The faults that are tried on a rule, by kind: it must notice one of each list. */
export function faultsByMachine(rule: Rule, traffic: RuleTraffic): Tries[] {
  const names = namesOf(rule);
  const isRefusedAnywhere = [...traffic.values()].some(({ isRefused }) => isRefused);
  // Batches that change the tenant serve other rules, too. What a rule is about comes last in its scenario.
  const own = [...traffic].filter(([operation]) => operation !== 'ingestRecords' || rule.runs !== 'changing');
  const places = own.reverse().map(([operation, one]): Place => {
    const which: InOperation = (asked) => asked.operation === operation;
    const isNamed = operation === undefined || names.has(operation);
    return { ...one, rule, which, isNamed, isRefusedAnywhere, names };
  });
  const ordered = places.toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed));
  return Object.entries(KINDS).flatMap(([kind, [breaks, of]]): Tries[] => {
    const made = ordered.flatMap(of).map((alter) => fault(`${kind}-${rule.id}`, rule.id, breaks, alter));
    const [first, ...others] = made.slice(0, TRIES);
    return first === undefined || unpromised.includes(first.id) ? [] : [[first, ...others]];
  });
}
