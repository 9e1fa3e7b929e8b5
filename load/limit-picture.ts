/** The decisions of a limiter as a picture: a dot for each request of the probe. */
import { rateLimit } from '../generated/contract.ts';
import { judged, type ObservedRequests } from './report.ts';

export const PICTURE_STYLE = `
.chart { display: block; width: 100%; min-width: 40rem; height: auto; }
.chart text { fill: var(--quiet); font: 12px system-ui, sans-serif; }
.chart .axis { stroke: var(--line); }
.chart .limit { fill: none; stroke: var(--quiet); stroke-dasharray: 5 4; }
.chart .yes { fill: var(--pass); }
.chart .no { fill: var(--card); stroke: var(--quiet); }
.chart .wrong { fill: var(--fail); stroke: none; }
`;

const WIDTH = 860;
const LEFT = 75;
const RIGHT = 10;
const TOP = 15;
const BOTTOM = 30;
/** The height of one request: a dot and what separates it from the next, so that no dot covers another. */
const STEP = 5;
const RADIUS = 2.2;
const LABEL_EVERY = 20;

interface Dot {
  readonly sentMs: number;
  readonly answeredMs: number;
  readonly isAdmitted: boolean;
  readonly isWrong: boolean;
  /** Its number among the admitted ones, or among the refused ones. */
  readonly nth: number;
}

/** In the order of the answers. */
function dotsOf(observed: ObservedRequests): Dot[] {
  const { observations, wrong } = judged(observed);
  const count = { yes: 0, no: 0 };
  return observations
    .toSorted((a, b) => a.q - b.q)
    .map((one) => ({
      sentMs: one.s,
      answeredMs: one.q,
      isAdmitted: one.admitted,
      isWrong: wrong.has(one),
      nth: one.admitted ? ++count.yes : ++count.no,
    }));
}

function titleOf({ sentMs, answeredMs, isAdmitted, isWrong }: Dot): string {
  const decided = isAdmitted ? 'admitted' : 'refused';
  const why = isAdmitted ? 'more than the limit allows' : 'while the limit had room';
  return `sent after ${sentMs} ms, ${decided} after ${answeredMs} ms${isWrong ? `, ${why}` : ''}`;
}

const LEGEND = `A dot for each request, at the time of its answer: <strong>above</strong> the line the admitted ones, counted upwards; \
<strong>below</strong> it the refused ones, counted downwards. Red: what no bucket of ${rateLimit.burst}, refilled at \
${rateLimit.perSecond} a second, can have decided. Dashed: the most that it may have admitted. While the key is drained, the \
dots follow that line; after a pause they lie below it by what nobody asked for.`;

/** The requests over time, against what a bucket allows. */
export function limitPicture(observed: ObservedRequests): string {
  const dots = dotsOf(observed);
  const admitted = dots.filter(({ isAdmitted }) => isAdmitted).length;
  const refused = dots.length - admitted;
  const lastMs = Math.max(...dots.map(({ answeredMs }) => answeredMs), 1000);
  const most = rateLimit.burst + (rateLimit.perSecond * lastMs) / 1000;
  const zero = TOP + STEP * Math.max(admitted, Math.ceil(most));
  const height = zero + STEP * refused + BOTTOM;
  const x = (ms: number) => (LEFT + (ms / lastMs) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (n: number) => (zero - STEP * n).toFixed(1);
  const circles = dots.map((dot) => {
    const kind = `${dot.isAdmitted ? 'yes' : 'no'}${dot.isWrong ? ' wrong' : ''}`;
    const at = `cx="${x(dot.answeredMs)}" cy="${y(dot.isAdmitted ? dot.nth : -dot.nth)}"`;
    return `<circle class="${kind}" ${at} r="${RADIUS}"><title>${titleOf(dot)}</title></circle>`;
  });
  const seconds = Array.from({ length: Math.floor(lastMs / 1000) + 1 }, (_, s) => s);
  const times = seconds.map((s) => `<text x="${x(s * 1000)}" y="${height - 8}" text-anchor="middle">${s} s</text>`);
  const label = (n: number, text: string) =>
    `<text x="${LEFT - 10}" y="${y(n)}" dy="4" text-anchor="end">${text}</text>`;
  const upTo = (most: number) =>
    Array.from({ length: Math.floor(most / LABEL_EVERY) }, (_, n) => (n + 1) * LABEL_EVERY);
  const heights = [
    ...upTo(Math.max(admitted, most)).map((n) => label(n, String(n))),
    ...upTo(refused).map((n) => label(-n, String(n))),
    label(6, 'admitted'),
    ...(refused > 0 ? [label(-6, 'refused')] : []),
  ];
  const wrong = dots.filter(({ isWrong }) => isWrong).length;
  return `<div class="card scroll"><p class="quiet">${LEGEND}</p>
<svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${admitted} requests were admitted and ${refused} refused, ${wrong} of them wrongly">
<line class="axis" x1="${LEFT}" y1="${zero}" x2="${WIDTH - RIGHT}" y2="${zero}"/>
<path class="limit" d="M${x(0)} ${y(rateLimit.burst)}L${x(lastMs)} ${y(most)}"/>
${circles.join('')}${times.join('')}${heights.join('')}</svg></div>`;
}
