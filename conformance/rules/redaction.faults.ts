/** Faults that the rules of redaction.rules.ts must catch. */
import { after, each, everything, isWith, type Json, jsonBody, parse, put, withHeader } from '../mutation/alter.ts';
import { CARDS } from '../mutation/alter-lists.ts';
import { type Fault, type FaultRows, faultsFor, faultsOf } from '../mutation/fault.ts';
import { hiddenFields } from './redaction.rules.ts';
import { idOf } from './rule.ts';

/** The object of a row that holds a field; undefined if the row does not show it. */
const holderOf = (one: Json, key: string): Json => (key.startsWith('persons.') ? one.person : one);

const ofField = (key: string): FaultRows => {
  const field = key.slice(key.indexOf('.') + 1);
  const unlist = put('redacted_fields', (all: string[]) => all.filter((listed) => listed !== key));
  return {
    shown: [
      'is shown to who may not see it',
      each(CARDS, (one) => {
        const holder = holderOf(one, key);
        if (holder === undefined || field in holder) return;
        holder[field] = '0';
        unlist(one);
      }),
    ],
  };
};

export const faults: readonly Fault[] = [
  ...faultsOf({
    'RED-1': {
      'red-leaks-elsewhere': [
        'the hidden number stands in another field',
        each(CARDS, (one, asked, memory) => {
          if (!isWith('restricted_owner', asked, memory)) {
            if (one.person?.iin) memory.notes.set(one.id, one.person.iin);
          } else if (memory.notes.has(one.id)) one.employee_number = memory.notes.get(one.id);
        }),
      ],
    },
    'RED-12': {
      'red-total-of-all': [
        'total_count counts whom the owner may not see',
        after(everything, async (answer, asked, memory, forward) => {
          const json = parse(answer.body);
          if (!json?.total_count || !isWith('restricted_owner', asked, memory)) return answer;
          const whole = await forward(withHeader(asked, 'X-API-Key', memory.key('full')));
          return { ...answer, body: jsonBody({ ...json, total_count: parse(whole.body).total_count }) };
        }),
      ],
    },
  }),
  ...hiddenFields
    .filter(({ owner }) => owner !== undefined)
    .flatMap(({ key, id }) =>
      faultsFor(idOf(id), ofField(key), key, (name) => `red-${key.replace(/^\w+\./, '')}-${name}`),
    ),
];
