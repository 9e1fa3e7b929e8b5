/** The context of one rule: everything that its check may use. */
import { join } from 'node:path';
import type { OperationId } from '../../generated/contract.ts';
import { Api } from '../http/api.ts';
import { absence, showsAbsence } from '../http/capability.ts';
import { probeOf } from '../http/probe.ts';
import { HarnessFault, NOT_RUN, RuleUntested } from '../judge/outcome.ts';
import type { Profile } from '../profile/profile.ts';
import type { AdminCommand, FixtureName, KeyName } from '../profile/schema.ts';
import { HELD_KEYS } from '../rules/rule-info.ts';
import { seenWithin } from './bounded-wait.ts';
import type { Deed } from './deeds.ts';
import { ExchangeContext } from './exchange-context.ts';
import { type OptionalNeed, Uses } from './uses.ts';

/** The admin commands that change nothing in the tenant. */
const READING: readonly AdminCommand[] = ['logs', 'show_ingest', 'sign_cms', 'sign_cms_with'];

export class TestContext extends ExchangeContext {
  /** Why {@link close} could not put something back. */
  leftBehind: HarnessFault | undefined;
  /** How long the rule has waited for other rules, in milliseconds. */
  waitedMs = 0;
  #hasChanged = false;
  #isClosed = false;

  /** Whether the rule may have something of the tenant to put back. */
  get changes(): boolean {
    const { runs } = this.rule;
    return runs === 'changing' || runs === 'moving' || runs === 'alone' || this.#hasChanged;
  }

  /** Variable names of a key of the ring. */
  keyNames(name: KeyName): string[] {
    if (HELD_KEYS.includes(name) && !this.rule.holds?.includes(name))
      throw new HarnessFault(`a rule that uses the key ${name} must hold it`);
    this.uses.keys.add(name);
    const named = [this.profile.keys[name] ?? []].flat();
    return named.length > 0 ? named : this.untested('missing_key', `the profile has no key ${name}`);
  }

  /** The key itself, for tests that alter it. */
  secret(name: KeyName): string {
    return this.secretOf(this.keyNames(name)[0] ?? '');
  }

  /** From now on the check can do nothing any more. A clock that it has moved is put back, unless another rule moves it. */
  async close(): Promise<void> {
    const why = new RuleUntested('not_run', NOT_RUN);
    this.refuse(why);
    this.#isClosed = true;
    await this.run.steps.leave(this.rule.id, why).catch((error: Error) => {
      this.leftBehind = new HarnessFault(`the check did not end, and its clock is left moved: ${error.message}`);
    });
  }

  /** Calls with a key. Among equivalent keys one is chosen at the first request and kept; `spread` is {@link asAny}. */
  as(name: KeyName, options: { spread?: boolean; unpaced?: boolean; baseUrl?: string } = {}): Api {
    if (this.profile.replicas?.includes(options.baseUrl ?? '')) this.uses.flags.add('replica');
    return new Api(this, { names: this.keyNames(name), ...options });
  }

  /** Calls with a key; of equivalent keys each request takes the one that has most requests left. */
  asAny(name: KeyName): Api {
    return this.as(name, { spread: true });
  }

  /** Calls without a key. */
  anonymous(options: { unpaced?: boolean } = {}): Api {
    return new Api(this, { names: [], ...options });
  }

  /** Whether the profile has it. The rule does without if not, so it does not need it. */
  has(what: OptionalNeed): boolean {
    this.uses.optional.add(what);
    const { clock, keys, admin } = this.profile;
    if (what === 'clock') return clock.mode !== 'none';
    if (what === 'callbacks') return this.run.callbacks.url !== '';
    return ((keys[what as KeyName] ?? admin[what as AdminCommand])?.length ?? 0) > 0;
  }

  /** Works if the profile has this. The rule does without if not, so it needs nothing of what the work uses. */
  async ifThere<T>(what: OptionalNeed, work: () => Promise<T>): Promise<T | undefined> {
    return this.has(what) ? this.usingFor(new Uses(), work) : undefined;
  }

  /** The tenant with more employees than a total counts. */
  big(): NonNullable<Profile['fixtures']['big']> {
    this.uses.flags.add('big');
    return this.profile.fixtures.big ?? this.untested('missing_fixture', 'the profile has no fixture big');
  }

  fixture(name: FixtureName): string {
    this.uses.fixtures.add(name);
    const id = this.profile.fixtures[name];
    return id ?? this.untested('missing_fixture', `the profile has no fixture ${name}`);
  }

  /**
   * Runs an admin command of the profile to its end, also if this process is stopped by Ctrl-C. A check that has to end
   * may still put back so what it has changed.
   * @returns what it printed
   */
  async admin(command: AdminCommand, fill: Readonly<Record<string, string>> = {}): Promise<string> {
    const argv = this.profile.admin[command];
    this.uses.admin.add(command);
    if (!argv) this.untested('missing_admin_command', `the profile has no admin command ${command}`);
    if (this.#isClosed) this.mustGoOn();
    this.countWrite();
    this.#hasChanged ||= !READING.includes(command);
    const words = argv.map((part) => part.replace(/\{(\w+)\}/g, (all, name: string) => fill[name] ?? all));
    if (command !== 'restart') return this.#command(words, command);
    const restarted = async () => {
      await this.#command(words, command);
      this.run.drain();
    };
    this.mustGoOn();
    await this.#waitingFor(this.run.steps.restart(this.rule.id, restarted));
    return '';
  }

  /** @returns what it printed @throws HarnessFault if it failed */
  async #command(words: readonly string[], command: AdminCommand): Promise<string> {
    const { code, stdout, stderr } = await this.run.adminCommands.run(words, command);
    if (code === 0) return stdout;
    // Redacted before it is cut, as above.
    const said = this.redactor.text(`${stdout}\n${stderr}`.trim()).slice(-500);
    throw new HarnessFault(`the admin command ${command} failed (${code}): ${said}`);
  }

  /**
   * Looks again and again for what a deed leaves, until that is enough or the time is over, or another rule has found that
   * the deed is never done.
   * @param shows whether what was seen is left by the deed
   * @returns what was seen last
   * @throws Untested with that rule as the cause
   */
  async seenOnceDone<Seen>(
    deed: Deed,
    ms: number,
    look: () => Promise<Seen>,
    isEnough: (seen: Seen) => boolean,
    { pauseMs, shows = isEnough }: { pauseMs?: number; shows?: (seen: Seen) => boolean } = {},
  ): Promise<Seen> {
    const { deeds } = this.run;
    const { id } = this.rule;
    const isKnown = () => deeds.finderOf(deed) !== undefined;
    const seen = await seenWithin(ms, look, (one) => isEnough(one) || isKnown(), pauseMs);
    if (shows(seen) || !isEnough(seen)) deeds.note(deed, id, shows(seen));
    const finder = deeds.finderOf(deed);
    if (isEnough(seen)) return seen;
    if (finder !== undefined && finder !== id)
      this.untested('not_exercised', `the cause: ${finder}, which found that no ${deed}`);
    this.waitedInVain ??= { why: `it waited ${Math.round(ms / 1000)} s in vain beside other rules` };
    return seen;
  }

  /** Moves the target's clock while `work` runs. Only rules that run alone, or beside others that move it, may do this. */
  async withClock(work: (advance: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
    this.uses.flags.add('clock');
    const { mode, url } = this.profile.clock;
    if (mode !== 'control' || url === undefined) this.untested('missing_clock', 'the profile has no control clock');
    const { steps } = this.run;
    try {
      await work((ms) => this.#advance(ms));
    } finally {
      // One that had to end has left the steps to others.
      if (!this.#isClosed) await this.#waitingFor(steps.putBack(this.rule.id));
    }
  }

  /** Waits until each rule that moves the clock or restarts the target waits for this one, and nobody has moved the clock. */
  turn(): Promise<void> {
    this.mustGoOn();
    return this.#waitingFor(this.run.steps.putBack(this.rule.id));
  }

  /** Waits for what another rule makes. */
  whileIdle<T>(work: Promise<T>): Promise<T> {
    return this.#waitingFor(this.run.steps.whileIdle(this.rule.id, work));
  }

  async #advance(ms: number): Promise<void> {
    this.mustGoOn();
    await this.#waitingFor(this.run.steps.advance(this.rule.id, ms));
  }

  /** Waits for other rules. The rule took no longer for that. */
  async #waitingFor<T>(others: Promise<T>): Promise<T> {
    const began = performance.now();
    const made = await others;
    this.waitedMs += performance.now() - began;
    return made;
  }

  /**
   * Whether an operation is built, asked by a well-formed request that changes nothing. A run asks once for each.
   * @throws Untested, Skipped or Violation if it is not built, by what the profile claims
   */
  async probe(operationId: OperationId): Promise<void> {
    if (this.run.built.has(operationId)) return;
    const { exchange, brief } = await this.as('full').send(probeOf(operationId, this.run_id, this.spelling));
    if (showsAbsence(exchange, operationId, this.values)) {
      throw absence(operationId, this.profile.capabilities, brief);
    }
    this.run.built.add(operationId);
  }

  path(...parts: string[]): string {
    return join(this.run.directory, ...parts);
  }
}
