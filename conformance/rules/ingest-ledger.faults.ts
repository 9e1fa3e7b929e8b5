/** Faults that the rules of ingest-ledger.rules.ts must catch: what LEDGER would make of records otherwise. */
import { type Json, noted } from '../mutation/alter.ts';
import { swallowed } from '../mutation/alter-deliveries.ts';
import { allAlone, forgetting, inCards, inRecords } from '../mutation/alter-ingest.ts';
import { type Fault, faultsOf, inDeliveries } from '../mutation/fault.ts';
import { FILLER } from './shared/payload-fields.ts';

const never = /never-loaded/;
const idOf = (one: Json) => String(one?.external_id ?? '');
const isDepartment = (one: Json) => one.Наименование !== undefined;
const isCorrected = (one: Json) => /-corrected$/.test(idOf(one)) && one.ФизЛицо.ИИН;

export const faults: readonly Fault[] = [
  ...faultsOf({
    'ING-80': {
      'ing-ledger-corrected-untold': inDeliveries(
        'a corrected number is no person.changed',
        swallowed('person.changed'),
      ),
    },
  }),
  ...allAlone(
    inRecords('ing-ledger-title-clears', 'ING-60', 'an unknown job title empties the field', (one) => {
      if (never.test(one['Должность.Ссылка'])) one['Должность.Ссылка'] = '';
    }),
    inRecords('ing-ledger-nowhere', 'ING-60', 'a record with an unknown department is applied without it', (one) => {
      if (never.test(one['Подразделение.Ссылка'])) delete one['Подразделение.Ссылка'];
    }),
    inRecords('ing-ledger-own-titles', 'ING-60', 'job titles of KEDO are unknown to LEDGER', (one) => {
      if (one['Должность.Ссылка'] !== '') delete one['Должность.Ссылка'];
    }),
    {
      id: 'ing-names-as-they-are',
      rule: 'ING-36',
      breaks: 'names are compared byte by byte',
      alter: forgetting((name) => name !== name.normalize('NFC')),
    },
    inRecords('ing-dots-as-paths', 'ING-36', 'a name with a dot is a path into objects', (one) => {
      for (const name of ['Подразделение', 'Должность'])
        if (one[name]?.Ссылка !== undefined) one[`${name}.Ссылка`] = one[name].Ссылка;
    }),
    inRecords('ing-ledger-fields-new', 'ING-61', 'a record without an external_id is always a new one', (one) => {
      if (!one.ФизЛицо || one.external_id !== undefined) return;
      one.external_id = crypto.randomUUID();
      one.ТабельныйНомер += `-of-${one.external_id}`;
    }),
    inRecords('ing-ledger-id-ignored', 'ING-61', 'external_id is ignored and made from fields', (one) => {
      if (one.ФизЛицо) delete one.external_id;
    }),
    inRecords('ing-ledger-number-decides', 'ING-61', 'a known number decides, not external_id', (one, _, { notes }) => {
      if (!one.ФизЛицо) return;
      const key = `number ${one.ТабельныйНомер}`;
      one.external_id = noted({ notes }, key, () => one.external_id);
    }),
    inRecords('ing-known-number-new-employee', 'ING-61', 'a new external_id is always a new employee', (one) => {
      if (/-taken-[0-9a-f]+$/.test(idOf(one))) one.ТабельныйНомер += `-of-${one.external_id}`;
    }),
    inRecords('ing-ledger-cleared-organization-kept', 'ING-61', 'an organisation that is cleared stays', (one) => {
      if (one.external_id !== undefined && one['Организация.Ссылка'] === '') delete one['Организация.Ссылка'];
    }),
    inRecords('ing-ledger-link-unknown', 'ING-82', 'a department is not found by its Ссылка', (one) => {
      if (isDepartment(one) && one.external_id) delete one.Ссылка;
    }),
    inRecords('ing-ledger-link-only', 'ING-82', 'a department is found by its Ссылка alone', (one) => {
      if (isDepartment(one) && one.Ссылка) delete one.external_id;
    }),
    inRecords('ing-ledger-person-nameless', 'ING-68', 'the external_id of a person is ignored', (one) => {
      delete one.ФизЛицо?.external_id;
    }),
    inRecords('ing-ledger-number-stays', 'ING-68', 'a person keeps its first number', (one, _batch, { notes }) => {
      const { ФизЛицо: human } = one;
      if (!human?.external_id || !human.ИИН) return;
      human.ИИН = noted({ notes }, 'ИИН', () => human.ИИН);
    }),
    inCards('ing-late-number-lost', 'ING-80', 'a number that comes later is not taken', (one) => {
      if (one.person?.iin) one.person.iin = '';
    }),
    inRecords('ing-birth-date-stays', 'ING-81', 'the first date of birth of a number stays', (one, _, { notes }) => {
      const { ФизЛицо: human } = one;
      if (human?.ИИН) human.ДатаРождения = noted({ notes }, `born ${human.ИИН}`, () => human.ДатаРождения);
    }),
    inRecords('ing-corrected-other-person', 'ING-80', 'a corrected number makes another person', (one) => {
      if (isCorrected(one)) one.ФизЛицо.external_id = `of-${one.ФизЛицо.ИИН}`;
    }),
    inRecords(
      'ing-old-number-still-leads',
      'ING-80',
      'the old number still leads to its person',
      (one, _, { notes }) => {
        if (isCorrected(one)) notes.set('ИИН', one.ФизЛицо.ИИН);
        if (/-corrected-heir$/.test(idOf(one)) && one.ФизЛицо.ИИН) one.ФизЛицо.ИИН = notes.get('ИИН');
      },
    ),
    inRecords('ing-shared-corrected', 'ING-80', 'a new number is applied to a person with two employments', (one) => {
      if (/-corrected-[12]$/.test(idOf(one))) one.ФизЛицо.external_id ??= 'conformance-corrected-both-person';
    }),
    inRecords(
      'ing-ledger-number-is-a-change',
      'ING-81',
      'a number of another person is that of the one before',
      (one) => {
        if (one.ФизЛицо?.ИИН) one.ФизЛицо.external_id ??= `of-${one.external_id}`;
      },
    ),
    inRecords('ing-stranger-joined', 'ING-81', 'dates of birth do not matter where a number is known', (one) => {
      if (one.ФизЛицо?.ДатаРождения === '1980-01-01') one.ФизЛицо.ДатаРождения = '';
    }),
    inRecords('ing-known-number-skipped', 'ING-81', 'a known number without a birth date skips its record', (one) => {
      if (one.ФизЛицо?.ДатаРождения === '') one.external_id = 1;
    }),
    inRecords('ing-filler-joins', 'ING-81', 'a filler is the number of one person', (one) => {
      if (one.ФизЛицо?.ИИН === FILLER) one.ФизЛицо.external_id = 'conformance-filler';
    }),
  ),
];
