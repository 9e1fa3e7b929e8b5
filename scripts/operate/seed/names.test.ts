import { describe, expect, test } from '@jest/globals';
import { feminine, inventName, latin } from './names.ts';
import { randomOf } from './random.ts';

describe('inventName', () => {
  const random = randomOf('names');
  const names = Array.from({ length: 2_000 }, () => inventName(random));

  test('family name and patronymic agree with the gender', () => {
    for (const { female, last_name, middle_name } of names) {
      if (female) {
        expect(last_name).not.toMatch(/(ов|ев|ёв|ин|ский)$/);
        if (middle_name) expect(middle_name).toMatch(/(вна|чна|қызы)$/);
      } else {
        expect(last_name).not.toMatch(/(ова|ева|ёва|ская)$/);
        if (middle_name) expect(middle_name).toMatch(/(вич|ұлы)$/);
      }
    }
  });

  test('some have no patronymic, most have one', () => {
    const without = names.filter(({ middle_name }) => middle_name === '').length;
    expect(without).toBeGreaterThan(80);
    expect(without).toBeLessThan(260);
  });

  test('both Kazakh letters and Russian patronymics occur', () => {
    const text = names.map(({ first_name, last_name }) => first_name + last_name).join('');
    expect(text).toMatch(/[әғқңөұүһі]/i);
    expect(names.some(({ middle_name }) => middle_name.endsWith('ович'))).toBe(true);
  });
});

test('feminine changes only the endings that change', () => {
  expect(feminine('Омаров')).toBe('Омарова');
  expect(feminine('Соловьёв')).toBe('Соловьёва');
  expect(feminine('Ильин')).toBe('Ильина');
  expect(feminine('Вишневский')).toBe('Вишневская');
  expect(feminine('Шевченко')).toBe('Шевченко');
});

test('latin gives what is allowed in an e-mail address', () => {
  expect(latin('Жұмабаев')).toBe('zhumabaev');
  expect(latin('Щукина')).toBe('shchukina');
  expect(latin('Әйгерім')).toBe('aigerim');
});
