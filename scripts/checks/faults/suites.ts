/** The fault suites. */
import { away } from './away.ts';
import { clocks } from './clocks.ts';
import { crash } from './crash.ts';
import { deliveries } from './deliveries.ts';
import { failover } from './failover.ts';
import { fair } from './fair.ts';
import { frozen } from './frozen.ts';
import { ingest } from './ingest.ts';
import { raceSuite } from './races.ts';
import { slow } from './slow.ts';
import { stop } from './stop.ts';
import type { Suite } from './suite.ts';

export const suites: readonly Suite[] = [
  crash,
  frozen,
  clocks,
  raceSuite,
  deliveries,
  ingest,
  away,
  failover,
  stop,
  slow,
  fair,
];
