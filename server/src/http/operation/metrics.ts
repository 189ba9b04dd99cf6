import type { onResponseHookHandler } from 'fastify';
// Imported by file: the whole package loads a hundred more, most of them for the default metrics.
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import type { Db } from '../../db/contract.ts';
import type { FileFigures } from '../../files/files.ts';
import { late } from '../../lib/late.ts';
import type { Valkey } from '../../lib/valkey.ts';
import type { Running } from '../../limits/running.ts';
import { waitingMails } from '../../mail/outbox.ts';
import type { Figures } from '../../operations/figures.ts';
import type { Streams } from '../streams/streams.ts';
import type { Unread } from '../unread.ts';
import { Durations } from './durations.ts';

/** Metrics of webhook deliveries. */
export interface WebhookFigures {
  /** Attempts by outcome, and webhooks disabled by reason, since the start. */
  readonly attempts: Readonly<Record<string, number>>;
  readonly disabled: Readonly<Record<string, number>>;
  /** Called with the seconds from each event to its acceptance. */
  onAccepted: (seconds: number) => void;
}

/** Metrics of mails: attempts by outcome, since the start. */
interface MailFigures {
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Sources of metrics other than requests. */
interface Measured {
  db: Db;
  streams: Pick<Streams, 'amount'>;
  unread: Pick<Unread, 'bytes'>;
  uploads: Pick<Running<'uploads'>, 'amount'>;
  exports: Pick<Running<'exports'>, 'amount'>;
  files: FileFigures;
  /** Left out if the node has none. */
  valkey?: Pick<Valkey, 'up' | 'figures'> | undefined;
  webhooks?: WebhookFigures | undefined;
  mails?: MailFigures | undefined;
}

/** Maximum number of pairs of name and key counted separately. */
const MAX_USES = 200;

/** The content of `/metrics`. */
export interface Metrics {
  contentType: string;
  text(): Promise<string>;
}

/** Creates the hook that records one route's responses and their durations. */
export type Observe = (method: string, route: string) => onResponseHookHandler;

/**
 * Prometheus metrics: requests by route and status, commits, streams, the process, and, if in use,
 * PostgreSQL, Valkey and webhooks.
 */
export function measure({
  db,
  streams,
  unread,
  uploads,
  exports,
  files,
  valkey,
  webhooks,
  mails,
}: Measured): {
  metrics: Metrics;
  observe: Observe;
  countUse(name: string, keyId: string): void;
  figures(): Figures;
} {
  const registry = new Registry();
  // Started on first use, because it then measures the event loop by a timer a hundred times a second.
  const measureProcess = late(async () => {
    const { default: collectDefaultMetrics } = await import('prom-client/lib/defaultMetrics.js');
    collectDefaultMetrics({ register: registry, prefix: 'palaver_' });
  });
  const durations = new Durations(registry);
  const observe: Observe = (method, route) => {
    const byStatus = new Map<number, ReturnType<Durations['of']>>();
    return (_request, reply, done) => {
      const { statusCode } = reply;
      let ofStatus = byStatus.get(statusCode);
      if (!ofStatus) {
        ofStatus = durations.of({ method, route, status: String(statusCode) });
        byStatus.set(statusCode, ofStatus);
      }
      ofStatus.observe(reply.elapsedTime / 1000);
      done();
    };
  };
  count(registry, 'commit_batches', 'Committed transactions', () => db.figures.batches);
  count(registry, 'commit_works', 'Writes in committed transactions', () => db.figures.works);
  gauge(registry, 'streams', 'Open event streams', () => streams.amount);
  gauge(
    registry,
    'unread_bytes',
    'Bytes of answers that their clients have not read yet',
    () => unread.bytes,
  );
  measureFiles(registry, uploads, files);
  gauge(registry, 'exports_open', 'Copies of their data that people are getting', () => exports.amount);
  if (db.figures.pool) measureServer(registry, db);
  if (valkey) measureValkey(registry, valkey);
  if (webhooks) measureWebhooks(registry, webhooks);
  if (mails) measureMails(registry, mails, db);
  new Gauge({
    name: 'palaver_ready',
    help: '1 if the data can be read and written',
    registers: [registry],
    async collect() {
      this.set((await db.health()).ok ? 1 : 0);
    },
  });
  const text = () => measureProcess().then(() => registry.metrics());
  return {
    metrics: { contentType: registry.contentType, text },
    observe,
    countUse: countUses(registry),
    figures() {
      const { user, system } = process.cpuUsage();
      return {
        ...durations.totals(),
        writes: db.figures.works,
        cpuMs: Math.round((user + system) / 1000),
        memoryBytes: process.memoryUsage.rss(),
        streams: streams.amount,
        isValkeyUp: valkey ? valkey.up : null,
      };
    },
  };
}

/**
 * Counts uses of deprecated features by name and key. Beyond a bounded number of pairs, keys are counted
 * together.
 */
function countUses(registry: Registry): (name: string, keyId: string) => void {
  const uses = new Counter({
    name: 'palaver_deprecated_uses_total',
    help: 'Requests that use something deprecated, by its name and the key',
    labelNames: ['name', 'key'] as const,
    registers: [registry],
  });
  const pairs = new Set<string>();
  return (name, keyId) => {
    const pair = `${name} ${keyId}`;
    if (pairs.size < MAX_USES) pairs.add(pair);
    uses.inc({ name, key: pairs.has(pair) ? keyId : 'others' });
  };
}

function measureFiles(registry: Registry, uploads: Measured['uploads'], files: FileFigures): void {
  gauge(registry, 'uploads_open', 'Uploads under way', () => uploads.amount);
  countEach(registry, 'uploads', 'Uploads by how they ended', 'outcome', files.uploads);
  count(registry, 'upload_seconds', 'Seconds that uploads took, in total', () => files.seconds);
  count(registry, 'upload_bytes', 'Bytes of files that came whole', () => files.bytes);
  count(registry, 'files_removed', 'Files that were removed from their place', () => files.removed);
}

function measureServer(registry: Registry, db: Db): void {
  new Gauge({
    name: 'palaver_database_connections',
    help: 'Connections to the database server',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      this.set({ state: 'open' }, db.figures.pool?.open ?? 0);
      this.set({ state: 'busy' }, db.figures.pool?.busy ?? 0);
    },
  });
  gauge(
    registry,
    'database_waiting',
    'Statements and transactions that wait for a connection',
    () => db.figures.pool?.waiting ?? 0,
  );
  count(
    registry,
    'database_statements',
    'Statements sent to the database server',
    () => db.figures.statements,
  );
  count(
    registry,
    'database_statement_seconds',
    'Seconds until statements were answered, in total',
    () => db.figures.statementSeconds,
  );
  count(
    registry,
    'database_retries',
    'Transactions run again after a conflict or a lost connection',
    () => db.figures.retries,
  );
}

function measureValkey(registry: Registry, valkey: Pick<Valkey, 'figures'>): void {
  gauge(registry, 'valkey_up', '1 if Valkey answers', () => (valkey.figures.up ? 1 : 0));
  count(registry, 'valkey_calls', 'Commands sent to Valkey', () => valkey.figures.calls);
  count(
    registry,
    'valkey_call_seconds',
    'Seconds until commands were answered or failed, in total',
    () => valkey.figures.seconds,
  );
  count(registry, 'valkey_failures', 'Commands to Valkey that failed', () => valkey.figures.failures);
}

function measureWebhooks(registry: Registry, webhooks: WebhookFigures): void {
  const { attempts, disabled } = webhooks;
  countEach(registry, 'webhook_attempts', 'Attempts to deliver events to webhooks', 'outcome', attempts);
  countEach(registry, 'webhooks_disabled', 'Webhooks that were disabled', 'reason', disabled);
  const lag = new Histogram({
    name: 'palaver_webhook_lag_seconds',
    help: 'Time from an event to its acceptance by a webhook',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300, 3600],
    registers: [registry],
  });
  webhooks.onAccepted = (seconds) => lag.observe(seconds);
}

function measureMails(registry: Registry, { outcomes }: MailFigures, db: Db): void {
  countEach(registry, 'mails', 'Attempts to send mails', 'outcome', outcomes);
  new Gauge({
    name: 'palaver_mails_waiting',
    help: 'Mails of all nodes that wait for being sent',
    registers: [registry],
    async collect() {
      this.set(await waitingMails(db.read));
    },
  });
}

/** A counter with the value of `read`, which must never decrease. */
function count(registry: Registry, name: string, help: string, read: () => number): void {
  let before = 0;
  new Counter({
    name: `palaver_${name}_total`,
    help,
    registers: [registry],
    collect() {
      const now = read();
      this.inc(now - before);
      before = now;
    },
  });
}

/** A counter for each value of a label, with the current `figures`, which must never decrease. */
function countEach(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  figures: Readonly<Record<string, number>>,
): void {
  const before: Record<string, number> = {};
  new Counter({
    name: `palaver_${name}_total`,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      for (const [value, now] of Object.entries(figures)) {
        this.inc({ [label]: value }, now - (before[value] ?? 0));
        before[value] = now;
      }
    },
  });
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name: `palaver_${name}`,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
