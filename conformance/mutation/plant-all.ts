/** Plants the chosen faults, and reports what the suite says of them. */
import { once } from 'node:events';
import { misuse, refuse } from '../../scripts/kit/command-line.ts';
import { untilStopped } from '../../scripts/kit/ending.ts';
import { endPrograms } from '../../scripts/kit/program.ts';
import { rules } from '../rules/all-rules.ts';
import { faults } from './all-faults.ts';
import { isByMachine } from './by-machine.ts';
import { controls } from './controls.ts';
import { sectionOf } from './judge.ts';
import { MutationRun } from './mutation-run.ts';
import { outOfReach } from './out-of-reach.ts';
import { type FaultReport, isRight, text } from './report.ts';
import { writeReport } from './report-html.ts';
import { startTarget, type Target } from './target.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

export interface PlantingOptions {
  readonly only: readonly string[];
  readonly section: readonly string[];
  readonly list?: true;
  readonly profile: readonly string[];
  readonly size: number;
  readonly lanes: number;
  readonly controls?: true;
  readonly null: boolean;
  readonly json?: string;
  readonly out: string;
}

/** Names on the command line that are no fault, rule or section. */
function unknownNames({ only, section }: PlantingOptions): string[] {
  const known = (name: string) => rules.some(({ id }) => id === name) || faults.some(({ id }) => id === name);
  return [
    ...only.filter((name) => !known(name)),
    ...section.filter((name) => !rules.some((rule) => rule.section === name)),
  ];
}

/** Shows the chosen faults, the rules on which a machine tries others, and if all are chosen, those that no fault can test. */
function list(chosen: typeof faults, byMachine: typeof rules, all: boolean): void {
  for (const { id, rule, breaks } of chosen) say(`${rule.padEnd(9)} ${id.padEnd(34)} ${breaks}`);
  for (const { id } of byMachine) say(`${id.padEnd(9)} ${'(by machine)'.padEnd(34)} what is made from its exchanges`);
  if (all) for (const { rule, reason } of outOfReach) say(`${rule.padEnd(9)} ${'(none)'.padEnd(34)} ${reason}`);
  say(
    `${chosen.length} faults that are planted by hand, and ${byMachine.length} rules on which a machine tries others`,
  );
}

/** @returns the exit code: 0 if every fault is caught and every control right */
export function plantAll(options: PlantingOptions): Promise<number> {
  // What a suite was just doing is ended, and undone, by the suite.
  const stopped = once(untilStopped(), 'abort')
    .then(endPrograms)
    .then(() => refuse('The run was stopped before its end.'));
  return Promise.race([planted(options), stopped]);
}

async function planted(options: PlantingOptions): Promise<number> {
  const { only, section } = options;
  const all = only.length + section.length === 0;
  const strange = unknownNames(options);
  if (strange.length > 0) misuse(`no fault is called ${strange.join(', ')}; --list shows all`);
  const chosen = faults.filter(
    ({ id, rule }) => all || only.includes(id) || only.includes(rule) || section.includes(sectionOf(rule)),
  );
  const byMachine = rules.filter(
    (rule) => isByMachine(rule) && (all || only.includes(rule.id) || section.includes(rule.section)),
  );
  if (options.list) {
    list(chosen, byMachine, all);
    return 0;
  }
  const began = Date.now();
  const targets: Target[] = [];
  try {
    const isJudged = !options.controls;
    const lanes = isJudged && chosen.length + byMachine.length >= options.size ? options.lanes : 1;
    while (options.profile.length === 0 && targets.length < lanes) targets.push(await startTarget(say));
    const profiles = [...options.profile, ...targets.map((one) => one.profile)];
    const run = new MutationRun({
      profiles,
      faults: isJudged ? chosen : [],
      // What a machine tries is made from what rules exchange without any fault.
      byMachine: isJudged && options.null ? byMachine : [],
      size: options.size,
      say,
    });
    await run.open();
    const unsound = options.null ? await run.unsound() : new Map();
    const judged = await run.judge(unsound);
    await run.close();
    const found = all || options.controls ? await controls(profiles[0] ?? '', say) : [];
    const report: FaultReport = {
      format_version: 2,
      title: 'Faults in traffic',
      how: 'Each fault is wrong in one way and is planted between suite and service; its own rule has to find it.',
      started_at: new Date(began).toISOString(),
      duration_ms: Date.now() - began,
      whole: all && !options.controls && options.null,
      faults: judged,
      controls: found,
      without: all ? outOfReach.map(({ rule, reason }) => ({ name: rule, reason })) : [],
    };
    writeReport(report, options.out, options.json);
    say(text(report));
    return isRight(report) ? 0 : 1;
  } finally {
    for (const target of targets) await target.stop();
  }
}
