/** All faults, by section. */
import type { Fault } from '../fault.ts';
import { access } from './access.ts';
import { clauses } from './clauses.ts';
import { deliveries } from './deliveries.ts';
import { documents } from './documents.ts';
import { effects } from './effects.ts';
import { employees } from './employees.ts';
import { webhooks } from './events.ts';
import { ingest } from './ingest.ts';
import { limits } from './limits.ts';
import { more } from './more.ts';
import { paging } from './paging.ts';

export const faults: readonly Fault[] = [
  ...access,
  ...employees,
  ...paging,
  ...documents,
  ...ingest,
  ...webhooks,
  ...deliveries,
  ...limits,
  ...more,
  ...effects,
  ...clauses,
];
