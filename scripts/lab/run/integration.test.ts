import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testFolder } from '../../kit/test-surroundings.ts';
import { suiteOutcome } from './integration.ts';

const directory = testFolder();

function outcomeOf(whole: boolean, unsent: readonly string[]) {
  const file = join(directory, 'results.json');
  const coverage = [{ operation: 'listEmployees', inputs: { declared: 2, unsent } }];
  writeFileSync(file, JSON.stringify({ whole, rules: [{ rule: 'A-1', status: 'PASS' }], coverage }));
  return suiteOutcome(0, file);
}

test('a whole run fails for each input of the contract that no rule sends; a part of the rules does not', () => {
  const failure = 'listEmployees query location_id: the contract takes it, and no rule sends it with success';
  expect(outcomeOf(true, ['query location_id'])).toEqual({ passed: 1, failures: [failure] });
  expect(outcomeOf(true, [])).toEqual({ passed: 1, failures: [] });
  expect(outcomeOf(false, ['query location_id'])).toEqual({ passed: 1, failures: [] });
});
