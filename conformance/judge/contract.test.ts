import { expect, test } from '@jest/globals';
import type { Exchange } from '../http/exchange.ts';
import { madeError } from '../mutation/alter.ts';
import { exampleProfile } from '../testing/small-target.ts';
import { judge } from './contract.ts';

test('only what was sent by hand, or has a body, may be given up with 408', () => {
  const { headers, body } = madeError('INVALID_ARGUMENT');
  const complaintsOf = (how: Partial<Exchange>) => {
    const asked = { method: 'POST', target: '/developer/v1/files', operationId: 'reserveFile', requestHeaders: [] };
    const exchange = { ...asked, wire: false, status: 408, headers, body, ...how } as unknown as Exchange;
    return judge(exchange, exampleProfile().values).filter((complaint) => complaint.includes('not documented'));
  };
  expect(complaintsOf({})).toHaveLength(1);
  expect([complaintsOf({ wire: true }), complaintsOf({ requestBody: body })]).toEqual([[], []]);
});
