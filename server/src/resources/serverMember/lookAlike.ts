import { sql } from 'kysely';
import type { Db, Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, prepare, q, update } from '../../db/statements.ts';
import { skeletonOf } from '../../lib/confusables.ts';
import type { Work } from '../../operations/work.ts';
import { touched } from '../common.ts';
import { ERASED_NAME } from '../user.ts';
import { listedMemberOf, serverMemberEvents } from './memberRecord.ts';

/** Maximum members, and maximum platform admins, that a name is compared with, starting with the oldest. */
const MAX_COMPARED = 20;
const MAX_SKELETON = 200;

/** Names that the product itself uses. */
const OWN_NAMES = ['Palaver', 'System', ERASED_NAME];

const shortSkeletonOf = (name: string): string => skeletonOf(name).slice(0, MAX_SKELETON).toWellFormed();

let ownSkeletons: ReadonlySet<string> | undefined;

const isOwnName = (skeleton: string): boolean => {
  ownSkeletons ??= new Set(OWN_NAMES.map(shortSkeletonOf));
  return ownSkeletons.has(skeleton);
};

/** A member whose name changes, or who is new. */
interface Named {
  serverId: string;
  /** If given, only members before this id are compared. */
  before?: string;
  user: Pick<RowOf<'user'>, 'id' | 'name' | 'username' | 'platformAdmin'>;
  nickname: string | null;
}

/** The columns that are derived from a member's names. */
export type Naming = Pick<RowOf<'serverMember'>, 'nameSkeleton' | 'usernameSkeleton' | 'lookAlike'>;

const sameName = ['nameSkeleton', 'usernameSkeleton'].map((column) =>
  prepare((p: { serverId: string; skeleton: string }) =>
    q
      .selectFrom('serverMember')
      .select(['id', 'userId'])
      .where('serverId', '=', p.serverId)
      .where(sql.ref(column), '=', p.skeleton)
      .orderBy('id')
      // Reads one member more than `MAX_COMPARED`, because the result may include the named member.
      .limit(sql.lit(MAX_COMPARED + 1)),
  ),
);

const platformAdmins = prepare(() =>
  q
    .selectFrom('user')
    .select(['id', 'name', 'username'])
    // The value is a literal, because SQLite would not use the partial index with a parameter.
    .where('platformAdmin', '=', sql.lit(true))
    .where('type', '=', 'person')
    .where('suspendedAt', 'is', null)
    .orderBy('id')
    .limit(sql.lit(MAX_COMPARED)),
);

/** Returns the other members whose shown name or username looks like the member's, oldest first. */
async function rivalsOf(db: Reader, { serverId, user, before }: Named, skeletons: readonly string[]) {
  const rows = await Promise.all(
    skeletons.flatMap((skeleton) => sameName.map((same) => db.all(same({ serverId, skeleton })))),
  );
  const byId = new Map(rows.flat().map((row) => [row.id, row]));
  return [...byId.values()]
    .filter(({ id, userId }) => userId !== user.id && (before === undefined || id < before))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, MAX_COMPARED);
}

/** Returns the given users who are admins of the server. */
async function adminsAmong(db: Reader, serverId: string, userIds: readonly string[]): Promise<Set<string>> {
  const [server, holders] = await Promise.all([
    db.first(find('server', { id: serverId })),
    db.all(
      q
        .selectFrom('userRole')
        .innerJoin('role', 'role.id', 'userRole.roleId')
        .select('userRole.userId')
        .where('userRole.serverId', '=', serverId)
        .where('userRole.userId', 'in', userIds)
        .where('role.canAdmin', '=', true),
    ),
  ]);
  const admins = new Set(holders.map(({ userId }) => userId));
  if (server && userIds.includes(server.creatorId)) admins.add(server.creatorId);
  return admins;
}

/** Compares a member's names with those of the other members, of platform admins and of the product. */
async function compare(db: Reader, named: Named) {
  const { serverId, user, nickname } = named;
  const [nameSkeleton, usernameSkeleton] = [nickname ?? user.name, user.username].map(shortSkeletonOf) as [
    string,
    string,
  ];
  const skeletons = [...new Set([nameSkeleton, usernameSkeleton])];
  const rivals = await rivalsOf(db, named, skeletons);
  const admins =
    rivals.length === 0
      ? new Set<string>()
      : await adminsAmong(db, serverId, [user.id, ...rivals.map(({ userId }) => userId)]);
  const isAdmin = admins.has(user.id);
  const outranked = isAdmin ? rivals.filter(({ userId }) => !admins.has(userId)) : [];
  const first = rivals.find(({ userId }) => admins.has(userId)) ?? (isAdmin ? undefined : rivals[0]);
  let lookAlike = first?.userId ?? null;
  if (!user.platformAdmin) {
    if (skeletons.some(isOwnName)) lookAlike = 'platform';
    else if (lookAlike === null) {
      const others = (await db.all(platformAdmins({}))).filter(({ id }) => id !== user.id);
      const names = others.flatMap(({ name, username }) => [name, username]);
      if (names.some((name) => skeletons.includes(shortSkeletonOf(name)))) lookAlike = 'admin';
    }
  }
  return { naming: { nameSkeleton, usernameSkeleton, lookAlike }, outranked };
}

/**
 * Returns the columns that are derived from the names of a new member. The name is marked if it looks like
 * that of an earlier member or a server admin (UTS 39), of a platform admin or of the product.
 */
export const namingOf = async (db: Reader, named: Named): Promise<Naming> =>
  (await compare(db, named)).naming;

/**
 * Like `namingOf`, for a member whose names change. Call `renamed` after the change: it updates the marks
 * that refer to this member. If they are a server admin, it also marks members whose names look like the new
 * ones.
 */
export async function renaming(work: Work, named: Named) {
  const { db } = work;
  const { naming, outranked } = await compare(db, named);
  return {
    naming,
    async renamed(): Promise<void> {
      const { serverId, user } = named;
      const marked = await db.all(
        q
          .selectFrom('serverMember')
          .selectAll()
          .where('serverId', '=', serverId)
          .where('lookAlike', '=', user.id)
          .orderBy('id')
          .limit(MAX_COMPARED),
      );
      for (const member of marked) await compareAgain(work, member);
      for (const { id } of outranked) {
        const member = await db.first(find('serverMember', { id }));
        if (member?.lookAlike === null) await mark(work, member, user.id);
      }
    },
  };
}

async function compareAgain(work: Work, member: RowOf<'serverMember'>): Promise<void> {
  const { serverId, nickname, userId, lookAlike } = member;
  const user = await work.db.first(find('user', { id: userId }));
  if (!user) return;
  const naming = await namingOf(work.db, { serverId, nickname, user });
  if (naming.lookAlike !== lookAlike) await mark(work, member, naming.lookAlike);
}

async function mark({ db, emit, now }: Work, member: RowOf<'serverMember'>, lookAlike: string | null) {
  const set = { lookAlike, updatedAt: touched(member, now) };
  await db.run(update('serverMember', member.id, set));
  const changed = { ...member, ...set };
  await emit(serverMemberEvents.updated, (await listedMemberOf(db, member.serverId, [changed]))(changed));
}

/** Number of members to compare per write. */
const BATCH_MEMBERS = 50;

const unnamed = prepare(() =>
  q
    .selectFrom('serverMember')
    .innerJoin('user', 'user.id', 'serverMember.userId')
    .select(['serverMember.id as memberId', 'serverId', 'nickname'])
    .select(['user.id', 'user.name', 'user.username', 'user.platformAdmin'])
    .where('nameSkeleton', 'is', null)
    .orderBy('serverMember.id')
    .limit(sql.lit(BATCH_MEMBERS)),
);

/**
 * Compares the names of members that were added before lookalike marks existed, or by nodes of the previous
 * version. Uses small writes.
 */
export async function nameMembers(db: Db, goesOn: () => Promise<boolean>): Promise<void> {
  while ((await db.read.first(unnamed({}))) && (await goesOn()))
    await db.write(async (tx) => {
      for (const { memberId, serverId, nickname, ...user } of await tx.all(unnamed({}))) {
        const { naming } = await compare(tx, { serverId, before: memberId, user, nickname });
        await tx.run(update('serverMember', memberId, naming));
      }
    });
}
