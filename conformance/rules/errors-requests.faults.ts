/** Faults that the rules of errors-requests.rules.ts must catch. */

import { headerOf } from '../http/exchange.ts';
import {
  accepts,
  after,
  asks,
  denies,
  everything,
  heads,
  isAbsent,
  made,
  mistaken,
  put,
  refusals,
  refused,
  refuses,
  setHeader,
} from '../mutation/alter.ts';
import { letIn } from '../mutation/alter-requests.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

/** Alters the head and the rest of a request as texts of single bytes. */
const lenient = (rule: string, id: string, breaks: string, change: (text: string) => string): Fault => ({
  id,
  rule,
  breaks,
  alone: true,
  wire: (bytes) => Buffer.from(change(bytes.toString('latin1')), 'latin1'),
});

export const faults: readonly Fault[] = [
  ...faultsOf({
    'ERR-11': {
      'err-path-before-gates': [
        'an unknown path is reported before key and flag',
        accepts((asked) => asked.operation === undefined),
      ],
      'err-body-after-record': [
        'an unknown document is reported before a bad body',
        mistaken('INVALID_ARGUMENT', 'DOCUMENT_NOT_FOUND', 'rejectDocument'),
      ],
    },
    'ERR-17': {
      'err-options': [
        'OPTIONS is a success',
        after(everything, (answer, asked) => (asked.method === 'OPTIONS' ? made(200, {}) : answer)),
      ],
    },
    'ERR-19': {
      'auth-lists-keys': [
        'keys can be listed',
        accepts((asked) => /api_?key/i.test(asked.target) && !asked.target.includes('_verify'), refused, {
          api_keys: [],
        }),
      ],
      'whk-listed': [
        'what endpoints have can be read',
        accepts((asked) => asked.target.includes('/webhook_endpoints') && asked.method === 'GET', refused, {
          webhook_endpoints: [],
        }),
      ],
      'gen-action-as-id': [
        'an unknown action is served as a record',
        accepts((asked) => /\/_\w+$/.test(asked.target), refused, { employee: {} }),
      ],
      'gen-unknown-path-html': [
        'an unknown path is an HTML page',
        heads(
          everything,
          (answer) => {
            answer.body = Buffer.from('<html>Not found</html>');
            setHeader(answer, 'Content-Type', 'text/html');
          },
          isAbsent,
        ),
      ],
      'ver-v2': [
        'another version is served too',
        accepts((asked) => !asked.target.startsWith('/developer/v1/'), refused, {
          employees: [],
          next_page_token: '',
        }),
      ],
      'err-slash': [
        'a trailing slash makes no difference',
        accepts((asked) => /\/(\?|$)/.test(asked.target), refused, { employees: [], next_page_token: '' }),
      ],
      'err-double-slash': [
        'doubled slashes are one',
        asks(everything, (asked) => {
          const [path = '', query] = asked.target.split('?', 2);
          asked.target = [path.replace(/\/{2,}/g, '/'), ...(query === undefined ? [] : [query])].join('?');
        }),
      ],
      'err-slash-escaped-in-capitals': [
        'a slash that is escaped in capitals is a part of an id',
        denies((asked) => asked.target.includes('%2F'), 'EMPLOYEE_NOT_FOUND'),
      ],
      'err-path-any-case': [
        'paths count in any case',
        asks(everything, (asked) => {
          const [path = '', query] = asked.target.split('?', 2);
          asked.target = [path.toLowerCase(), ...(query === undefined ? [] : [query])].join('?');
        }),
      ],
    },
    'ERR-20': {
      'err-names': [
        'a value that means something to a database is refused',
        denies((asked) => asked.target.includes('gt'), 'INVALID_ARGUMENT'),
      ],
      'err-long-name-repeated': [
        'an error repeats a long name of a field',
        denies((asked) => asked.body.includes('nnnnnnnn'), 'INVALID_ARGUMENT', 'n'.repeat(300)),
      ],
    },
    'ERR-23': {
      'auth-tenant-header': [
        'X-Tenant-ID chooses the tenant',
        asks(everything, (asked, memory) => {
          if (headerOf(asked, 'x-tenant-id') !== undefined) setHeader(asked, 'X-API-Key', memory.key('other_tenant'));
        }),
      ],
      'auth-tenant-header-checked': [
        'a malformed X-Tenant-ID is refused',
        refuses(everything, 'INVALID_ARGUMENT', (asked) => headerOf(asked, 'x-tenant-id') !== undefined),
      ],
      'auth-tenant-is-enough': ['X-Tenant-ID stands in for a key', letIn()],
      'err-method-override': [
        'X-HTTP-Method-Override counts',
        denies((asked) => asked.headers.some(([name]) => /method-override/i.test(name)), 'METHOD_NOT_ALLOWED'),
      ],
      'err-not-modified': [
        'a conditional request is answered 304',
        after(everything, (answer, asked) =>
          headerOf(asked, 'if-none-match') !== undefined ? { ...answer, status: 304, body: Buffer.alloc(0) } : answer,
        ),
      ],
    },
    'ERR-32': {
      'err-same-words': [
        'all that is wrong with a form is told in the same words',
        refusals(
          'INVALID_ARGUMENT',
          put('details[].field_violations[].description', 'does not have the documented form'),
        ),
      ],
      'err-no-words': [
        'what is wrong with a field is not told',
        refusals('INVALID_ARGUMENT', put('details[].field_violations[].description', '')),
      ],
    },
  }),
  lenient('ERR-34', 'err-absolute-unknown', 'a target in absolute-form is no path of the service', (text) =>
    text.replace(/^(\S+) https?:\S+/i, '$1 /nothing'),
  ),
  lenient('ERR-34', 'err-absolute-without-query', 'the query of a target in absolute-form is lost', (text) =>
    text.replace(/^(\S+ https?:[^?\s]+)\?\S+/i, '$1'),
  ),
  lenient('ERR-34', 'err-user-overlooked', 'user information in a target is overlooked', (text) =>
    text.replace('//user@', '//'),
  ),
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
];
