/** Faults that the rules of lists-rows.rules.ts must catch. */
import { after, answers, each, everything, type Json, madeError, reasonOf, rows } from '../mutation/alter.ts';
import { listFaults, onlyFirst, SOMEBODY } from '../mutation/alter-lists.ts';
import type { Alter, Fault, FaultRows } from '../mutation/fault.ts';
import { expansionRule, expansionsOf, singleRule } from './lists-rows.rules.ts';
import { readableLists } from './shared/paged-lists.ts';

const inSeconds = (one: Json) => ({ ...one, update_time: one.update_time.replace(/\.\d{3}/, '.001') });
const UPPER = /\/(?=[^/?]*[A-F])[0-9A-F-]{36}(\?|$)/;

/** Ids in upper case are refused by a target that understands them, and the other way round. */
const upperCase: Alter = after(everything, (answer, asked, memory) => {
  if (!UPPER.test(asked.target)) return answer;
  return reasonOf(answer) === undefined
    ? madeError('INVALID_ARGUMENT')
    : (memory.successes.get(asked.operation ?? '') ?? answer);
});

const ofSingle = ({ operationId, single, singleRow }: (typeof readableLists)[number]): FaultRows => ({
  list: ['rounds update_time in the list', rows(operationId, (all) => all.map(inSeconds))],
  read: [
    'rounds update_time in the single read',
    answers(single, (json) => ({ [singleRow]: inSeconds(json[singleRow]) })),
  ],
  case: ['treats an id in upper case otherwise than declared', upperCase],
});

const ofExpansion = (list: (typeof readableLists)[number], value: string): FaultRows => {
  const both = [list.operationId, list.single] as const;
  const { name } = expansionsOf(list);
  return {
    lost: [`leaves ${value} out`, each(both, (one) => void delete one[value])],
    other: [
      `has another ${value}`,
      each(both, (one) => {
        if (`${value}_id` in one && one[value]) one[value].id = SOMEBODY.id;
        else one[value] = undefined;
      }),
    ],
    always: [
      `has ${value} without being asked for`,
      each(both, (one) => {
        one[value] ??= SOMEBODY;
      }),
    ],
    first: ['takes the first of several expansions', onlyFirst(name, both)],
  };
};

export const faults: readonly Fault[] = readableLists.flatMap((list) => [
  ...listFaults(list.operationId, 'single', singleRule(list)[0], ofSingle(list)),
  ...expansionsOf(list).values.flatMap((value) =>
    listFaults(list.operationId, `expand-${value}`, expansionRule(list, value)[0], ofExpansion(list, value)),
  ),
]);
