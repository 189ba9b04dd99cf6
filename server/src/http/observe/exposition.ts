/** The media type of Prometheus's text format. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = Readonly<Record<string, string>>;

/** One line of a metric. `suffix`, such as `_bucket`, follows the metric's name. */
export interface Sample {
  value: number;
  labels?: Labels;
  suffix?: string;
}

interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  read(): Iterable<Sample> | Promise<Iterable<Sample>>;
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const labelled = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
};

async function textOf({ name, help, type, read }: Metric): Promise<string> {
  const lines = [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`];
  for (const { value, labels = {}, suffix = '' } of await read())
    lines.push(`${name}${suffix}${labelled(labels)} ${value}`);
  return lines.join('\n');
}

/** A set of metrics. They are read when the text is requested. */
export class Registry {
  readonly #metrics: Metric[] = [];

  /** Adds a metric whose name begins with `palaver_`. */
  add(metric: Metric): void {
    this.#metrics.push({ ...metric, name: `palaver_${metric.name}` });
  }

  /** Adds a counter whose value `read` returns. The value must not decrease. */
  count(name: string, help: string, read: () => number): void {
    this.add({ name: `${name}_total`, help, type: 'counter', read: () => [{ value: read() }] });
  }

  /** Adds a counter for each value of a label. The values in `figures` must not decrease. */
  countEach(name: string, help: string, label: string, figures: Readonly<Record<string, number>>): void {
    const read = () => Object.entries(figures).map(([key, value]) => ({ value, labels: { [label]: key } }));
    this.add({ name: `${name}_total`, help, type: 'counter', read });
  }

  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.add({ name, help, type: 'gauge', read: async () => [{ value: await read() }] });
  }

  /** Adds a gauge for each value of a label. */
  gaugeEach(
    name: string,
    help: string,
    label: string,
    read: () => Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>,
  ): void {
    const samples = async () =>
      Object.entries(await read()).map(([key, value]) => ({ value, labels: { [label]: key } }));
    this.add({ name, help, type: 'gauge', read: samples });
  }

  histogram<L extends Labels>(name: string, help: string, bounds: readonly number[]): Histogram<L> {
    const histogram = new Histogram<L>(bounds);
    this.add({ name, help, type: 'histogram', read: () => histogram.samples() });
    return histogram;
  }

  async text(): Promise<string> {
    return `${(await Promise.all(this.#metrics.map(textOf))).join('\n\n')}\n`;
  }
}

/** The values of a histogram with one set of labels. */
export class Series<L extends Labels> {
  readonly labels: L;
  readonly #bounds: readonly number[];
  /** Observations per bucket, not cumulative. The last bucket is for values above all bounds. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(labels: L, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] as number)) bucket++;
    (this.counts[bucket] as number)++;
    this.sum += value;
  }

  samples(): Sample[] {
    const { labels } = this;
    let count = 0;
    const buckets = [...this.#bounds, '+Inf'].map((bound, index) => {
      count += this.counts[index] as number;
      return { value: count, labels: { le: String(bound), ...labels }, suffix: '_bucket' };
    });
    return [
      ...buckets,
      { value: this.sum, labels, suffix: '_sum' },
      { value: count, labels, suffix: '_count' },
    ];
  }
}

/** Counts values in buckets. `bounds` are the buckets' upper bounds, in ascending order. */
export class Histogram<L extends Labels = Labels> {
  readonly #bounds: readonly number[];
  readonly #all = new Map<string, Series<L>>();

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  /**
   * Returns the series with these labels. On hot paths, keep the series, because the lookup is slower than
   * counting.
   */
  of(labels: L): Series<L> {
    const key = Object.values(labels).join(' ');
    const series = this.#all.get(key) ?? new Series(labels, this.#bounds);
    this.#all.set(key, series);
    return series;
  }

  all(): Iterable<Series<L>> {
    return this.#all.values();
  }

  samples(): Sample[] {
    return [...this.#all.values()].flatMap((series) => series.samples());
  }
}
