/** Faults that the rules of ingest*.rules.ts must catch. */
import { headerOf } from '../http/exchange.ts';
import {
  after,
  asking,
  bodies,
  counted,
  each,
  everything,
  type Json,
  keyed,
  keyOf,
  noted,
  parse,
  pretends,
  put,
  withHeader,
} from '../mutation/alter.ts';
import { eventOf } from '../mutation/alter-deliveries.ts';
import { CARDS, withNewKey } from '../mutation/alter-lists.ts';
import { type Alter, type Fault, faultsOf, type Memory, type ProxiedRequest } from '../mutation/fault.ts';

/** Changes the records of each batch. */
const records = (change: (record: Json, batch: Json, memory: Memory) => unknown) =>
  bodies('ingestRecords', (json, _asked, memory) => {
    for (const one of Array.isArray(json.records) ? json.records : []) change(one, json, memory);
  });

/** Keeps a field of an employee at its first value. */
const frozen = (name: string): Alter =>
  each(CARDS, (one, _asked, memory) => {
    one[name] = noted(memory, one.id, () => one[name]);
  });

const numberOf = (one: Json): string => one.ТабельныйНомер ?? '';

const isOfCase = (one: Json) => numberOf(one).startsWith('who-');

const iinOf = (one: Json): string | undefined => one.ФизЛицо.ИИН;

const named = (one: Json): string => `${numberOf(one)} ${one.ФизЛицо.Имя}`;

/** Whether a record that comes later is meant, in comparison with the first one that had the same number or IIN. */
type MeantPerson = (one: Json, first: Json) => boolean;

const hasOther = (name: string) => (one: Json, first: Json) => one.ФизЛицо[name] !== first.ФизЛицо[name];

const isOther = hasOther('Имя');

const isNamed =
  (name: string): MeantPerson =>
  (one) =>
    numberOf(one).includes(`-${name}-`);

/** Makes the target skip a record. */
const skip = (one: Json) => {
  one.external_id = 1;
};

const renumber = (one: Json) => {
  one.ТабельныйНомер += '-2';
};

/** A fault in records, which has a run of its own, since what it loads stays. */
const inRecords = (id: string, rule: string, breaks: string, change: Parameters<typeof records>[0]): Fault => ({
  id: `ing-who-${id}`,
  rule,
  breaks,
  alone: true,
  alter: records(change),
});

/** A fault in records that come after another one with the same number or IIN. @param of what both have */
const later = (
  id: string,
  rule: string,
  breaks: string,
  of: (one: Json) => string | undefined,
  isMeant: MeantPerson,
  change: (one: Json, first: Json) => void,
): Fault =>
  inRecords(id, rule, breaks, (one, _batch, memory) => {
    const key = isOfCase(one) && of(one);
    if (!key) return;
    const first = noted(memory, key, () => structuredClone(one));
    if (first.ДатаПриема !== one.ДатаПриема && isMeant(one, first)) change(one, first);
  });

/** A number means its employee, whoever a record says it is. */
const numberDecides = (id: string, rule: string): Fault =>
  inRecords(id, rule, 'a number means its employee, whoever the record says he is', (one) => {
    if (isOfCase(one)) one.external_id ??= `${one['Организация.Ссылка'] ?? ''}/${numberOf(one)}`;
  });

const joinsAll = (id: string, rule: string): Fault =>
  later(id, rule, 'a number leads to its person, whoever has it', iinOf, isOther, (one, { ФизЛицо: first }) => {
    one.ФизЛицо = { ...first, Телефон: one.ФизЛицо.Телефон };
  });

export const faults: readonly Fault[] = [
  ...faultsOf({
    'ING-5': {
      'ing-key-of-owner': ['an Idempotency-Key counts for all API keys', keyed('ingestRecords', 'any')],
    },
    'ING-8': {
      'ing-refusal-burns': [
        'a refused request uses its key up',
        after('ingestRecords', (answer, asked, memory) => {
          const key = `key ${headerOf(asked, 'idempotency-key')}`;
          if (answer.status === 400) memory.notes.set(key, true);
          return answer.status === 200 && memory.notes.has(key) ? { ...answer, status: 409 } : answer;
        }),
      ],
    },
    'ING-41': {
      'ing-applied-before-answer': [
        'a batch is answered when it is applied',
        after('ingestRecords', (answer, asked) => (asked.body.length > 50_000 ? { ...answer, heldMs: 2500 } : answer)),
      ],
    },
    'ING-6': {
      'ing-key-free-at-once': [
        'an Idempotency-Key is free before its 24 hours end',
        (asked, forward) => forward(withNewKey(asked)),
      ],
    },
    'ING-63': {
      'ing-lost-at-restart': [
        'what is accepted and not yet applied is lost with a restart',
        pretends((asked) => {
          const list = parse(asked.body)?.records;
          return asked.operation === 'ingestRecords' && list?.length === 1 && /-last-/.test(list[0].number ?? '');
        }),
      ],
    },
    'ING-54': {
      'ing-status-stands': ['the status is that of the day of the batch', frozen('status')],
      'ing-status-untold': ['a status that moves by its day moves no update_time', frozen('update_time')],
      'ing-end-untold': ['who has left in time has no end_date', each(CARDS, put('end_date', ''))],
    },
    'ING-69': {
      'ing-day-too-late': {
        breaks: 'a day of the dates begins a day later',
        alone: true,
        alter: each(CARDS, (one) => {
          if (one.status === 'EMPLOYEE_STATUS_ACTIVE' && one.start_date > '2020-01-01')
            one.status = 'EMPLOYEE_STATUS_ACCEPTED';
        }),
      },
    },
    'ING-72': {
      'ing-status-unreported': {
        breaks: 'a status that moves by its day causes no event',
        alone: true,
        delivery: async (one, forward, memory) =>
          counted(memory, `reported ${eventOf(one).data.employee_id}`) > 1 ? 200 : forward(one),
      },
    },
    'ING-86': {
      'ing-one-midnight': ['the statuses of another tenant do not change at its midnight', frozen('status')],
    },
    'ING-55': {
      'ing-other-order': [
        'the last two batches of many are applied the other way round',
        async (asked, forward, memory) => {
          const number = parse(asked.body)?.records?.[0]?.number ?? '';
          const last = memory.successes.get('ingestRecords');
          if (/-step-10-/.test(number) && last) {
            memory.notes.set('held', asked);
            return last;
          }
          const answer = await forward(asked);
          const held = memory.notes.get('held') as ProxiedRequest | undefined;
          if (/-step-11-/.test(number) && held) await forward(held);
          return answer;
        },
      ],
    },
    'ING-84': {
      'ing-two-at-once': {
        breaks: 'two batches at once make two employees of one external id',
        alone: true,
        alter: records((one, _batch, memory) => {
          if (one.external_person_id !== one.external_id || !/-twice-/.test(one.external_id)) return;
          if (counted(memory, 'made') > 1) one.external_id += '-2';
        }),
      },
    },
    'ING-71': {
      'ing-deleted-returns': {
        breaks: 'a record brings a deleted employee back',
        alone: true,
        alter: asking('ingestRecords', 'create_missing', true),
      },
    },
    'ING-23': {
      'ing-sources-mixed': [
        'one external id is one department, whatever its source',
        each(CARDS, (one, _asked, { notes }) => {
          if (/-ledger-/.test(one.department?.title)) one.department_id = notes.get('id') ?? one.department_id;
          if (/-kedo-/.test(one.department?.title)) notes.set('id', one.department_id);
        }),
      ],
    },
    'ING-26': {
      'ing-waits-for-reference': [
        'a record with an unknown reference is applied when a later batch brings it',
        after(everything, async (answer, asked, memory, forward) => {
          const type = parse(asked.body)?.payload_type;
          if (type === 'EMPLOYEES' && asked.body.includes('-later-')) memory.notes.set('waiting', asked);
          const waiting = memory.notes.get('waiting') as ProxiedRequest | undefined;
          if (type === 'DEPARTMENTS' && waiting) await forward(withNewKey(waiting));
          return answer;
        }),
      ],
    },
    'ING-64': {
      'ing-of-all-tenants': [
        'external ids of all tenants are one',
        after(everything, async (answer, asked, memory, forward) => {
          if (asked.operation === 'ingestRecords' && keyOf(asked) === memory.key('other_tenant')) {
            await forward(withHeader(withNewKey(asked), 'X-API-Key', memory.key('full')));
          }
          return answer;
        }),
      ],
    },
  }),
  later(
    'anywhere',
    'ING-61',
    'a number is that of one employee, wherever',
    numberOf,
    (one, first) => one['Организация.Ссылка'] !== first['Организация.Ссылка'],
    (one, first) => {
      one['Организация.Ссылка'] = first['Организация.Ссылка'];
    },
  ),
  inRecords('nameless', 'ING-68', 'the external_id of a person is ignored', (one) => {
    delete one.ФизЛицо?.external_id;
  }),
  later('corrected', 'ING-80', 'a corrected number makes another person', numberOf, hasOther('ИИН'), (one) => {
    one.ФизЛицо.external_id = `of-${iinOf(one)}`;
  }),
  joinsAll('joins', 'ING-81'),
  later(
    'turned',
    'ING-89',
    'last and first name are compared in their order',
    numberOf,
    (one, first) => one.ФизЛицо.Фамилия?.toLowerCase() === first.ФизЛицо.Имя?.toLowerCase(),
    renumber,
  ),
  later('back', 'ING-90', 'who comes back with the old number is a new employee', numberOf, isNamed('old'), renumber),
  later('heir', 'ING-91', 'the number of a leaver stays his', numberOf, isOther, skip),
  numberDecides('stays', 'ING-92'),
  joinsAll('fillers', 'ING-93'),
  later('mover', 'ING-94', 'nobody moves to the person of a number', numberOf, isNamed('mover'), (one) => {
    delete one.ФизЛицо.ИИН;
  }),
  numberDecides('outcome', 'ING-95'),
  later(
    'forgotten',
    'ING-96',
    'what was decided is forgotten',
    named,
    (one) => one.ФизЛицо.Имя === 'Борис',
    (one) => {
      one.ФизЛицо.ДатаРождения = '1970-01-01';
    },
  ),
];
