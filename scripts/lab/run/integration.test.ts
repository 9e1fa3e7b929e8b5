import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { suiteOutcome } from './integration.ts';

const directory = testFolder();

function outcomeOf(whole: boolean, unsent: readonly string[], more = {}) {
  const file = join(directory, 'results.json');
  const coverage = [{ operation: 'listEmployees', inputs: { declared: 2, unsent } }];
  writeFileSync(file, JSON.stringify({ whole, rules: [{ rule: 'A-1', status: 'PASS' }], coverage, ...more }));
  return suiteOutcome(0, file);
}

test('a whole run fails for each input of the contract that no rule sends; a part of the rules does not', () => {
  const failure = 'listEmployees query location_id: the contract takes it, and no rule sends it with success';
  expect(outcomeOf(true, ['query location_id'])).toEqual({ passed: 1, failures: [failure] });
  expect(outcomeOf(true, [])).toEqual({ passed: 1, failures: [] });
  expect(outcomeOf(false, ['query location_id'])).toEqual({ passed: 1, failures: [] });
});

test('a failure names the order of the rules in which it was seen', () => {
  const rules = [{ rule: 'A-1', status: 'FAIL', text: 'holds', reason: 'It does not.', exchange: 'GET /' }];
  const { failures } = outcomeOf(false, [], { rules, order: '7' });
  expect(failures).toEqual(['A-1 FAIL (--order 7): holds\nIt does not.\nGET /']);
});
