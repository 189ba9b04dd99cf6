import type { Metric, Registry } from 'prom-client';
import type { Figures } from '../../operations/figures.ts';

/** Upper bounds of the histogram's buckets, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const NAME = 'palaver_http_request_duration_seconds';

interface Labels {
  method: string;
  route: string;
  status: string;
}

/** The durations of responses with one set of labels. */
class Series {
  readonly labels: Labels;
  /** Counts per bucket, not cumulative; the last is +Inf. */
  readonly counts = new Float64Array(BOUNDS.length + 1);
  #seconds = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket++;
    (this.counts[bucket] as number)++;
    this.#seconds += seconds;
  }

  get seconds(): number {
    return this.#seconds;
  }

  /** The values as prom-client expects them. */
  values(): { labels: object; value: number; metricName: string }[] {
    let sum = 0;
    const buckets = [...BOUNDS, '+Inf'].map((le, index) => {
      sum += this.counts[index] as number;
      return { labels: { le, ...this.labels }, value: sum, metricName: `${NAME}_bucket` };
    });
    return [
      ...buckets,
      { labels: this.labels, value: this.#seconds, metricName: `${NAME}_sum` },
      { labels: this.labels, value: sum, metricName: `${NAME}_count` },
    ];
  }
}

/**
 * The histogram of request durations, by route and status. It replaces prom-client's own, which builds a
 * string of the labels on every request to find its counters; that costs more than counting.
 */
export class Durations {
  readonly #all = new Map<string, Series>();

  constructor(registry: Registry) {
    const metric = {
      name: NAME,
      help: 'Duration of requests, by route and status',
      type: 'histogram',
      aggregator: 'sum',
      get: async () => ({ ...metric, values: [...this.#all.values()].flatMap((series) => series.values()) }),
      reset: () => this.#all.clear(),
    };
    registry.registerMetric(metric as unknown as Metric);
  }

  /** Totals over all routes except streams, with those that were rate limited or failed. */
  totals(): Pick<Figures, 'requests' | 'requestMs' | 'limitedRequests' | 'failedRequests'> {
    const totals = { requests: 0, limitedRequests: 0, failedRequests: 0 };
    let milliseconds = 0;
    for (const { labels, counts, seconds } of this.#all.values()) {
      if (labels.route.endsWith('/events')) continue;
      const answers = counts.reduce((sum, each) => sum + each, 0);
      totals.requests += answers;
      milliseconds += seconds * 1000;
      if (labels.status === '429') totals.limitedRequests += answers;
      if (labels.status.startsWith('5')) totals.failedRequests += answers;
    }
    return { ...totals, requestMs: Math.round(milliseconds) };
  }

  /** The counters of one method, route and status; keep the result. */
  of(labels: Labels): Pick<Series, 'observe'> {
    const name = Object.values(labels).join(' ');
    const series = this.#all.get(name) ?? new Series(labels);
    this.#all.set(name, series);
    return series;
  }
}
