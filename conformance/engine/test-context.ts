/** The context of one rule: everything that its test may use, and the record of what it did. */
import { isUtf8 } from 'node:buffer';
import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OperationId } from '../../generated/operations.ts';
import { Answer } from '../http/answer.ts';
import { Api } from '../http/api.ts';
import { absence, additionOf, showsAbsence } from '../http/capability.ts';
import { exchangeOverHttp } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import { curlOf, describe, jsonOf } from '../http/exchange.ts';
import { complaintInFront, isListedInFront } from '../http/in-front.ts';
import { probeOf } from '../http/probe.ts';
import { isNotBuilt } from '../judge/contract.ts';
import {
  HarnessFault,
  type ReasonCode,
  RuleSkipped,
  RuleUntested,
  type ShownExchange,
  Violation,
} from '../judge/outcome.ts';
import { SeenValues } from '../judge/seen.ts';
import { type Judgement, universal } from '../judge/universal.ts';
import type { Profile } from '../profile/profile.ts';
import type { AdminCommand, FixtureName, KeyName } from '../profile/schema.ts';
import { type Spelling, spellingOf } from '../profile/spelling.ts';
import type { Values } from '../profile/values.ts';
import type { Redactor } from '../report/redact.ts';
import { differenceText } from '../report/shown-values.ts';
import type { Rule } from '../rules/rule.ts';
import type { Link } from './link.ts';
import type { RunFile } from './run-file.ts';

const ADMIN_TIMEOUT_MS = 60_000;
/** Larger bodies are sent only for their size. Recording them would make the record unreadable. */
const LARGEST_RECORDED = 4 * 1024 * 1024;
/** How many exchanges before the decisive one are shown with it. */
const TRAIL = 4;

/** Operations that rules in this worker have found to be built. */
const built = new Set<OperationId>();

export class TestContext {
  readonly rule: Rule;
  readonly run: RunFile;
  readonly link: Link;
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
  /** The checks that the terminator was allowed to answer; reported, too. */
  readonly inFront = new Set<string>();
  /** The latest exchanges, the oldest first. */
  #recent: Exchange[] = [];

  constructor(rule: Rule, run: RunFile, link: Link, redactor: Redactor) {
    this.rule = rule;
    this.run = run;
    this.link = link;
    this.redactor = redactor;
    this.seen = new SeenValues(run.inputs, run.profile.values);
  }

  get profile(): Profile {
    return this.run.profile;
  }

  get values(): Values {
    return this.run.profile.values;
  }

  /** How the target spells the values of enumerations. */
  get spelling(): Spelling {
    return spellingOf(this.values);
  }

  /** Variable names of a key of the ring. */
  keyNames(name: KeyName): string[] {
    const named = this.profile.keys[name];
    if (named === undefined || named.length === 0) {
      throw new RuleUntested('missing_key', `the profile has no key ${name}`);
    }
    return typeof named === 'string' ? [named] : named;
  }

  /** The key itself, for tests that alter it. */
  secret(name: KeyName): string {
    return this.secretOf(this.keyNames(name)[0] ?? '');
  }

  secretOf(variable: string): string {
    const value = process.env[variable];
    if (value === undefined) throw new HarnessFault(`the variable ${variable} is not set in the worker`);
    return value;
  }

  /** Calls with a key. Among equivalent keys one is chosen at the first request and kept; `spread` uses all of them. */
  as(name: KeyName, options: { spread?: boolean; unpaced?: boolean; baseUrl?: string } = {}): Api {
    return new Api(this, { names: this.keyNames(name), ...options });
  }

  /** Calls without a key. */
  anonymous(options: { unpaced?: boolean } = {}): Api {
    return new Api(this, { names: [], ...options });
  }

  fixture(name: FixtureName): string {
    const id = this.profile.fixtures[name];
    return id ?? this.untested('missing_fixture', `the profile has no fixture ${name}`);
  }

  untested(code: ReasonCode, reason: string): never {
    throw new RuleUntested(code, reason);
  }

  skip(reason: string): never {
    throw new RuleSkipped(reason);
  }

  fail(message: string, about?: Answer): never {
    if (about) this.last = about.exchange;
    throw new Violation(message);
  }

  check(holds: boolean, message: string, about?: Answer): void {
    if (!holds) this.fail(message, about);
  }

  /** Returns the value, which must exist. */
  present<T>(value: T | undefined | null, message: string, about?: Answer): T {
    return value ?? this.fail(message, about);
  }

  equal(actual: unknown, expected: unknown, message: string, about?: Answer): void {
    if (isDeepStrictEqual(actual, expected)) return;
    // Redacted before it is cut: half of a personal value would not be recognised.
    const isQuestion = message.startsWith('whether ');
    const show = (value: unknown) => {
      if (isQuestion && typeof value === 'boolean') return value ? 'yes' : 'no';
      return this.redactor.text(JSON.stringify(value) ?? 'nothing');
    };
    this.fail(`${message}: ${differenceText(actual, expected, show)}`, about);
  }

  /**
   * Records one exchange: judges it by the universal rules, counts it, and fails if something happened that must not.
   */
  record(exchange: Exchange): Answer {
    this.last = exchange;
    this.exchanges++;
    this.#recent = [...this.#recent.slice(-TRAIL), exchange];
    this.seen.note(exchange);
    if (exchange.status < 400) this.redactor.learn(jsonOf(exchange));
    if (exchange.inFront === undefined) this.#judge(exchange);
    else this.#judgeInFront(exchange.inFront, exchange.status);
    if (this.run.record !== '' && (exchange.requestBody?.length ?? 0) <= LARGEST_RECORDED) this.#writeRecord(exchange);
    if (exchange.status === 429 && !this.mayBeRefused) {
      throw new HarnessFault('an unexpected 429: somebody else uses the key, or the pacer is wrong');
    }
    const needed = this.rule.needs?.operations ?? [];
    if (isNotBuilt(exchange, this.values) && exchange.operationId && needed.includes(exchange.operationId)) {
      throw absence(exchange.operationId, this.profile.capabilities, '501 NOT_IMPLEMENTED');
    }
    return new Answer(this, exchange);
  }

  #judge(exchange: Exchange): void {
    for (const [id, complaint] of universal(exchange, this.values, this.redactor)) {
      const judgement = this.judged.get(id) ?? { occasions: 0, complaints: [] };
      judgement.occasions++;
      if (complaint !== '' && judgement.complaints.length < 20) {
        judgement.complaints.push({ text: this.redactor.text(complaint), ...this.shown(exchange) });
      }
      this.judged.set(id, judgement);
    }
  }

  #judgeInFront(check: string, status: number): void {
    const complaint = complaintInFront(check, status);
    this.check(complaint === '', `${check}: terminator: ${complaint}`);
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
      ...(exchange.requestBody && !isUtf8(exchange.requestBody)
        ? { request_body_base64: exchange.requestBody.toString('base64') }
        : {}),
      status: exchange.status,
      headers: exchange.headers,
      body: text(exchange.body),
      took_ms: Math.round(exchange.receivedAtMs - exchange.sentAtMs),
    };
    appendFileSync(`${this.run.record}.${process.pid}`, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  /** Requests permission to change something in the tenant. */
  async mayWrite(): Promise<void> {
    if (!this.profile.tenant.consent_to_writes) {
      this.untested('no_consent_to_writes', 'the profile does not consent to writes');
    }
    const { granted } = await this.link.ask({ op: 'write' });
    this.writes++;
    if (!granted) this.untested('write_budget_used_up', 'tenant.max_writes of the profile is used up');
  }

  /** Runs an admin command of the profile to its end. @returns what it printed */
  async admin(command: AdminCommand, fill: Readonly<Record<string, string>> = {}): Promise<string> {
    const argv = this.profile.admin[command];
    if (!argv) this.untested('missing_admin_command', `the profile has no admin command ${command}`);
    await this.mayWrite();
    const [file = '', ...args] = argv.map((part) =>
      part.replace(/\{(\w+)\}/g, (all, name: string) => fill[name] ?? all),
    );
    return new Promise((resolve, reject) => {
      execFile(file, args, { cwd: this.profile.admin.cwd, timeout: ADMIN_TIMEOUT_MS }, (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        const said = this.redactor.text(`${stdout}\n${stderr}`.trim().slice(-500));
        reject(new HarnessFault(`the admin command ${command} failed (${error.code ?? error.signal}): ${said}`));
      });
    });
  }

  /** Moves the target's clock while `work` runs. Only tests that run alone may do this. */
  async withClock(work: (advance: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
    const { mode, url } = this.profile.clock;
    if (mode !== 'control' || url === undefined) this.untested('missing_clock', 'the profile has no control clock');
    const base = new URL(url);
    const ask = async (method: string, body?: object): Promise<{ offset_ms: number }> => {
      const answer = await exchangeOverHttp({
        baseUrl: base.origin,
        method,
        target: `${base.pathname.replace(/\/$/, '')}/clock`,
        headers: body ? [['Content-Type', 'application/json']] : [],
        body: body && Buffer.from(JSON.stringify(body)),
      });
      if (answer.status !== 200) throw new HarnessFault(`the control clock answered ${answer.status}`);
      return JSON.parse(answer.body.toString('utf8')) as { offset_ms: number };
    };
    const { offset_ms } = await ask('GET');
    await this.link.ask({ op: 'clock', moved: true });
    try {
      await work(async (ms) => {
        await ask('POST', { advance_ms: ms });
      });
    } finally {
      await ask('POST', { offset_ms });
      await this.link.ask({ op: 'clock', moved: false });
    }
  }

  /**
   * Whether an operation is built, asked by a well-formed request that changes nothing. A worker asks once for each.
   * @throws Untested, Skipped or Violation if it is not built, by what the profile claims
   */
  async probe(operationId: OperationId): Promise<void> {
    if (built.has(operationId)) return;
    const { exchange, brief } = await this.as('full').send(probeOf(operationId, this.run.run_id, this.spelling));
    const isAddition = additionOf(operationId) !== undefined;
    if (isAddition && showsAbsence(exchange, operationId, this.values)) {
      throw absence(operationId, this.profile.capabilities, brief);
    }
    built.add(operationId);
  }

  path(...parts: string[]): string {
    return join(this.run.directory, ...parts);
  }
}
