import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Failure } from '../../scripts/kit/command-line.ts';
import { selectRules } from '../engine/selection.ts';
import { universalRules } from '../judge/universal.ts';
import { ruleOf, rules } from './all-rules.ts';
import known from './ids.json' with { type: 'json' };

const all = rules.map(({ id }) => id);

describe('the table of rules', () => {
  test('ids belong to their section', () => {
    for (const { id, section } of rules) expect(id).toMatch(new RegExp(`^${section}-(\\d+|[A-Za-z][\\w.-]*)$`));
  });

  test('ids are unique, and each id of release 1.7.0 is that of a rule, or of one rule that took its place', () => {
    const released = readFileSync(join(import.meta.dirname, 'released-ids.txt'), 'utf8')
      .split(/\s+/)
      .filter(Boolean);
    expect(released.length).toBe(648);
    expect(released.filter((id) => ruleOf(id) === undefined)).toEqual([]);
    for (const id of released) expect(selectRules([id], [])).toEqual([ruleOf(id)]);
    const ids = rules.flatMap(({ id, replaces = [] }) => [id, ...replaces]);
    expect(ids.filter((id, at) => ids.indexOf(id) < at)).toEqual([]);
    expect(rules.flatMap(({ replaces = [] }) => replaces).filter((id) => !released.includes(id))).toEqual([]);
    expect(Object.values(known).filter(([id]) => !rules.some((rule) => rule.id === id))).toEqual([]);
  });

  test('every rule says what it guarantees and where the contract says so', () => {
    for (const { id, text, place, runs, because } of rules) {
      expect({ id, isAlone: because !== undefined }).toEqual({ id, isAlone: runs === 'alone' });
      expect({ id, text }).toEqual({ id, text: expect.stringMatching(/^.{16,}\.$/) });
      expect(place).not.toBe('');
    }
  });

  test('what is judged on every exchange is a rule', () => {
    for (const id of universalRules) expect(all).toContain(id);
  });

  test('rules are chosen by id and by section, and what is unknown is refused', () => {
    expect(selectRules(['AUTH-1'], ['LOGIN']).map(({ id }) => id)).toEqual(['AUTH-1', 'LOGIN-4']);
    expect(selectRules([], []).map(({ id }) => id)).toEqual(all);
    expect(() => selectRules(['AUTH-999'], [])).toThrow(Failure);
    expect(() => selectRules([], ['NOTHING'])).toThrow(Failure);
  });
});
