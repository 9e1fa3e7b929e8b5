/**
 * Prometheus' configuration, the alerts and the dashboards fit together and to the metrics of the service. Where promtool
 * is on the PATH, it judges the configuration and runs the tests of the alerts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
// With all that a process counts.
import '../../handlers/process.ts';
import { registry } from '../../handlers/runtime/metrics.ts';
import { endingOf } from '../../scripts/kit/run-program.ts';
import { onPath } from '../../scripts/kit/tools.ts';
import { dashboardFile, pages } from './dashboards.ts';
import { panelsOf } from './pages/panels.ts';
import { readExpression } from './promql.ts';

const FOLDER = import.meta.dirname;
const text = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const rulesOf = (file: string): Rule[] => parse(text(file)).groups.flatMap(({ rules }: { rules: Rule[] }) => rules);
const [records, alerts] = [rulesOf('rules.yml'), rulesOf('alerts.yml')];

interface TestedAlert {
  readonly alertname: string;
  readonly exp_alerts?: readonly object[];
}
const tried: TestedAlert[] = parse(text('alerts.test.yml')).tests.flatMap(
  ({ alert_rule_test = [] }: { alert_rule_test?: TestedAlert[] }) => alert_rule_test,
);

/** What Prometheus adds to each series: prometheus.yml, and the files of targets, have them. */
const OF_TARGETS = ['job', 'instance', 'role'];
/** Series that Prometheus has of itself. */
const OF_PROMETHEUS: Readonly<Record<string, readonly string[]>> = {
  up: OF_TARGETS,
  prometheus_rule_evaluation_failures_total: [...OF_TARGETS, 'rule_group'],
};

/** The labels of all series that there are, by their names: of the registry, of Prometheus, of recording rules. */
async function knownSeries(): Promise<Map<string, readonly string[]>> {
  const known = new Map(Object.entries(OF_PROMETHEUS));
  for (const { name, type } of await registry.getMetricsAsJSON()) {
    const { labelNames = [] } = registry.getSingleMetric(name) as unknown as { readonly labelNames?: string[] };
    const labels = [...OF_TARGETS, ...labelNames];
    if (String(type) !== 'histogram') known.set(name, labels);
    else {
      known.set(`${name}_bucket`, [...labels, 'le']);
      for (const part of ['sum', 'count']) known.set(`${name}_${part}`, labels);
    }
  }
  for (const { record = '', expr, labels = {} } of records) {
    known.set(record, [...new Set([...(known.get(record) ?? []), ...labelsIn(expr, known), ...Object.keys(labels)])]);
  }
  return known;
}

/** The labels of all series that an expression reads. */
const labelsIn = (expression: string, known: ReadonlyMap<string, readonly string[]>) =>
  readExpression(expression).selectors.flatMap(({ metric }) => known.get(metric) ?? []);

/** Sentences about what an expression uses, and what does not exist. */
function unknownIn(expression: string, known: ReadonlyMap<string, readonly string[]>): string[] {
  const { selectors, grouped } = readExpression(expression);
  const lacking = ({ metric, matchedLabels }: (typeof selectors)[number]) => {
    const labels = known.get(metric);
    if (labels === undefined) return [`${metric} is no metric`];
    return matchedLabels.filter((label) => !labels.includes(label)).map((label) => `${metric} has no label ${label}`);
  };
  const ungrouped = ({ labels, metrics }: (typeof grouped)[number]) => {
    const all = metrics.flatMap((metric) => known.get(metric) ?? []);
    return labels.filter((label) => !all.includes(label)).map((label) => `none of ${metrics} has a label ${label}`);
  };
  return [...selectors.flatMap(lacking), ...grouped.flatMap(ungrouped)];
}

/** The values of labels and the value of the alert that a text of an alert may use. */
const usedInText = (words: string) => [...words.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);

describe('what is asked exists', () => {
  test.each([...records, ...alerts].map((rule) => [rule.record ?? rule.alert, rule] as const))(
    '%s',
    async (_name, { expr, annotations = {} }) => {
      const known = await knownSeries();
      expect(unknownIn(expr, known)).toEqual([]);
      const labels = labelsIn(expr, known);
      const unknown = Object.values(annotations)
        .flatMap(usedInText)
        .filter((label) => !labels.includes(label));
      expect(unknown).toEqual([]);
    },
  );

  test.each(pages.map((page) => [page.name, page] as const))('dashboard %s', async (_name, page) => {
    const known = await knownSeries();
    const wrong = panelsOf(page).flatMap(({ title, queries }) =>
      Object.entries(queries).flatMap(([legend, expression]) => {
        const labels = labelsIn(expression, known);
        const named = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
        const unnamed = named.filter((label) => !labels.includes(label)).map((label) => `no label ${label}`);
        return [...unknownIn(expression, known), ...unnamed].map((what) => `${title}: ${what}`);
      }),
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    ['sum(rate(events_relayed[5m]))', 'events_relayed is no metric'],
    ['up{rolle="api"}', 'up has no label rolle'],
    ['sum by (cause) (up)', 'none of up has a label cause'],
    ['histogram_quantile(0.9, sum by (le) (up))', 'none of up has a label le'],
  ])('in %s the fault is found', async (expression, sentence) => {
    expect(unknownIn(expression, await knownSeries())).toEqual([sentence]);
  });

  test('what is no PromQL is refused', () => {
    expect(() => readExpression('sum(rate(up[5m])')).toThrow('no PromQL');
  });
});

describe('alerts', () => {
  test('each has one name, a severity, words, a page and a part of the runbook', () => {
    const names = alerts.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    for (const { alert = '', labels, annotations } of alerts) {
      expect(['critical', 'warning']).toContain(labels?.severity);
      expect(annotations).toEqual({
        summary: expect.stringMatching(/^[A-Z].*[^.]$/),
        description: expect.stringMatching(/^\S.*\.$/),
        dashboard: expect.stringMatching(new RegExp(`^(${pages.map(({ name }) => name).join('|')})$`)),
        runbook_url: `deploy/RUNBOOK.md#${alert.toLowerCase()}`,
      });
    }
  });

  test('each has a heading in the runbook, and each heading there is an alert', () => {
    const [, part = ''] = text('../RUNBOOK.md').split(/^## Alerts$/m);
    const headings = [...(part.split(/^## /m)[0] ?? '').matchAll(/^### (\S+)$/gm)].map(([, heading]) => heading);
    expect(headings.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });

  test('each is tested: it fires, and it is silent', () => {
    for (const { alert } of alerts) {
      const its = tried.filter(({ alertname }) => alertname === alert);
      expect([alert, its.some(({ exp_alerts = [] }) => exp_alerts.length > 0)]).toEqual([alert, true]);
      expect([alert, its.some(({ exp_alerts = [] }) => exp_alerts.length === 0)]).toEqual([alert, true]);
    }
  });
});

describe('dashboards', () => {
  test('the files are those that are written from the pages', () => {
    const files = readdirSync(join(FOLDER, 'dashboards'));
    expect(files.toSorted()).toEqual(pages.map(({ name }) => `${name}.json`).toSorted());
    for (const page of pages) expect(text(`dashboards/${page.name}.json`)).toBe(dashboardFile(page));
  });

  test('every metric of the service is on one of them', async () => {
    const shown = pages.flatMap((page) =>
      panelsOf(page).flatMap(({ queries }) =>
        Object.values(queries).flatMap((query) => readExpression(query).selectors),
      ),
    );
    // The objectives read what they are made of.
    const read = records.flatMap(({ expr }) => readExpression(expr).selectors);
    const names = new Set([...shown, ...read].map(({ metric }) => metric.replace(/_(bucket|sum|count)$/, '')));
    const own = (await registry.getMetricsAsJSON())
      .map(({ name }) => name)
      .filter((name) => !/^(nodejs|process)_/.test(name));
    expect(own.filter((name) => !names.has(name))).toEqual([]);
  });

  test('README.md lists them with their questions', () => {
    const listed = [...text('README.md').matchAll(/^\| \[(.+)\]\(dashboards\/(\w+)\.json\)/gm)];
    expect(listed.map(([, question, name]) => [question, name])).toEqual(
      pages.map(({ question, name }) => [question, name]),
    );
  });
});

const promtool = onPath('promtool', process.env);
if (promtool === undefined) test.skip('DID NOT RUN: promtool is not on the PATH', () => {});
else {
  test.each([
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ])('promtool %s %s %s', async (...args) => {
    const { code, said } = await endingOf([promtool, ...args], { cwd: FOLDER });
    expect([code, code === 0 || said]).toEqual([0, true]);
  });
}
