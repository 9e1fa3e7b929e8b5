/** Faults that the rules of ingest-people.rules.ts must catch: what else records of LEDGER could be taken for. */
import { type Json, noted } from '../mutation/alter.ts';
import { allAlone, inBatches, inCards, inRecords } from '../mutation/alter-ingest.ts';
import type { Fault } from '../mutation/fault.ts';

const numberOf = (one: Json): string => one.ТабельныйНомер ?? '';
const isOfCase = (one: Json) => numberOf(one).startsWith('who-');
const iinOf = (one: Json): string | undefined => one.ФизЛицо.ИИН;
const named = (one: Json): string => `${numberOf(one)} ${one.ФизЛицо.Имя}`;

/** Whether a record that comes later is meant, in comparison with the first one that had the same number or IIN. */
type MeantPerson = (one: Json, first: Json) => boolean;

const hasOther = (name: string) => (one: Json, first: Json) => one.ФизЛицо[name] !== first.ФизЛицо[name];
const isOther = hasOther('Имя');
const isTurned: MeantPerson = (one, first) => one.ФизЛицо.Фамилия?.toLowerCase() === first.ФизЛицо.Имя?.toLowerCase();
const isElsewhere: MeantPerson = (one, first) => one['Организация.Ссылка'] !== first['Организация.Ссылка'];
const isBoris: MeantPerson = (one) => one.ФизЛицо.Имя === 'Борис';
const isMira: MeantPerson = (one) => one.ФизЛицо.Имя === 'Мира';
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
const makeNew = (one: Json) => {
  one.external_id = `${numberOf(one)}-of-${one.ДатаПриема}`;
};
const makeOther = (one: Json) => {
  one.ФизЛицо.external_id = `of-${iinOf(one)}`;
};
const dropIin = (one: Json) => {
  delete one.ФизЛицо.ИИН;
};

/** A fault in records that come after another one with the same number or IIN. @param of what both have */
const later = (
  id: string,
  rule: string,
  breaks: string,
  of: (one: Json) => string | undefined,
  isMeant: MeantPerson,
  change: (one: Json, first: Json) => void,
): Fault =>
  inRecords(`ing-who-${id}`, rule, breaks, (one, _batch, memory) => {
    const key = isOfCase(one) && of(one);
    if (!key) return;
    const first = noted(memory, key, () => structuredClone(one));
    if (first.ДатаПриема !== one.ДатаПриема && isMeant(one, first)) change(one, first);
  });

/** A number means its employee, whoever a record says it is. */
const numberDecides = (id: string, rule: string): Fault =>
  inRecords(`ing-who-${id}`, rule, 'a number means its employee, whoever the record says he is', (one) => {
    if (isOfCase(one)) one.external_id ??= `${one['Организация.Ссылка'] ?? ''}/${numberOf(one)}`;
  });

const joinsAll = (id: string, rule: string): Fault =>
  later(id, rule, 'a number leads to its person, whoever has it', iinOf, isOther, (one, { ФизЛицо: first }) => {
    one.ФизЛицо = { ...first, Телефон: one.ФизЛицо.Телефон };
  });

const joinsNone = (id: string, rule: string): Fault =>
  later(id, rule, 'a number leads to nobody', iinOf, (one, first) => numberOf(one) !== numberOf(first), dropIin);

export const faults: readonly Fault[] = allAlone(
  later('apart', 'ING-61', 'a number is another one with its organisation', numberOf, isElsewhere, renumber),
  later('anywhere', 'ING-61', 'a number is that of one employee, wherever', numberOf, isElsewhere, (one, first) => {
    one['Организация.Ссылка'] = first['Организация.Ссылка'];
  }),
  inRecords('ing-who-nameless', 'ING-68', 'the external_id of a person is ignored', (one) => {
    delete one.ФизЛицо?.external_id;
  }),
  later('corrected', 'ING-80', 'a corrected number makes another person', numberOf, hasOther('ИИН'), makeOther),
  later('unapplied', 'ING-80', 'a number that may not be corrected skips its record', numberOf, isNamed('twin'), skip),
  inBatches('ing-who-alone', 'ING-80', 'one of two employments corrects a number', ({ records }, { notes }) => {
    const both = records?.filter((one: Json) => /^who-ING-80-tw/.test(numberOf(one))) ?? [];
    if (both.length === 2) notes.set('two', both[0]);
    if (both.length === 1) records.push({ ...(notes.get('two') as Json), ФизЛицо: both[0].ФизЛицо });
  }),
  joinsAll('joins', 'ING-81'),
  joinsNone('nobody', 'ING-81'),
  later(
    'born',
    'ING-81',
    'the date of birth does not matter beside the name',
    iinOf,
    hasOther('ДатаРождения'),
    (one) => {
      delete one.ФизЛицо.ДатаРождения;
    },
  ),
  later('wed', 'ING-89', 'a new name at a number is another person', numberOf, hasOther('Фамилия'), renumber),
  later('turned', 'ING-89', 'last and first name are compared in their order', numberOf, isTurned, renumber),
  later('back', 'ING-90', 'who comes back with the old number is a new employee', numberOf, isNamed('old'), renumber),
  joinsNone('second', 'ING-90'),
  numberDecides('leaver', 'ING-91'),
  later('heir', 'ING-91', 'the number of a leaver stays his', numberOf, isOther, skip),
  numberDecides('stays', 'ING-92'),
  later('shared', 'ING-92', 'another person with a number is a new employee', numberOf, isOther, makeNew),
  joinsAll('fillers', 'ING-93'),
  later('mover', 'ING-94', 'nobody moves to the person of a number', numberOf, isNamed('mover'), dropIin),
  later('mistyped', 'ING-94', 'a number that may not join skips its record', numberOf, isNamed('mistyped'), skip),
  later('late', 'ING-94', 'a new external_id is a new employee', numberOf, isNamed('late'), renumber),
  inCards('ing-who-given', 'ING-94', 'a known external_id takes the number of another person', ({ person, ...one }) => {
    if (/-given-/.test(one.employee_number) && person?.last_name === 'Бектемиров') person.iin = '999999999907';
  }),
  numberDecides('outcome', 'ING-95'),
  later('forgotten', 'ING-96', 'what was decided is forgotten', named, isBoris, (one) => {
    one.ФизЛицо.ДатаРождения = '1970-01-01';
  }),
  later('for-all', 'ING-96', 'what was decided holds for everybody', numberOf, isMira, (one) => {
    one.ФизЛицо = { Фамилия: 'Бектемиров', Имя: 'Борис', Телефон: one.ФизЛицо.Телефон };
  }),
);
