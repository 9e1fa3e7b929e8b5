/** The sentence with which a run ends: what it proves, or what is wrong, in words. */
import type { Report, ThresholdResult } from './report.ts';

/** How many faults the sentence names. */
const NAMED = 2;

const requests = (count: number) => (count === 1 ? '1 request' : `${count} requests`);
const was = (count: number) => (count === 1 ? 'was' : 'were');

/** What a crossed threshold means, by its metric; without its entry, the threshold stands for itself. */
const MEANINGS: Readonly<Record<string, (crossed: ThresholdResult, report: Report) => string>> = {
  burst_observations: ({ came }) => `only ${came} requests of the probe were answered`,
  limiter_too_lax(_, { limiter }) {
    const count = limiter?.admitted_too_many ?? 0;
    return `${requests(count)} too many ${was(count)} admitted`;
  },
  limiter_too_strict(_, { limiter }) {
    const count = limiter?.refused_wrongly ?? 0;
    return `${requests(count)} ${was(count)} refused while the limit had room`;
  },
  limiter_delays: () => 'requests were held back instead of refused',
  checks(_, { checks }) {
    const failed = checks.reduce((sum, { fails }) => sum + fails, 0);
    return `${failed} of ${checks.reduce((sum, { passes, fails }) => sum + passes + fails, 0)} checks failed`;
  },
  http_req_failed: ({ came }) => `${came} of the requests failed`,
  unexpected_429: ({ came }) => `${requests(Number(came))} within the limit got a 429`,
  journeys_done: () => 'no journey came to its end',
  walks_finished: () => 'no walk through a list came to its end',
};

function meaningOf(crossed: ThresholdResult, report: Report): string {
  const { metric, threshold, came } = crossed;
  const [name = ''] = metric.split('{');
  const [, ofWhat] = /^http_req_duration\{(?:name|scenario):(\w+)\}$/.exec(metric) ?? [];
  if (ofWhat !== undefined)
    return `95 % of ${ofWhat} took up to ${came}, not ${threshold.replace('p(95)<', 'less than ')} ms`;
  return MEANINGS[name]?.(crossed, report) ?? `${metric} ${threshold}: ${came}`;
}

/** All that is wrong, the limit first. */
export function faultsOf(report: Report): string[] {
  const crossed = report.thresholds.filter(({ ok }) => !ok);
  const ofLimit = ({ metric }: ThresholdResult) => Number(metric.startsWith('limiter_'));
  return crossed.toSorted((a, b) => ofLimit(b) - ofLimit(a)).map((one) => meaningOf(one, report));
}

function failureOf(report: Report): string {
  const faults = faultsOf(report);
  const more = faults.length - NAMED;
  const last = more > 0 ? ` and ${more} more` : '';
  return faults.length === 0 ? 'k6 says that a threshold was crossed' : `${faults.slice(0, NAMED).join(', ')}${last}`;
}

/** For the end of a terminal's output, and the head of the page. */
export function verdictOf(report: Report): string {
  const { scenario, passed, dropped, held_up_to: heldUpTo, planned, proves } = report;
  if (dropped > 0) {
    return `NOT JUDGED: ${dropped} journeys never began, so the load was less than was asked for. Either the target answers too slowly, or this machine cannot make this load.`;
  }
  if (heldUpTo !== undefined && !passed) {
    return `BROKEN: the target held up to ${heldUpTo} requests a second, of ${planned.requests_per_second} asked for.`;
  }
  return passed ? `PASSED: ${scenario}; ${proves}.` : `FAILED: ${scenario}; ${failureOf(report)}.`;
}
