/** Faults that the rules of authentication-keys.rules.ts must catch. */

import { headerOf } from '../http/exchange.ts';
import { accepts, asks, denies, everything, isFor, keyOf, reasonOf, setHeader, status } from '../mutation/alter.ts';
import { letIn } from '../mutation/alter-requests.ts';
import { type Alter, type Fault, faultsOf, type ProxiedRequest } from '../mutation/fault.ts';

/** Takes the key from wherever it is found. */
const keyFrom = (find: (asked: ProxiedRequest) => string | undefined): Alter =>
  asks(everything, (asked) => {
    const found = find(asked);
    if (keyOf(asked) === undefined && found) setHeader(asked, 'X-API-Key', found);
  });

/** Takes what resembles a right key for it. */
const taken = (resembles: (given: string, right: string) => boolean): Alter =>
  asks(everything, (asked, memory) => {
    if (resembles(keyOf(asked) ?? '', memory.key('full'))) setHeader(asked, 'X-API-Key', memory.key('full'));
  });

const KEY = 'INTEGRATION.API_KEY_INVALID';

export const faults: readonly Fault[] = faultsOf({
  'AUTH-17': {
    'auth-unknown-key': ['an unknown key is let in', letIn()],
    'auth-odd-key-500': ['a huge key is answered 500', status(500, isFor(KEY))],
    'auth-key-trimmed': ['a key with something around it is let in', letIn()],
    'auth-key-any-case': [
      'letters of a key count in any case',
      taken((given, right) => given.toLowerCase() === right.toLowerCase()),
    ],
    'auth-key-cut': ['what follows a key is overlooked', taken((given, right) => given.startsWith(right))],
  },
  'AUTH-9': {
    'auth-bearer': [
      'the key counts as a bearer token',
      keyFrom((asked) => /^Bearer (.+)$/i.exec(headerOf(asked, 'authorization') ?? '')?.[1]),
    ],
    'auth-web-token': [
      'a bearer token of the web application is let in',
      letIn((answer, asked) => reasonOf(answer) === KEY && headerOf(asked, 'authorization') !== undefined),
    ],
    'auth-key-in-query': [
      'a key in the query is taken',
      letIn((answer, asked) => reasonOf(answer) === KEY && asked.target.includes('?')),
    ],
    'auth-key-in-cookie': [
      'a key in a cookie is taken',
      letIn((answer, asked) => reasonOf(answer) === KEY && headerOf(asked, 'cookie') !== undefined),
    ],
    'auth-key-in-body': [
      'a key in the body is taken',
      accepts(
        everything,
        (answer, asked, memory) => reasonOf(answer) === KEY && asked.body.includes(memory.key('full')),
      ),
    ],
  },
  'AUTH-18': {
    'auth-header-case': [
      'the header counts in one spelling only',
      denies((asked) => !asked.headers.some(([name]) => name === 'X-API-Key'), 'API_KEY_INVALID'),
    ],
  },
  'AUTH-19': {
    'auth-two-keys': [
      'of two keys the first counts',
      asks(everything, (asked) => {
        const keys = asked.headers.filter(([name]) => name.toLowerCase() === 'x-api-key');
        if (keys.length > 1) setHeader(asked, 'X-API-Key', keys[0]?.[1]);
      }),
    ],
  },
});
