/** The table of all rules, in the order of reports. */

import type { Rule } from '../rule.ts';
import { authenticationRules, flagRules, scopeRules } from './access.ts';
import { catalogueRules } from './catalogues.ts';
import { deliveryRules } from './delivery.ts';
import { documentRules } from './documents.ts';
import { documentReadingRules } from './documents-reading.ts';
import { employeeRules, redactionRules } from './employees.ts';
import { eventRules } from './events.ts';
import { fileRules } from './files.ts';
import { flowRules } from './flow.ts';
import { generalRules } from './general.ts';
import { idempotencyRules } from './idempotency.ts';
import { ingestRules } from './ingest.ts';
import { pagingRules } from './paging.ts';
import { errorRules, excludedRules, limitRules, versionRules } from './protocol.ts';
import { rejectRules } from './reject.ts';
import { signatureRules } from './signature.ts';
import { webhookRules } from './webhooks.ts';

export const rules: readonly Rule[] = [
  ...generalRules,
  ...authenticationRules,
  ...flagRules,
  ...scopeRules,
  ...employeeRules,
  ...pagingRules,
  ...redactionRules,
  ...catalogueRules,
  ...fileRules,
  ...documentRules,
  ...idempotencyRules,
  ...documentReadingRules,
  ...rejectRules,
  ...flowRules,
  ...ingestRules,
  ...webhookRules,
  ...signatureRules,
  ...eventRules,
  ...deliveryRules,
  ...errorRules,
  ...limitRules,
  ...versionRules,
  ...excludedRules,
];
