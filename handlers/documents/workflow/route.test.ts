/** Steps of a wrong form, which the rules of a route leave alone: what is wrong with them is named elsewhere. */
import { expect, test } from '@jest/globals';
import type { CheckedRequest } from '../../http/handler.ts';
import { routeViolations } from './route.ts';

type Steps = NonNullable<CheckedRequest<'setDocumentRoute'>['body']['steps']>;

test.each<[what: string, steps: Steps | undefined]>([
  ['none', undefined],
  ['one of no right type, which may have been meant as a signing step', [{ participants: [] }]],
  ['without members', [undefined, { step_type: 'STEP_TYPE_SIGNING' }, { participants: [undefined, {}, {}] }]],
])('%s', (_, steps) => {
  expect(routeViolations({ body: steps === undefined ? {} : { steps } })).toEqual([]);
});
