/** Plants faults round by round, runs their rules, and judges the results. */
import { loadProfile } from '../profile/profile.ts';
import { CallbackProxy } from './callbacks.ts';
import type { Fault } from './fault.ts';
import { type JudgedFault, judge } from './judge.ts';
import { AlteringProxy, type PlantedFault, planted } from './proxy.ts';
import { roundsOf } from './rounds.ts';
import { runSuite } from './suite-run.ts';

export interface MutationOptions {
  profile: string;
  faults: readonly Fault[];
  /** The most rules in a round. */
  size: number;
  /** Whether every fault gets its own run. */
  isolated: boolean;
  say: (text: string) => void;
}

/** A fault that changes nothing. @param delivers whether deliveries also go through the proxy */
export const nullFault = (rule: string, delivers = false): Fault => ({
  id: `null-${rule}`,
  rule,
  breaks: 'nothing',
  alter: (a, f) => f(a),
  ...(delivers ? { delivery: (d, f) => f(d) } : {}),
});

export class MutationRun {
  readonly #options: MutationOptions;
  readonly #proxy: AlteringProxy;
  readonly #keys: (name: string, index?: number) => string;
  #url = '';
  #replica = '';

  constructor(options: MutationOptions) {
    this.#options = options;
    const { profile, secrets } = loadProfile(options.profile);
    this.#proxy = new AlteringProxy(profile.base_url);
    this.#keys = (name, index = 0) => {
      const named = [profile.keys[name as keyof typeof profile.keys] ?? []].flat();
      return secrets[named[index] ?? ''] ?? '';
    };
  }

  async open(): Promise<void> {
    this.#url = await this.#proxy.listen();
    this.#replica = await this.#proxy.listen(true);
  }

  async close(): Promise<void> {
    await this.#proxy.close();
  }

  /** Runs the rules of some faults while all of these faults are planted. */
  async round(faults: readonly Fault[], isAlone: boolean): Promise<JudgedFault[]> {
    const rows = faults.map((fault) => planted(fault, this.#keys));
    this.#proxy.plant(rows);
    const callbacks = faults.some(({ delivery }) => delivery) ? await this.#callbacks(rows) : undefined;
    try {
      const env = { CONF_BASE_URL: this.#url, CONF_REPLICAS: this.#replica, ...callbacks?.env };
      const { results, said } = await runSuite(this.#options.profile, { only: faults.map(({ rule }) => rule) }, env);
      if (!results) this.#options.say(`  the suite gave no results: ${said.slice(-600)}`);
      return rows.map((one) =>
        judge(
          one,
          results?.rules.find(({ rule }) => rule === one.fault.rule),
          isAlone,
        ),
      );
    } finally {
      await callbacks?.close();
      this.#proxy.plant([]);
      this.#proxy.onExchange = () => {};
    }
  }

  async #callbacks(rows: readonly PlantedFault[]): Promise<CallbackProxy> {
    const { callbacks } = loadProfile(this.#options.profile).profile;
    const proxy = await CallbackProxy.open(callbacks, rows);
    this.#proxy.onExchange = (asked, answered) => proxy.learn(asked, answered);
    return proxy;
  }

  /** The rules that do not pass although no fault is planted. */
  async unsound(): Promise<Map<string, JudgedFault>> {
    const rules = [...new Set(this.#options.faults.map(({ rule }) => rule))];
    const delivers = new Set(this.#options.faults.flatMap(({ rule, delivery }) => (delivery ? [rule] : [])));
    const nullOf = (rule: string) => nullFault(rule, delivers.has(rule));
    const rounds = roundsOf(rules.map(nullOf), this.#options.size);
    const found = new Map<string, JudgedFault>();
    for (const [number, round] of rounds.entries()) {
      this.#options.say(`null fault, round ${number + 1} of ${rounds.length}: ${round.length} rules`);
      for (const judged of await this.round(round, false)) if (judged.status !== 'PASS') found.set(judged.rule, judged);
    }
    // A busy machine sometimes spoils a run, so each is tried again.
    for (const [rule] of found) {
      const [again] = await this.round([nullOf(rule)], true);
      if (again?.status === 'PASS') found.delete(rule);
      else this.#options.say(`  ${rule} does not pass without a fault: ${again?.status} ${again?.reason}`);
    }
    return found;
  }

  /**
   * Judges every fault. A fault that a shared round did not catch counts as missed only after a run with this fault
   * alone.
   */
  async judge(unsound: ReadonlyMap<string, JudgedFault>): Promise<JudgedFault[]> {
    const { faults, size, isolated, say } = this.#options;
    const all = new Map<string, JudgedFault>();
    const note = (judged: JudgedFault) => {
      all.set(judged.id, judged);
      say(
        `  ${judged.verdict.padEnd(11)} ${judged.rule.padEnd(9)} ${judged.id}${judged.verdict === 'caught' ? '' : `: ${judged.status} ${judged.reason.slice(0, 160)} (changed ${judged.changed})`}`,
      );
    };
    const sound: Fault[] = [];
    for (const fault of faults) {
      const without = unsound.get(fault.rule);
      if (!without) sound.push(fault);
      else note({ ...without, id: fault.id, breaks: fault.breaks, verdict: 'unsound' });
    }
    const rounds = isolated ? sound.map((fault) => [fault]) : roundsOf(sound, size);
    for (const [number, round] of rounds.entries()) {
      say(`round ${number + 1} of ${rounds.length}: ${round.length} faults`);
      for (const judged of await this.round(round, round.length === 1)) note(judged);
    }
    const left = sound.filter(({ id }) => all.get(id)?.verdict !== 'caught' && !all.get(id)?.alone);
    if (left.length > 0) say(`${left.length} faults that no shared round caught, one by one`);
    for (const fault of left) for (const judged of await this.round([fault], true)) note(judged);
    return faults.flatMap(({ id }) => all.get(id) ?? []);
  }
}
