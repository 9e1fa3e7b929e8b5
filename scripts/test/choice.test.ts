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

test('all of them, in their order, where none is named', () => {
  expect(names()).toEqual(['lint', 'lint:contract', 'suite', 'real/suite', 'real/verdicts']);
});

test('those that are named, and no other that begins so', () => {
  expect(names(['suite', 'lint'])).toEqual(['lint', 'suite']);
});

test('the parts of a step, and what they read', () => {
  expect(names(['real'])).toEqual(['suite', 'real/suite', 'real/verdicts']);
});

test('unknown words are reported', () => {
  expect(chosenSteps(STEPS, ['lint', 'nothing', 'rea']).unknown).toEqual(['nothing', 'rea']);
});
