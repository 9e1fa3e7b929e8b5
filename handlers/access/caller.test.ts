import { expect, test } from '@jest/globals';
import { TestTenant } from '../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';
import { pageTokens } from '../data/page.ts';
import { callerOf } from './caller.ts';
import { findCredentials } from './credentials.ts';

const { store } = await testDeployment();

test('a caller has the time zone that its tenant has now', async () => {
  const tenant = await TestTenant.create(store);
  const secret = await tenant.key();
  for (const timeZone of ['America/St_Johns', 'Pacific/Kiritimati']) {
    await store.tenants.updateOne({ _id: tenant.id }, { $set: { time_zone: timeZone } });
    const credentials = await findCredentials(store, secret);
    if (credentials === undefined) throw new Error('the key is not accepted');
    expect(callerOf(credentials, store, pageTokens([new Uint8Array(32)])).tenant.timeZone).toBe(timeZone);
  }
});
