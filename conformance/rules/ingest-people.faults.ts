/** Faults that the rules of ingest-people.rules.ts must catch: what else records of LEDGER could be taken for. */
import { type Json, noted } from '../mutation/alter.ts';
import { allAlone, inBatches, inCards, inRecords } from '../mutation/alter-ingest.ts';
import type { Fault } from '../mutation/fault.ts';

const isOfCase = (one: Json) => String(one.ТабельныйНомер).startsWith('who-');
const numberOf = (one: Json): string => one.ТабельныйНомер;
const iinOf = (one: Json): string => one.ФизЛицо.ИИН;
const named = (one: Json): string => `${numberOf(one)} ${one.ФизЛицо.Имя}`;

/** A fault in records that come after another one with the same number or IIN. @param of what both have */
const later = (
  id: string,
  rule: string,
  breaks: string,
  of: (one: Json) => string,
  change: (one: Json, first: Json) => void,
): Fault =>
  inRecords(`ing-who-${id}`, rule, breaks, (one, _batch, memory) => {
    if (!isOfCase(one) || of(one) === undefined) return;
    const first = noted(memory, of(one), () => structuredClone(one));
    if (first.ДатаПриема !== one.ДатаПриема) change(one, first);
  });

/** Makes the target skip a record. */
const skip = (one: Json) => {
  one.external_id = 1;
};
const anew = (one: Json) => {
  one.external_id = `${numberOf(one)}-of-${one.ДатаПриема}`;
};
const hasOther = (name: string) => (one: Json, first: Json) => one.ФизЛицо[name] !== first.ФизЛицо[name];
const isOther = hasOther('Имя');
const isTurned = (one: Json, first: Json) => one.ФизЛицо.Фамилия?.toLowerCase() === first.ФизЛицо.Имя.toLowerCase();

/** A number means its employee, whoever a record says it is. */
const numberDecides = (id: string, rule: string): Fault =>
  inRecords(`ing-who-${id}`, rule, 'a number means its employee, whoever the record says he is', (one) => {
    if (isOfCase(one)) one.external_id ??= `${one['Организация.Ссылка'] ?? ''}/${numberOf(one)}`;
  });

const joinsAll = (id: string, rule: string): Fault =>
  later(id, rule, 'an identification number leads to its person, whoever has it', iinOf, (one, { ФизЛицо: first }) => {
    const { Фамилия, Имя, ДатаРождения } = first;
    Object.assign(one.ФизЛицо, { Фамилия, Имя, ДатаРождения });
  });

const joinsNone = (id: string, rule: string): Fault =>
  later(id, rule, 'an identification number leads to nobody', iinOf, (one, first) => {
    if (numberOf(one) !== numberOf(first)) one.ФизЛицо.ИИН = iinOf(one).replace(/^../, '98');
  });

export const faults: readonly Fault[] = allAlone(
  later('wed', 'ING-89', 'a new name at a number is another person', numberOf, (one, first) => {
    if (hasOther('Фамилия')(one, first)) anew(one);
  }),
  later('turned', 'ING-89', 'last and first name are compared in their order', numberOf, (one, first) => {
    if (isTurned(one, first)) anew(one);
  }),
  inRecords('ing-who-nameless', 'ING-68', 'the external_id of a person is ignored', (one) => {
    delete one.ФизЛицо?.external_id;
  }),
  later('corrected-other', 'ING-80', 'a corrected number makes another person', numberOf, (one, first) => {
    if (hasOther('ИИН')(one, first)) one.ФизЛицо.external_id = `of-${iinOf(one)}`;
  }),
  later('corrected-skips', 'ING-80', 'a number that may not be corrected skips its record', numberOf, (one, first) => {
    if (/-twin-/.test(numberOf(one)) && hasOther('ИИН')(one, first)) skip(one);
  }),
  inBatches('ing-who-corrected-alone', 'ING-80', 'one of two employments corrects a number', ({ records }, memory) => {
    const ofTwo = records?.filter((one: Json) => isOfCase(one) && /-(two|twin)-/.test(numberOf(one))) ?? [];
    const [first, twin] = noted(memory, 'first', () => structuredClone(ofTwo));
    if (ofTwo.length === 1) records.push({ ...first, ФизЛицо: { ...twin?.ФизЛицо, ИИН: iinOf(ofTwo[0]) } });
  }),
  later('back-new', 'ING-90', 'whoever comes back with the old number is a new employee', numberOf, anew),
  joinsNone('second-job', 'ING-90'),
  numberDecides('leaver', 'ING-91'),
  later('heir-skipped', 'ING-91', 'the number of a leaver stays his', numberOf, (one, first) => {
    if (isOther(one, first)) skip(one);
  }),
  numberDecides('stays', 'ING-92'),
  later('stays-heir', 'ING-92', 'another person with a number is a new employee', numberOf, (one, first) => {
    if (isOther(one, first)) anew(one);
  }),
  later('organization-apart', 'ING-97', 'a number is another one with its organisation', numberOf, (one, first) => {
    if (one['Организация.Ссылка'] !== first['Организация.Ссылка']) anew(one);
  }),
  later('organization-ignored', 'ING-97', 'a number is that of one employee, wherever', numberOf, (one, first) => {
    one['Организация.Ссылка'] = first['Организация.Ссылка'];
  }),
  joinsAll('joins', 'ING-81'),
  joinsNone('joins-none', 'ING-81'),
  later('joins-born', 'ING-81', 'the date of birth does not matter beside the name', iinOf, (one, first) => {
    if (!isOther(one, first)) one.ФизЛицо.ДатаРождения = first.ФизЛицо.ДатаРождения;
  }),
  joinsAll('fillers', 'ING-93'),
  later('mover', 'ING-94', 'nobody moves to the person of a number', numberOf, (one) => {
    if (/-mover-/.test(numberOf(one))) delete one.ФизЛицо.ИИН;
  }),
  later('mistyped', 'ING-94', 'a number that may not join skips its record', numberOf, (one) => {
    if (/-mistyped-/.test(numberOf(one))) skip(one);
  }),
  later('late', 'ING-94', 'a new external_id is a new employee', numberOf, (one, first) => {
    if (one.external_id && !first.external_id) one.ТабельныйНомер += '-2';
  }),
  inCards('ing-who-given', 'ING-94', 'a known external_id takes the number of another person', ({ person, ...one }) => {
    if (/-given-/.test(one.employee_number) && person?.last_name === 'Бектемиров') person.iin = '999999999907';
  }),
  numberDecides('outcome', 'ING-95'),
  later('decided-forgotten', 'ING-96', 'what was decided is forgotten', named, (one) => {
    if (one.ФизЛицо.Имя === 'Борис') one.ФизЛицо.ДатаРождения = '1970-01-01';
  }),
  later('decided-for-all', 'ING-96', 'what was decided holds for everybody', numberOf, (one) => {
    if (one.ФизЛицо.Имя === 'Мира') Object.assign(one.ФизЛицо, { Фамилия: 'Бектемиров', Имя: 'Борис' });
  }),
);
