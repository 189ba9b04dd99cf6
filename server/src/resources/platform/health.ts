import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import packageFile from '../../../package.json' with { type: 'json' };
import type { Reader } from '../../db/contract.ts';
import { countFailing, type QueueName, queueNames } from '../../db/failures.ts';
import { find, q } from '../../db/statements.ts';
import { schemaVersion } from '../../db/version.ts';
import { Type } from '../../lib/schema.ts';
import { waitingMails } from '../../mail/outbox.ts';
import { count, flag, nullable, oneOf, text, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { ownTarget } from '../common.ts';

/** Maximum rows to count per kind. */
const MAX_COUNTED = 1_000;

const atMost = (words: string) => count(`${words}; ${MAX_COUNTED} if there are more`);

const large = (description: string, example: number) =>
  Type.Integer({ format: 'int64', minimum: 0, description, examples: [example] });

const platformHealth = Type.Object(
  {
    version: text({ max: 100, description: 'The version of the responding node', examples: ['1.0.0'] }),
    schema: count('The schema version', 19),
    engine: oneOf(['sqlite', 'postgres']),
    nodes: count('Number of running nodes', 1),
    uptimeSeconds: count('Seconds since the responding node started', 3600),
    startedAt: time(
      'When the responding node started. The load figures cover only that node, since that time',
    ),
    requests: large('Completed requests, without streams', 51_200),
    requestMs: large('Total duration of these requests, in milliseconds', 204_800),
    limitedRequests: large('Requests rejected by a rate limit', 16),
    failedRequests: large('Requests that failed with a server error', 0),
    writes: large('Writes committed', 8_192),
    cpuMs: large('CPU time of the process, in milliseconds', 61_500),
    memoryBytes: large('Current memory of the process', 134_217_728),
    streams: count('Currently open event streams', 12),
    isValkeyUp: nullable(flag('Whether Valkey responds; null without Valkey', true)),
    waitingMails: nullable(count('Queued emails across all nodes; null if email is not configured')),
    isReady: flag('Whether the database can be read and written', true),
    problem: text({
      max: 1000,
      description: 'The problem with the database; empty if there is none',
      examples: [''],
    }),
    skewMs: Type.Integer({
      format: 'int64',
      description: "How far the database's clock is ahead of this node's, in milliseconds",
      examples: [0],
    }),
    sweeps: atMost('Deleted records still being removed'),
    closings: atMost('Closed accounts still to be erased'),
    fileRemovals: atMost('Files due for removal'),
    upkeepUntil: nullable(time('When the lease of the node that removes expired records ends')),
    failingWebhooks: atMost('Webhooks waiting to retry'),
    disabledWebhooks: atMost('Webhooks disabled because they failed'),
    failing: Type.Object(
      Object.fromEntries(queueNames.map((name) => [name, count('Number of items', 0)])) as Record<
        QueueName,
        ReturnType<typeof count>
      >,
      {
        additionalProperties: false,
        description: 'Queued items that failed and are being retried, by queue, across all nodes',
      },
    ),
    files: oneOf(['folder', 'bucket']),
    freeBytes: nullable(
      Type.Integer({
        format: 'int64',
        minimum: 0,
        description: 'Free disk space for files; null for a bucket',
        examples: [50_000_000_000],
      }),
    ),
  },
  { $id: 'PlatformHealth', title: 'PlatformHealth', additionalProperties: false },
);

/** Counts rows in the database. Each count uses an index and is bounded. */
async function figuresOf(db: Reader, now: number) {
  const some = { limit: MAX_COUNTED };
  const [sweeps, closings, removals, lease, failing, disabled] = await Promise.all([
    db.all(q.selectFrom('sweep').select('id').limit(some.limit)),
    db.all(q.selectFrom('closing').select('id').limit(some.limit)),
    db.all(q.selectFrom('fileRemoval').select('id').where('dueAt', '<=', now).limit(some.limit)),
    db.first(find('lease', { name: 'upkeep' })),
    db.all(q.selectFrom('webhookState').select('id').where('nextAt', 'is not', null).limit(some.limit)),
    db.all(q.selectFrom('webhook').select('id').where('disabledReason', 'is not', null).limit(some.limit)),
  ]);
  return {
    sweeps: sweeps.length,
    closings: closings.length,
    fileRemovals: removals.length,
    upkeepUntil: lease && lease.owner !== null ? lease.ownedUntil : null,
    failingWebhooks: failing.length,
    disabledWebhooks: disabled.length,
  };
}

export const platformHealthOperations = [
  read({
    operation: 'platformHealth',
    people: true,
    path: '/platform/health',
    tag: 'platform',
    summary: "Get the platform's health",
    visible: 'platform',
    answer: platformHealth,
    target: ownTarget,
    async run({ db, now, services }) {
      const { files, db: engine, mail } = services;
      const [{ ok, reason }, figures, failing, free, mails] = await Promise.all([
        engine.health(),
        figuresOf(db, now),
        countFailing(db),
        files.folder === undefined ? null : freeBytes(files.folder),
        mail ? waitingMails(db) : null,
      ]);
      return {
        version: packageFile.version,
        schema: schemaVersion,
        engine: db.dialect.name,
        nodes: engine.nodes(),
        uptimeSeconds: Math.floor(process.uptime()),
        startedAt: Math.round(performance.timeOrigin),
        ...services.figures(),
        waitingMails: mails,
        isReady: ok,
        problem: reason,
        skewMs: Math.round(engine.skew()),
        ...figures,
        failing,
        files: files.folder === undefined ? 'bucket' : 'folder',
        freeBytes: free,
      };
    },
  }),
];

/**
 * Returns the free bytes on a folder's disk; null if unknown. The folder may not exist before the first file
 * is stored.
 */
const freeBytes = (folder: string): Promise<number | null> =>
  statfs(dirname(folder)).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
