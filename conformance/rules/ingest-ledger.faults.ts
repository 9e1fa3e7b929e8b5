/** Faults that the rules of ingest-ledger.rules.ts must catch: what LEDGER would make of records otherwise. */
import type { Json } from '../mutation/alter.ts';
import { allAlone, forgetting, inRecords } from '../mutation/alter-ingest.ts';
import type { Fault } from '../mutation/fault.ts';

const never = /never-loaded/;
const isDepartment = (one: Json) => one.Наименование !== undefined;

export const faults: readonly Fault[] = allAlone(
  inRecords('ing-ledger-title-clears', 'ING-60', 'an unknown job title empties the field', (one) => {
    if (never.test(one['Должность.Ссылка'])) one['Должность.Ссылка'] = '';
  }),
  inRecords('ing-ledger-nowhere', 'ING-60', 'a record with an unknown department is applied without it', (one) => {
    if (never.test(one['Подразделение.Ссылка'])) delete one['Подразделение.Ссылка'];
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
  inRecords('ing-ledger-link-unknown', 'ING-82', 'a department is not found by its Ссылка', (one) => {
    if (isDepartment(one) && one.external_id) delete one.Ссылка;
  }),
  inRecords('ing-ledger-link-only', 'ING-82', 'a department is found by its Ссылка alone', (one) => {
    if (isDepartment(one) && one.Ссылка) delete one.external_id;
  }),
);
