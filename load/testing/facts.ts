/** What plans need of a profile that has everything. */
import type { Facts } from '../plan.ts';

export const facts: Facts = {
  baseUrl: 'http://127.0.0.1:8080',
  tag: 'demo',
  fullKeys: 8,
  hasLoadKey: true,
  hasNoScopeKey: true,
  consentToWrites: true,
  maxWrites: 5000,
  fixtures: {
    employee_id: 'e',
    owner_employee_id: 'o',
    document_type_id: 't',
    document_template_id: 'v',
    webhook_endpoint_id: 'w',
  },
  employeesAtLeast: 0,
  capabilities: ['1.3', '1.4', '1.5', '1.6'],
  errors: { pointer: '/details/0/reason', invalidArgumentStatus: 400, own: {} },
  spelling: { approval: 'APPROVE', signing: 'SIGN', completed: 'DONE' },
};
