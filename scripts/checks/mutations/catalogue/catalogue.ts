/** All mutations, by the part of the service. They are chosen from the contract and the source, not from the rules. */
import type { Area } from '../mutation.ts';
import { access } from './access.ts';
import { changes } from './changes.ts';
import { creation } from './creation.ts';
import { documents } from './documents.ts';
import { employees } from './employees.ts';
import { files } from './files.ts';
import { flow } from './flow.ts';
import { http } from './http.ts';
import { idempotency } from './idempotency.ts';
import { ingest } from './ingest.ts';
import { paging } from './paging.ts';
import { requests } from './requests.ts';
import { signing } from './signing.ts';
import { time } from './time.ts';
import { webhooks } from './webhooks.ts';

export const areas: readonly Area[] = [
  http,
  requests,
  access,
  employees,
  changes,
  time,
  paging,
  idempotency,
  creation,
  documents,
  flow,
  signing,
  files,
  ingest,
  webhooks,
];
