/** What the calls of a check and their answers use of it, and the record of what they did. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isUtf8 } from 'node:buffer';
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { OperationId } from '../../generated/contract.ts';
import { absence, showsAbsence } from '../http/capability.ts';
import { curlOf, describe, type Exchange, jsonOf, secondsToWait } from '../http/exchange.ts';
import { complaintInFront, isListedInFront } from '../http/front-proxy.ts';
import { briefOf, isNotBuilt, isUnavailable } from '../judge/contract.ts';
import { SeenValues } from '../judge/contract-coverage.ts';
import { GIVEN_BEFORE } from '../judge/given-answers.ts';
import {
  type Cause,
  HarnessFault,
  type ReasonCode,
  RuleSkipped,
  RuleUntested,
  type ShownExchange,
  Violation,
} from '../judge/outcome.ts';
import { type Judgement, universal } from '../judge/universal.ts';
import type { Profile } from '../profile/profile.ts';
import { type Spelling, spellingOf } from '../profile/spelling.ts';
import type { Values } from '../profile/values.ts';
import type { Redactor } from '../report/redact.ts';
import { differenceText, unvaried } from '../report/shown-values.ts';
import type { CheckedRule } from '../rules/rule-info.ts';
import type { RunContext } from './run-context.ts';
import { Uses } from './uses.ts';

/** Larger bodies are sent only for their size. Recording them would make the record unreadable. */
const LARGEST_RECORDED = 4 * 1024 * 1024;
/** How many exchanges before the decisive one are shown with it. */
const TRAIL = 4;

/** In what is made for several rules, what its maker uses counts apart. */
const sharedUses = new AsyncLocalStorage<{ readonly of: ExchangeContext; readonly uses: Uses }>();

/** The longest wait before a request or a check is repeated after an answer 503, in seconds. */
const LONGEST_WAIT_S = 10;

/** Why the target need not be at fault if a check fails, and what Retry-After said. */
interface Doubt {
  readonly reason: string;
  readonly waitMs: number | undefined;
}

/** An answer, as far as a failed check shows it. */
interface JudgedAnswer {
  readonly exchange: Exchange;
}

/** Errors of a check that are findings, or faults of the suite. */
const OWN_FINDINGS = ['Violation', 'NoAnswer', 'HarnessFault'];

export class ExchangeContext {
  readonly rule: CheckedRule;
  readonly run: RunContext;
  /** The tenant in which the rule is checked. */
  readonly tenant: Profile;
  readonly profile: Profile;
  readonly redactor: Redactor;
  readonly judged = new Map<string, Judgement>();
  readonly seen: SeenValues;
  last: Exchange | undefined;
  exchanges = 0;
  writes = 0;
  /** An exchange of another test, shown with the outcome in place of the last one. */
  shownInstead: ShownExchange | undefined;
  /** What was measured; reported with every outcome. */
  readonly notes: string[] = [];
  /** Set by the rules that are about refusals by the rate limit. */
  mayBeRefused = false;
  /** Set by the rules that ask for more than a tenant's share, which 503 may refuse (D-33). */
  mayBeUnavailable = false;
  /** Finds out whether deliveries arrive, if nobody knows whether the rule needs them. */
  mustReceive: (() => Promise<void>) | undefined;
  /** The checks that the terminator was allowed to answer; reported, too. */
  readonly inFront = new Set<string>();
  /** Whether the rule is checked for the second time. */
  readonly isRepeated: boolean;
  readonly #beganMs: number;
  #doubt: Doubt | undefined;
  /** Why a failure beside other rules may be none alone. Those that waited for the same have the same object. */
  waitedInVain: { readonly why: string } | undefined;
  /** What GEN-11 says of each answer 503 that is not excused. */
  #unavailable: Judgement['complaints'] = [];
  /** The latest exchanges, the oldest first. */
  #recent: Exchange[] = [];
  readonly #uses = new Uses();
  #refusal: Error | undefined;
  /** Whether it got an answer that another request had got. */
  #metGiven = false;
  /** The first answer that broke the contract so that the check could go on, and how. */
  #broken: { readonly how: string; readonly exchange: Exchange; readonly cause: Cause } | undefined;

  constructor(rule: CheckedRule, run: RunContext, redactor: Redactor, { isRepeated = false, place = run.main } = {}) {
    this.isRepeated = isRepeated;
    this.tenant = place.tenant;
    this.profile = place.profile;
    this.#beganMs = run.stalls.nowMs;
    this.rule = rule;
    this.run = run;
    this.redactor = redactor;
    this.seen = new SeenValues(run.inputs, run.profile.values);
  }

  /** The id of the run, in what this check makes. What a repeated check makes is new again. */
  get run_id(): string {
    return this.isRepeated ? `${this.run.run_id}2` : this.run.run_id;
  }

  get values(): Values {
    return this.run.profile.values;
  }

  /** What the next run will know that the rule needs. */
  get uses(): Uses {
    const shared = sharedUses.getStore();
    return shared?.of === this ? shared.uses : this.#uses;
  }

  /** Works; what it uses counts for these uses, and not for the rule. */
  usingFor<T>(uses: Uses, work: () => Promise<T>): Promise<T> {
    return sharedUses.run({ of: this, uses }, work);
  }

  /** How the target spells the values of enumerations. */
  get spelling(): Spelling {
    return spellingOf(this.values);
  }

  secretOf(variable: string): string {
    const value = this.run.secrets[variable];
    if (value === undefined) throw new HarnessFault(`the profile has no key in the variable ${variable}`);
    return value;
  }

  /** From now on every request of the check fails with this error. It may still put back what it has changed. */
  refuse(error: Error): void {
    this.#refusal ??= error;
  }

  /** @throws Error if the check has to end */
  mustGoOn(): void {
    if (this.#refusal) throw this.#refusal;
  }

  untested(code: ReasonCode, reason: string): never {
    throw new RuleUntested(code, reason);
  }

  skip(reason: string): never {
    throw new RuleSkipped(reason);
  }

  fail(message: string, about?: JudgedAnswer, cause?: Cause): never {
    if (about) this.last = about.exchange;
    throw new Violation(message, cause);
  }

  /** Notes that an answer breaks the contract. The check fails at its end, unless it finds something else. */
  breaks(how: string, { exchange }: JudgedAnswer, cause: Cause): void {
    this.#broken ??= { how, exchange, cause };
  }

  /**
   * Checks to the end, and fails if an answer has broken the contract: what then went wrong or was not there follows
   * from it.
   */
  async toTheEnd(check: () => Promise<void> | void): Promise<void> {
    const error = await Promise.resolve()
      .then(check)
      .catch((thrown: unknown) => thrown);
    const own = error instanceof Error && OWN_FINDINGS.includes(error.name) ? error : undefined;
    const broken = this.#refusal === undefined ? this.#broken : undefined;
    if (own === undefined && broken !== undefined) this.fail(broken.how, broken, broken.cause);
    if (broken !== undefined && own?.message !== broken.how) this.notes.push(`besides: ${broken.how}`);
    if (this.#metGiven && own?.name === 'Violation')
      this.fail(`${own.message}; ${GIVEN_BEFORE}`, undefined, { what: GIVEN_BEFORE });
    if (error !== undefined) throw error;
  }

  check(holds: boolean, message: string, about?: JudgedAnswer, cause?: Cause): void {
    if (!holds) this.fail(message, about, cause);
  }

  /** Returns the value, which must exist. */
  present<T>(value: T | undefined | null, message: string, about?: JudgedAnswer): T {
    return value ?? this.fail(message, about);
  }

  equal(actual: unknown, expected: unknown, message: string, about?: JudgedAnswer): void {
    if (isDeepStrictEqual(actual, expected)) return;
    // Redacted before it is cut: half of a personal value would not be recognised.
    const isQuestion = message.startsWith('whether ');
    const show = (value: unknown) => {
      if (isQuestion && typeof value === 'boolean') return value ? 'yes' : 'no';
      return this.redactor.text(JSON.stringify(value) ?? 'nothing');
    };
    const difference = differenceText(actual, expected, show);
    // What is compared is the cause, and neither its values nor when that was.
    const what = `${unvaried(message.split(': ').at(-1) ?? '')}: not what was expected`;
    this.fail(`${message}: ${difference}`, about, { what, came: [difference] });
  }

  /**
   * Records one exchange: judges it by the universal rules, counts it, and fails if something happened that must not.
   */
  record(exchange: Exchange): Exchange {
    this.#note(exchange);
    this.#doubtAbout(exchange);
    const { inFront, status } = exchange;
    if (inFront === undefined) this.#judge(exchange, status === 503 && this.mayBeUnavailable);
    else {
      const complaint = complaintInFront(inFront, status);
      this.check(complaint === '', `${inFront}: terminator: ${complaint}`);
    }
    if (exchange.status === 429 && !this.mayBeRefused) {
      throw new HarnessFault('an unexpected 429: somebody else uses the key, or the pacer is wrong');
    }
    if (exchange.operationId) this.#needs(exchange.operationId, exchange);
    return exchange;
  }

  /**
   * Waits for as long as an answer 503 asks. It is judged and counted, but is no failure: the contract says to repeat the
   * request. GEN-11 judges how many there are in a run.
   */
  async waitUntilAvailable(exchange: Exchange): Promise<void> {
    this.#note(exchange);
    this.#judge(exchange, true);
    this.run.unavailable++;
    await pause(1_000 * Math.min(secondsToWait(exchange) ?? 0, LONGEST_WAIT_S), undefined, { ref: false });
  }

  /** Why a failure of this check need not be the target's fault; undefined if it is. */
  get doubt(): Doubt | undefined {
    const stoodStillMs = this.run.stalls.longestSince(this.#beganMs);
    if (stoodStillMs === 0) return this.#doubt;
    const reason = `the suite stood still for ${(stoodStillMs / 1000).toFixed(1)} s`;
    return { reason, waitMs: this.#doubt?.waitMs };
  }

  /** Notes that a failure of this check need not be the target's fault. @param waitS what Retry-After said */
  doubtBecause(reason: string, waitS?: number): void {
    const waitMs = waitS === undefined ? undefined : 1_000 * Math.min(waitS, LONGEST_WAIT_S);
    this.#doubt = { reason: this.#doubt?.reason ?? reason, waitMs: waitMs ?? this.#doubt?.waitMs };
  }

  /** Notes what was doubtful while another check made something that this one needs, too. */
  shareDoubtOf(other: ExchangeContext): void {
    this.#doubt ??= other.doubt;
    this.waitedInVain ??= other.waitedInVain;
    this.#metGiven ||= other.#metGiven;
  }

  /** Answers 503 that say when to repeat the request count as requests that were repeated. */
  excuseUnavailable(): void {
    const excused = this.#unavailable;
    this.#unavailable = [];
    this.run.unavailable += excused.length;
    const judgement = this.judged.get('GEN-11');
    if (judgement) judgement.complaints = judgement.complaints.filter((one) => !excused.includes(one));
  }

  #doubtAbout(exchange: Exchange): void {
    if (exchange.status === 408) this.doubtBecause('a request was answered 408');
    if (isUnavailable(exchange, this.values))
      this.doubtBecause('a request was answered 503 UNAVAILABLE', secondsToWait(exchange));
  }

  #note(exchange: Exchange): void {
    this.last = exchange;
    this.exchanges++;
    this.#recent = [...this.#recent.slice(-TRAIL), exchange];
    this.seen.note(exchange);
    if (exchange.status < 400) this.redactor.learn(jsonOf(exchange));
    if (this.run.record !== '' && (exchange.requestBody?.length ?? 0) <= LARGEST_RECORDED) this.#writeRecord(exchange);
  }

  /** @throws Untested, Skipped or Violation if the answer shows that an operation is absent that the rule needs */
  #needs(operationId: OperationId, exchange: Exchange): void {
    this.uses.operations.add(operationId);
    const { needs } = this.rule;
    // Of a rule that was never recorded nobody knows which operations it needs, but for those of no addition.
    const isUnknown = needs === undefined && !this.uses.isOverOperations;
    const isAbsent =
      (needs?.operations?.includes(operationId) && isNotBuilt(exchange, this.values)) ||
      (isUnknown && !this.run.built.has(operationId) && showsAbsence(exchange, operationId, this.values));
    if (isAbsent) throw absence(operationId, this.profile.capabilities, briefOf(exchange, this.values));
  }

  #judge(exchange: Exchange, mayBeUnavailable: boolean): void {
    const wasGiven = this.run.given.wasGiven(exchange);
    this.#metGiven ||= wasGiven;
    for (const [id, found] of universal(exchange, this.values, this.redactor)) {
      const complaint =
        id === 'GEN-12' && wasGiven ? [GIVEN_BEFORE, found].filter((one) => one !== '').join('; ') : found;
      if (id === 'GEN-11' && mayBeUnavailable) continue;
      const judgement = this.judged.get(id) ?? { occasions: 0, complaints: [] };
      judgement.occasions++;
      const isExcusable = id === 'GEN-11' && isUnavailable(exchange, this.values);
      if (complaint !== '') {
        const text = this.redactor.text(complaint);
        const kind = unvaried(text);
        const same = isExcusable ? undefined : judgement.complaints.find((one) => unvaried(one.text) === kind);
        const one = same ?? { text, times: 0, ...this.shown(exchange) };
        one.times++;
        if (same === undefined) judgement.complaints.push(one);
        if (isExcusable) this.#unavailable.push(one);
      }
      this.judged.set(id, judgement);
    }
  }

  /**
   * Whether a terminator may refuse the request of a check in its own form.
   * @throws HarnessFault for a check that is not among `CHECKS_IN_FRONT`
   */
  hasTerminatorFor(check: string): boolean {
    if (!isListedInFront(this.rule.id, check)) throw new HarnessFault(`${check} is not among CHECKS_IN_FRONT`);
    if (this.profile.terminator !== true) return false;
    this.inFront.add(check);
    return true;
  }

  /** The exchanges that came before `last`. */
  trail(): ShownExchange[] {
    return this.#recent.filter((exchange) => exchange !== this.last).map((exchange) => this.shown(exchange));
  }

  shown(exchange: Exchange | undefined): ShownExchange {
    if (!exchange) return { exchange: '', curl: '' };
    const keys = (text: string) => this.redactor.keys(text);
    return {
      exchange: this.redactor.text(describe(exchange, (text) => this.redactor.body(text), keys)),
      curl: this.redactor.text(curlOf(exchange, keys)),
    };
  }

  #writeRecord(exchange: Exchange): void {
    const text = (bytes: Buffer | undefined) =>
      bytes === undefined ? null : this.redactor.wholeKeys(bytes.toString('utf8'));
    const line = {
      rule: exchange.rule,
      operation: exchange.operationId ?? null,
      wire: exchange.wire,
      method: exchange.method,
      target: this.redactor.keys(exchange.target),
      request_headers: exchange.requestHeaders.map(([name, value]) => [name, this.redactor.keys(value)]),
      request_body: text(exchange.requestBody),
      // JSON cannot hold a body that is not UTF-8, such as gzip, as text.
      request_body_base64:
        exchange.requestBody && !isUtf8(exchange.requestBody) ? exchange.requestBody.toString('base64') : undefined,
      status: exchange.status,
      headers: exchange.headers,
      body: text(exchange.body),
      took_ms: Math.round(exchange.receivedAtMs - exchange.sentAtMs),
    };
    appendFileSync(this.run.record, `${JSON.stringify(line)}\n`);
  }

  /** Requests permission to change something in the tenant. */
  async mayWrite(): Promise<void> {
    this.mustGoOn();
    this.countWrite();
  }

  /** Counts a change of the tenant. @throws Untested if the profile does not allow it, or no more of them */
  countWrite(): void {
    if (!this.profile.tenant.consent_to_writes) {
      this.untested('no_consent_to_writes', 'the profile does not consent to writes');
    }
    this.writes++;
    if (!this.run.countWrite()) this.untested('write_budget_used_up', 'tenant.max_writes of the profile is used up');
  }
}
