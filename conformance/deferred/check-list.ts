/** Checks that begin now and are judged a day later, for targets whose clock cannot be moved. */

import type { Delivery } from '../callbacks/delivery.ts';
import { envelopeOf, makeHook } from '../callbacks/hooks.ts';
import { mustBeReachable } from '../callbacks/reachability.ts';
import type { TestContext } from '../engine/test-context.ts';
import { Api } from '../http/api.ts';
import {
  confirm,
  create,
  downloadOf,
  draft,
  fetchUrl,
  pdf,
  postForm,
  refused,
  reserve,
  stored,
  templateBody,
  type Upload,
} from '../rules/shared/document-calls.ts';
import { rejected, signatureComplaint } from '../rules/shared/event-calls.ts';
import { ATTEMPTS, attemptsVerdict, listenedFor } from './attempts.ts';
import { type BegunCheck, type DeferredCheck, hours } from './check-type.ts';
import { dates, statuses } from './midnight.ts';
import type { KeptState } from './state.ts';

const DAY_MS = 86_400_000;
const MARGIN_MS = 60_000;

function mustBeOlder(t: TestContext, { age }: BegunCheck, ms: number): void {
  if (age < ms) t.untested('not_exercised', `too early: come back in ${hours(ms - age)}`);
}

/** The key with which the check began: an Idempotency-Key belongs to an API key. */
const sameKey = (t: TestContext, { variable }: KeptState['data']) => new Api(t, { names: [String(variable)] });

const replays: DeferredCheck = {
  name: 'idempotency',
  begin: async (t) => {
    const [body, key] = [await templateBody(t), `C-${t.run.run_id}-deferred`];
    const variable = t.keyNames('full')[0];
    const { id } = (await create(t, sameKey(t, { variable }), body, key)).ok('createDocument').document;
    return { body, key, id, variable };
  },
  judges: {
    'IDEM-8': async (t, begun) => {
      const { body, key, id } = begun.kept.data;
      const isInTime = begun.age < DAY_MS - MARGIN_MS;
      mustBeOlder(t, begun, isInTime ? DAY_MS / 24 : DAY_MS + MARGIN_MS);
      const answer = await create(t, sameKey(t, begun.kept.data), body, String(key));
      const made = answer.ok('createDocument').document.id;
      if (isInTime) t.equal(made, id, 'the document of a repeat', answer);
      else t.check(made !== id, 'the key replays after its end', answer);
      mustBeOlder(t, begun, DAY_MS + MARGIN_MS);
    },
  },
};

const pages: DeferredCheck = {
  name: 'page token',
  begin: async (t) => ({ token: (await t.as('full').employees({ limit: 3 })).token }),
  judges: {
    'PAGE-24': async (t, begun) => {
      const lifetimeMs = t.values.page_token_lifetime_s * 1000;
      const next = await t.as('full').get('/employees', { limit: 3, page_token: String(begun.kept.data.token) });
      if (lifetimeMs === 0 || begun.age < lifetimeMs - MARGIN_MS) next.ok('listEmployees', 'a token in its time');
      mustBeOlder(t, begun, lifetimeMs + MARGIN_MS);
      if (lifetimeMs > 0) next.blames('page_token', 'a token after its end');
    },
  },
};

const downloads: DeferredCheck = {
  name: 'download',
  begin: async (t) => ({ url: (await downloadOf(t.as('full'), (await draft(t)).id)).url }),
  judges: {
    'DREAD-17': async (t, begun) => {
      mustBeOlder(t, begun, t.values.download_lifetime_s * 1000 + MARGIN_MS);
      const { status, body } = await fetchUrl(t, String(begun.kept.data.url));
      t.check(status >= 400 && status < 500, `after the end of the URL storage answered ${status}`);
      t.check(!body.includes('%PDF-'), 'the refusal holds the file');
    },
  },
};

const uploads: DeferredCheck = {
  name: 'uploads',
  begin: async (t) => {
    const full = t.as('full');
    const bytes = pdf('deferred');
    const unused = await reserve(t, full, bytes.length);
    const unconfirmed = await stored(t, full, bytes);
    return { form: unused.upload, unused: unused.file.id, unconfirmed: unconfirmed.file.id };
  },
  judges: {
    'FILE-17': async (t, begun) => {
      mustBeOlder(t, begun, t.values.upload_form_lifetime_s * 1000 + MARGIN_MS);
      const late = await postForm(t, begun.kept.data.form as Upload, pdf('deferred'));
      t.check(refused(late), `after the end of the form storage answered ${late.status}`);
      (await confirm(t, t.as('full'), String(begun.kept.data.unused))).fails('FILE_NOT_UPLOADED');
    },
    'FILE-25': async (t, begun) => {
      mustBeOlder(t, begun, t.values.upload_lifetime_s * 1000 + MARGIN_MS);
      const answer = await confirm(t, t.as('full'), String(begun.kept.data.unconfirmed));
      answer.fails('FILE_NOT_UPLOADED', 'an upload after its end');
    },
  },
};

/** The received attempts to deliver the event of the check. */
function attemptsOf({ kept, state }: BegunCheck): Delivery[] {
  const found = state.deliveries.filter(
    (one) => one.route === kept.data.route && envelopeOf(one).data?.document_id === kept.data.document_id,
  );
  return found.toSorted((a, b) => a.at_ms - b.at_ms);
}

const retries: DeferredCheck = {
  name: 'retries',
  begin: async (t) => {
    await mustBeReachable(t);
    const { id, route, secret } = await makeHook(t, { reactions: [{ answer: 500 }] });
    return { endpoint_id: id, route, secret, document_id: await rejected(t) };
  },
  judges: {
    'DLV-6': async (t: TestContext, begun) => {
      const attempts = attemptsOf(begun);
      const {
        webhook_retry_waits_s: waits_s,
        webhook_retry_jitter: jitter,
        webhook_first_attempt_s: late_s,
      } = t.values;
      const all = waits_s.reduce((sum, wait) => sum + wait, 0) * (1 + jitter) + ATTEMPTS * late_s;
      const whole = listenedFor(begun.state.listened, attempts[0]?.at_ms ?? begun.kept.began_at, all * 1000);
      const { at_ms: first = 0 } = attempts[0] ?? {};
      // A missed attempt would merge two waits into one.
      const unbroken = attempts.filter(({ at_ms }) => listenedFor(begun.state.listened, first, at_ms - first));
      const verdict = attemptsVerdict(whole ? attempts : unbroken, { waits_s, jitter, late_s }, whole);
      if (verdict === undefined) {
        const received = `${attempts.length} attempts were received`;
        t.untested('not_exercised', `${received}: deferred begin must listen for ${hours(all * 1000)} without a pause`);
      }
      t.check(verdict === '', verdict);
    },
    'SIG-4': async (t, begun) => {
      const attempts = attemptsOf(begun);
      if (attempts.length < 2) t.untested('not_exercised', 'no second attempt was received');
      for (const one of attempts) t.equal(signatureComplaint(one, String(begun.kept.data.secret)), '', 'the signature');
    },
  },
};

export const deferredChecks: readonly DeferredCheck[] = [replays, pages, downloads, uploads, retries, dates, statuses];
