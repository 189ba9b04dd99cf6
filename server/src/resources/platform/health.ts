import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import packageFile from '../../../package.json' with { type: 'json' };
import type { Reader } from '../../db/contract.ts';
import { find, q } from '../../db/statements.ts';
import { schemaVersion } from '../../db/version.ts';
import { Type } from '../../lib/schema.ts';
import { waitingMails } from '../../mail/outbox.ts';
import { count, flag, nullable, oneOf, text, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';

/** Maximum rows counted per kind. */
const MAX_COUNTED = 1_000;

const atMost = (words: string) => count(`${words}; ${MAX_COUNTED} if there are more`);

const large = (description: string, example: number) =>
  Type.Integer({ format: 'int64', minimum: 0, description, examples: [example] });

const platformHealth = Type.Object(
  {
    version: text({ max: 100, description: 'Of the node that answers', examples: ['1.0.0'] }),
    schema: count('The version of the tables', 19),
    engine: oneOf(['sqlite', 'postgres']),
    nodes: count('Nodes that serve the data', 1),
    uptimeSeconds: count('Of the node that answers', 3600),
    startedAt: time(
      'The start of the node that answers: the figures of load are its own, and grow from then on',
    ),
    requests: large('Requests that it has answered, but streams', 51_200),
    requestMs: large('The time that these took', 204_800),
    limitedRequests: large('Those of them that a rate limit refused', 16),
    failedRequests: large('Those of them that failed in the server', 0),
    writes: large('Writes that it has committed', 8_192),
    cpuMs: large('The processor time of its process', 61_500),
    memoryBytes: large('The memory of its process now', 134_217_728),
    streams: count('Open event streams now', 12),
    isValkeyUp: nullable(flag('Valkey answers; null without', true)),
    waitingMails: nullable(count('Mails of all nodes that wait to be sent; null where none are')),
    isReady: flag('The data can be read and written', true),
    problem: text({ max: 1000, description: 'Empty if they can', examples: [''] }),
    skewMs: Type.Integer({
      format: 'int64',
      description: "The time that the database's clock is ahead of this node's",
      examples: [0],
    }),
    sweeps: atMost('Deleted things that are being removed'),
    closings: atMost('Accounts that were closed and are yet to be erased'),
    fileRemovals: atMost('Files that are to be removed now'),
    upkeepUntil: nullable(time('The time until which a node has the duty to remove what has expired')),
    failingWebhooks: atMost('Webhooks that wait to try again'),
    disabledWebhooks: atMost('Webhooks that were disabled since they failed'),
    files: oneOf(['folder', 'bucket']),
    freeBytes: nullable(
      Type.Integer({
        format: 'int64',
        minimum: 0,
        description: 'Free space of the disk with the files; null for a bucket',
        examples: [50_000_000_000],
      }),
    ),
  },
  { $id: 'PlatformHealth', title: 'PlatformHealth', additionalProperties: false },
);

/** Counts from the database: each uses an index and is bounded. */
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
    summary: 'The state of the platform at a glance',
    visible: 'platform',
    answer: platformHealth,
    target: ({ principal }) => ({ serverId: null, ownerId: principal.userId }),
    async run({ db, now, services }) {
      const { files, db: engine, mail } = services;
      const [{ ok, reason }, figures, free, mails] = await Promise.all([
        engine.health(),
        figuresOf(db, now),
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
        files: files.folder === undefined ? 'bucket' : 'folder',
        freeBytes: free,
      };
    },
  }),
];

/** Free bytes on the disk of a folder, which may not exist until the first file is stored. Null if unknown. */
const freeBytes = (folder: string): Promise<number | null> =>
  statfs(dirname(folder)).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
