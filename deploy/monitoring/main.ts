/**
 * `npm run dashboards`: writes the dashboards for Grafana from `pages/`, and draws them without Grafana. Exit codes: 0 done,
 * 1 Prometheus cannot be asked, 2 wrong usage.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandLine, pageUrl, refuse, runProgram, seconds } from '../../conformance/command-line.ts';
import { runMain } from '../../conformance/processes/ending.ts';
import { dashboardFile, pages } from './dashboards.ts';
import { drawnPage, type PrometheusQuery } from './draw.ts';

const FILES = join(import.meta.dirname, 'dashboards');
/** How many points a line has. */
const POINTS = 180;
/** As many scrapes as a rate needs, so that one that is late leaves no gap. */
const SCRAPES = 4;

interface DrawOptions {
  readonly out: string;
  readonly last: number;
  readonly scrapeInterval: number;
}

type Sample = readonly [atS: number, value: string];

/** What Prometheus answers: values of a range, or a value of now. */
interface QueryAnswer {
  readonly data?: {
    readonly result: readonly { metric: Record<string, string>; values?: readonly Sample[]; value?: Sample }[];
  };
  readonly error?: string;
}

function queryOf(prometheus: string, fromS: number, toS: number, scrapeS: number): PrometheusQuery {
  const step = Math.max(1, Math.round((toS - fromS) / POINTS));
  const rateInterval = `${Math.max(SCRAPES * scrapeS, step)}s`;
  return async (expression, isNow) => {
    const query = expression.replaceAll('$__rate_interval', rateInterval);
    const time = isNow ? `time=${toS}` : `start=${fromS}&end=${toS}&step=${step}`;
    const [path, body] = [
      isNow ? 'query' : 'query_range',
      new URLSearchParams(`${time}&${new URLSearchParams({ query })}`),
    ];
    const answer = await fetch(`${prometheus}/api/v1/${path}`, { method: 'POST', body }).catch(() => undefined);
    if (answer === undefined) refuse(`No Prometheus answers at ${prometheus}.`);
    const { data, error } = (await answer.json()) as QueryAnswer;
    if (data === undefined) refuse(`Prometheus refuses ${query}: ${error}`);
    return data.result.map(({ metric, value, values = value === undefined ? [] : [value] }) => ({
      labels: metric,
      points: values.map(([at, number]) => [at, Number(number)] as const),
    }));
  };
}

async function draw(prometheus: string, { out, last, scrapeInterval }: DrawOptions): Promise<void> {
  const toS = Math.floor(Date.now() / 1000);
  const ask = queryOf(prometheus.replace(/\/$/, ''), toS - last, toS, scrapeInterval);
  mkdirSync(out, { recursive: true });
  for (const page of pages) {
    const file = resolve(out, `${page.name}.html`);
    writeFileSync(file, await drawnPage(page, ask, [toS - last, toS]));
    process.stdout.write(`${file}\n`);
  }
}

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const program = commandLine('npm run dashboards --', 'The dashboards of deploy/monitoring.');
  program
    .command('write')
    .description('Writes the files for Grafana from deploy/monitoring/pages.')
    .action(() => {
      for (const page of pages) writeFileSync(join(FILES, `${page.name}.json`), dashboardFile(page));
    });
  program
    .command('draw')
    .description('Draws the dashboards as HTML pages from a Prometheus, without Grafana.')
    .argument('<prometheus>', 'its address, such as http://127.0.0.1:9090', pageUrl)
    .option('--out <folder>', 'where the pages go', 'dashboards')
    .option('--last <duration>', 'how far back they look: 15m, 3h', seconds, 3600)
    .option('--scrape-interval <duration>', 'how often Prometheus scrapes', seconds, 15)
    .action(draw);
  return runProgram(program, argv);
}

if (import.meta.main) await runMain(main);
