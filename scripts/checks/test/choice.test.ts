import { expect, test } from '@jest/globals';
import { chosenSteps } from './choice.ts';

const STEPS = [
  { name: 'lint', cores: 1 },
  { name: 'lint:contract', cores: 1 },
  { name: 'suite', cores: 1 },
  { name: 'real/suite', cores: 1 },
  { name: 'real/verdicts', cores: 1, after: ['suite', 'real/suite'] },
];
const names = (only?: string[]) => chosenSteps(STEPS, only).chosen.map(({ name }) => name);

test('all steps, in their order, if none is named', () => {
  expect(names()).toEqual(['lint', 'lint:contract', 'suite', 'real/suite', 'real/verdicts']);
});

test('the named steps, and no other one with the same beginning', () => {
  expect(names(['suite', 'lint'])).toEqual(['lint', 'suite']);
});

test('the parts of a step, and the steps whose results they read', () => {
  expect(names(['real'])).toEqual(['suite', 'real/suite', 'real/verdicts']);
});

test('unknown words are reported', () => {
  expect(chosenSteps(STEPS, ['lint', 'nothing', 'rea']).unknown).toEqual(['nothing', 'rea']);
});
