/** What a process tells Prometheus, for tests of its metrics. */

/** One scrape. */
export class MetricSamples {
  readonly text: string;

  /** @param text in Prometheus' format */
  constructor(text: string) {
    this.text = text;
  }

  /** The sum of a metric's samples that have these labels; undefined if there is none. */
  value(name: string, labels: Readonly<Record<string, string | number>> = {}): number | undefined {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const found = this.text.split('\n').flatMap((line) => {
      const [, named, own = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (named !== name) return [];
      const has = own.split(/,(?=\w+=")/);
      return wanted.every((each) => has.includes(each)) ? [Number(value)] : [];
    });
    return found.length === 0 ? undefined : found.reduce((sum, each) => sum + each);
  }
}

/** Scrapes a process. @param url of its metrics, without a path */
export async function scrape(url: string): Promise<MetricSamples> {
  const answer = await fetch(`${url}/metrics`);
  return new MetricSamples(await answer.text());
}
