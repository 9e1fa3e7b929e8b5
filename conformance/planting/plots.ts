/** What is planted now and harvested a day later, for targets whose clock cannot be moved. */
import { Api } from '../api.ts';
import type { Delivery } from '../callbacks/delivery.ts';
import { envelopeOf, makeHook } from '../callbacks/hooks.ts';
import { mustBeReachable } from '../callbacks/reachability.ts';
import {
  confirm,
  create,
  downloadOf,
  draft,
  fetchUrl,
  pdf,
  postForm,
  reserve,
  stored,
  templateBody,
  type Upload,
} from '../tests/document-calls.ts';
import { rejected, signatureComplaint } from '../tests/event-calls.ts';
import type { Trial } from '../trial.ts';
import {
  bodyVerdict,
  countVerdict,
  listenedFor,
  type Schedule,
  spanVerdict,
  type Verdict,
  waitsVerdict,
} from './attempts.ts';
import type { Seed, State } from './state.ts';

export interface Plot {
  name: string;
  sow: (t: Trial) => Promise<Record<string, unknown>>;
  /** The rules that its harvest can judge. */
  reap: Readonly<Record<string, (t: Trial, harvest: Harvest) => Promise<void>>>;
}

export interface Harvest {
  seed: Seed;
  state: State;
  /** Milliseconds since it was planted. */
  age: number;
}

const DAY_MS = 86_400_000;
const MARGIN_MS = 60_000;

const hours = (ms: number) => `${Math.max(0, ms / 3_600_000).toFixed(1)} hours`;

function mustBeOlder(t: Trial, { age }: Harvest, ms: number): void {
  if (age < ms) t.untested('not_exercised', `too early: come back in ${hours(ms - age)}`);
}

const text = (value: unknown): string => String(value);

/** The same key with which the seed was planted: an Idempotency-Key belongs to an API key. */
const sameKey = (t: Trial, { variable }: Seed['data']) => new Api(t, { names: [text(variable)] });

const replays: Plot = {
  name: 'idempotency',
  sow: async (t) => {
    const [body, key] = [await templateBody(t), `C-${t.run.run_id}-plant`];
    const variable = t.keyNames('full')[0];
    const { id } = (await create(t, sameKey(t, { variable }), body, key)).ok('createDocument').document;
    return { body, key, id, variable };
  },
  reap: {
    'IDEM-8': async (t, harvest) => {
      const { body, key, id } = harvest.seed.data;
      if (harvest.age > DAY_MS - MARGIN_MS) t.untested('not_exercised', 'too late: it must be within 24 hours');
      mustBeOlder(t, harvest, DAY_MS / 24);
      const answer = await create(t, sameKey(t, harvest.seed.data), body, text(key));
      t.equal(answer.ok('createDocument').document.id, id, 'the document of a repeat', answer);
    },
    'IDEM-9': async (t, harvest) => {
      const { body, key, id } = harvest.seed.data;
      mustBeOlder(t, harvest, DAY_MS + MARGIN_MS);
      const answer = await create(t, sameKey(t, harvest.seed.data), body, text(key));
      t.check(answer.ok('createDocument').document.id !== id, 'the key replays after its end', answer);
    },
  },
};

const pages: Plot = {
  name: 'page token',
  sow: async (t) => ({ token: (await t.as('full').employees({ limit: 3 })).token }),
  reap: {
    'PAGE-24': async (t, harvest) => {
      const lifetimeMs = t.values.page_token_lifetime_s * 1000;
      const next = await t.as('full').get('/employees', { limit: 3, page_token: text(harvest.seed.data.token) });
      if (lifetimeMs === 0 || harvest.age < lifetimeMs - MARGIN_MS) next.ok('listEmployees', 'a token in its time');
      mustBeOlder(t, harvest, lifetimeMs + MARGIN_MS);
      if (lifetimeMs > 0) next.blames('page_token', 'a token after its end');
    },
  },
};

const downloads: Plot = {
  name: 'download',
  sow: async (t) => ({ url: (await downloadOf(t.as('full'), (await draft(t)).id)).url }),
  reap: {
    'DREAD-17': async (t, harvest) => {
      mustBeOlder(t, harvest, t.values.download_lifetime_s * 1000 + MARGIN_MS);
      const { status, body } = await fetchUrl(text(harvest.seed.data.url));
      t.check(status >= 400 && status < 500, `after the end of the URL storage answered ${status}`);
      t.check(!body.includes('%PDF-'), 'the refusal holds the file');
    },
  },
};

const uploads: Plot = {
  name: 'uploads',
  sow: async (t) => {
    const full = t.as('full');
    const bytes = pdf('planted');
    const unused = await reserve(t, full, bytes.length);
    const unconfirmed = await stored(t, full, bytes);
    return { form: unused.upload, unused: unused.file.id, unconfirmed: unconfirmed.file.id };
  },
  reap: {
    'FILE-17': async (t, harvest) => {
      mustBeOlder(t, harvest, t.values.upload_form_lifetime_s * 1000 + MARGIN_MS);
      const late = await postForm(harvest.seed.data.form as Upload, pdf('planted'));
      t.check(late.status >= 400 && late.status < 500, `after the end of the form storage answered ${late.status}`);
      (await confirm(t, t.as('full'), text(harvest.seed.data.unused))).fails('FILE_NOT_UPLOADED');
    },
    'FILE-25': async (t, harvest) => {
      mustBeOlder(t, harvest, t.values.upload_lifetime_s * 1000 + MARGIN_MS);
      const answer = await confirm(t, t.as('full'), text(harvest.seed.data.unconfirmed));
      answer.fails('FILE_NOT_UPLOADED', 'an upload after its end');
    },
  },
};

/** The attempts to deliver the planted event that were received. */
function attemptsOf({ seed, state }: Harvest): Delivery[] {
  const found = state.deliveries.filter(
    (one) => one.route === seed.data.route && envelopeOf(one).data?.document_id === seed.data.document_id,
  );
  return found.toSorted((a, b) => a.at_ms - b.at_ms);
}

function scheduleOf(t: Trial): Schedule {
  const { webhook_retry_waits_s, webhook_retry_jitter, webhook_first_attempt_s } = t.values;
  return { waits_s: webhook_retry_waits_s, jitter: webhook_retry_jitter, late_s: webhook_first_attempt_s };
}

/** A rule over the attempts. @param judge returns undefined if too few were received */
const overAttempts =
  (judge: (attempts: Delivery[], t: Trial, whole: boolean) => Verdict) =>
  async (t: Trial, harvest: Harvest): Promise<void> => {
    const attempts = attemptsOf(harvest);
    const { waits_s, jitter, late_s } = scheduleOf(t);
    const all = waits_s.reduce((sum, wait) => sum + wait, 0) * (1 + jitter) + ATTEMPTS * late_s;
    const whole = listenedFor(harvest.state.listened, attempts[0]?.at_ms ?? harvest.seed.planted_at, all * 1000);
    const { at_ms: first = 0 } = attempts[0] ?? {};
    // A missed attempt would merge two waits into one.
    const unbroken = attempts.filter(({ at_ms }) => listenedFor(harvest.state.listened, first, at_ms - first));
    const verdict = judge(whole ? attempts : unbroken, t, whole);
    if (verdict === undefined) {
      const heard = `${attempts.length} attempts were heard`;
      t.untested('not_exercised', `${heard}: plant must listen for ${hours(all * 1000)} without a pause`);
    }
    t.check(verdict === '', verdict);
  };
const ATTEMPTS = 8;

const retries: Plot = {
  name: 'retries',
  sow: async (t) => {
    await mustBeReachable(t);
    const { id, route, secret } = await makeHook(t, { reactions: [{ answer: 500 }] });
    return { endpoint_id: id, route, secret, document_id: await rejected(t) };
  },
  reap: {
    'DLV-6': overAttempts((attempts, _t, whole) => countVerdict(attempts, whole)),
    'DLV-7': overAttempts((attempts, t) => waitsVerdict(attempts, scheduleOf(t))),
    'DLV-8': overAttempts((attempts) => spanVerdict(attempts)),
    'DLV-9': overAttempts((attempts) => bodyVerdict(attempts)),
    'SIG-4': async (t, harvest) => {
      const attempts = attemptsOf(harvest);
      if (attempts.length < 2) t.untested('not_exercised', 'no second attempt was heard');
      for (const one of attempts) t.equal(signatureComplaint(one, text(harvest.seed.data.secret)), '', 'the signature');
    },
  },
};

export const plots: readonly Plot[] = [replays, pages, downloads, uploads, retries];
