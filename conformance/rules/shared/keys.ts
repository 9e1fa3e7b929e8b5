/** Keys that are almost right, and calls with keys of any form. */

import type { TestContext } from '../../engine/test-context.ts';
import type { Answer } from '../../http/answer.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A key of the same form that does not exist; the same key and position always give the same one. */
export function altered(key: string, at: number): string {
  const next = BASE62[(BASE62.indexOf(key.charAt(at)) + 1) % BASE62.length] ?? 'x';
  return key.slice(0, at) + next + key.slice(at + 1);
}

export const withKey = (t: TestContext, key: string): Promise<Answer> =>
  t.anonymous().verify({ headers: { 'X-API-Key': key } });
