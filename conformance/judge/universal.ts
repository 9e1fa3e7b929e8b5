/** Rules for every exchange of a run, for any purpose. Each check returns null where it does not apply. */
import { errors, prefix } from '../../generated/contract.ts';
import { type Exchange, headerOf, jsonOf } from '../http/exchange.ts';
import type { Values } from '../profile/values.ts';
import type { Redactor } from '../report/redact.ts';
import { asksToRepeat, codeOf, flawsOf, isNotBuilt, judge, textsOf } from './contract.ts';
import { unreadable } from './readers.ts';
import { type Check, firstComplaint, properties, type View } from './universal-check.ts';
import { documentChecks } from './universal-documents.ts';
import { employeeChecks } from './universal-employees.ts';
import { errorBody } from './validators.ts';

/** What a rule for every exchange has found in the exchanges of another rule. */
export interface Judgement {
  occasions: number;
  /** Each kind once, with its first exchange and how many there were. */
  complaints: { text: string; times: number; exchange: string; curl: string }[];
}

/** The fields, in alphabetical order, of what an answer tells besides its subject. */
const ONLY: Readonly<Record<string, readonly string[]>> = {
  manager: ['full_name,id', 'id'],
  department: ['id,title'],
  job_title: ['id,title'],
  participants: ['employee_id,id,key_type,status'],
};

/** What is wrong with a property of an answer; null if nobody says which fields it has. */
function fieldsComplaint(name: string, value: unknown): string | null {
  if (/external_?id/i.test(name)) return `an answer has the field ${name}`;
  const sets = ONLY[name];
  if (sets === undefined || value === null) return null;
  const fields = [value].flat().map((one) =>
    Object.keys(one as object)
      .toSorted()
      .join(),
  );
  const odd = fields.find((one) => !sets.includes(one));
  return odd === undefined ? '' : `${name} has the fields ${odd}`;
}

const onErrors =
  (check: Check): Check =>
  (view) =>
    view.isError && view.inApi ? check(view) : null;

const FIXED_STATUS: Readonly<Record<string, readonly number[]>> = {
  'INTEGRATION.API_KEY_INVALID': [401],
  'DEVELOPER.SCOPE_INSUFFICIENT': [403],
  'FEATURE_FLAG.NOT_AVAILABLE': [403],
  DOCUMENT_NOT_FOUND: [404],
  'DEVELOPER.IDEMPOTENCY_KEY_CONFLICT': [409],
  'DEVELOPER.IDEMPOTENCY_IN_PROGRESS': [409],
  'INTEGRATION.IDEMPOTENCY_REQUIRED': [400, 409],
};

const LEAKS =
  /<html|<!doctype|\bat [\w.<>]+ \(|node_modules|file:\/\/|\/(?:home|usr|srv|app|work|var)\/|MongoServerError|ECONNREFUSED|\.ts:\d+/i;

/** The details that an error may have, in this order, each once. */
const DETAILS = ['ErrorInfo', 'BadRequest', 'RetryInfo', 'RequestInfo', 'Help'];

interface Detail {
  '@type': string;
  request_id?: string;
}

/** What is wrong with the details of an error whose shape is right; '' if nothing is. */
function detailsComplaint({ exchange, body, values }: View): string {
  const { details } = body as { details: Detail[] };
  const types = details.map((detail) => detail['@type'].replace(/^.*\./, ''));
  const code = codeOf(exchange, values);
  const needed = [
    'ErrorInfo',
    'RequestInfo',
    ...(code === errors.INVALID_ARGUMENT.reason ? ['BadRequest'] : []),
    ...(asksToRepeat(exchange.status, code) ? ['RetryInfo'] : []),
  ];
  const missing = needed.filter((type) => !types.includes(type));
  if (missing.length > 0) return `the error ${exchange.status} ${code ?? ''} has no ${missing.join(' and no ')}`;
  const inOrder = DETAILS.filter((type) => types.includes(type));
  if (types.join() !== inOrder.join()) return `the details are ${types.join(', ')} instead of ${inOrder.join(', ')}`;
  const id = details.find(({ request_id }) => request_id !== undefined)?.request_id;
  return id === headerOf(exchange, 'x-request-id') ? '' : 'request_id is not the X-Request-Id of the answer';
}

/** The body of an error, but for the links of `Help`: a path in them is one of the docs and not of the server. */
function textOf({ body }: Exchange): string {
  return body.toString('utf8').replaceAll(/"url":"https?:[^"]*"/g, '');
}

const LONGEST_ECHO = 64;

/** Names, values and path segments of a request, if they are too long for an error to repeat. */
function sentTexts(target: string): string[] {
  const [path = '', query = ''] = target.split('?', 2);
  const texts = [...path.split('/'), ...[...new URLSearchParams(query)].flat()];
  return texts.filter((text) => text.length > LONGEST_ECHO);
}

/** Answers that hold no personal value but in what users write into them, and which values can be no part of the rest. */
const IMPERSONAL: readonly { of: RegExp; written: readonly string[]; telling: RegExp }[] = [
  { of: /\/documents\b/, written: ['title', 'number', 'filename'], telling: /^(?![\d-]*$).{4,}|\d{9,}/ },
  { of: /\/document_(types|categories|templates)\b/, written: [], telling: /\S \S|@|\d{9,}/ },
];

const checks: Readonly<Record<string, Check>> = {
  'GEN-11': ({ exchange, values, inApi }) => {
    if (!inApi || isNotBuilt(exchange, values)) return null;
    return exchange.status < 500 ? '' : `${exchange.operationId ?? exchange.method} answered ${exchange.status}`;
  },
  'GEN-12': ({ exchange, values, inApi }) => (inApi || exchange.wire ? judge(exchange, values).join('; ') : null),
  'GEN-23': ({ exchange, body, inApi }) => (inApi && body !== undefined ? unreadable(exchange.body, body) : null),
  'PRIV-1': ({ exchange, body, isError, redactor }) => {
    const place = IMPERSONAL.find(({ of }) => of.test(exchange.target));
    if (isError || body === undefined || place === undefined) return null;
    const text = JSON.stringify(body, (name, value) => (place.written.includes(name) ? '' : value));
    const found = redactor.leaksIn(text).some((value) => place.telling.test(value));
    return found ? 'the answer holds a personal value that the suite has read before' : '';
  },
  'PRIV-2': ({ body, isError, inApi }) =>
    isError || !inApi ? null : firstComplaint(properties(body), ([name, value]) => fieldsComplaint(name, value)),
  'PRIV-6': onErrors(({ exchange, redactor }) => {
    const text = textOf(exchange);
    if (redactor.wholeKeys(text) !== text) return 'the error repeats a key';
    if (LEAKS.test(text)) return 'the error shows internals of the server';
    if (sentTexts(exchange.target).some((sent) => text.includes(sent.slice(0, LONGEST_ECHO + 1))))
      return 'the error repeats a long input';
    return redactor.leaksIn(text).length === 0 ? '' : 'the error holds a personal value that the suite has read before';
  }),
  'ERR-1': onErrors((view) => {
    if (view.exchange.method === 'HEAD') return null;
    const wrong = textsOf(flawsOf(errorBody, view.body, view.values)).join('; ') || detailsComplaint(view);
    if (wrong !== '') return wrong;
    const { message } = view.body as { message: string };
    return /[A-Za-z]{2,} [a-z]+/.test(message) ? '' : 'the message is no English sentence';
  }),
  'ERR-3': onErrors(({ exchange, values }) => {
    const code = codeOf(exchange, values) ?? '';
    const allowed = FIXED_STATUS[code];
    return allowed ? (allowed.includes(exchange.status) ? '' : `${code} came with ${exchange.status}`) : null;
  }),
  'ERR-15': onErrors(({ exchange }) => {
    const server = [headerOf(exchange, 'x-powered-by'), headerOf(exchange, 'server')].find(
      (value) => value !== undefined,
    );
    return server === undefined || !/express|node|\d+\.\d+/i.test(server)
      ? ''
      : `a header names the software: ${server}`;
  }),
  ...employeeChecks,
  ...documentChecks,
};

/** Ids of the rules that every exchange is judged by. */
export const universalRules: readonly string[] = Object.keys(checks);

/** If a check fails on a body of unexpected shape, that is the target's fault. */
function safely(check: Check, view: View): string | null {
  try {
    return check(view);
  } catch (error) {
    return `the answer has an unexpected shape (${(error as Error).message})`;
  }
}

/** Judges an exchange by all of these rules. Only those that apply are listed, with '' where they hold. */
export function universal(exchange: Exchange, values: Values, redactor: Redactor): [id: string, complaint: string][] {
  const inApi = exchange.target.startsWith(`${prefix}/`);
  const view: View = { exchange, values, redactor, inApi, body: jsonOf(exchange), isError: exchange.status >= 400 };
  const verdicts: [string, string][] = [];
  for (const [id, check] of Object.entries(checks)) {
    const verdict = safely(check, view);
    if (verdict !== null) verdicts.push([id, verdict]);
  }
  return verdicts;
}
