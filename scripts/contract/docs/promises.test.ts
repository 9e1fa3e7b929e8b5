/** The reports of the conformance suite link each rule to its promise in the docs. */
import { expect, test } from '@jest/globals';
import { anchorsByPlace, decisionAnchor, promiseOf } from '../../../conformance/report/promise.ts';
import { rules } from '../../../conformance/rules/all-rules.ts';
import { eventsOf, operationsOf, readContract } from '../read.ts';
import { morePages, withTables } from './main.ts';
import { inSections, operationLink } from './sections.ts';

const contract = await readContract(new URL('../../../openapi.yaml', import.meta.url).pathname);
const sections = inSections(withTables(contract), morePages(contract));

/** Every anchor that the docs have. */
const anchors = new Set([
  '#/',
  ...(sections.tags ?? []).map(({ name }) => `#/${name}`),
  ...[...operationsOf(contract), ...eventsOf(contract)].map(operationLink),
]);

test('the promise of every rule, and every decision that it rests on, has its place in the docs', () => {
  const without = rules.filter((rule) => !anchors.has(promiseOf(rule)));
  expect(without.map(({ id, place }) => `${id}: ${place}`)).toEqual([]);
  const decisions = rules.flatMap((rule) => rule.decisions).filter((id) => !anchors.has(decisionAnchor(id)));
  expect(decisions).toEqual([]);
});

test('a rule leads to what its place begins with', () => {
  const promise = (place: string) => promiseOf({ place });
  expect(promise('listEmployees: status, expand')).toBe('#/employees/listemployees');
  expect(promise('document.sent')).toBe('#/webhook_endpoints/ondocumentsent');
  expect(promise('FILE_ALREADY_LINKED')).toBe('#/error-file-already-linked');
  expect(promise('nothing of the contract')).toBe('');
});

test('every other place that has an anchor is the place of a rule', () => {
  const used = rules.flatMap(({ place }) => [place.split(',')[0] ?? '', place.split(/[,:]/)[0] ?? '']);
  expect([...anchorsByPlace.keys()].filter((place) => !used.includes(place))).toEqual([]);
});
