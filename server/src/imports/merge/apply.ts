import { sql } from 'kysely';
import type { Tx } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, q, remove, update } from '../../db/statements.ts';
import type { MergePlace } from '../../db/tables/placeholder.ts';
import { flagsOf } from '../../lib/flags.ts';
import type { Work } from '../../operations/work.ts';
import { closeInvitation } from '../../resources/invitation.ts';
import { counted } from '../../resources/reaction.ts';
import { defaultRole } from '../../resources/role.ts';
import { removeUser } from '../../resources/serverMember/remove.ts';
import { moveConversation } from './conversation.ts';
import { jsonEntryOf, renameIn } from './json.ts';
import { type Entry, isDropped, type Merge } from './plan.ts';
import { type AnyRow, conflicting, currentRows, deleteRow, orderOf, setUsers } from './rows.ts';

/** Time limit for handling rows one by one in a write, in ms. Other writes to the server wait that long. */
const WRITE_MS = 25;

/**
 * Reassigns rows of the user to the account. Idempotent. Returns the position at which to continue; undefined
 * once all of these rows are done.
 */
export async function applyRows(
  work: Work,
  entry: Entry,
  given: readonly AnyRow[],
  merge: Merge,
  place: MergePlace | null,
): Promise<MergePlace | undefined> {
  const { db } = work;
  if (entry.table === 'channelMember') return moveConversation(work, entry, given, merge, place);
  const json = jsonEntryOf(entry);
  if (json) return oneByOne(entry, given, (row) => renameIn(work, json, row, merge));
  const special = moves[`${entry.table}.${entry.column}`];
  const rows = await currentRows(db, entry, given);
  if (special) return oneByOne(entry, rows, (row) => special(work, row, merge));
  if (isDropped(entry)) return oneByOne(entry, rows, (row) => deleteRow(db, entry, row));
  const taken = await Promise.all(rows.map((row) => conflicting(db, entry, row, merge.accountId)));
  const free = rows.filter((_, index) => !taken[index]);
  if (free.length > 0) await setUsers(db, entry, free, merge.accountId);
  const repeat = repeats[`${entry.table}.${entry.column}`];
  return oneByOne(
    entry,
    rows.filter((_, index) => taken[index]),
    async (row) => {
      await deleteRow(db, entry, row);
      await repeat?.(work, row, merge);
    },
  );
}

/** Handles rows until the time limit. Returns the position after the last one; undefined at the end. */
async function oneByOne(
  { table, column }: Entry,
  rows: readonly AnyRow[],
  task: (row: AnyRow) => Promise<void>,
): Promise<MergePlace | undefined> {
  const until = performance.now() + WRITE_MS;
  const key = orderOf({ table, column });
  for (const [index, row] of rows.entries()) {
    await task(row);
    if (performance.now() > until && index < rows.length - 1)
      return { table, column, after: row[key] as string };
  }
  return undefined;
}

type Move = (work: Work, row: AnyRow, merge: Merge) => Promise<void>;

/** The custom merge logic of columns, by table and column. */
const moves: Readonly<Record<string, Move>> = {
  'serverBan.userId': (work, row, merge) => moveBan(work, row as unknown as RowOf<'serverBan'>, merge),
  'departure.userId': ({ db }, row, merge) => moveDeparture(db, row as unknown as RowOf<'departure'>, merge),
  'serverMember.userId': ({ db }, row, merge) =>
    moveMember(db, row as unknown as RowOf<'serverMember'>, merge),
  'userRole.userId': ({ db }, row, merge) => moveRole(db, row as unknown as RowOf<'userRole'>, merge),
  'block.userId': ({ db }, row, merge) => moveBlock(db, row as unknown as RowOf<'block'>, 'userId', merge),
  'block.blockedId': ({ db }, row, merge) =>
    moveBlock(db, row as unknown as RowOf<'block'>, 'blockedId', merge),
  'hold.userId': ({ db }, row, merge) => moveHold(db, row as unknown as RowOf<'hold'>, merge),
  'attachment.payerId': ({ db }, row, merge) => movePayer(db, 'attachment', row, merge),
  'picture.payerId': ({ db }, row, merge) => movePayer(db, 'picture', row, merge),
  'personUse.userId': ({ db }, _row, { userId }) => db.run(remove('personUse', { userId })),
};

/** Additional actions, by table and column, for rows that are deleted because the account has the same row. */
const repeats: Readonly<Record<string, Move>> = {
  'reaction.userId': ({ db }, row) => countOnce(db, row as unknown as RowOf<'reaction'>),
};

/**
 * Also bans the account, unless it owns or administers the server: a moderator could not have banned it
 * either. Runs before memberships move.
 */
async function moveBan(work: Work, row: RowOf<'serverBan'>, { accountId }: Merge): Promise<void> {
  const { db } = work;
  const { id, serverId } = row;
  const has = { serverId, userId: accountId };
  if ((await db.first(find('serverBan', has))) || (await administers(db, has)))
    return db.run(remove('serverBan', { id }));
  await db.run(update('serverBan', id, { userId: accountId }));
  await removeUser(work, has);
  await closeInvitation(work, has);
}

async function administers(
  db: Tx,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<boolean> {
  const server = await db.first(find('server', { id: serverId }));
  if (server?.creatorId === userId) return true;
  const role = await db.first(
    q
      .selectFrom('userRole')
      .innerJoin('role', 'role.id', 'userRole.roleId')
      .select('role.id')
      .where('userRole.serverId', '=', serverId)
      .where('userRole.userId', '=', userId)
      .where('role.canAdmin', '=', true)
      .limit(1),
  );
  return role !== undefined;
}

/** Moves a departure to the account. If the account is a member or has also left, keeps only the time-out. */
async function moveDeparture(db: Tx, row: RowOf<'departure'>, { accountId }: Merge): Promise<void> {
  const { id, serverId, timeoutUntil } = row;
  if (await keepTimeOut(db, { serverId, userId: accountId }, timeoutUntil))
    return db.run(remove('departure', { id }));
  await db.run(update('departure', id, { userId: accountId }));
}

/**
 * Keeps the longer of the two time-outs, even for an account that has left. Returns whether the account is a
 * member or has left.
 */
async function keepTimeOut(
  db: Tx,
  has: { serverId: string; userId: string },
  timeoutUntil: number | null,
): Promise<boolean> {
  for (const table of ['serverMember', 'departure'] as const) {
    const own = await db.first(find(table, has));
    if (!own) continue;
    if ((timeoutUntil ?? 0) > (own.timeoutUntil ?? 0)) await db.run(update(table, own.id, { timeoutUntil }));
    return true;
  }
  return false;
}

/**
 * Whether an account may become a member: it is not suspended, has not left the server, and is not banned
 * from it.
 */
async function mayJoin(db: Tx, has: { serverId: string; userId: string }): Promise<boolean> {
  const account = await db.first(find('user', { id: has.userId }));
  if (!account || account.suspendedAt !== null) return false;
  return !(await db.first(find('serverBan', has))) && !(await db.first(find('departure', has)));
}

async function moveMember(db: Tx, row: RowOf<'serverMember'>, { accountId }: Merge): Promise<void> {
  const { id, serverId } = row;
  const own = await db.first(find('serverMember', { serverId, userId: accountId }));
  await db.run(remove('serverMember', { id }));
  if (own || !(await mayJoin(db, { serverId, userId: accountId }))) {
    await db.run(
      q.updateTable('server').set({ memberCount: sql<number>`"memberCount" - 1` }).where('id', '=', serverId),
    );
    const sponsor = { sponsorId: own?.id ?? null };
    await db.run(q.updateTable('serverMember').set(sponsor).where('sponsorId', '=', id));
    await keepTimeOut(db, { serverId, userId: accountId }, row.timeoutUntil);
    return;
  }
  // The membership is inserted instead of updated, because nodes may have cached that the account is not a
  // member, and only an insert invalidates that cache.
  const { createdAt, updatedAt, nickname, isAgent, sponsorId, timeoutUntil } = row;
  await db.run(
    insert('serverMember', {
      ...{
        id,
        createdAt,
        updatedAt,
        serverId,
        userId: accountId,
        nickname,
        isAgent,
        sponsorId,
        timeoutUntil,
      },
      // A background job recomputes these.
      ...{ nameSkeleton: null, usernameSkeleton: null, lookAlike: null },
    }),
  );
}

/** Moves a role, unless it has flags that the default role lacks: an admin must assign such a role again. */
async function moveRole(db: Tx, row: RowOf<'userRole'>, { accountId }: Merge): Promise<void> {
  const { serverId, roleId } = row;
  await db.run(remove('userRole', { id: row.id }));
  const role = await db.first(find('role', { id: roleId }));
  const usual = await defaultRole(db, serverId);
  const isHarmless = role && flagsOf(role).every((flag) => usual && flagsOf(usual).includes(flag));
  if (!isHarmless || (await db.first(find('userRole', { userId: accountId, roleId })))) return;
  if (!(await db.first(find('serverMember', { serverId, userId: accountId })))) return;
  await db.run(insert('userRole', { ...row, userId: accountId }));
}

/** Subtracts one from the emoji's count, because the message counted both reactions. */
async function countOnce(db: Tx, { messageId, emoji }: RowOf<'reaction'>): Promise<void> {
  const message = await db.first(find('message', { id: messageId }));
  if (message)
    await db.run(update('message', messageId, { reactions: counted(message.reactions, emoji, -1) }));
}

/**
 * Moves a block to the account. Deletes it if the account already has the same block, or would block itself.
 */
async function moveBlock(
  db: Tx,
  row: RowOf<'block'>,
  column: 'userId' | 'blockedId',
  { accountId }: Merge,
): Promise<void> {
  const { userId, blockedId } = {
    ...row,
    ...(column === 'userId' ? { userId: accountId } : { blockedId: accountId }),
  };
  if (userId === blockedId || (await db.first(find('block', { userId, blockedId }))))
    await db.run(remove('block', { id: row.id }));
  else await db.run(update('block', row.id, { userId, blockedId }));
}

/**
 * Moves a hold to the account, in place of the copy that the claim created to cover both users until the
 * merge.
 */
async function moveHold(db: Tx, row: RowOf<'hold'>, { accountId: userId }: Merge): Promise<void> {
  const { id, serverId, createdAt, reason } = row;
  await db.run(remove('hold', { serverId, userId, createdAt, reason }));
  await db.run(update('hold', id, { userId }));
}

/**
 * Counts a file against the account's quota instead of the user's. Triggers subtract the size when the file
 * is deleted.
 */
async function movePayer(
  db: Tx,
  table: 'attachment' | 'picture',
  row: AnyRow,
  { userId, accountId }: Merge,
): Promise<void> {
  const bytes = Number(row.bytes);
  await db.run(update(table, row.id as string, { payerId: accountId }));
  await db.run(
    q
      .updateTable('personUse')
      .set({ bytes: sql<number>`bytes - ${bytes}` })
      .where('userId', '=', userId),
  );
  await db.run(
    q
      .insertInto('personUse')
      .values({ userId: accountId, bytes })
      .onConflict((conflict) =>
        conflict.column('userId').doUpdateSet({ bytes: sql<number>`"personUse".bytes + ${bytes}` }),
      ),
  );
}
