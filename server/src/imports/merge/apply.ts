import { sql } from 'kysely';
import type { Tx } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, q, remove, update } from '../../db/statements.ts';
import type { MergePlace } from '../../db/tables/placeholder.ts';
import { flagsOf } from '../../lib/flags.ts';
import type { Work } from '../../operations/work.ts';
import { counted } from '../../resources/reaction.ts';
import { defaultRole } from '../../resources/role.ts';
import { moveConversation } from './conversation.ts';
import { type Entry, isDropped, type Merge } from './plan.ts';
import { type AnyRow, conflicting, current, deleteRow, setUser, setUsers, uniqueWith } from './rows.ts';

/**
 * Gives rows of the user to the account. Repeating it changes nothing. Returns the place at which the merge must
 * continue, if that is not after these rows.
 */
export async function applyRows(
  work: Work,
  entry: Entry,
  rows: readonly AnyRow[],
  merge: Merge,
  place: MergePlace | null,
): Promise<MergePlace | undefined> {
  const { db } = work;
  if (entry.table === 'channelMember') return moveConversation(work, entry, rows, merge, place);
  const special = moves[`${entry.table}.${entry.column}`];
  if (!special && !isDropped(entry) && uniqueWith(entry).length === 0) {
    await setUsers(db, entry, rows, merge.accountId);
    return undefined;
  }
  for (const given of rows) {
    const row = await current(db, entry, given);
    if (!row) continue;
    if (special) await special(work, row, merge);
    else if (isDropped(entry)) await deleteRow(db, entry, row);
    else if (await conflicting(db, entry, row, merge.accountId)) await deleteRow(db, entry, row);
    else await setUser(db, entry, row, merge.accountId);
  }
  return undefined;
}

type Move = (work: Work, row: AnyRow, merge: Merge) => Promise<void>;

/** Columns with custom merge logic, by table and column. */
const moves: Readonly<Record<string, Move>> = {
  'serverBan.userId': ({ db }, row, merge) => moveUnlessMember(db, 'serverBan', row, merge),
  'departure.userId': ({ db }, row, merge) => moveUnlessMember(db, 'departure', row, merge),
  'serverMember.userId': ({ db }, row, merge) =>
    moveMember(db, row as unknown as RowOf<'serverMember'>, merge),
  'userRole.userId': ({ db }, row, merge) => moveRole(db, row as unknown as RowOf<'userRole'>, merge),
  'reaction.userId': ({ db }, row, merge) => moveReaction(db, row as unknown as RowOf<'reaction'>, merge),
  'block.userId': ({ db }, row, merge) => moveBlock(db, row as unknown as RowOf<'block'>, 'userId', merge),
  'block.blockedId': ({ db }, row, merge) =>
    moveBlock(db, row as unknown as RowOf<'block'>, 'blockedId', merge),
  'hold.userId': ({ db }, row, merge) => moveHold(db, row as unknown as RowOf<'hold'>, merge),
  'attachment.payerId': ({ db }, row, merge) => movePayer(db, 'attachment', row, merge),
  'picture.payerId': ({ db }, row, merge) => movePayer(db, 'picture', row, merge),
  'personUse.userId': ({ db }, _row, { userId }) => db.run(remove('personUse', { userId })),
};

/** Somebody whom a server has let in is neither banned from it nor gone from it. */
async function moveUnlessMember(
  db: Tx,
  table: 'serverBan' | 'departure',
  row: AnyRow,
  { accountId }: Merge,
): Promise<void> {
  const [id, serverId] = [row.id as string, row.serverId as string];
  const has = { serverId, userId: accountId };
  if ((await db.first(find('serverMember', has))) || (await db.first(find(table, has))))
    await db.run(remove(table, { id }));
  else await db.run(update(table, id, { userId: accountId }));
}

/** Whether an account may become a member: it is not suspended, and was not banned from the server, nor has left it. */
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
    const timeoutUntil = Math.max(own?.timeoutUntil ?? 0, row.timeoutUntil ?? 0);
    if (own && timeoutUntil > (own.timeoutUntil ?? 0))
      await db.run(update('serverMember', own.id, { timeoutUntil }));
    return;
  }
  // Not an update: nodes may have cached that the account is not a member, and only an insert invalidates this.
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
      // Upkeep computes these.
      ...{ nameSkeleton: null, usernameSkeleton: null, lookAlike: null },
    }),
  );
}

/** Moves a role, unless it permits more than the default role: an admin decides about that. */
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

async function moveReaction(db: Tx, row: RowOf<'reaction'>, { accountId }: Merge): Promise<void> {
  const { id, messageId, emoji } = row;
  if (!(await db.first(find('reaction', { messageId, userId: accountId, emoji }))))
    return db.run(update('reaction', id, { userId: accountId }));
  await db.run(remove('reaction', { id }));
  const message = await db.first(find('message', { id: messageId }));
  if (message)
    await db.run(update('message', messageId, { reactions: counted(message.reactions, emoji, -1) }));
}

/** Nobody blocks themselves. */
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

/** The claim has copied the hold for the account, so it covered both users meanwhile. */
async function moveHold(db: Tx, row: RowOf<'hold'>, { accountId: userId }: Merge): Promise<void> {
  const { id, serverId, createdAt, reason } = row;
  await db.run(remove('hold', { serverId, userId, createdAt, reason }));
  await db.run(update('hold', id, { userId }));
}

/** Moves a file with its bytes, which triggers subtract from its payer when it is deleted. */
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
