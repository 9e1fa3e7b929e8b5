/** Faults that the rules of ingest-people.rules.ts must catch: what else records of LEDGER could be taken for. */
import { type Json, noted } from '../mutation/alter.ts';
import { records } from '../mutation/alter-ingest.ts';
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
const makeOther = (one: Json) => {
  one.ФизЛицо.external_id = `of-${iinOf(one)}`;
};
const dropIin = (one: Json) => {
  delete one.ФизЛицо.ИИН;
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
  later('anywhere', 'ING-61', 'a number is that of one employee, wherever', numberOf, isElsewhere, (one, first) => {
    one['Организация.Ссылка'] = first['Организация.Ссылка'];
  }),
  inRecords('nameless', 'ING-68', 'the external_id of a person is ignored', (one) => {
    delete one.ФизЛицо?.external_id;
  }),
  later('corrected', 'ING-80', 'a corrected number makes another person', numberOf, hasOther('ИИН'), makeOther),
  joinsAll('joins', 'ING-81'),
  later('turned', 'ING-89', 'last and first name are compared in their order', numberOf, isTurned, renumber),
  later('back', 'ING-90', 'who comes back with the old number is a new employee', numberOf, isNamed('old'), renumber),
  later('heir', 'ING-91', 'the number of a leaver stays his', numberOf, isOther, skip),
  numberDecides('stays', 'ING-92'),
  joinsAll('fillers', 'ING-93'),
  later('mover', 'ING-94', 'nobody moves to the person of a number', numberOf, isNamed('mover'), dropIin),
  numberDecides('outcome', 'ING-95'),
  later('forgotten', 'ING-96', 'what was decided is forgotten', named, isBoris, (one) => {
    one.ФизЛицо.ДатаРождения = '1970-01-01';
  }),
];
