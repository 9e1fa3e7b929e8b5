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
import { rejected, signatureComplaint, spanComplaint } from '../rules/shared/event-calls.ts';
import { employee, ext, Load, mark } from '../rules/shared/ingest-calls.ts';
import { DAY_MS, MARGIN_MS } from '../rules/shared/movable-clock.ts';
import { dayAfter, dayAt, midnightAfter } from '../rules/shared/tenant-day.ts';
import type { KeptState, State } from './state.ts';

interface DeferredCheck {
  name: string;
  begin: (t: TestContext) => Promise<Record<string, unknown>>;
  /** Called every few seconds while the suite listens. @returns what is to be kept beside the data so far */
  meanwhile?: (t: TestContext, data: KeptState['data']) => Promise<Record<string, unknown>>;
  /** The rules that it can judge later, each with its judgement. */
  judges: Readonly<Record<string, (t: TestContext, begun: BegunCheck) => Promise<void>>>;
}

interface BegunCheck {
  kept: KeptState;
  state: State;
  /** Milliseconds since it began. */
  age: number;
}

const hours = (ms: number) => `${Math.max(0, ms / 3_600_000).toFixed(1)} hours`;

/** When attempts are made, as the profile declares it. */
interface Schedule {
  waits_s: readonly number[];
  jitter: number;
  /** How many seconds the network and the target's work may delay an attempt. */
  late_s: number;
}

/** How often a delivery is attempted at most. */
const ATTEMPTS = 8;

/** Whether the suite listened from `from` for `ms` milliseconds, with pauses of at most a minute. */
export function listenedFor(listened: State['listened'], from: number, ms: number): boolean {
  let until = from;
  for (const span of listened.toSorted((a, b) => a.from - b.from)) {
    if (span.from <= until + 60_000) until = Math.max(until, span.to);
  }
  return until >= from + ms;
}

/**
 * What is wrong with the attempts: how many there are, their bodies, the waits between them, or how long they take.
 * @param whole whether the suite listened for the whole time
 * @returns '' if nothing is, or undefined if too little was received to judge
 */
export function attemptsVerdict(
  attempts: readonly Delivery[],
  { waits_s, jitter, late_s }: Schedule,
  whole: boolean,
): string | undefined {
  if (attempts.length > ATTEMPTS) return `${attempts.length} attempts came`;
  if (new Set(attempts.map(({ body }) => body)).size > 1) return 'the body differs from attempt to attempt';
  const seconds = attempts.map(({ at_ms }) => at_ms / 1000);
  const waits = seconds.slice(1).map((at, i) => at - (seconds[i] ?? 0));
  for (const [i, wait] of waits_s.entries()) {
    const took = waits[i] ?? wait;
    if (took < wait - 1 || took > wait * (1 + jitter) + late_s)
      return `wait ${i + 1} took ${took.toFixed(0)} s; ${wait} s are declared, and up to ${jitter * 100} % more`;
  }
  if (!whole) return undefined;
  if (attempts.length < ATTEMPTS) return `${attempts.length} attempts came in more than a day`;
  return spanComplaint(seconds);
}

const MINUTE_MS = 60_000;

interface DatedEmployee {
  date: string;
  create_time: string;
}

const dated = async (t: TestContext): Promise<DatedEmployee> => {
  const { date, create_time } = await draft(t);
  return { date, create_time };
};

const dates: DeferredCheck = {
  name: 'dates of documents',
  begin: async (t) => ({ first: midnightAfter(t, Date.now() + MINUTE_MS) }),
  meanwhile: async (t, { first, before, after }) => {
    const ahead = Number(first) - Date.now();
    if (before === undefined && ahead > 0 && ahead < MINUTE_MS) return { before: await dated(t) };
    if (after === undefined && ahead < 0 && ahead > -MINUTE_MS) return { after: await dated(t) };
    return {};
  },
  judges: {
    'DOC-38': async (t, { kept }) => {
      const both = [kept.data.before, kept.data.after] as (DatedEmployee | undefined)[];
      for (const made of both) {
        if (made) t.equal(made.date, dayAt(t, made.create_time), `the date of a document made at ${made.create_time}`);
      }
      const days = new Set(both.map((made) => made && dayAt(t, made.create_time)));
      if (days.size < 2 || days.has(undefined)) {
        t.untested('not_exercised', 'deferred begin must listen in the minutes around midnight');
      }
    },
  },
};

const statuses: DeferredCheck = {
  name: 'statuses by dates',
  begin: async (t) => {
    const load = new Load(t);
    // Enough time to load them on the day that is still today.
    const first = midnightAfter(t, Date.now() + 5 * MINUTE_MS);
    const [today, tomorrow] = [dayAt(t, first - 1), dayAt(t, first)];
    const loaded = async (name: string, dates_: object) => {
      const number = mark(t);
      await load.make('EMPLOYEES', [{ ...employee(t, name, 'first', number), ...dates_ }]);
      return load.card(number);
    };
    await load.people('first');
    // He is new, so that he is accepted, and leaves by himself.
    const newcomer = ext(t, `deferred-${t.run.run_id}`).slice(ext(t, '').length);
    const starting = await loaded(newcomer, { admission_date: tomorrow, left_date: dayAfter(tomorrow) });
    const leaving = await loaded('deferred-leaving', { left_date: today });
    t.equal(
      [starting.status, leaving.status],
      ['EMPLOYEE_STATUS_ACCEPTED', 'EMPLOYEE_STATUS_ACTIVE'],
      'the statuses of one who starts the next day and one who leaves this day',
    );
    return { first, starting: starting.id, leaving: leaving.id };
  },
  judges: {
    'ING-54': async (t, { kept, age }) => {
      const { first, starting, leaving } = kept.data;
      const since = kept.began_at + age - Number(first);
      const wanted = [
        [starting, 'EMPLOYEE_STATUS_ACCEPTED', 'EMPLOYEE_STATUS_ACTIVE'],
        [leaving, 'EMPLOYEE_STATUS_ACTIVE', 'EMPLOYEE_STATUS_TERMINATED'],
      ] as const;
      const withinMs = t.values.status_by_dates_within_s * 1000;
      for (const [id, before, after] of wanted) {
        const { status, update_time } = await t.as('full').employee(String(id));
        const isEarly = status !== before && Date.parse(update_time) < Number(first);
        t.check(!isEarly, `the status became ${status} at ${update_time}, before the day came`);
        const isLate = since > withinMs + MINUTE_MS && status === before;
        t.check(!isLate, `the status is still ${status}, ${hours(since)} after midnight`);
        if (status !== before && since < DAY_MS) t.equal(status, after, 'the status');
      }
      if (since < withinMs + MINUTE_MS)
        t.untested('not_exercised', `too early: come back in ${hours(withinMs + MINUTE_MS - since)}`);
    },
  },
};

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
