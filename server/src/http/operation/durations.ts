import type { Metric, Registry } from 'prom-client';
import type { Figures } from '../../operations/figures.ts';

/** The upper bounds of the buckets, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const NAME = 'palaver_http_request_duration_seconds';

interface Labels {
  method: string;
  route: string;
  status: string;
}

/** The durations of the answers with one set of labels. */
class Series {
  readonly labels: Labels;
  /** How many answers are in each bucket and in none before; the last is for those above all bounds. */
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

  /** The values in the form of prom-client. */
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
 * The histogram of the durations of requests, by route and status. Not prom-client's own: that makes a text of the labels to find
 * the counters of each request anew, which costs more than the counting.
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

  /** The answers but streams, of all routes, together; and those with statuses that tell of a limit, or of a failure. */
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

  /** The counters of answers to one method and route with a status, to be kept. */
  of(labels: Labels): Pick<Series, 'observe'> {
    const name = Object.values(labels).join(' ');
    const series = this.#all.get(name) ?? new Series(labels);
    this.#all.set(name, series);
    return series;
  }
}
