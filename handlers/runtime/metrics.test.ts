/** That the page of metrics has all of them, and that Prometheus' own tool finds nothing wrong with them. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { onPath } from '../../scripts/kit/tools.ts';
// With all that a process counts.
import '../process.ts';
import { countRefusal, exposition, MOST_TENANTS, onScrape, registry } from './metrics.ts';

const PAGE = join(import.meta.dirname, '../../docs/metrics.md');

/** The parts of a metric that `prom-client` keeps, but for its types. */
interface KnownMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

test('the page of metrics has every metric with its type, its labels and its help', () => {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `(\w+)` \| (counter|gauge|histogram) \| (.*?) \| (.*) \|$/gm);
  const listed = [...rows].map(([, name, type, labels = '', help]) => {
    return { name, type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label), help };
  });
  const metrics = registry.getMetricsAsArray() as unknown as KnownMetric[];
  const known = metrics.map(({ name, type, labelNames, help }) => ({ name, type, labels: labelNames, help }));
  const byName = (one: { readonly name?: string | undefined }, other: typeof one) =>
    String(one.name).localeCompare(String(other.name));
  expect(listed.toSorted(byName)).toEqual(known.toSorted(byName));
});

const isThere = onPath('promtool', process.env) !== undefined;
const doing = 'promtool finds nothing wrong with names and units';

(isThere ? test : test.skip)(isThere ? doing : `DID NOT RUN: ${doing}`, async () => {
  const said = execFileSync('promtool', ['check', 'metrics'], { input: await exposition(), encoding: 'utf8' });
  expect(said).toBe('');
});

test('what an objective counts is there, at zero, before the first call', async () => {
  const { values } = (await registry.getSingleMetric('http_server_calls_total')?.get()) ?? { values: [] };
  expect(values.map(({ labels, value }) => [labels.outcome, value])).toEqual([
    ['served', 0],
    ['failed', 0],
  ]);
});

test('however many tenants are refused, only so many have a series', async () => {
  for (let tenant = 0; tenant < MOST_TENANTS + 3; tenant++) countRefusal(`tenant-${tenant}`, 'lists');
  countRefusal('tenant-0', 'writes');
  const { values } = (await registry.getSingleMetric('tenant_refusals_total')?.get()) ?? { values: [] };
  const shown = new Set(values.map(({ labels }) => labels.tenant_id));
  expect(shown.size).toBe(MOST_TENANTS + 1);
  expect(values).toContainEqual({ labels: { tenant_id: 'other', cause: 'lists' }, value: 3 });
  expect(values).toContainEqual({ labels: { tenant_id: 'tenant-0', cause: 'writes' }, value: 1 });
});

test('a scrape asks for what is collected only then, until that is over', async () => {
  let asked = 0;
  const end = onScrape(() => void asked++);
  await exposition();
  end();
  await exposition();
  expect(asked).toBe(1);
});
