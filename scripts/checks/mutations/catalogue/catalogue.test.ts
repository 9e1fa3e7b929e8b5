/** The catalogue fits the source: it fails where the source has moved on, and the mutation has to follow. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rules } from '../../../../conformance/rules/all-rules.ts';
import { SECTIONS } from '../../../../conformance/rules/rule.ts';
import { mutated, plannedOf } from '../mutation.ts';
import { areas } from './catalogue.ts';

const root = resolve(import.meta.dirname, '../../../..');
const planned = plannedOf(areas);

describe('every mutation', () => {
  test('finds its text exactly once in its file, and changes it', () => {
    const wrong = planned.flatMap((mutation) => {
      const file = join(root, mutation.file);
      if (!existsSync(file)) return [`${mutation.id}: ${mutation.file} does not exist`];
      try {
        const source = readFileSync(file, 'utf8');
        return mutated(source, mutation) === source ? [`${mutation.id}: changes nothing`] : [];
      } catch (error) {
        return [(error as Error).message];
      }
    });
    expect(wrong).toEqual([]);
  });

  test('is of the service, and of none of its tests', () => {
    const strange = planned.filter(({ file }) => !/^handlers\/.*\.ts$/.test(file) || /\.test\.ts$/.test(file));
    expect(strange.map(({ id }) => id)).toEqual([]);
  });

  test('has an id of its own, says what a customer would see, and names sections of the suite', () => {
    const ids = planned.map(({ id }) => id);
    expect(ids.filter((id, nth) => ids.indexOf(id) !== nth)).toEqual([]);
    const known = new Set<string>(SECTIONS);
    const wrong = planned.filter(
      ({ id, customer, reason = 'R.', sections }) =>
        !/^[a-z0-9-]+$/.test(id) ||
        !/^\S.*\.$/.test(customer) ||
        !/^[A-Z].*\.$/.test(reason) ||
        sections.some((section) => !known.has(section)),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  test('names as its own rule one that there is', () => {
    const known = new Set<string | undefined>([undefined, ...rules.map(({ id }) => id)]);
    expect(planned.filter(({ rule }) => !known.has(rule)).map(({ id }) => id)).toEqual([]);
  });
});
