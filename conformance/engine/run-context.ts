/** What the rules of a run share: permits to send and to write, what is open, and what was observed. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { OperationId } from '../../generated/contract.ts';
import { envelopeOf, type MadeEndpoint } from '../callbacks/delivery.ts';
import type { CallbackFacts, OpenCallbacks } from '../callbacks/open.ts';
import type { Receiver } from '../callbacks/receiver.ts';
import { Silence } from '../http/silence.ts';
import type { Sighting } from '../judge/contract-coverage.ts';
import { declaredInputs } from '../judge/coverage.ts';
import { GivenAnswers } from '../judge/given-answers.ts';
import type { InputNames } from '../judge/inputs.ts';
import type { MeasuredLimit } from '../judge/limit-facts.ts';
import { RuleUntested } from '../judge/outcome.ts';
import type { Judgement } from '../judge/universal.ts';
import type { LoadedProfile, Profile } from '../profile/profile.ts';
import { ourValues } from '../profile/spelling.ts';
import { Redactor } from '../report/redact.ts';
import { AdminCommands } from './admin-commands.ts';
import { CommonSteps } from './common-steps.ts';
import { Deeds } from './deeds.ts';
import { OpenEndpoints } from './open-endpoints.ts';
import { LATEST_MS, Pacer } from './pacer.ts';
import { StallWatch } from './stall-watch.ts';
import { type Place, type Tenants, tenantsOf } from './tenants.ts';

/** How often a request waits anew whose permit came late, if this process stands still again and again. */
const MOST_WAITS = 4;

export class RunContext {
  readonly run_id = randomBytes(4).toString('hex');
  readonly profile: Profile;
  /** The main tenant, and those of the pool. */
  readonly tenants: Tenants;
  /** Where a rule is checked that changes no tenant. */
  readonly main: Place;
  readonly steps: CommonSteps;
  readonly deeds = new Deeds();
  /** The value of each key by the name of its variable. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly callbacks: CallbackFacts;
  /** The file to which every exchange is written with its bodies; '' for none. */
  readonly record: string;
  /** For files that admin commands read. */
  readonly directory = mkdtempSync(join(tmpdir(), 'conformance-'));
  /** What the operations of the contract take. */
  readonly inputs: InputNames = declaredInputs();
  readonly adminCommands: AdminCommands;
  readonly endpoints = new OpenEndpoints();
  readonly stalls: StallWatch;
  /** When each key last had an answer that came late, by the name of its variable. */
  readonly lateKeys = new Map<string, number>();
  /** The endpoints with their secrets, also those that are deleted. */
  readonly madeEndpoints: MadeEndpoint[] = [];
  /** Operations that were found to be built. */
  readonly built = new Set<OperationId>();
  readonly sightings: Sighting[] = [];
  /** How the exchanges of each rule were judged by the rules for every exchange. */
  readonly judgements: { during: string; judged: ReadonlyMap<string, Judgement> }[] = [];
  readonly limits: MeasuredLimit[] = [];
  readonly silence = new Silence();
  readonly given = new GivenAnswers();
  writes = 0;
  /** Answers 503 after which the contract says to send the request again. */
  unavailable = 0;
  readonly #receiver: Receiver | undefined;
  readonly #pacer: Pacer;
  readonly #salt = randomBytes(16).toString('hex');
  readonly #redactors = new Map<string, Redactor>();

  constructor(
    { profile, secrets }: LoadedProfile,
    { facts, receiver }: OpenCallbacks,
    record = '',
    stalls = new StallWatch(),
  ) {
    this.profile = profile;
    this.tenants = tenantsOf(profile);
    this.main = { tenant: this.tenants[0], profile: this.tenants[0] };
    this.steps = new CommonSteps(
      () => profile.clock.url,
      (isMoved) => this.#clockMoved(isMoved),
    );
    this.stalls = stalls;
    this.secrets = secrets;
    this.callbacks = facts;
    this.adminCommands = new AdminCommands(profile.admin);
    this.#receiver = receiver;
    this.record = record;
    this.#pacer = new Pacer(profile.values.failed_auth_per_s);
    if (record !== '') writeFileSync(record, '', { mode: 0o600 });
  }

  /** The types of the events that were delivered, in our spelling. */
  get eventTypes(): Set<string> {
    const types = (this.#receiver?.deliveries ?? []).map((one) => String(envelopeOf(one).type));
    return new Set(types.flatMap((type) => ourValues(type, this.profile.values)));
  }

  /** The receiver of deliveries. @throws Untested if there is none */
  get receiver(): Receiver {
    if (this.#receiver === undefined) throw new RuleUntested('missing_callbacks', this.callbacks.problem);
    return this.#receiver;
  }

  /** Waits until a request may be sent with one of these equivalent keys. @returns the variable name of the key */
  async permit(names: readonly string[]): Promise<string> {
    for (let waits = 1; ; waits++) {
      const now = performance.now();
      const name = this.#pacer.freest(names, now);
      const waitMs = this.#pacer.reserve(name, now);
      if (waitMs > 0) await pause(Math.ceil(waitMs), undefined, { ref: false });
      const isLate = performance.now() - now - waitMs > LATEST_MS;
      if (!isLate || waits >= MOST_WAITS) return name;
      // This process stood still: all that waited beside it would leave at once.
      this.drain();
    }
  }

  /** Lets requests wait as if all keys had just been used: the state of the target's buckets is unknown. */
  drain(): void {
    this.#pacer.drainAll(performance.now());
  }

  /** Counts a write. @returns false if `max_writes` of the profile are used up */
  countWrite(): boolean {
    this.writes++;
    return this.writes <= this.profile.tenant.max_writes;
  }

  /** The target's clock has been moved, or has been put back. */
  #clockMoved(moved: boolean): void {
    this.#receiver?.clockMoved(moved);
    this.drain();
  }

  /**
   * What redacts the texts of a file's rules. It knows the personal values that these rules have seen: those of all
   * rules are so many that one of them stands in a text by chance.
   */
  redactorOf(file: string): Redactor {
    const known = this.#redactors.get(file);
    if (known) return known;
    const made = new Redactor(this.#salt, this.secrets, this.profile.values.shown_prefix_pattern);
    this.#redactors.set(file, made);
    return made;
  }

  /** Ends the runner of the admin commands, and removes the files of the run. */
  async close(): Promise<void> {
    this.stalls.close();
    await this.adminCommands.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
