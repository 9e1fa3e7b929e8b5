/** Faults that the rules of authentication.rules.ts must catch. */
import {
  accepts,
  acceptsReason,
  answers,
  everything,
  headerOf,
  heads,
  keyed,
  keyOf,
  made,
  madeError,
  mistaken,
  permits,
  reasonOf,
  refused,
  refuses,
  rows,
  setHeader,
} from '../mutation/alter.ts';
import { letIn, otherError, unknownId } from '../mutation/alter-requests.ts';
import type { Fault } from '../mutation/fault.ts';

const VERIFY = 'verifyApiKey';

const KEY = 'INTEGRATION.API_KEY_INVALID';

export const faults: readonly Fault[] = [
  {
    id: 'auth-verify-says-more',
    rule: 'AUTH-1',
    breaks: 'verifyApiKey tells the owner',
    alter: answers(VERIFY, () => ({ owner: 'x' })),
  },
  {
    id: 'auth-verify-201',
    rule: 'AUTH-1',
    breaks: 'verifyApiKey answers 201',
    alter: heads(VERIFY, (answer) => {
      answer.status = 201;
    }),
  },
  { id: 'auth-no-key', rule: 'AUTH-2', breaks: 'without a key everything is let in', alter: letIn() },
  {
    id: 'auth-no-key-403',
    rule: 'AUTH-2',
    breaks: 'without a key the status is 403',
    alter: otherError('API_KEY_INVALID', 403),
  },
  { id: 'auth-revoked-key', rule: 'AUTH-4', breaks: 'a revoked key is let in', alter: letIn() },
  {
    id: 'auth-revoked-other-code',
    rule: 'AUTH-4',
    breaks: 'a revoked key has a code of its own',
    alter: mistaken(KEY, 'SCOPE_INSUFFICIENT'),
  },
  { id: 'auth-expired-key', rule: 'AUTH-5', breaks: 'an expired key is let in', alter: letIn() },
  { id: 'auth-inactive-key', rule: 'AUTH-6', breaks: 'a key that is switched off is let in', alter: letIn() },
  { id: 'auth-owner-removed', rule: 'AUTH-7', breaks: 'a key outlives its owner', alter: letIn() },
  {
    id: 'auth-revocation-late',
    rule: 'AUTH-8',
    breaks: 'the first request after a revocation is let in',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      const name = `good ${keyOf(asked)}`;
      if (answer.status === 200) memory.notes.set(name, true);
      if (reasonOf(answer) !== KEY || !memory.notes.delete(name)) return answer;
      return made(200, {});
    },
  },
  {
    id: 'auth-authorization-refused',
    rule: 'AUTH-11',
    breaks: 'an Authorization header beside the key is refused',
    alter: async (asked, forward) => (headerOf(asked, 'authorization') ? madeError('API_KEY_INVALID') : forward(asked)),
  },
  {
    id: 'auth-tenant-header',
    rule: 'AUTH-13',
    breaks: 'X-Tenant-ID chooses the tenant',
    alter: async (asked, forward, memory) => {
      const next = { ...asked, headers: [...asked.headers] };
      if (headerOf(asked, 'x-tenant-id') !== undefined) setHeader(next, 'X-API-Key', memory.key('other_tenant'));
      return forward(next);
    },
  },
  {
    id: 'auth-tenant-header-checked',
    rule: 'AUTH-13',
    breaks: 'a malformed X-Tenant-ID is refused',
    alter: refuses(everything, 'INVALID_ARGUMENT', (asked) => headerOf(asked, 'x-tenant-id') !== undefined),
  },
  { id: 'auth-tenant-is-enough', rule: 'AUTH-14', breaks: 'X-Tenant-ID stands in for a key', alter: letIn() },
  {
    id: 'auth-one-open-door',
    rule: 'AUTH-15',
    breaks: 'one operation needs no key',
    alter: accepts('listLoginMethods', (answer) => reasonOf(answer) === KEY, { items: [] }),
  },
  {
    id: 'auth-path-first',
    rule: 'AUTH-16',
    breaks: 'an unknown path is reported before a bad key',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return reasonOf(answer) === KEY && asked.operation === undefined ? madeError('PATH_NOT_FOUND') : answer;
    },
  },
  {
    id: 'auth-body-first',
    rule: 'AUTH-16',
    breaks: 'a bad body is reported before a bad key',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return reasonOf(answer) === KEY && asked.body.length > 0 ? madeError('INVALID_ARGUMENT') : answer;
    },
  },
  {
    id: 'auth-tells-revoked',
    rule: 'AUTH-20',
    breaks: 'a refused key is distinguished by a header',
    alter: heads(
      everything,
      (answer, asked) => {
        if (keyOf(asked) !== undefined) setHeader(answer, 'X-Reason', 'unknown');
      },
      (answer) => reasonOf(answer) === KEY,
    ),
  },
  {
    id: 'auth-lists-keys',
    rule: 'AUTH-21',
    breaks: 'keys can be listed',
    alter: accepts((asked) => /api_?key/i.test(asked.target) && !asked.target.includes('_verify'), refused, {
      api_keys: [],
    }),
  },
  {
    id: 'auth-verify-needs-scope',
    rule: 'AUTH-22',
    breaks: 'verifyApiKey needs a scope',
    alter: refuses(VERIFY, 'SCOPE_INSUFFICIENT'),
  },
  {
    id: 'auth-verify-any-parameter',
    rule: 'AUTH-23',
    breaks: 'verifyApiKey takes any parameter',
    alter: acceptsReason('INVALID_ARGUMENT', VERIFY),
  },
  {
    id: 'auth-second-key-sees-less',
    rule: 'AUTH-24',
    breaks: 'a second key of an owner sees less',
    alter: rows(everything, (list, _json, asked, memory) =>
      keyOf(asked) === memory.key('second_key_same_owner') ? list.slice(1) : list,
    ),
  },
  {
    id: 'auth-second-key-refused',
    rule: 'AUTH-24',
    breaks: 'a second key replaces the first',
    alter: async (asked, forward, memory) =>
      keyOf(asked) === memory.key('second_key_same_owner') ? madeError('API_KEY_INVALID') : forward(asked),
  },
  {
    id: 'auth-tenants-mixed',
    rule: 'AUTH-25',
    breaks: 'a key reads ids of another tenant',
    alter: permits('getEmployee', 'full', (answer) => answer.status === 404),
  },
  {
    id: 'auth-tenants-mixed-in-lists',
    rule: 'AUTH-25',
    breaks: 'documents of another tenant are listed',
    alter: keyed('listDocuments', 'other_tenant', 'full'),
  },
  {
    id: 'auth-request-id-lost',
    rule: 'AUTH-27',
    breaks: 'the request id of the caller does not come back',
    alter: heads(
      everything,
      (answer) => setHeader(answer, 'X-Request-Id', unknownId()),
      () => true,
    ),
  },
  {
    id: 'auth-request-id-any',
    rule: 'AUTH-27',
    breaks: 'any request id comes back',
    alter: heads(
      everything,
      (answer, asked) => {
        const id = headerOf(asked, 'x-request-id');
        if (id) setHeader(answer, 'X-Request-Id', id);
      },
      () => true,
    ),
  },
];
