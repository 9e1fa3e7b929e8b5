/** Faults that the rules of errors-requests.rules.ts must catch. */
import {
  accepts,
  acceptsReason,
  asks,
  everything,
  headerOf,
  heads,
  type Json,
  made,
  madeError,
  mistaken,
  refusals,
  refused,
  setHeader,
} from '../mutation/alter.ts';
import type { Fault } from '../mutation/fault.ts';

const SCOPE = 'DEVELOPER.SCOPE_INSUFFICIENT';

const violationsOf = (json: Json): Json[] => json.details.flatMap((detail: Json) => detail.field_violations ?? []);

/** Alters the head and the rest of a request as texts of single bytes. */
const lenient = (rule: string, id: string, breaks: string, change: (text: string) => string): Fault => ({
  id,
  rule,
  breaks,
  alone: true,
  wire: (bytes) => Buffer.from(change(bytes.toString('latin1')), 'latin1'),
});

export const faults: readonly Fault[] = [
  {
    id: 'err-precedence',
    rule: 'ERR-11',
    breaks: 'the scope comes after the body',
    alter: mistaken(SCOPE, 'INVALID_ARGUMENT'),
  },
  {
    id: 'err-options',
    rule: 'ERR-17',
    breaks: 'OPTIONS is a success',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return asked.method === 'OPTIONS' ? made(200, {}) : answer;
    },
  },
  {
    id: 'err-slash',
    rule: 'ERR-19',
    breaks: 'a trailing slash makes no difference',
    alter: accepts((asked) => /\/(\?|$)/.test(asked.target), refused, { employees: [], next_page_token: '' }),
  },
  {
    id: 'err-double-slash',
    rule: 'ERR-19',
    breaks: 'doubled slashes are one',
    alter: asks(everything, (asked) => {
      const [path = '', query] = asked.target.split('?', 2);
      asked.target = [path.replace(/\/{2,}/g, '/'), ...(query === undefined ? [] : [query])].join('?');
    }),
  },
  {
    id: 'err-slash-escaped-in-capitals',
    rule: 'ERR-19',
    breaks: 'a slash that is escaped in capitals is a part of an id',
    alter: async (asked, forward) => (asked.target.includes('%2F') ? madeError('EMPLOYEE_NOT_FOUND') : forward(asked)),
  },
  {
    id: 'err-path-any-case',
    rule: 'ERR-19',
    breaks: 'paths count in any case',
    alter: asks(everything, (asked) => {
      const [path = '', query] = asked.target.split('?', 2);
      asked.target = [path.toLowerCase(), ...(query === undefined ? [] : [query])].join('?');
    }),
  },
  lenient('ERR-34', 'err-absolute-unknown', 'a target in absolute-form is no path of the service', (text) =>
    text.replace(/^(\S+) https?:\S+/i, '$1 /nothing'),
  ),
  lenient('ERR-34', 'err-absolute-without-query', 'the query of a target in absolute-form is lost', (text) =>
    text.replace(/^(\S+ https?:[^?\s]+)\?\S+/i, '$1'),
  ),
  lenient('ERR-34', 'err-user-overlooked', 'user information in a target is overlooked', (text) =>
    text.replace('//user@', '//'),
  ),
  {
    id: 'err-names',
    rule: 'ERR-20',
    breaks: 'a name that means something to a database is taken',
    alter: acceptsReason('INVALID_ARGUMENT'),
  },
  lenient('ERR-21', 'err-first-length', 'of two lengths the first counts', (text) =>
    text.replace(/(Content-Length: \d+\r\n)Content-Length: \d+\r\n/, '$1'),
  ),
  lenient(
    'ERR-21',
    'err-chunked-wins',
    'of a length and chunks the chunks count, and the connection goes on',
    (text) => (text.includes('chunked\r\n') ? text.replace(/Content-Length: \d+\r\n/, '') : text),
  ),
  lenient('ERR-21', 'err-length-wins', 'of a length and chunks the length counts', (text) =>
    text.includes('Content-Length') ? text.replace(/Transfer-Encoding: chunked\r\n/, '') : text,
  ),
  lenient('ERR-21', 'err-letters-are-zero', 'a length that is no number is none', (text) =>
    text.replace(/Content-Length: (-1|two)\r\n/, 'Content-Length: 0\r\n'),
  ),
  lenient('ERR-21', 'err-coding-overlooked', 'a coding before chunked is overlooked', (text) =>
    text.replace('gzip, chunked', 'chunked'),
  ),
  lenient('ERR-21', 'err-folded-header', 'a folded header is joined', (text) => text.replace(/\r\n +(?=\S)/, ' ')),
  lenient('ERR-21', 'err-host-filled-in', 'a request without Host is served', (text) =>
    /^host:/im.test(text) ? text : text.replace('HTTP/1.1\r\n', 'HTTP/1.1\r\nHost: x\r\n'),
  ),
  lenient('ERR-21', 'err-second-host', 'of two Hosts the first counts', (text) =>
    text.replace(/^(Host: [\s\S]*)Host: other\.example\r\n/m, '$1'),
  ),
  lenient('ERR-21', 'err-header-cut', 'a header that is too long is cut', (text) =>
    text.replace(/X-A: a{1000,}/, 'X-A: a'),
  ),
  {
    id: 'err-method-override',
    rule: 'ERR-23',
    breaks: 'X-HTTP-Method-Override counts',
    alter: async (asked, forward) =>
      asked.headers.some(([name]) => /method-override/i.test(name)) ? madeError('METHOD_NOT_ALLOWED') : forward(asked),
  },
  {
    id: 'err-not-modified',
    rule: 'ERR-23',
    breaks: 'a conditional request is answered 304',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return headerOf(asked, 'if-none-match') !== undefined
        ? { ...answer, status: 304, body: Buffer.alloc(0) }
        : answer;
    },
  },
  {
    id: 'err-cached',
    rule: 'ERR-25',
    breaks: 'answers may be cached',
    alter: heads(
      everything,
      (answer) => setHeader(answer, 'Cache-Control', 'max-age=60'),
      () => true,
    ),
  },
  {
    id: 'err-any-origin',
    rule: 'ERR-25',
    breaks: 'browsers of any origin are invited',
    alter: heads(
      everything,
      (answer) => setHeader(answer, 'Access-Control-Allow-Origin', '*'),
      () => true,
    ),
  },
  {
    id: 'err-options-open',
    rule: 'ERR-25',
    breaks: 'a preflight lets any origin in',
    alter: heads(
      (asked) => asked.method === 'OPTIONS',
      (answer) => setHeader(answer, 'Access-Control-Allow-Origin', '*'),
      () => true,
    ),
  },
  {
    id: 'err-same-words',
    rule: 'ERR-32',
    breaks: 'all that is wrong with a form is told in the same words',
    alter: refusals('INVALID_ARGUMENT', (json) => {
      for (const one of violationsOf(json)) one.description = 'does not have the documented form';
    }),
  },
  {
    id: 'err-no-words',
    rule: 'ERR-32',
    breaks: 'what is wrong with a field is not told',
    alter: refusals('INVALID_ARGUMENT', (json) => {
      for (const one of violationsOf(json)) one.description = '';
    }),
  },
];
