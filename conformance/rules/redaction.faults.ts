/** Faults that the rules of redaction.rules.ts must catch. */
import { each, type Json, keyOf, parse, rows, setHeader } from '../mutation/alter.ts';
import { total } from '../mutation/alter-lists.ts';
import type { Fault } from '../mutation/fault.ts';

const BOTH = ['listEmployees', 'getEmployee'] as const;

const LIST = 'listEmployees';

const HIDING_NAMES = [
  ['RED-13', 'first-name'],
  ['RED-14', 'last-name'],
  ['RED-15', 'middle-name'],
  ['RED-16', 'full-name'],
] as const;

export const faults: readonly Fault[] = [
  {
    id: 'red-iin-shown',
    rule: 'RED-1',
    breaks: 'the IIN is shown to who may not see it',
    alter: each(BOTH, (one) => {
      if (one.person) {
        one.person.iin ??= '000000000000';
      }
    }),
  },
  {
    id: 'red-not-listed',
    rule: 'RED-1',
    breaks: 'what is hidden is not listed',
    alter: each(BOTH, (one) => {
      one.redacted_fields = [];
    }),
  },
  {
    id: 'red-hidden-from-all',
    rule: 'RED-2',
    breaks: 'the IIN is hidden from who may see it',
    alter: each(BOTH, (one) => {
      if (one.person) {
        delete one.person.iin;
        one.redacted_fields = ['persons.iin'];
      }
    }),
  },
  {
    id: 'red-list-shows',
    rule: 'RED-6',
    breaks: 'the list shows what the single read hides',
    alter: each(LIST, (one) => {
      if (one.person) {
        one.person.iin ??= '000000000000';
        one.redacted_fields = [];
      }
    }),
  },
  {
    id: 'red-leaks-elsewhere',
    rule: 'RED-7',
    breaks: 'the hidden number stands in another field',
    alter: each(BOTH, (one, asked, memory) => {
      if (keyOf(asked) !== memory.key('restricted_owner')) {
        if (one.person?.iin) memory.notes.set(one.id, one.person.iin);
      } else if (memory.notes.has(one.id)) one.employee_number = memory.notes.get(one.id);
    }),
  },
  {
    id: 'red-by-row',
    rule: 'RED-9',
    breaks: 'what is listed depends on the row',
    alter: rows(LIST, (list) =>
      list.map((one: Json, at: number) => (at % 2 === 0 ? { ...one, redacted_fields: [] } : one)),
    ),
  },
  {
    id: 'red-others-differ',
    rule: 'RED-10',
    breaks: 'who sees less also sees another number',
    alter: each(BOTH, (one, asked, memory) => {
      if (asked.headers.some(([, v]) => v === memory.key('restricted_owner'))) one.employee_number += '1';
    }),
  },
  {
    id: 'red-lists-unasked',
    rule: 'RED-11',
    breaks: 'fields of objects that were not asked for are listed',
    alter: each(BOTH, (one) => {
      one.redacted_fields = ['persons.iin'];
    }),
  },
  {
    id: 'red-total-of-all',
    rule: 'RED-12',
    breaks: 'total_count counts whom the owner may not see',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      const json = parse(answer.body);
      if (!json?.total_count || keyOf(asked) !== memory.key('restricted_owner')) return answer;
      const next = { ...asked, headers: [...asked.headers] };
      setHeader(next, 'X-API-Key', memory.key('full'));
      json.total_count = parse((await forward(next)).body).total_count;
      return { ...answer, body: Buffer.from(JSON.stringify(json)) };
    },
  },
  {
    id: 'red-total-tells',
    rule: 'RED-12',
    breaks: 'total_count counts rows that the owner may not see',
    alter: total((count) => String(count + 7)),
  },
  ...HIDING_NAMES.flatMap(([rule, part]): Fault[] => [
    {
      id: `red-full-name-shown-without-${part}`,
      rule,
      breaks: `hiding ${part} alone leaves the person’s full name`,
      alter: each(BOTH, (one) => {
        if (!one.person || 'full_name' in one.person) return;
        one.person.full_name = 'Ким Сергей';
        one.redacted_fields = one.redacted_fields.filter((key: string) => key !== 'persons.full_name');
      }),
    },
    {
      id: `red-manager-named-without-${part}`,
      rule,
      breaks: `hiding ${part} alone leaves the manager’s name`,
      alter: each(BOTH, (one) => {
        if (one.manager) one.manager.full_name ??= 'Ким Сергей';
      }),
    },
  ]),
];
