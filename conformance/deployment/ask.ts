/** How the doctor sends requests to the target, and how it words its findings. */

import { setTimeout as sleep } from 'node:timers/promises';
import { prefix, rateLimit } from '../../generated/contract.ts';
import { exchangeOverHttp, NoAnswer } from '../http/client.ts';
import { atPointer, type Headers, jsonFrom } from '../http/exchange.ts';
import type { LoadedProfile } from '../profile/profile.ts';

/** problem: the profile and the target disagree; gap: rules will be UNTESTED; ok: as it should be. */
export interface Finding {
  kind: 'ok' | 'gap' | 'problem';
  /** What was examined, such as `key load`. */
  about: string;
  /** A sentence, with what to do if something is wrong. */
  says: string;
}

const finding =
  (kind: Finding['kind']) =>
  (about: string, says: string): Finding => ({ kind, about, says });
export const [ok, gap, problem] = [finding('ok'), finding('gap'), finding('problem')];

/** What was examined is as it should be, unless something is to be complained about. */
export const judged = (about: string, complaint: string, fine: string): Finding =>
  complaint === '' ? ok(about, fine) : problem(about, complaint);

export interface Reply {
  status: number;
  code: string;
  body: unknown;
  headers: Headers;
  /** `404 DOCUMENT_NOT_FOUND`, or why there was no answer. */
  brief: string;
}

/** A little slower than the limit of a key. */
export const PAUSE_MS = 1300 / rateLimit.perSecond;

export type Ask = (
  variable: string | undefined,
  target: string,
  more?: { method?: string; body?: object; headers?: Headers; baseUrl?: string },
) => Promise<Reply>;

/** Sends requests one after another, slower than the limit. Never throws: no answer is a reply with status 0. */
export function asker({ profile, secrets }: LoadedProfile, pauseMs = PAUSE_MS): Ask {
  return async (variable, target, { method = 'GET', body, headers: more = [], baseUrl = profile.base_url } = {}) => {
    await sleep(pauseMs);
    const headers: Headers = variable === undefined ? [] : [['X-API-Key', secrets[variable] ?? '']];
    headers.push(...more);
    if (body) headers.push(['Content-Type', 'application/json']);
    try {
      const answer = await exchangeOverHttp({
        baseUrl,
        method,
        target: `${prefix}${target}`,
        headers,
        body: body && Buffer.from(JSON.stringify(body)),
      });
      const parsed = jsonFrom(answer.body);
      const code = atPointer(parsed, profile.values.error_code_pointer);
      const shown = typeof code === 'string' ? code : '';
      const brief = `${answer.status}${shown && ` ${shown}`}`;
      return { status: answer.status, code: shown, body: parsed, headers: answer.headers, brief };
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return { status: 0, code: '', body: undefined, headers: [], brief: `no answer (${error.message})` };
    }
  };
}
