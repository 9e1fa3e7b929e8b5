/** Ways to alter lists and their pages, which faults of several files share. */
import { UNKNOWN_ID } from '../rules/shared/calls.ts';
import {
  accepts,
  counted,
  everything,
  type Json,
  jsonBody,
  keyOf,
  parse,
  reasonOf,
  rowsOf,
  withHeader,
} from './alter.ts';
import type { Alter, ProxiedRequest } from './fault.ts';

/** An employee whom the tenant does not have. */
export const SOMEBODY = { id: UNKNOWN_ID };

/** The operations that show employees. */
export const CARDS = ['listEmployees', 'getEmployee'] as const;

/** Whether a request asks for a later page. */
export const isLater = ({ target }: Pick<ProxiedRequest, 'target'>) => target.includes('page_token=');

/** Accepts a token no matter what it was issued for, by a page without rows where there is no earlier answer to give. */
export const unbound = accepts(
  everything,
  (answer, asked) => reasonOf(answer) === 'INVALID_ARGUMENT' && isLater(asked),
  { employees: [], next_page_token: '' },
);

/** Forwards the first request of its kind, and alters repeats. */
export const repeated =
  (name: (asked: ProxiedRequest) => string | undefined, again: Alter): Alter =>
  async (asked, forward, memory) => {
    const key = name(asked);
    return key !== undefined && counted(memory, key) > 1 ? again(asked, forward, memory) : forward(asked);
  };

/** The same request with a new Idempotency-Key. */
export const withNewKey = (asked: ProxiedRequest) => withHeader(asked, 'Idempotency-Key', crypto.randomUUID());

/** Cuts a page from the whole list; `at` and `next` are page tokens. */
export type ListCut = (all: Json[], at: string, limit: number) => { page: Json[]; next: string };

/** Cuts each page of a walk from the present list, by another kind of cursor. */
export const walked =
  (which: 'listEmployees' | 'listDocuments', cut: ListCut): Alter =>
  async (asked, forward, memory) => {
    const [path = '', text = ''] = asked.target.split('?', 2);
    const query = new URLSearchParams(text);
    if (asked.operation !== which || !query.has('limit')) return forward(asked);
    const [at, limit] = [query.get('page_token') ?? '', Number(query.get('limit'))];
    query.delete('page_token');
    query.set('limit', '1000');
    // These reads use the keys in turn, so that none reaches its limit.
    const turn = (counted(memory, 'turn') - 1) % 8;
    const next = withHeader(asked, 'X-API-Key', memory.key('full', turn) || keyOf(asked));
    const all: Json[] = [];
    for (;;) {
      const answer = await forward({ ...next, target: `${path}?${query}`, headers: [...next.headers] });
      if (answer.status !== 200) return answer;
      const json = parse(answer.body);
      const { name, rows: list } = rowsOf(json);
      all.push(...list);
      if (json.next_page_token !== '') query.set('page_token', json.next_page_token);
      else {
        const { page, next: token } = cut(all, at, limit);
        return { ...answer, body: jsonBody({ ...json, [name]: page, next_page_token: token }) };
      }
    }
  };

/** Pages by the number of rows before. */
export const byOffset: ListCut = (all, at, limit) => {
  const end = Number(at) + limit;
  return { page: all.slice(Number(at), end), next: end < all.length ? String(end) : '' };
};

/** Pages by the time of the last change. */
export const byTime: ListCut = (all, at, limit) => {
  const place = (one: Json) => `${one.update_time} ${one.id}`;
  const left = all.toSorted((a, b) => (place(a) < place(b) ? 1 : -1)).filter((one) => at === '' || place(one) < at);
  return { page: left.slice(0, limit), next: left.length > limit ? place(left[limit - 1]) : '' };
};
