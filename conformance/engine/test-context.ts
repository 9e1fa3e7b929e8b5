/** The context of one rule: everything that its check may use. */
import { join } from 'node:path';
import type { OperationId } from '../../generated/contract.ts';
import { Api } from '../http/api.ts';
import { absence, showsAbsence } from '../http/capability.ts';
import { NoAnswer } from '../http/client.ts';
import { askClock } from '../http/control-clock.ts';
import { probeOf } from '../http/probe.ts';
import { HarnessFault, NOT_RUN, RuleUntested } from '../judge/outcome.ts';
import type { Profile } from '../profile/profile.ts';
import type { AdminCommand, FixtureName, KeyName } from '../profile/schema.ts';
import { HELD_KEYS } from '../rules/rule-info.ts';
import { ExchangeContext } from './exchange-context.ts';
import { type OptionalNeed, Uses } from './uses.ts';

/** The admin commands that change nothing in the tenant. */
const READING: readonly AdminCommand[] = ['logs', 'show_ingest', 'sign_cms', 'sign_cms_with'];

export class TestContext extends ExchangeContext {
  /** Why {@link close} could not put something back. */
  leftBehind: HarnessFault | undefined;
  #hasChanged = false;
  #isClosed = false;
  #putClockBack: (() => Promise<void>) | undefined;

  /** Whether the rule may have something of the tenant to put back. */
  get changes(): boolean {
    const { runs } = this.rule;
    return runs === 'changing' || runs === 'alone' || this.#hasChanged;
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

  /** From now on the check can do nothing any more. A clock that it has moved is put back. */
  async close(): Promise<void> {
    this.refuse(new RuleUntested('not_run', NOT_RUN));
    this.#isClosed = true;
    await this.#putClockBack?.().catch((error: Error) => {
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
    const { code, stdout, stderr } = await this.run.adminCommands.run(words, command);
    if (command === 'restart') this.run.drain();
    if (code === 0) return stdout;
    // Redacted before it is cut, as above.
    const said = this.redactor.text(`${stdout}\n${stderr}`.trim()).slice(-500);
    throw new HarnessFault(`the admin command ${command} failed (${code}): ${said}`);
  }

  /** Moves the target's clock while `work` runs. Only tests that run alone may do this. */
  async withClock(work: (advance: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
    this.uses.flags.add('clock');
    const { mode, url } = this.profile.clock;
    if (mode !== 'control' || url === undefined) this.untested('missing_clock', 'the profile has no control clock');
    const ask = async (change?: Parameters<typeof askClock>[1]): Promise<number> => {
      const { status, offsetMs } = await askClock(url, change).catch((error: Error) => {
        throw error instanceof NoAnswer
          ? new HarnessFault(`the control clock does not answer: ${error.message}`)
          : error;
      });
      if (status !== 200 || offsetMs === undefined) throw new HarnessFault(`the control clock answered ${status}`);
      return offsetMs;
    };
    const offset_ms = await ask();
    // A check that had to end meanwhile puts nothing back any more.
    this.mustGoOn();
    this.#putClockBack = async () => {
      this.#putClockBack = undefined;
      await ask({ offset_ms });
      this.run.clockMoved(false);
    };
    this.run.clockMoved(true);
    try {
      await work(async (ms) => {
        this.mustGoOn();
        await ask({ advance_ms: ms });
      });
    } finally {
      await this.#putClockBack?.();
    }
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
