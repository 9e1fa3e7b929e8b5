/** Faults that the rules of ingest-identity.rules.ts must catch. */
import { bodies, type Json } from '../mutation/alter.ts';
import { swallowed } from '../mutation/alter-deliveries.ts';
import { records } from '../mutation/alter-ingest.ts';
import type { Fault } from '../mutation/fault.ts';

const idOf = (one: Json) => String(one?.external_id ?? '');

export const faults: readonly Fault[] = [
  {
    id: 'ing-corrected-number-other-person',
    rule: 'ING-80',
    breaks: 'a corrected number makes another person',
    alter: records((one) => {
      if (/-corrected$/.test(idOf(one))) one.ФизЛицо.external_id = `of-${one.ФизЛицо.ИИН}`;
    }),
  },
  {
    id: 'ing-corrected-number-untold',
    rule: 'ING-80',
    breaks: 'a corrected number is no person.changed',
    delivery: swallowed('person.changed'),
  },
  {
    id: 'ing-old-number-still-leads',
    rule: 'ING-80',
    breaks: 'the old number still leads to the person of before',
    alone: true,
    alter: bodies('ingestRecords', ({ records: [one] }, _asked, { notes }) => {
      if (/-corrected$/.test(idOf(one))) notes.set('ИИН', one.ФизЛицо.ИИН);
      if (/-corrected-heir$/.test(idOf(one))) one.ФизЛицо.ИИН = notes.get('ИИН');
    }),
  },
  {
    id: 'ing-shared-person-corrected',
    rule: 'ING-80',
    breaks: 'a new number of one employment is applied to a person with two',
    alter: records((one) => {
      if (/-corrected-[12]$/.test(idOf(one))) one.ФизЛицо.external_id ??= 'conformance-corrected-both-person';
    }),
  },
  {
    id: 'ing-stranger-joined',
    rule: 'ING-81',
    breaks: 'dates of birth do not matter where a number is known',
    alter: records((one) => {
      if (one.ФизЛицо?.ДатаРождения === '1980-01-01') one.ФизЛицо.ДатаРождения = '';
    }),
  },
  {
    id: 'ing-known-number-skipped',
    rule: 'ING-81',
    breaks: 'a record with a number of another person is skipped where no birth date is given',
    alter: records((one) => {
      if (one.ФизЛицо?.ДатаРождения === '') one.external_id = 1;
    }),
  },
  {
    id: 'ing-link-beside-id-forgotten',
    rule: 'ING-82',
    breaks: 'a department with an external_id is another one than that of its Ссылка',
    alone: true,
    alter: records((one) => {
      if (one.external_id) delete one.Ссылка;
    }),
  },
  {
    id: 'ing-known-number-new-employee',
    rule: 'ING-83',
    breaks: 'a new external_id is a new employee, whatever its number',
    alone: true,
    alter: records((one) => {
      if (/-taken-[0-9a-f]+$/.test(idOf(one))) one.ТабельныйНомер = `${one.ТабельныйНомер}-of-${one.external_id}`;
    }),
  },
];
