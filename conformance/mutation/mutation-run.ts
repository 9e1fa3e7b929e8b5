/** Plants faults round by round, runs their rules, and judges the results. */
import { type LoadedProfile, loadProfile } from '../profile/profile.ts';
import type { Rule } from '../rules/rule.ts';
import { faultsByMachine, noteTraffic, type RuleTraffic, type Tries } from './by-machine.ts';
import { CallbackProxy } from './callbacks.ts';
import type { Fault } from './fault.ts';
import { type JudgedFault, judge } from './judge.ts';
import { AlteringProxy, keysOf, planted } from './proxy.ts';
import { roundsOf } from './rounds.ts';
import { runSuite } from './suite-run.ts';

interface MutationOptions {
  /** Profiles of equal services, one for each lane. */
  profiles: readonly string[];
  /** Those that are planted by hand. */
  faults: readonly Fault[];
  /** The rules on which a machine tries others. */
  byMachine: readonly Rule[];
  /** The most rules in a round. */
  size: number;
  say: (text: string) => void;
}

/** A fault that changes nothing. @param delivers whether deliveries also go through the proxy */
export const nullFault = (rule: string, delivers = false): Fault => ({
  id: `null-${rule}`,
  rule,
  breaks: 'nothing',
  alter: (a, f) => f(a),
  delivery: delivers ? (d, f) => f(d) : undefined,
});

/** A service, with the proxies in front of it. It runs one round at a time. */
class Lane {
  readonly #profile: string;
  readonly #say: (text: string) => void;
  readonly #proxy: AlteringProxy;
  readonly #loaded: LoadedProfile;
  readonly #traffic: Map<string, RuleTraffic>;
  #url = '';
  #replica = '';

  /** @param traffic gets what rules exchange while no fault is planted for them */
  constructor(path: string, say: (text: string) => void, traffic: Map<string, RuleTraffic>) {
    this.#profile = path;
    this.#say = say;
    this.#traffic = traffic;
    this.#loaded = loadProfile(path);
    this.#proxy = new AlteringProxy(this.#loaded.profile.base_url);
  }

  async open(): Promise<void> {
    this.#url = await this.#proxy.listen();
    this.#replica = await this.#proxy.listen(true);
  }

  async close(): Promise<void> {
    await this.#proxy.close();
  }

  /** Runs the rules of some faults while all of these faults are planted. */
  async round(faults: readonly Fault[]): Promise<JudgedFault[]> {
    const rows = faults.map((fault) => planted(fault, keysOf(this.#loaded)));
    this.#proxy.plant(rows);
    const callbacks = faults.some(({ delivery }) => delivery)
      ? await CallbackProxy.open(this.#loaded.profile.callbacks, rows)
      : undefined;
    const unharmed = new Set(faults.filter(({ id }) => id.startsWith('null-')).map(({ rule }) => rule));
    this.#proxy.onExchange = (asked, answered) => {
      callbacks?.learn(asked, answered);
      if (!unharmed.has(asked.rule)) return;
      const traffic = this.#traffic.get(asked.rule) ?? new Map();
      this.#traffic.set(asked.rule, traffic);
      noteTraffic(traffic, asked, answered);
    };
    try {
      const env = { CONF_BASE_URL: this.#url, CONF_REPLICAS: this.#replica, ...callbacks?.env };
      const { results, said } = await runSuite(this.#profile, { only: faults.map(({ rule }) => rule) }, env);
      if (!results) this.#say(`  the suite gave no results: ${said.slice(-600)}`);
      return rows.map((one) =>
        judge(
          one,
          results?.rules.find(({ rule }) => rule === one.fault.rule),
          faults.length === 1,
        ),
      );
    } finally {
      await callbacks?.close();
      this.#proxy.plant([]);
      this.#proxy.onExchange = () => {};
    }
  }
}

/** Plants faults at services, and judges what the suite says. */
export class MutationRun {
  readonly #options: MutationOptions;
  readonly #lanes: readonly Lane[];
  readonly #traffic = new Map<string, RuleTraffic>();

  constructor(options: MutationOptions) {
    this.#options = options;
    this.#lanes = options.profiles.map((profile) => new Lane(profile, options.say, this.#traffic));
  }

  async open(): Promise<void> {
    for (const lane of this.#lanes) await lane.open();
  }

  async close(): Promise<void> {
    for (const lane of this.#lanes) await lane.close();
  }

  /** Each lane takes the next round as soon as it is free. @param note gets what a round has shown */
  async #runRounds(
    name: string,
    rounds: readonly (readonly Fault[])[],
    note: (judged: JudgedFault) => void,
  ): Promise<void> {
    const waiting = [...rounds.entries()];
    const work = async (lane: Lane) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [number, round] = next;
        this.#options.say(`${name} ${number + 1} of ${rounds.length}: ${round.length} faults`);
        for (const judged of await lane.round(round)) note(judged);
      }
    };
    await Promise.all(this.#lanes.map(work));
  }

  /** The rules that do not pass although no fault is planted. */
  async unsound(): Promise<Map<string, JudgedFault>> {
    const { faults, byMachine } = this.#options;
    const rules = [...new Set([...faults.map(({ rule }) => rule), ...byMachine.map(({ id }) => id)])];
    const delivers = new Set(faults.flatMap(({ rule, delivery }) => (delivery ? [rule] : [])));
    const nullOf = (rule: string) => nullFault(rule, delivers.has(rule));
    const found = new Map<string, JudgedFault>();
    const note = (judged: JudgedFault) => {
      const { place, status, said } = judged;
      if (status === 'PASS') found.delete(place);
      else {
        found.set(place, judged);
        this.#options.say(`  ${place} does not pass without a fault: ${status} ${said}`);
      }
    };
    let left = rules;
    // A busy machine sometimes spoils a run, so what did not pass is tried again, and then each rule alone.
    for (const size of [this.#options.size, this.#options.size, 1]) {
      await this.#runRounds('null faults, round', roundsOf(left.map(nullOf), size), note);
      // A rule may have found what it asks about made by another one.
      const silent = byMachine.filter(({ id }) => !this.#traffic.has(id) && !this.#isByHand(id));
      left = [...new Set([...found.keys(), ...silent.map(({ id }) => id)])];
    }
    return found;
  }

  #isByHand(id: string): boolean {
    return this.#options.faults.some(({ rule }) => rule === id);
  }

  /** What is tried by machine. A rule on which there is nothing to try must have a fault that is planted by hand. */
  #triesByMachine(): Tries[] {
    return this.#options.byMachine.flatMap((rule): Tries[] => {
      const made = faultsByMachine(rule, this.#traffic.get(rule.id) ?? new Map());
      if (made.length > 0 || this.#isByHand(rule.id)) return made;
      return [[{ ...nullFault(rule.id), breaks: 'there is nothing to try on it by machine' }]];
    });
  }

  /**
   * Judges every fault that is planted by hand, and whether the rule has caught one of each list that a machine has made.
   * What shared rounds did not catch counts as missed only after a run with this fault alone.
   */
  async judge(unsound: ReadonlyMap<string, JudgedFault>): Promise<JudgedFault[]> {
    const { faults, size, say } = this.#options;
    const all = new Map<string, JudgedFault>();
    const note = (judged: JudgedFault) => {
      const { id, place, verdict, status, said, changed, isFound } = judged;
      const why = isFound ? '' : `: ${status} ${said.slice(0, 160)} (changed ${changed})`;
      all.set(id, judged);
      say(`  ${verdict.padEnd(11)} ${place.padEnd(9)} ${id}${why}`);
    };
    const tried = [...faults.map((fault): Tries => [fault]), ...this.#triesByMachine()];
    for (const [{ id, rule, breaks }] of tried) {
      const without = unsound.get(rule);
      if (without) note({ ...without, id, breaks, verdict: 'unsound', isFound: false });
    }
    const open = () => tried.filter(([{ id }]) => !['caught', 'unsound'].includes(all.get(id)?.verdict ?? ''));
    for (let nth = 0; ; nth++) {
      const next = open().flatMap((tries) => tries[nth] ?? []);
      if (next.length === 0) break;
      await this.#runRounds(`try ${nth + 1}, round`, roundsOf(next, size), note);
    }
    const left = open().filter(([{ id }]) => !all.get(id)?.alone);
    await this.#runRounds(
      'alone, round',
      left.map(([fault]) => [fault]),
      note,
    );
    return [...all.values()];
  }
}
