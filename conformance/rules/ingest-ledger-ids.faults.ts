/** Faults that the rules of ingest-ledger-ids.rules.ts must catch. */
import { each, type Json, rows } from '../mutation/alter.ts';
import { records } from '../mutation/alter-ingest.ts';
import type { Alter, Fault, Memory } from '../mutation/fault.ts';

const BOTH = ['listEmployees', 'getEmployee'] as const;

const LIST = 'listEmployees';

const forgetful =
  (type: string, change: (record: Json, memory: Memory) => void): Alter =>
  (asked, forward, memory) =>
    records((one, batch) => {
      if (batch.payload_type === type && /LEDGER/.test(asked.target)) change(one, memory);
    })(asked, forward, memory);

export const faults: readonly Fault[] = [
  {
    id: 'ing-late-number-lost',
    rule: 'ING-75',
    breaks: 'a number that comes later is not taken',
    alter: each(BOTH, (one) => {
      if (one.person?.iin) one.person.iin = '';
    }),
  },
  {
    id: 'ing-person-of-each',
    rule: 'ING-61',
    breaks: 'each employment has a person of its own',
    alter: each(BOTH, (one, _asked, memory) => {
      const key = `person ${one.id}`;
      if (/-first-/.test(one.person?.phone ?? '')) memory.notes.set(key, one.person);
      one.person = memory.notes.get(key) ?? one.person;
    }),
  },
  {
    id: 'ing-employment-otherwise',
    rule: 'ING-61',
    breaks: 'employments are distinguished otherwise than declared',
    alter: rows(LIST, (list) => {
      const twins = list.filter((one) => /-phone-/.test(one.person?.phone ?? ''));
      return list.filter((one) => !twins.slice(1).includes(one));
    }),
  },
  {
    id: 'ing-ledger-fields-new',
    rule: 'ING-61',
    breaks: 'a record without an external_id is a new one each time',
    alone: true,
    alter: forgetful('EMPLOYEES_FULL', (one) => {
      one.external_id ??= crypto.randomUUID();
    }),
  },
  {
    id: 'ing-ledger-id-ignored',
    rule: 'ING-66',
    breaks: 'LEDGER ignores external_id and makes it from fields',
    alone: true,
    alter: forgetful('EMPLOYEES_FULL', (one) => {
      delete one.external_id;
    }),
  },
  {
    id: 'ing-ledger-number-decides',
    rule: 'ING-66',
    breaks: 'LEDGER takes a new external_id with a known number for the employee of that number',
    alone: true,
    alter: forgetful('EMPLOYEES_FULL', (one, memory) => {
      const key = `number ${one.ТабельныйНомер}`;
      if (!memory.notes.has(key)) memory.notes.set(key, one.external_id);
      one.external_id = memory.notes.get(key);
    }),
  },
  {
    id: 'ing-ledger-link-unknown',
    rule: 'ING-67',
    breaks: 'a department is not found by its Ссылка',
    alone: true,
    alter: records((one) => {
      if (one.external_id) delete one.Ссылка;
    }),
  },
  {
    id: 'ing-ledger-link-only',
    rule: 'ING-67',
    breaks: 'a department is found by its Ссылка alone',
    alone: true,
    alter: forgetful('DEPARTMENTS', (one) => {
      if (one.Ссылка) delete one.external_id;
    }),
  },
  {
    id: 'ing-ledger-number-is-a-change',
    rule: 'ING-70',
    breaks: 'a number of another person is a new number of the person of before',
    alone: true,
    alter: forgetful('EMPLOYEES_FULL', (one) => {
      const { ФизЛицо: human } = one;
      if (!human.external_id && human.ИИН) human.external_id = `of-${one.ДатаПриема}`;
    }),
  },
  {
    id: 'ing-ledger-number-stays',
    rule: 'ING-70',
    breaks: 'a person keeps the number that it was loaded with',
    alone: true,
    alter: forgetful('EMPLOYEES_FULL', ({ ФизЛицо: human }, { notes }) => {
      if (!human.external_id) return;
      if (!notes.has('ИИН')) notes.set('ИИН', human.ИИН);
      human.ИИН = notes.get('ИИН');
    }),
  },
  {
    id: 'ing-ledger-person-nameless',
    rule: 'ING-68',
    breaks: 'the external_id of a person is ignored',
    alone: true,
    alter: records((one) => {
      delete one.ФизЛицо?.external_id;
    }),
  },
];
