/** Draws the dashboards as HTML pages from a Prometheus, for who has no Grafana at hand. The pages load nothing. */
import type { PagePanel, PanelLimits, PanelUnit, QuestionPage } from './pages/panels.ts';
import { placesOf } from './pages/panels.ts';

/** Values over time: seconds since 1970, and the value. */
export interface DrawnSeries {
  readonly legend: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly (readonly [atS: number, value: number])[];
}

/** Asks for a time that ends now, or for its end only. @throws Error when Prometheus refuses or cannot be reached */
export type PrometheusQuery = (expression: string, isNow: boolean) => Promise<Omit<DrawnSeries, 'legend'>[]>;

/** Beside each other they differ in hue and in brightness. */
const COLOURS = ['#2e7d32', '#1565c0', '#ef6c00', '#6a1b9a', '#00838f', '#c62828', '#9e9d24', '#4e342e', '#37474f'];
const STYLE = `
body { font: 13px system-ui, sans-serif; margin: 12px; color: #222; background: #f4f5f5; }
h1 { font-size: 18px; margin: 0 0 2px; } p { margin: 0 0 10px; color: #555; }
main { display: grid; grid-template-columns: repeat(24, 1fr); grid-auto-rows: 34px; gap: 6px; }
section { background: #fff; border: 1px solid #ddd; border-radius: 3px; padding: 5px 8px; overflow: hidden; display: flex;
  flex-direction: column; }
h2 { font-size: 12px; margin: 0 0 3px; } section > b { font-size: 28px; font-weight: 500; margin: auto; }
svg { flex: 1; min-height: 0; width: 100%; } svg text { font-size: 11px; fill: #666; }
ul { list-style: none; margin: 2px 0 0; padding: 0; font-size: 11px; } li { display: inline-block; margin-right: 10px; }
li i { display: inline-block; width: 10px; height: 3px; margin-right: 4px; vertical-align: middle; }
table { border-collapse: collapse; font-size: 12px; width: 100%; } td { border-bottom: 1px solid #eee; padding: 1px 4px; }
td:last-child { text-align: right; } .none { color: #999; margin: auto; }
.ok { color: #2e7d32; } .warn { color: #ef6c00; } .bad { color: #c62828; }`;
const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [600, 190, 62, 16, 6];
/** A line is broken where there is nothing for longer than this part of the time. */
const MOST_GAP = 0.02;
/** What fits below a chart. */
const MOST_LEGENDS = 12;

const escaped = (text: string) => text.replace(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`);
const scaled = (value: number, base: number, names: readonly string[]) => {
  const power = Math.min(names.length - 1, Math.max(0, Math.floor(Math.log(Math.abs(value) || 1) / Math.log(base))));
  return `${Number((value / base ** power).toPrecision(3))} ${names[power]}`.trim();
};

/** A value as Grafana writes it with that unit. */
export function inUnit(value: number, unit: PanelUnit): string {
  if (!Number.isFinite(value)) return '–';
  if (unit === 'percentunit') return `${Number((100 * value).toPrecision(3))} %`;
  if (unit === 'bytes') return scaled(value, 1024, ['B', 'KiB', 'MiB', 'GiB']);
  if (unit !== 's') return scaled(value, 1000, ['', 'K', 'M']) + (unit === 'short' ? '' : '/s');
  const size = Math.abs(value);
  if (size >= 3600) return `${Number((value / 3600).toPrecision(3))} h`;
  if (size >= 60) return `${Number((value / 60).toPrecision(3))} min`;
  if (size >= 1 || size === 0) return `${Number(value.toPrecision(3))} s`;
  return size >= 0.001 ? `${Number((1000 * value).toPrecision(3))} ms` : `${Number((1e6 * value).toPrecision(3))} µs`;
}

function toneOf(value: number, limits: PanelLimits | undefined): string {
  if (limits === undefined || !Number.isFinite(value)) return '';
  const { warn, bad, isLow } = limits;
  const reaches = (limit: number) => (isLow ? value < limit : value >= limit);
  return reaches(bad) ? 'bad' : reaches(warn) ? 'warn' : 'ok';
}

const lastOf = ({ points }: DrawnSeries) => points.at(-1)?.[1] ?? Number.NaN;

function numbersIn({ unit, limits }: PagePanel, series: readonly DrawnSeries[]): string {
  const one = (each: DrawnSeries) => {
    const name = series.length > 1 ? `${escaped(each.legend)} ` : '';
    return `<span class="${toneOf(lastOf(each), limits)}">${name}${inUnit(lastOf(each), unit)}</span>`;
  };
  return `<b>${series.map(one).join(' · ')}</b>`;
}

function rowsIn({ unit, limits }: PagePanel, series: readonly DrawnSeries[]): string {
  const rows = series
    .filter(({ points }) => points.length > 0)
    .toSorted((a, b) => lastOf(b) - lastOf(a))
    .map((each) => {
      const cells = Object.values(each.labels).map((label) => `<td>${escaped(label)}</td>`);
      return `<tr>${cells.join('')}<td class="${toneOf(lastOf(each), limits)}">${inUnit(lastOf(each), unit)}</td></tr>`;
    });
  return `<table>${rows.join('')}</table>`;
}

/** Each series upon the sum of those before it. */
function stacked(series: readonly DrawnSeries[]): DrawnSeries[] {
  const sums = new Map<number, number>();
  return series.map((each) => ({
    ...each,
    points: each.points.map(([at, value]) => {
      const sum = (sums.get(at) ?? 0) + (Number.isFinite(value) ? value : 0);
      sums.set(at, sum);
      return [at, sum] as const;
    }),
  }));
}

function linesIn(panel: PagePanel, series: readonly DrawnSeries[], [fromS, toS]: readonly [number, number]): string {
  const drawn = panel.kind === 'lines' && panel.isStacked ? stacked(series) : series;
  const values = drawn.flatMap(({ points }) => points.map(([, value]) => value)).filter(Number.isFinite);
  const highest = Math.max(0, ...values) || 1;
  const lowest = Math.min(0, ...values);
  const x = (at: number) => (LEFT + ((at - fromS) / (toS - fromS)) * (WIDTH - LEFT)).toFixed(1);
  const y = (value: number) => (TOP + (1 - (value - lowest) / (highest - lowest)) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const axis = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const value = lowest + part * (highest - lowest);
    const line = `<path d="M${LEFT} ${y(value)}H${WIDTH}" stroke="#eee"/>`;
    return `${line}<text x="${LEFT - 5}" y="${y(value)}" dy="4" text-anchor="end">${inUnit(value, panel.unit)}</text>`;
  });
  const times = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = fromS + part * (toS - fromS);
    const anchor = part === 0 ? 'start' : part === 1 ? 'end' : 'middle';
    const time = new Date(1000 * at).toISOString().slice(11, 19);
    return `<text x="${x(at)}" y="${HEIGHT - 2}" text-anchor="${anchor}">${time}</text>`;
  });
  const limits = Object.entries(panel.limits ?? {})
    .filter(([, limit]) => typeof limit === 'number' && limit <= highest)
    .map(([name, limit]) => {
      const colour = name === 'bad' ? '#c62828' : '#ef6c00';
      return `<path d="M${LEFT} ${y(Number(limit))}H${WIDTH}" stroke="${colour}" stroke-dasharray="6 4"/>`;
    });
  const paths = drawn.map(({ points }, nth) => {
    const steps = points.map(([at, value], place) => {
      const [beforeAt = 0, before] = points[place - 1] ?? [];
      const follows = Number.isFinite(before) && at - beforeAt <= MOST_GAP * (toS - fromS);
      return Number.isFinite(value) ? `${follows ? 'L' : 'M'}${x(at)} ${y(value)}` : '';
    });
    return `<path d="${steps.join('')}" fill="none" stroke-width="1.5" stroke="${COLOURS[nth % COLOURS.length]}"/>`;
  });
  const legends = series.slice(0, MOST_LEGENDS).map((each, nth) => {
    const colour = COLOURS[nth % COLOURS.length];
    return `<li><i style="background:${colour}"></i>${escaped(each.legend)} <b>${inUnit(lastOf(each), panel.unit)}</b></li>`;
  });
  if (series.length > MOST_LEGENDS) legends.push(`<li>and ${series.length - MOST_LEGENDS} more</li>`);
  const svg = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}">${[...axis, ...times, ...limits, ...paths].join('')}</svg>`;
  return `${svg}<ul>${legends.join('')}</ul>`;
}

const legendOf = (pattern: string, labels: DrawnSeries['labels']) =>
  pattern.replace(/\{\{(\w+)\}\}/g, (_, label) => labels[label] ?? '').trim();

async function seriesOf({ queries, kind }: PagePanel, ask: PrometheusQuery): Promise<DrawnSeries[]> {
  const answers = Object.entries(queries).map(async ([pattern, expression]) => {
    const found = await ask(expression, kind !== 'lines');
    return found.map((one) => ({ ...one, legend: legendOf(pattern, one.labels) || pattern }));
  });
  return (await Promise.all(answers)).flat();
}

/** A dashboard with what Prometheus has in that time, from and to in seconds since 1970. */
export async function drawnPage(
  page: QuestionPage,
  ask: PrometheusQuery,
  time: readonly [number, number],
): Promise<string> {
  const places = placesOf(page.panels);
  const sections = page.panels.map(async (panel, at) => {
    const { x = 0, y = 0, w = 1, h = 1 } = places[at] ?? {};
    const series = await seriesOf(panel, ask);
    const draw = { number: numbersIn, table: rowsIn, lines: linesIn }[panel.kind];
    const content = series.length === 0 ? '<span class="none">none</span>' : draw(panel, series, time);
    const place = `grid-area:${y + 1}/${x + 1}/span ${h}/span ${w}`;
    return `<section style="${place}" title="${escaped(panel.about)}"><h2>${escaped(panel.title)}</h2>${content}</section>`;
  });
  const drawn = (await Promise.all(sections)).join('\n');
  const [question, about] = [escaped(page.question), escaped(page.about)];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${question}</title><style>${STYLE}</style>
<h1>${question}</h1><p>${about}</p><main>${drawn}</main></html>\n`;
}
