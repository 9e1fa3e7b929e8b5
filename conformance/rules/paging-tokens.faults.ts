/** Faults that the rules of paging-tokens.rules.ts must catch. */

import { answers, asks, madeError, parse, queries, refuses, rowsOf } from '../mutation/alter.ts';
import { isLater, unbound } from '../mutation/alter-lists.ts';
import { swappedRefusal } from '../mutation/alter-requests.ts';
import type { Alter, Fault, ProxiedAnswer } from '../mutation/fault.ts';

/** Accepts a damaged page token if it resembles an issued one. */
const forgiving =
  (isTaken: (given: string, token: string) => boolean): Alter =>
  async (asked, forward, memory) => {
    const given = new URLSearchParams(asked.target.split('?')[1]).get('page_token') ?? '';
    const known = (memory.notes.get('tokens') ?? []) as string[];
    const token = given === '' || known.includes(given) ? undefined : known.find((one) => isTaken(given, one));
    const answer = await forward(
      token === undefined
        ? asked
        : { ...asked, target: asked.target.replace(encodeURIComponent(given), token).replace(given, token) },
    );
    const next = parse(answer.body)?.next_page_token;
    if (next) memory.notes.set('tokens', [...known, next]);
    return answer;
  };

const EMPLOYEES = 'listEmployees';

const CATALOGUES = ['listDocumentTypes', 'listDocumentCategories', 'listDocumentTemplates'] as const;

export const faults: readonly Fault[] = [
  { id: 'page-token-any-status', rule: 'PAGE-6', breaks: 'a token is taken with another status', alter: unbound },
  {
    id: 'page-token-any-department',
    rule: 'PAGE-7',
    breaks: 'a token is taken with another department',
    alter: unbound,
  },
  { id: 'page-token-any-since', rule: 'PAGE-8', breaks: 'a token is taken with another updated_since', alter: unbound },
  { id: 'page-token-any-limit', rule: 'PAGE-9', breaks: 'a token is taken with another limit', alter: unbound },
  {
    id: 'page-token-any-filter',
    rule: 'PAGE-10',
    breaks: 'a token is taken with a filter dropped or added',
    alter: unbound,
  },
  {
    id: 'page-token-binds-expand',
    rule: 'PAGE-11',
    breaks: 'later pages with an expansion are refused',
    alter: refuses(
      EMPLOYEES,
      'INVALID_ARGUMENT',
      (asked) => isLater(asked) && /expand=|include_total=/.test(asked.target),
    ),
  },
  {
    id: 'page-order-of-values',
    rule: 'PAGE-12',
    breaks: 'order of filter values counts otherwise than declared',
    alter: swappedRefusal((asked) => asked.target.includes('page_token=')),
  },
  {
    id: 'page-limit-forgotten',
    rule: 'PAGE-13',
    breaks: 'without limit a page has fifty rows',
    alter: queries([EMPLOYEES, ...CATALOGUES], (query) => {
      if (!query.has('limit')) query.set('limit', '50');
    }),
  },
  {
    id: 'page-token-last-letter',
    rule: 'PAGE-14',
    breaks: 'the last letter of a token does not count',
    alter: forgiving((given, token) => given.length === token.length && given.slice(0, -1) === token.slice(0, -1)),
  },
  {
    id: 'page-token-padded',
    rule: 'PAGE-14',
    breaks: 'what follows a token is overlooked',
    alter: forgiving((given, token) => given.startsWith(token)),
  },
  {
    id: 'page-token-any-case',
    rule: 'PAGE-14',
    breaks: 'letters of a token count in any case',
    alter: forgiving((given, token) => given.toLowerCase() === token.toLowerCase()),
  },
  { id: 'page-forged-token', rule: 'PAGE-14', breaks: 'a malformed token means the first page', alter: unbound },
  { id: 'page-token-of-another-list', rule: 'PAGE-15', breaks: 'a token of one list works on another', alter: unbound },
  {
    id: 'page-token-of-another-tenant',
    rule: 'PAGE-16',
    breaks: 'a token of another tenant shows its rows',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (answer.status === 200 || !isLater(asked)) return answer;
      const headers = asked.headers.filter(([name]) => name.toLowerCase() !== 'x-api-key');
      return forward({ ...asked, headers: [...headers, ['X-API-Key', memory.key('other_tenant')]] });
    },
  },
  {
    id: 'page-token-widens',
    rule: 'PAGE-17',
    breaks: 'later pages are read with the rights of whoever made the token',
    alter: async (asked, forward, memory) => {
      const key = isLater(asked) ? memory.key('full') : undefined;
      if (key === undefined) return forward(asked);
      const answers = await Promise.all(
        [0, 1, 2, 3, 4, 5, 6, 7].map((n) =>
          forward({
            ...asked,
            headers: [
              ...asked.headers.filter(([name]) => name.toLowerCase() !== 'x-api-key'),
              ['X-API-Key', memory.key('full', n)],
            ],
          }),
        ),
      );
      return answers.find(({ status }) => status === 200) ?? (answers[0] as ProxiedAnswer);
    },
  },
  {
    id: 'page-clear-token',
    rule: 'PAGE-18',
    breaks: 'the token is base64 of the last id and the offset',
    alter: answers(EMPLOYEES, (json) => {
      const last = rowsOf(json).rows.at(-1);
      if (json.next_page_token !== '')
        json.next_page_token = Buffer.from(JSON.stringify({ id: last.id, offset: 2 })).toString('base64url');
    }),
  },
  {
    id: 'page-token-of-process',
    rule: 'PAGE-25',
    breaks: 'a token works in the process that made it',
    alter: async (asked, forward) =>
      asked.replica && asked.target.includes('page_token=')
        ? madeError('INVALID_ARGUMENT', 'page_token')
        : forward(asked),
  },
  {
    id: 'page-other-key-refused',
    rule: 'PAGE-26',
    breaks: 'a walk cannot go on with another key of the owner',
    alter: refuses(
      EMPLOYEES,
      'INVALID_ARGUMENT',
      (asked, memory) =>
        isLater(asked) && asked.headers.some(([, value]) => value === memory.key('second_key_same_owner')),
    ),
  },
  {
    id: 'page-token-twice',
    rule: 'PAGE-28',
    breaks: 'of two page tokens the last one counts',
    alter: asks(EMPLOYEES, (asked) => {
      if ((asked.target.match(/page_token=/g) ?? []).length > 1)
        asked.target = asked.target.replace(/page_token=[^&]*&/, '');
    }),
  },
];
