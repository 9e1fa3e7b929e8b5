/** Which texts lose what of a person: numbers however they are written, names in every form, and nothing of others. */
import { describe, expect, test } from '@jest/globals';
import { ERASED } from '../data/field-life.ts';
import { PersonValues } from './person-values.ts';

const person = {
  first_name: 'Алия',
  last_name: 'Ахметова',
  middle_name: 'Ерланқызы',
  iin: '910402499991',
  birth_date: '1991-04-02',
  personal_email: 'a.akhmetova@example.com',
  phone: '+77001112233',
  details: JSON.stringify({ number: 'N0498877', gender: 'F', registration_address: 'ул. Вымышленная 17 (кв. 3)' }),
};
const employment = { work_email: 'aliya@work.example', employee_number: '000123' };
const values = new PersonValues(person, [employment], ['E-17', '7']);

describe('a text about the person', () => {
  test.each([
    ['Приказ о приёме Ахметовой Алии Ерланқызы', `Приказ о приёме ${ERASED} ${ERASED}`],
    ['Алию, Алиёй и Ерланқызының', `${ERASED}, ${ERASED} и ${ERASED}`],
    ['О премировании АХМЕТОВУ', `О премировании ${ERASED}`],
    ['Иванов и Ахметов', `Иванов и ${ERASED}`],
    ['ИИН 910402 499991, тел. +7 (700) 111-22-33', `ИИН ${ERASED}, тел. +${ERASED}`],
    ['родилась 2.4.1991, 02.04.1991 или 1991-04-02', `родилась ${ERASED}, ${ERASED} или ${ERASED}`],
    ['ул. Вымышленная 17 (кв. 3), N0498877', `${ERASED}, ${ERASED}`],
    ['№ 000123 и E-17', `№ ${ERASED} и ${ERASED}`],
    ['A.Akhmetova@Example.com aliya@work.example', `${ERASED} ${ERASED}`],
  ])('%s', (text, left) => expect(values.redacted(text)).toBe(left));

  test.each(['Алиби', 'Приказ № 7 от 2026-03-02', '19104024999910', 'E-170', 'Бахметова'])('%s stays', (text) =>
    expect(values.redacted(text)).toBe(text),
  );
});

describe('a text that may be about others', () => {
  test.each([
    ['Приказ о приёме Ахметовой Алии', `Приказ о приёме ${ERASED}`],
    ['подписала Алия Ахметова', `подписала ${ERASED}`],
    ['согласовано: Ахметовой А., А.Ахметова', `согласовано: ${ERASED}, ${ERASED}`],
    ['aliya@work.example, 910402499991', `${ERASED}, ${ERASED}`],
  ])('%s', (text, left) => expect(values.withoutOwn(text)).toBe(left));

  test.each(['Приказ о приёме Алии Омаровой', 'Ахметов Б.', '02.04.1991', '№ 000123'])('%s stays', (text) =>
    expect(values.withoutOwn(text)).toBe(text),
  );
});

test('of a person without anything, every text stays', () => {
  const nobody = new PersonValues(
    {
      ...person,
      first_name: '',
      last_name: '',
      middle_name: '',
      iin: '',
      birth_date: '',
      personal_email: '',
      phone: '',
      details: '',
    },
    [],
    [],
  );
  expect([nobody.redacted('Приказ'), nobody.withoutOwn('Приказ')]).toEqual(['Приказ', 'Приказ']);
});
