import { removeAccount } from '../accounts/close.ts';
import { channelsOfAuthor } from '../db/authorChannels.ts';
import { messagesOf } from '../db/byAuthor.ts';
import { type Db, UniqueViolation } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, q, remove, update } from '../db/statements.ts';
import { FIRST_ID, LAST_ID } from '../lib/deps.ts';
import { foldedName } from '../lib/foldedName.ts';
import { changeAs } from '../resources/change.ts';
import { touched } from '../resources/common.ts';
import { requireUserFree } from '../resources/hold/scope.ts';
import { deleteMessage } from '../resources/message/delete.ts';
import { isMerging } from '../resources/placeholder.ts';
import { removeReaction } from '../resources/reaction.ts';
import { recordErasure } from '../resources/recordCommand.ts';
import { removeMember } from '../resources/serverMember/remove.ts';
import { suspend } from '../resources/suspension.ts';
import { ERASED_NAME, erasedUsernames } from '../resources/user.ts';
import { eraseReports } from './eraseReports.ts';
import type { ErasureData } from './erasureData.ts';
import type { GoesOn } from './forget.ts';
import { cleanAnswers, cleanEvents, type Erased } from './traces.ts';

/** Number of messages, each with its dependents, and number of other rows to delete per write. */
const BATCH_MESSAGES = 20;
const BATCH_ROWS = 500;

/** A callback that reports the progress of a long task. */
type TellStep = (step: string) => void;

/** The results of an erasure. */
export interface Erasure {
  id: string;
  /** The anonymous username that replaces the user's own. */
  username: string;
  servers: number;
  messages: number;
  reactions: number;
  events: number;
  answers: number;
}

/** Thrown if the erasure was asked to stop. The next run continues where it left off. */
export class Interrupted extends Error {}

interface ErasureOptions {
  /** Whether their messages and reactions are also deleted. */
  withMessages: boolean;
  /** Called at each step. */
  tell?: TellStep;
  /** Called before each write; returns false to stop. */
  goesOn?: GoesOn;
}

/**
 * Erases a user: removes them from every server, revokes their keys, and deletes or rewrites all data about
 * them, in small writes. The name is replaced last, so that an interrupted erasure can be resumed. Throws
 * Interrupted.
 */
export async function eraseUser(
  given: ErasureData,
  user: RowOf<'user'>,
  { withMessages, tell = () => {}, goesOn = async () => true }: ErasureOptions,
): Promise<Erasure> {
  const data = asking(given, goesOn);
  await requireUserFree(given.db.read, user.id, given.deps.now());
  if (await isMerging(given.db.read, user.id))
    throw new Error(
      'imported history is still being merged into the account. Start the server, and try again once the merge has finished',
    );
  tell('revoking sessions and keys, removing memberships');
  for (let isAll = false; !isAll; )
    isAll = await changeAs(data.actor, data, async (work) => {
      await removeAccount(work.db, user.id, work.now);
      // The suspension rejects concurrent sign-ins of the user on every node, and disables all their agents.
      return (await suspend(work, user)).isAll;
    });
  const servers = await leaveServers(data, user.id);
  const [messages, reactions] = withMessages
    ? [await deleteMessages(data, user.id, tell), await removeReactions(data, user.id)]
    : [0, 0];
  await eraseReports(data, user.id);
  tell('removing notifications');
  await removeOwnRows(data, user.id);
  tell('rewriting events and stored responses');
  for (const username of erasedUsernames(user.id, data.deps)) {
    if (await data.db.read.first(find('user', { username }))) continue;
    const erased: Erased = { id: user.id, username, withMessages };
    const events = await cleanEvents(data, erased);
    const answers = await cleanAnswers(data, erased);
    const numbers = { servers, messages, reactions, events, answers };
    if (!(await takeName(data, user, username, numbers))) continue;
    // A concurrent write may have added the user to a server before this point.
    await leaveServers(data, user.id);
    return { id: user.id, username, ...numbers };
  }
  throw new Error('every username for the erased user is taken');
}

/** Returns the same data, but its writes and `goOn` throw Interrupted once the erasure must stop. */
function asking({ db, ...rest }: ErasureData, goesOn: GoesOn): ErasureData {
  const goOn = async (): Promise<void> => {
    if (!(await goesOn())) throw new Interrupted('the erasure will continue later');
  };
  const write: Db['write'] = async (...given) => {
    await goOn();
    return db.write(...given);
  };
  return { ...rest, goOn, db: { read: db.read, write } };
}

async function leaveServers(data: ErasureData, userId: string): Promise<number> {
  const members = await data.db.read.all(find('serverMember', { userId }));
  for (const { id, serverId } of members) {
    await changeAs(
      data.actor,
      data,
      async (work) => {
        const member = await work.db.first(find('serverMember', { id }));
        if (member) await removeMember(work, member);
      },
      serverId,
    );
  }
  return members.length;
}

/** Deletes the user's messages channel by channel, in index order. */
async function deleteMessages(data: ErasureData, userId: string, tell: TellStep): Promise<number> {
  let deleted = 0;
  for await (const ids of channelsOfAuthor(data.db.read, userId)) {
    for (const channelId of ids) {
      await data.goOn?.();
      const channel = await data.db.read.first(find('channel', { id: channelId }));
      for (let count = BATCH_MESSAGES; channel && count === BATCH_MESSAGES; ) {
        count = await deleteSome(data, userId, channel);
        deleted += count;
        tell(`deleting messages: ${deleted}`);
      }
    }
  }
  return deleted;
}

/** Deletes some of the user's messages in a channel. Returns their number. */
async function deleteSome(
  data: ErasureData,
  userId: string,
  { id: channelId, serverId }: RowOf<'channel'>,
): Promise<number> {
  const all = { channelId, order: 'asc', first: FIRST_ID, last: LAST_ID } as const;
  const some = messagesOf(data.db.read.dialect, all, userId).select('id').limit(BATCH_MESSAGES);
  return changeAs(
    data.actor,
    data,
    async (work) => {
      const rows = await work.db.all(some);
      for (const { id } of rows) {
        // Reloads the message, because the deletion of a reply may have changed it.
        const row = await work.db.first(find('message', { id }));
        if (row) await deleteMessage(work, row);
      }
      return rows.length;
    },
    serverId,
  );
}

async function removeReactions(data: ErasureData, userId: string): Promise<number> {
  let removed = 0;
  for (let after = FIRST_ID; ; ) {
    const page = await data.db.read.all(
      q
        .selectFrom('reaction')
        .select(['id', 'serverId'])
        .where('userId', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(BATCH_ROWS),
    );
    for (const { id, serverId } of page) {
      await changeAs(
        data.actor,
        data,
        async (work) => {
          const row = await work.db.first(find('reaction', { id }));
          const message = row && (await work.db.first(find('message', { id: row.messageId })));
          if (message) await removeReaction(work, message, row);
        },
        serverId,
      );
    }
    removed += page.length;
    if (page.length < BATCH_ROWS) return removed;
    after = page.at(-1)?.id as string;
  }
}

/**
 * Deletes the user's own rows, such as drafts and notifications. Also deletes their log except its latest
 * event, from which the next sequence number is derived.
 */
async function removeOwnRows({ db }: ErasureData, userId: string): Promise<void> {
  const last = await db.read.first(
    q
      .selectFrom('event')
      .select((eb) => eb.fn.max('seq').as('seq'))
      .where('logId', '=', userId),
  );
  const ownEvents = q
    .selectFrom('event')
    .select('seq')
    .where('logId', '=', userId)
    .where('seq', '<', last?.seq ?? 0)
    .orderBy('seq')
    .limit(BATCH_ROWS);
  const notifications = q
    .selectFrom('notification')
    .select('id')
    .where('userId', '=', userId)
    .limit(BATCH_ROWS);
  const follows = q
    .selectFrom('threadFollower')
    .select('threadId')
    .where('userId', '=', userId)
    .limit(BATCH_ROWS);
  const unsent = q
    .selectFrom('attachment')
    .select('id')
    .where('creatorId', '=', userId)
    .where('messageId', 'is', null)
    .limit(BATCH_ROWS);
  for (const table of ['saved', 'scheduledMessage', 'interaction'] as const) {
    const own = q.selectFrom(table).select('id').where('userId', '=', userId);
    await db.write((tx) => tx.run(q.deleteFrom('timer').where('id', 'in', own)));
  }
  await db.write((tx) => tx.run(remove('heldMessage', { creatorId: userId })));
  // Selects by user instead of by server, because the user has already left their servers.
  for (const table of [
    'block',
    'draft',
    'saved',
    'scheduledMessage',
    'interaction',
    'threadReading',
    'serverReading',
    'invitation',
    'departure',
  ] as const)
    await db.write((tx) => tx.run(remove(table, { userId })));
  const batches = [
    q.deleteFrom('attachment').where('id', 'in', unsent),
    q.deleteFrom('notification').where('id', 'in', notifications),
    q.deleteFrom('threadFollower').where('userId', '=', userId).where('threadId', 'in', follows),
    q.deleteFrom('event').where('logId', '=', userId).where('seq', 'in', ownEvents),
  ];
  for (const batch of batches) while ((await db.write((tx) => tx.count(batch))) >= BATCH_ROWS);
}

/** Replaces the name. Returns false if the new username was taken in the meantime. */
async function takeName(
  { db, deps, actor }: ErasureData,
  user: RowOf<'user'>,
  username: string,
  numbers: Record<string, number>,
): Promise<boolean> {
  const set = {
    username,
    name: ERASED_NAME,
    nameFolded: foldedName(ERASED_NAME),
    image: null,
    platformAdmin: false,
  };
  try {
    await db.write(async (tx) => {
      await tx.run(remove('closing', { id: user.id }));
      await tx.run(update('user', user.id, { ...set, updatedAt: touched(user, deps.now(tx.time())) }));
      await recordErasure(tx, deps, actor, { id: user.id, ...numbers });
    });
    return true;
  } catch (error) {
    if (error instanceof UniqueViolation) return false;
    throw error;
  }
}
