/**
 * The checks that a profile with `terminator: true` exempts. What they send is one of three things:
 * - no valid HTTP;
 * - a path with `%00`, or with `%zz`, which is no URI;
 * - a request with the method TRACE.
 *
 * Whoever stands in front of the target may refuse it in a form of its own, by a status from 400 to 499 or by closing the
 * connection, or hand on what it has mended. Nothing else is exempt.
 */

/** The checks of each rule, by the name that the rule gives them. */
export const CHECKS_IN_FRONT = {
  'EMP-51': ['%00', '%zz'],
  'DREAD-20': ['%00', '%zz'],
  'DT-12': ['%00', '%zz'],
  'ERR-downloadDocument.path.document_id': ['%00', '%zz'],
  'ERR-17': ['TRACE', 'TRACE on an unknown path'],
  'ERR-19': ['%00'],
  'ERR-21': [
    'a blank in a name',
    'a folded header',
    'a header without colon',
    'NUL in a header',
    'no Host',
    'two Hosts',
    'no version',
    'an unknown version',
    'no HTTP at all',
    'a blank in the path',
    'a negative length',
    'a length of letters',
    'an endless length',
    'two lengths',
    'length and chunked',
    'chunked, then identity',
    'a bad chunk',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * What may become valid HTTP on its way: RFC 9112 §5.2 lets a fold be replaced by a blank, as HAProxy does; nginx takes a
 * line without a colon for a header without a value.
 */
const MENDED: readonly string[] = ['a folded header', 'a header without colon'];

const lists: Readonly<Record<string, readonly string[]>> = CHECKS_IN_FRONT;

/** Whether this check of a rule may be answered by the terminator. */
export const isListedInFront = (rule: string, check: string): boolean => lists[rule]?.includes(check) === true;

/** What is wrong with the status of the answer to a listed check; '' if nothing is. */
export function complaintInFront(check: string, status: number): string {
  const isRefused = status >= 400 && status < 500;
  return isRefused || (status === 200 && MENDED.includes(check)) ? '' : `expected a refusal in any form, got ${status}`;
}

/** The list, for reports. */
export const inFrontText = (): string =>
  Object.entries(CHECKS_IN_FRONT)
    .map(([rule, names]) => `${rule}: ${names.join(', ')}`)
    .join('; ');
