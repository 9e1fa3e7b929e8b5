/** Faults that the rules of ingest-ledger.rules.ts must catch: what LEDGER would make of records otherwise. */
import { type Json, noted } from '../mutation/alter.ts';
import { allAlone, forgetting, inRecords } from '../mutation/alter-ingest.ts';
import type { Fault } from '../mutation/fault.ts';

const never = /never-loaded/;
const isDepartment = (one: Json) => one.Наименование !== undefined;

export const faults: readonly Fault[] = [
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
  ),
];
