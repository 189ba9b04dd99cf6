import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { find, prepare, q, remove, update } from '../db/statements.ts';
import { firstIdAt, timeOfId } from '../lib/deps.ts';
import { system, type Work } from '../operations/work.ts';
import { changeAs } from '../resources/change.ts';
import { deleteMessage } from '../resources/message/delete.ts';
import { removeThread } from '../resources/thread/change.ts';
import type { GoesOn } from './forget.ts';
import type { FileUpkeep } from './forgetFiles.ts';

const DAY_MS = 24 * 60 * 60_000;
/**
 * Maximum time for expiring messages per round of background jobs, in ms. Other jobs wait in the meantime.
 */
const ROUND_MS = 30_000;
/** Maximum servers per round-robin cycle. */
const MAX_SERVERS = 20;
/**
 * Target duration of a write, in ms. The number of messages per write adapts to it. A write to PostgreSQL
 * mostly waits for round trips, and blocks only other writes to the same server.
 */
const TARGET_WRITE_MS = { embedded: 5, distant: 50 };
const MIN_MESSAGES = 2;
const MAX_MESSAGES = 64;
/** Delay in ms before a failing channel is retried, so that it does not block others. */
const FAILED_MS = 60 * 60_000;
/** Number of rows per table to delete along with each message. A sweep deletes the rest. */
const ROWS_WITH_EACH = 20;

/**
 * Selects servers with a channel that is due, in random order, so that no server waits for all messages of
 * another one.
 */
const dueChannels = prepare((p: { now: number }) =>
  q
    .selectFrom('retention')
    .select('serverId')
    .where('dueAt', '<=', p.now)
    .groupBy('serverId')
    .orderBy(sql`random()`)
    .limit(sql.lit(MAX_SERVERS)),
);

const dueIn = prepare((p: { serverId: string; now: number }) =>
  q
    .selectFrom('retention')
    .select('id')
    .where('serverId', '=', p.serverId)
    .where('dueAt', '<=', p.now)
    .orderBy('dueAt')
    .limit(1),
);

const oldest = prepare((p: { channelId: string; before: string; limit: number }) =>
  q
    .selectFrom('message')
    .select('id')
    .where('channelId', '=', p.channelId)
    .where('id', '<', p.before)
    .orderBy('id')
    .limit(p.limit as never),
);

/** Selects threads with neither a message nor replies, which would otherwise never be deleted. */
const emptyThreads = prepare((p: { channelId: string; before: string; limit: number }) =>
  q
    .selectFrom('thread')
    .selectAll()
    .where('channelId', '=', p.channelId)
    .where('id', '<', p.before)
    .where('messageId', 'is', null)
    .where('replyCount', '=', 0)
    .limit(p.limit as never),
);

/**
 * Deletes messages past their retention, in short writes (`TARGET_WRITE_MS`), each followed by a pause of the
 * same length, round-robin over servers. While nothing is due, a round takes one read, because each channel
 * stores the time at which its oldest message expires. That time is at most a day ahead, because imports can
 * add older messages.
 */
export async function expireMessages(upkeep: FileUpkeep, goesOn: GoesOn): Promise<void> {
  const { db, deps } = upkeep;
  const until = performance.now() + ROUND_MS;
  const targetMs = db.read.dialect.isDistant ? TARGET_WRITE_MS.distant : TARGET_WRITE_MS.embedded;
  let messages = MIN_MESSAGES;
  let failure: unknown;
  while (performance.now() < until) {
    const servers = await db.read.all(dueChannels({ now: deps.now() }));
    if (servers.length === 0) break;
    for (const { serverId } of servers) {
      const [next] = await db.read.all(dueIn({ serverId, now: deps.now() }));
      if (!next || !(await goesOn()) || performance.now() >= until) continue;
      const from = performance.now();
      try {
        await changeAs(system, upkeep, (work) => expireSome(work, next.id, messages), serverId);
      } catch (error) {
        failure = error;
        const later = update('retention', next.id, { dueAt: deps.now() + FAILED_MS });
        await db.write((tx) => tx.run(later));
      }
      const took = performance.now() - from;
      messages = nextAmount(messages, took, targetMs);
      await sleep(took);
    }
    if (!(await goesOn())) break;
  }
  if (failure !== undefined) throw failure;
}

const nextAmount = (messages: number, took: number, targetMs: number): number =>
  took > targetMs
    ? Math.max(MIN_MESSAGES, Math.floor(messages / 2))
    : took < targetMs / 2
      ? Math.min(MAX_MESSAGES, messages * 2)
      : messages;

/** Deletes some expired messages of a channel. If none are left, stores the time of the next check. */
async function expireSome(work: Work, channelId: string, limit: number): Promise<void> {
  const { db, now } = work;
  const channel = await db.first(find('channel', { id: channelId }));
  const server = channel && (await db.first(find('server', { id: channel.serverId })));
  const days = channel?.retentionDays ?? server?.retentionDays ?? null;
  if (!channel || !server || days === null || channel.memberIds) {
    await db.run(remove('retention', { id: channelId }));
    return;
  }
  const before = firstIdAt(now - days * DAY_MS);
  const expired = await db.all(oldest({ channelId, before, limit }));
  for (const { id } of expired) {
    // Reloads the message, because the deletion of another message may have changed it.
    const row = await db.first(find('message', { id }));
    if (row) await deleteMessage(work, row, { limit: ROWS_WITH_EACH });
  }
  const threads = expired.length < limit ? await db.all(emptyThreads({ channelId, before, limit })) : [];
  for (const thread of threads) await removeThread(work, thread);
  if (expired.length === limit || threads.length === limit) {
    // Moves the channel behind other servers and the server's other channels.
    await db.run(update('retention', channelId, { dueAt: now }));
    return;
  }
  const [next] = await db.all(oldest({ channelId, before: firstIdAt(now + DAY_MS), limit: 1 }));
  const expiresAt = next ? timeOfId(next.id) + days * DAY_MS + 1 : now + DAY_MS;
  const dueAt = Math.min(Math.max(expiresAt, now + 1), now + DAY_MS);
  await db.run(update('retention', channelId, { dueAt }));
}
