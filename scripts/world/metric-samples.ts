/** What a process tells Prometheus, for tests of its metrics. */

/** The name of a metric, and its labels with their values. */
function partsOf(metric: string): [name: string, labels: readonly string[]] {
  const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(metric) ?? [];
  return [name, labels === '' ? [] : labels.split(/,(?=\w+=")/)];
}

/** One scrape. */
export class MetricSamples {
  readonly text: string;
  readonly #asked: Set<string>;

  /** @param text in Prometheus' format @param asked gets the names of the metrics that somebody asks for */
  constructor(text: string, asked = new Set<string>()) {
    this.text = text;
    this.#asked = asked;
  }

  /**
   * The sum of a metric's samples that have these labels; undefined if there is none.
   * @param metric its name, or the name with labels: `name{label="value",other="value"}`
   */
  value(metric: string): number | undefined {
    const [name, wanted] = partsOf(metric);
    this.#asked.add(name.replace(/_(?:bucket|count|sum)$/, ''));
    const found = this.text.split('\n').flatMap((line) => {
      const [, sample = '', value] = /^(\w.*) (\S+)$/.exec(line) ?? [];
      const [named, has] = partsOf(sample);
      return named === name && wanted.every((each) => has.includes(each)) ? [Number(value)] : [];
    });
    return found.length === 0 ? undefined : found.reduce((sum, each) => sum + each);
  }
}

/** Scrapes a process. @param url of its metrics, without a path @param asked as above */
export async function scrape(url: string, asked?: Set<string>): Promise<MetricSamples> {
  const answer = await fetch(`${url}/metrics`);
  return new MetricSamples(await answer.text(), asked);
}
