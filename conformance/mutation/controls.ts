/**
 * Controls of planted faults: differences that the suite must accept, and services that must never be taken for conformant.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { enumerationPlaces, rateLimit } from '../../generated/contract.ts';
import { nodeScript, RunningProgram } from '../../scripts/kit/program.ts';
import { gcra } from '../judge/oracle-models.ts';
import { loadProfile } from '../profile/profile.ts';
import { ourSpelling, respell } from '../profile/spelling.ts';
import type { Results } from '../report/results.ts';
import { answers, bodies, both, everything, type Json, made, refused } from './alter.ts';
import { limiter } from './alter-limits.ts';
import type { Alter } from './fault.ts';
import { nullFault } from './mutation-run.ts';
import { AlteringProxy, keysOf, planted } from './proxy.ts';
import type { Control } from './report.ts';
import { runSuite, type SuiteRun } from './suite-run.ts';

/** What a target that spells enumerations differently says for a word: unlike ours, and the same text in several of them. */
const theirs = (word: string): string => (word === word.toLowerCase() ? word.toUpperCase() : word.toLowerCase());

/** The profile of such a target, as variables that override it. */
const otherSpelling: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ourSpelling).flatMap(([name, words]) =>
    Object.keys(words).map((word) => [`CONF_VALUES_${name}_${word}`.toUpperCase(), theirs(word)]),
  ),
);

/** By enumeration: our value, and theirs. */
const pairsOf = (name: string): [string, string][] =>
  Object.entries(ourSpelling[`spelling_${name}`] ?? {}).map(([word, ours]) => [ours, theirs(word)]);

/** Respells every text at a place by a table; the place ends in the name of its enumeration. */
function respellAt(json: Json, place: readonly string[], wordsOf: (name: string) => ReadonlyMap<string, string>): void {
  const words = wordsOf(place.at(-1) ?? '');
  respell(json, place.slice(0, -1), (value) => words.get(value) ?? value);
}

/** The target's value becomes ours. Our own value becomes an unknown one, since this target does not know it. */
const understood = (name: string) =>
  new Map(pairsOf(name).flatMap(([ours, own]) => [[ours, `${ours}?`] as const, [own, ours] as const]));

const REQUESTS: readonly (readonly string[])[] = [
  ['steps', '*', 'step_type', 'step_type'],
  ['steps', '*', 'rule', 'step_rule'],
  ['steps', '*', 'participants', '*', 'key_type', 'key_type'],
  ['signature', 'format', 'signature_format'],
];

const asked = bodies(['setDocumentRoute', 'signDocument'], (json) => {
  for (const place of REQUESTS) respellAt(json, place, understood);
});

const answered = answers(everything, (json, { operation }) => {
  for (const place of enumerationPlaces[operation ?? ''] ?? [])
    respellAt(json, place, (name) => new Map(pairsOf(name)));
});

const respelled = both(asked, answered);

/** Sections that send many requests and change little. */
const SAMPLE = ['LOGIN', 'DT', 'RED', 'SCOPE', 'REJ'];

/** Sections that send and compare most values of enumerations. */
const SPELLED = ['DT', 'FILE', 'FLOW', 'REJ', 'WHK'];

/** Rules about the shape of the limiter. */
const SHAPE = [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 16, 18].map((number) => `LIM-${number}`);

/** Sections whose requests even a mere mock can answer. */
const READING = ['AUTH', 'FLAG', 'EMP', 'PAGE', 'RED', 'DT', 'LOGIN'];

const reversed = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, one]) => [name, reversed(one)]),
  );
};

interface Harmless {
  name: string;
  alter: Alter;
  only?: readonly string[];
  section?: readonly string[];
  /** Overrides of the profile that describe such a target. */
  env?: Readonly<Record<string, string>>;
}

const { perSecond, burst } = rateLimit;

/** Differences that are not faults. */
const harmless: readonly Harmless[] = [
  { name: 'nothing is altered', alter: (asked, forward) => forward(asked) },
  {
    name: 'errors have another message',
    alter: answers(everything, (json) => ({ ...json, message: 'This cannot be done in this way.' }), refused),
  },
  {
    name: 'objects have another order of keys',
    alter: answers(everything, (json) => reversed(json), everything),
  },
  {
    name: 'every answer takes 300 ms longer',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      await sleep(300);
      return answer;
    },
  },
  { name: 'values are spelled as the profile says', alter: respelled, section: SPELLED, env: otherSpelling },
  { name: 'the limiter is a GCRA', alter: limiter(() => gcra(1000 / perSecond, burst)), only: SHAPE },
];

const count = (results: Results | undefined, ...statuses: string[]) =>
  (results?.rules ?? []).filter(({ status }) => statuses.includes(status)).length;

function summary({ exitCode, results }: SuiteRun): string {
  const failed = (results?.rules ?? []).filter(({ status }) => status === 'FAIL' || status === 'ERROR');
  const named = failed.slice(0, 5).map(({ rule, reason }) => `${rule}: ${reason.slice(0, 120)}`);
  return `exit ${exitCode}, ${count(results, 'PASS', 'WARN')} pass, ${failed.length} fail${named.length > 0 ? ` (${named.join('; ')})` : ''}`;
}

/** Runs the suite through a proxy that alters all requests in the same way. */
async function through(
  profile: string,
  alter: Alter,
  selection: { only?: readonly string[]; section?: readonly string[] },
  env: Readonly<Record<string, string>> = {},
) {
  const loaded = loadProfile(profile);
  const proxy = new AlteringProxy(loaded.profile.base_url);
  proxy.plantEverywhere(planted({ ...nullFault(''), alter }, keysOf(loaded)));
  try {
    return await runSuite(profile, selection, { ...env, CONF_BASE_URL: await proxy.listen() });
  } finally {
    await proxy.close();
  }
}

/** A server that knows only the contract. */
async function mock() {
  const argv = nodeScript(
    join(import.meta.dirname, '../../scripts/run.mjs'),
    'scripts/contract/mock.ts',
    '--port',
    '0',
  );
  const prism = new RunningProgram(argv, { name: 'The mock', leadsGroup: true });
  return Object.assign(prism, { url: await prism.line((line) => /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]) });
}

export async function controls(profile: string, say: (text: string) => void): Promise<Control[]> {
  const found: Control[] = [];
  const note = (name: string, expected: string, said: string, right: boolean) => {
    found.push({ name, expected, found: said, right });
    say(`  ${right ? 'right' : 'WRONG'}  ${name}: ${said}`);
  };
  say('controls');
  const dead = await runSuite(profile, { section: ['LOGIN'] }, { CONF_BASE_URL: 'http://127.0.0.1:1' });
  note('nobody answers', 'exit 3', `exit ${dead.exitCode}`, dead.exitCode === 3);
  for (const { name, alter, only, section = SAMPLE, env } of harmless) {
    const run = await through(profile, alter, only ? { only } : { section }, env);
    const right = (run.exitCode === 0 || run.exitCode === 6) && count(run.results, 'PASS') > 0;
    note(name, 'every rule passes', summary(run), right);
  }
  const empty = await through(profile, async () => made(200, {}), { section: READING });
  const failed = count(empty.results, 'FAIL', 'ERROR');
  const judged = failed + count(empty.results, 'PASS', 'WARN');
  note(
    'every answer is 200 {}',
    'nine of ten rules fail',
    `exit ${empty.exitCode}, ${failed} of ${judged} fail`,
    empty.exitCode === 1 && failed >= 0.9 * judged,
  );
  const prism = await mock();
  try {
    const run = await runSuite(profile, { section: READING }, { CONF_BASE_URL: prism.url });
    const passed = count(run.results, 'PASS', 'WARN');
    const tried = passed + count(run.results, 'FAIL', 'ERROR');
    const share = tried === 0 ? 0 : Math.round((100 * passed) / tried);
    note(
      'a mock made of the contract',
      'exit 1',
      `exit ${run.exitCode}, passes ${passed} of ${tried} (${share} %)`,
      run.exitCode === 1,
    );
  } finally {
    await prism.stop();
  }
  return found;
}
