/** Faults that the rules of errors*.rules.ts must catch. */

import { setTimeout as sleep } from 'node:timers/promises';
import { headerOf } from '../http/exchange.ts';
import { asks, everything, setHeader } from '../mutation/alter.ts';
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
    'ERR-31': {
      'err-demanding-body': [
        'a body with many digits takes long',
        async (asked, forward, memory) => {
          if (asked.body.includes('0'.repeat(1_000))) {
            memory.mark();
            await sleep(6_000);
          }
          return forward(asked);
        },
      ],
    },
    'ERR-23': {
      'auth-tenant-header': [
        'X-Tenant-ID chooses the tenant',
        asks(everything, (asked, memory) => {
          if (headerOf(asked, 'x-tenant-id') !== undefined) setHeader(asked, 'X-API-Key', memory.key('other_tenant'));
        }),
      ],
    },
  }),
  lenient(
    'ERR-35',
    'err-slow-body-taken',
    'what has come of a body that does not go on is taken for all of it',
    (text) => text.replace('Content-Length: 100', 'Content-Length: 9'),
  ),
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
