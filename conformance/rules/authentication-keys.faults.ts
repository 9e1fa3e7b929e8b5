/** Faults that the rules of authentication-keys.rules.ts must catch. */

import {
  accepts,
  asks,
  everything,
  headerOf,
  heads,
  keyOf,
  madeError,
  reasonOf,
  setHeader,
} from '../mutation/alter.ts';
import { letIn } from '../mutation/alter-requests.ts';
import type { Alter, Fault, ProxiedRequest } from '../mutation/fault.ts';

/** Takes the key from wherever it is found. */
const keyFrom = (find: (asked: ProxiedRequest) => string | undefined): Alter =>
  asks(everything, (asked) => {
    const found = find(asked);
    if (keyOf(asked) === undefined && found) setHeader(asked, 'X-API-Key', found);
  });

const KEY = 'INTEGRATION.API_KEY_INVALID';

export const faults: readonly Fault[] = [
  { id: 'auth-unknown-key', rule: 'AUTH-3', breaks: 'an unknown key is let in', alter: letIn() },
  {
    id: 'auth-bearer',
    rule: 'AUTH-9',
    breaks: 'the key counts as a bearer token',
    alter: keyFrom((asked) => /^Bearer (.+)$/i.exec(headerOf(asked, 'authorization') ?? '')?.[1]),
  },
  {
    id: 'auth-web-token',
    rule: 'AUTH-10',
    breaks: 'a bearer token of the web application is let in',
    alter: letIn((answer, asked) => reasonOf(answer) === KEY && headerOf(asked, 'authorization') !== undefined),
  },
  {
    id: 'auth-key-in-query',
    rule: 'AUTH-12',
    breaks: 'a key in the query is taken',
    alter: letIn((answer, asked) => reasonOf(answer) === KEY && asked.target.includes('?')),
  },
  {
    id: 'auth-key-in-cookie',
    rule: 'AUTH-12',
    breaks: 'a key in a cookie is taken',
    alter: letIn((answer, asked) => reasonOf(answer) === KEY && headerOf(asked, 'cookie') !== undefined),
  },
  {
    id: 'auth-key-in-body',
    rule: 'AUTH-12',
    breaks: 'a key in the body is taken',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (reasonOf(answer) !== KEY || !asked.body.includes(memory.key('full'))) return answer;
      return accepts(everything)(asked, forward, memory);
    },
  },
  {
    id: 'auth-odd-key-500',
    rule: 'AUTH-17',
    breaks: 'a huge key is answered 500',
    alter: heads(
      everything,
      (answer) => {
        answer.status = 500;
      },
      (answer) => reasonOf(answer) === KEY,
    ),
  },
  { id: 'auth-key-trimmed', rule: 'AUTH-17', breaks: 'a key with something around it is let in', alter: letIn() },
  {
    id: 'auth-key-any-case',
    rule: 'AUTH-17',
    breaks: 'letters of a key count in any case',
    alter: async (asked, forward, memory) => {
      const [given, right] = [keyOf(asked) ?? '', memory.key('full')];
      const next = { ...asked, headers: [...asked.headers] };
      if (given.toLowerCase() === right.toLowerCase()) setHeader(next, 'X-API-Key', right);
      return forward(next);
    },
  },
  {
    id: 'auth-key-cut',
    rule: 'AUTH-17',
    breaks: 'what follows a key is overlooked',
    alter: async (asked, forward, memory) => {
      const [given, right] = [keyOf(asked) ?? '', memory.key('full')];
      const next = { ...asked, headers: [...asked.headers] };
      if (given.startsWith(right)) setHeader(next, 'X-API-Key', right);
      return forward(next);
    },
  },
  {
    id: 'auth-header-case',
    rule: 'AUTH-18',
    breaks: 'the header counts in one spelling only',
    alter: async (asked, forward) =>
      asked.headers.some(([name]) => name === 'X-API-Key') ? forward(asked) : madeError('API_KEY_INVALID'),
  },
  {
    id: 'auth-two-keys',
    rule: 'AUTH-19',
    breaks: 'of two keys the first counts',
    alter: async (asked, forward) => {
      const keys = asked.headers.filter(([name]) => name.toLowerCase() === 'x-api-key');
      const next = { ...asked, headers: [...asked.headers] };
      if (keys.length > 1) setHeader(next, 'X-API-Key', keys[0]?.[1]);
      return forward(next);
    },
  },
];
