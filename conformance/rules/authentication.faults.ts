/** Faults that the rules of authentication.rules.ts must catch. */
import { headerOf } from '../http/exchange.ts';
import {
  accepts,
  after,
  answers,
  denies,
  everything,
  header,
  heads,
  isFor,
  keyOf,
  made,
  mistaken,
  reasonOf,
  setHeader,
  status,
} from '../mutation/alter.ts';
import { letIn } from '../mutation/alter-requests.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';
import { UNKNOWN_ID } from './shared/calls.ts';

const VERIFY = 'verifyApiKey';

const KEY = 'INTEGRATION.API_KEY_INVALID';

export const faults: readonly Fault[] = faultsOf({
  'AUTH-1': {
    'auth-verify-says-more': ['verifyApiKey tells the owner', answers(VERIFY, () => ({ owner: 'x' }))],
    'auth-verify-201': ['verifyApiKey answers 201', status(201, undefined, VERIFY)],
  },
  'AUTH-4': {
    'auth-revoked-key': ['a revoked key is let in', letIn()],
    'auth-revoked-other-code': ['a revoked key has a code of its own', mistaken(KEY, 'SCOPE_INSUFFICIENT')],
  },
  'AUTH-5': {
    'auth-expired-key': ['an expired key is let in', letIn()],
  },
  'AUTH-6': {
    'auth-inactive-key': ['a key that is switched off is let in', letIn()],
  },
  'AUTH-7': {
    'auth-owner-removed': ['a key outlives its owner', letIn()],
  },
  'AUTH-8': {
    'auth-looked-up-before-the-body': ['a key is looked up before the body alone', accepts('reserveFile', isFor(KEY))],
    'auth-revocation-late': [
      'the first request after a revocation is let in',
      after(everything, (answer, asked, memory) => {
        const name = `good ${keyOf(asked)}`;
        if (answer.status === 200) memory.notes.set(name, true);
        if (reasonOf(answer) !== KEY || !memory.notes.delete(name)) return answer;
        return made(200, {});
      }),
    ],
  },
  'AUTH-11': {
    'auth-authorization-refused': [
      'an Authorization header beside the key is refused',
      denies((asked) => headerOf(asked, 'authorization') !== undefined, 'API_KEY_INVALID'),
    ],
  },
  'AUTH-20': {
    'auth-tells-revoked': [
      'a refused key is distinguished by a header',
      heads(
        everything,
        (answer, asked) => {
          if (keyOf(asked) !== undefined) setHeader(answer, 'X-Reason', 'unknown');
        },
        isFor(KEY),
      ),
    ],
  },
  'AUTH-27': {
    'auth-request-id-lost': ['the request id of the caller does not come back', header('X-Request-Id', UNKNOWN_ID)],
    'auth-request-id-any': [
      'any request id comes back',
      heads(
        everything,
        (answer, asked) => {
          const id = headerOf(asked, 'x-request-id');
          if (id) setHeader(answer, 'X-Request-Id', id);
        },
        () => true,
      ),
    ],
  },
});
