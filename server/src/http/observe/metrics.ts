import type { onResponseHookHandler } from 'fastify';
import type { Db } from '../../db/contract.ts';
import { countFailing } from '../../db/failures.ts';
import type { FileFigures } from '../../files/files.ts';
import type { Disks } from '../../lib/diskSpace.ts';
import { late } from '../../lib/late.ts';
import type { Valkey } from '../../lib/valkey.ts';
import type { Running } from '../../limits/running.ts';
import { waitingMails } from '../../mail/outbox.ts';
import type { Figures, Services } from '../../operations/services.ts';
import type { InFlight } from '../inFlight.ts';
import type { Streams } from '../streams/streams.ts';
import type { Unread } from '../unread.ts';
import { measureAgents } from './agentMetrics.ts';
import { CONTENT_TYPE, type Histogram, Registry } from './exposition.ts';
import { measureFlows } from './flowMetrics.ts';

/** Metrics about webhook deliveries. */
export interface WebhookFigures {
  /** Attempts by outcome, and disabled webhooks by reason, since the node started. */
  readonly attempts: Readonly<Record<string, number>>;
  readonly disabled: Readonly<Record<string, number>>;
  /** Called with the seconds from an event until the receiver accepted it. */
  onAccepted: (seconds: number) => void;
}

/** Metrics about pushes to devices. */
export interface PushFigures {
  /** Attempts by outcome, since the node started. */
  readonly attempts: Readonly<Record<string, number>>;
  /** Called with the seconds from a message until a push service accepted its push. */
  onAccepted: (seconds: number) => void;
}

/** Metrics about mail: attempts by outcome, since the node started. */
interface MailFigures {
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Sources of metrics that do not come from requests. */
interface Measured {
  services: Pick<Services, 'db' | 'deps' | 'exports' | 'files' | 'disks'>;
  streams: Pick<Streams, 'amount'>;
  unread: Pick<Unread, 'bytes'>;
  inFlight: Pick<InFlight, 'amount'>;
  uploads: Pick<Running<'uploads'>, 'amount'>;
  /** Omitted if the node has no Valkey. */
  valkey?: Pick<Valkey, 'up' | 'figures'> | undefined;
  webhooks?: WebhookFigures | undefined;
  pushes?: PushFigures | undefined;
  mails?: MailFigures | undefined;
}

/** Upper bounds of the buckets of request durations, in seconds. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** The labels of the request duration metric. */
type Answered = { method: string; route: string; status: string };

/** Maximum number of pairs of feature name and key that are counted separately. */
const MAX_USES = 200;

/** The content of `/metrics`. */
export interface Metrics {
  contentType: string;
  text(): Promise<string>;
}

/** A function that creates the hook that records one route's responses and their durations. */
export type Observe = (method: string, route: string) => onResponseHookHandler;

/**
 * Creates the Prometheus metrics: requests by route and status, commits, streams, files, flows, agents, the
 * process, and, if in use, PostgreSQL, Valkey, webhooks, pushes and mail.
 */
export function measure(measured: Measured): {
  metrics: Metrics;
  observe: Observe;
  countUse(name: string, keyId: string): void;
  figures(): Figures;
} {
  const { services, streams, valkey, webhooks, pushes, mails } = measured;
  const { db, deps } = services;
  const registry = new Registry();
  // Process metrics start on first use, because from then on, a timer samples the event loop a hundred times
  // a second.
  const startProcess = late(async () => {
    const { measureProcess } = await import('./processMetrics.ts');
    measureProcess(registry);
  });
  const durations = registry.histogram<Answered>(
    'http_request_duration_seconds',
    'Duration of requests, by route and status',
    REQUEST_SECONDS,
  );
  measureLoad(registry, measured);
  if (db.figures.pool) measureServer(registry, db);
  if (valkey) measureValkey(registry, valkey);
  if (webhooks) measureWebhooks(registry, webhooks);
  if (pushes) measurePushes(registry, pushes);
  if (mails) measureMails(registry, mails, db);
  measureFlows(registry, db, deps.now);
  measureAgents(registry, db, deps.now);
  registry.gaugeEach(
    'queue_failing',
    'Queued items that failed and are backing off, across all nodes',
    'queue',
    () => countFailing(db.read),
  );
  registry.gauge('ready', '1 if the database can be read and written', async () =>
    (await db.health()).ok ? 1 : 0,
  );
  const text = () => startProcess().then(() => registry.text());
  return {
    metrics: { contentType: CONTENT_TYPE, text },
    observe: observeInto(durations),
    countUse: countUses(registry),
    figures() {
      const { user, system } = process.cpuUsage();
      return {
        ...totalsOf(durations),
        writes: db.figures.works,
        cpuMs: Math.round((user + system) / 1000),
        memoryBytes: process.memoryUsage.rss(),
        streams: streams.amount,
        isValkeyUp: valkey ? valkey.up : null,
      };
    },
  };
}

const observeInto =
  (durations: Histogram<Answered>): Observe =>
  (method, route) => {
    const byStatus = new Map<number, ReturnType<typeof durations.of>>();
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

/** Measures commits, requests in flight, streams, files and exports. */
function measureLoad(
  registry: Registry,
  { services: { db, exports, files, disks }, streams, unread, inFlight, uploads }: Measured,
): void {
  registry.count('commit_batches', 'Committed transactions', () => db.figures.batches);
  registry.count('commit_works', 'Writes in committed transactions', () => db.figures.works);
  registry.gauge('streams', 'Open event streams', () => streams.amount);
  registry.gauge('unread_bytes', 'Bytes of responses that clients have not read yet', () => unread.bytes);
  registry.gauge('requests_open', 'Requests in flight, without streams and uploads', () => inFlight.amount);
  measureFiles(registry, uploads, files.figures);
  registry.gaugeEach('disk_free_bytes', 'Free bytes on the disks, where known', 'disk', () =>
    freeBytes(disks),
  );
  registry.gauge('exports_open', 'Data exports in progress', () => exports.amount);
}

/** Returns totals of all routes except `/events`, including how many requests were rate limited or failed. */
function totalsOf(
  durations: Histogram<Answered>,
): Pick<Figures, 'requests' | 'requestMs' | 'limitedRequests' | 'failedRequests'> {
  const totals = { requests: 0, limitedRequests: 0, failedRequests: 0 };
  let seconds = 0;
  for (const { labels, counts, sum } of durations.all()) {
    if (labels.route.endsWith('/events')) continue;
    const answers = counts.reduce((all, each) => all + each, 0);
    totals.requests += answers;
    seconds += sum;
    if (labels.status === '429') totals.limitedRequests += answers;
    if (labels.status.startsWith('5')) totals.failedRequests += answers;
  }
  return { ...totals, requestMs: Math.round(seconds * 1000) };
}

/**
 * Counts uses of deprecated features by name and key. Once `MAX_USES` is reached, further keys are counted
 * together.
 */
function countUses(registry: Registry): (name: string, keyId: string) => void {
  const pairs = new Map<string, { labels: { name: string; key: string }; value: number }>();
  registry.add({
    name: 'deprecated_uses_total',
    help: 'Requests that use something deprecated, by name and key',
    type: 'counter',
    read: () => pairs.values(),
  });
  return (name, keyId) => {
    const isCounted = pairs.has(`${name} ${keyId}`) || pairs.size < MAX_USES;
    const key = isCounted ? keyId : 'others';
    const pair = pairs.get(`${name} ${key}`) ?? { labels: { name, key }, value: 0 };
    pair.value++;
    pairs.set(`${name} ${key}`, pair);
  };
}

function measureFiles(registry: Registry, uploads: Measured['uploads'], files: FileFigures): void {
  registry.gauge('uploads_open', 'Uploads in progress', () => uploads.amount);
  registry.countEach('uploads', 'Uploads, by outcome', 'outcome', files.uploads);
  registry.count('upload_seconds', 'Total duration of uploads in seconds', () => files.seconds);
  registry.count('upload_bytes', 'Bytes of complete uploads', () => files.bytes);
  registry.count('files_removed', 'Files removed from storage', () => files.removed);
}

/** Returns the free bytes of each disk for which they are known. */
async function freeBytes(disks: Disks): Promise<Record<string, number>> {
  const found = await Promise.all(
    Object.entries(disks).map(async ([name, disk]) => [name, await disk.free()] as const),
  );
  return Object.fromEntries(found.filter(([, bytes]) => Number.isFinite(bytes)));
}

function measureServer(registry: Registry, db: Db): void {
  registry.gaugeEach('database_connections', 'Connections to the database server', 'state', () => ({
    open: db.figures.pool?.open ?? 0,
    busy: db.figures.pool?.busy ?? 0,
  }));
  registry.gauge(
    'database_waiting',
    'Statements and transactions waiting for a connection',
    () => db.figures.pool?.waiting ?? 0,
  );
  registry.count(
    'database_statements',
    'Statements sent to the database server',
    () => db.figures.statements,
  );
  registry.count(
    'database_statement_seconds',
    'Total duration of statements in seconds',
    () => db.figures.statementSeconds,
  );
  registry.count(
    'database_retries',
    'Transactions retried after a conflict or a lost connection',
    () => db.figures.retries,
  );
}

function measureValkey(registry: Registry, valkey: Pick<Valkey, 'figures'>): void {
  registry.gauge('valkey_up', '1 if Valkey responds', () => (valkey.figures.up ? 1 : 0));
  registry.count('valkey_calls', 'Commands sent to Valkey', () => valkey.figures.calls);
  registry.count(
    'valkey_call_seconds',
    'Total duration of commands in seconds, including failed ones',
    () => valkey.figures.seconds,
  );
  registry.count('valkey_failures', 'Commands to Valkey that failed', () => valkey.figures.failures);
}

function measureWebhooks(registry: Registry, webhooks: WebhookFigures): void {
  const { attempts, disabled } = webhooks;
  registry.countEach('webhook_attempts', 'Attempts to deliver events to webhooks', 'outcome', attempts);
  registry.countEach('webhooks_disabled', 'Webhooks disabled', 'reason', disabled);
  const lag = registry
    .histogram(
      'webhook_lag_seconds',
      'Time from an event to its acceptance by a webhook',
      [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300, 3600],
    )
    .of({});
  webhooks.onAccepted = (seconds) => lag.observe(seconds);
}

function measurePushes(registry: Registry, pushes: PushFigures): void {
  registry.countEach('push_attempts', 'Attempts to send pushes to devices', 'outcome', pushes.attempts);
  const lag = registry
    .histogram(
      'push_lag_seconds',
      'Time from a message to the acceptance of its push by a push service',
      [0.5, 1, 2, 5, 10, 30, 60, 300, 3600],
    )
    .of({});
  pushes.onAccepted = (seconds) => lag.observe(seconds);
}

function measureMails(registry: Registry, { outcomes }: MailFigures, db: Db): void {
  registry.countEach('mails', 'Attempts to send emails', 'outcome', outcomes);
  registry.gauge('mails_waiting', 'Queued emails, across all nodes', () => waitingMails(db.read));
}
