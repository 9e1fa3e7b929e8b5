// biome-ignore-all format: a table reads best with a fault in a line
/** Faults in pages and tokens. */
import { accepts, answers, asks, everything, type Json, queries, reasonOf, refuses, rows, rowsOf } from '../alter.ts';
import type { Answered, Asked, Fault } from '../fault.ts';

const EMPLOYEES = 'listEmployees';
const CATALOGUES = ['listDocumentTypes', 'listDocumentCategories', 'listDocumentTemplates'] as const;
const isLater = (asked: Asked) => asked.target.includes('page_token=');
const boundToken = (answer: Answered, asked: Asked) => reasonOf(answer) === 'INVALID_ARGUMENT' && isLater(asked);
/** Accepts a token whatever it was issued for. */
const unbound = accepts([EMPLOYEES, 'listDocuments', ...CATALOGUES], boundToken, {
  employees: [],
  next_page_token: '',
});
const later = (change: (list: Json[], json: Json) => Json[]) =>
  rows(everything, (list, json, asked) => (isLater(asked) ? change(list, json) : list));

export const paging: readonly Fault[] = [
  { id: 'page-repeats-row', rule: 'PAGE-1', breaks: 'each page begins with the last row of the one before', alter: rows(EMPLOYEES, (list, json, _asked, memory) => { const before = memory.notes.get('last') as Json; if (list.length > 0) memory.notes.set('last', json.next_page_token === '' ? undefined : list.at(-1)); return before ? [before, ...list] : list; }) },
  { id: 'page-drops-row', rule: 'PAGE-4', breaks: 'the first row of every later page is lost', alter: later((list) => list.slice(1)) },
  { id: 'page-no-token-at-end', rule: 'PAGE-2', breaks: 'the last page has null for a token instead of an empty text', alter: answers(EMPLOYEES, (json) => { if (json.next_page_token === '') json.next_page_token = null; }) },
  { id: 'page-token-left-out-at-end', rule: 'PAGE-21', breaks: 'an empty result has no next_page_token', alter: answers(EMPLOYEES, (json) => { if (json.employees.length === 0) delete json.next_page_token; }) },
  { id: 'page-empty-is-null', rule: 'PAGE-21', breaks: 'an empty result is null instead of an empty array', alter: answers(EMPLOYEES, (json) => { if (json.employees.length === 0) json.employees = null; }) },
  { id: 'page-token-when-full', rule: 'PAGE-3', breaks: 'a page that is exactly full has a token although nothing follows', alter: answers(EMPLOYEES, (json, asked) => { const limit = Number(new URLSearchParams(asked.target.split('?')[1]).get('limit')); if (json.employees.length === limit && json.next_page_token === '') json.next_page_token = 'bW9yZQ'; }) },
  { id: 'page-one-row-short', rule: 'PAGE-3', breaks: 'pages are one row short of their limit', alter: rows(EMPLOYEES, (list, json) => (json.next_page_token === '' ? list : list.slice(0, -1))) },
  { id: 'page-order-shifts', rule: 'PAGE-5', breaks: 'a token used twice gives another order', alter: rows(EMPLOYEES, (list, _json, asked, memory) => { const seen = memory.notes.get(asked.target) === true; memory.notes.set(asked.target, true); return seen ? list.toReversed() : list; }) },
  { id: 'page-token-any-status', rule: 'PAGE-6', breaks: 'a token is taken with another status', alter: unbound },
  { id: 'page-token-any-department', rule: 'PAGE-7', breaks: 'a token is taken with another department', alter: unbound },
  { id: 'page-token-any-since', rule: 'PAGE-8', breaks: 'a token is taken with another updated_since', alter: unbound },
  { id: 'page-token-any-limit', rule: 'PAGE-9', breaks: 'a token is taken with another limit', alter: unbound },
  { id: 'page-token-any-filter', rule: 'PAGE-10', breaks: 'a token is taken with a filter dropped or added', alter: unbound },
  { id: 'page-token-binds-expand', rule: 'PAGE-11', breaks: 'later pages with an expansion are refused', alter: refuses(EMPLOYEES, 'INVALID_ARGUMENT', (asked) => isLater(asked) && /expand=|include_total=/.test(asked.target)) },
  { id: 'page-forged-token', rule: 'PAGE-14', breaks: 'a malformed token means the first page', alter: unbound },
  { id: 'page-token-of-another-list', rule: 'PAGE-15', breaks: 'a token of one list works on another', alter: unbound },
  { id: 'page-token-of-another-tenant', rule: 'PAGE-16', breaks: 'a token of another tenant shows its rows', alter: async (asked, forward, memory) => { const answer = await forward(asked); if (answer.status === 200 || !isLater(asked)) return answer; const headers = asked.headers.filter(([name]) => name.toLowerCase() !== 'x-api-key'); return forward({ ...asked, headers: [...headers, ['X-API-Key', memory.key('other_tenant')]] }); } },
  { id: 'page-token-widens', rule: 'PAGE-17', breaks: 'later pages are read with the rights of whoever made the token', alter: async (asked, forward, memory) => { const key = isLater(asked) ? memory.key('full') : undefined; if (key === undefined) return forward(asked); const answers = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => forward({ ...asked, headers: [ ...asked.headers.filter(([name]) => name.toLowerCase() !== 'x-api-key'), ['X-API-Key', memory.key('full', n)], ], }))); return answers.find(({ status }) => status === 200) ?? (answers[0] as Answered); } },
  { id: 'page-clear-token', rule: 'PAGE-18', breaks: 'the token is base64 of the last id and the offset', alter: answers(EMPLOYEES, (json) => { const last = rowsOf(json).rows.at(-1); if (json.next_page_token !== '') json.next_page_token = Buffer.from(JSON.stringify({ id: last.id, offset: 2 })).toString('base64url'); }) },
  { id: 'page-parameter-order', rule: 'PAGE-23', breaks: 'parameters in another order give another list', alter: rows(EMPLOYEES, (list, _json, asked) => /\?(updated_since|page_token)=/.test(asked.target) ? list.slice(1) : list) },
  { id: 'page-token-never-ends', rule: 'PAGE-24', breaks: 'a token that is too old is taken', alter: unbound },
  { id: 'page-catalogue-oldest-first', rule: 'PAGE-27', breaks: 'catalogues list the oldest first', alter: rows(CATALOGUES, (list) => list.toReversed()) },
  { id: 'page-token-twice', rule: 'PAGE-28', breaks: 'of two page tokens the last one counts', alter: asks(EMPLOYEES, (asked) => { if ((asked.target.match(/page_token=/g) ?? []).length > 1) asked.target = asked.target.replace(/page_token=[^&]*&/, ''); }) },
  { id: 'page-other-key-refused', rule: 'PAGE-26', breaks: 'a walk cannot go on with another key of the owner', alter: refuses(EMPLOYEES, 'INVALID_ARGUMENT', (asked, memory) => isLater(asked) && asked.headers.some(([, value]) => value === memory.key('second_key_same_owner'))) },
  { id: 'page-limit-forgotten', rule: 'PAGE-13', breaks: 'without limit a page has fifty rows', alter: queries([EMPLOYEES, ...CATALOGUES], (query) => { if (!query.has('limit')) query.set('limit', '50'); }) },
  { id: 'page-document-token-widens', rule: 'PAGE-30', breaks: 'a token of documents shows what its maker sees, whoever uses it', alter: async (asked, forward, memory) => { const name = 'owner'; if (asked.operation === 'listDocuments' && !isLater(asked)) memory.notes.set(name, asked.headers); const headers = isLater(asked) ? ((memory.notes.get(name) as Asked['headers'] | undefined) ?? asked.headers) : asked.headers; return forward({ ...asked, headers }); } },
];
