/** PromQL that the panels share. */

/** Of counters: how much they grow a second, over the shortest window that Grafana finds good for the page. */
export const rate = (counter: string) => `rate(${counter}[$__rate_interval])`;

/** Of counters: their rates, added up by these labels, which are the legend, too. */
export const ratesBy = (counter: string, ...labels: string[]) => ({
  [`{{${labels.join('}} {{')}}}`]: `sum by (${labels.join(', ')}) (${rate(counter)})`,
});

/** Of a histogram: the value below which this share of what was observed lies. @param by labels that stay apart */
export function slowest(share: number, histogram: string, ...by: string[]): string {
  return `histogram_quantile(${share}, sum by (${[...by, 'le'].join(', ')}) (${rate(`${histogram}_bucket`)}))`;
}

/** The same for several shares, by their legends. */
export const slowestOf = (shares: readonly number[], histogram: string): Record<string, string> =>
  Object.fromEntries(shares.map((share) => [`${100 * share} %`, slowest(share, histogram)]));
