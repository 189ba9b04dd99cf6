import { conditions, requireCondition } from '../../access/conditions.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, prepare, q, remove } from '../../db/statements.ts';
import type { WriteCall } from '../../operations/call.ts';
import type { Work } from '../../operations/work.ts';
import { load } from '../common.ts';
import { listedMemberOf, serverMemberEvents } from './memberRecord.ts';

/** A fact about a removed member that the consequences of `serverMember.deleted` need. */
export interface Departure {
  /**
   * True for an agent that is removed together with its creator. Its dependents are already revoked or
   * marked.
   */
  isWithMaker: boolean;
}

/**
 * Removes a member. Emits `serverMember.deleted`, whose consequences delete everything that depends on the
 * membership. Returns the record.
 */
export async function removeMember({ db, emit }: Work, member: RowOf<'serverMember'>) {
  const removed = (await listedMemberOf(db, member.serverId, [member]))(member);
  await emit(serverMemberEvents.deleted, removed);
  await db.run(remove('serverMember', { id: member.id }));
  return removed;
}

/** Removes a user from a server, if they are a member. */
export async function removeUser(
  work: Work,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<void> {
  const member = await work.db.first(find('serverMember', { serverId, userId }));
  if (member) await removeMember(work, member);
}

const agentsBelow = prepare((p: { memberId: string }) =>
  q
    .withRecursive('below', (db) =>
      db
        .selectFrom('serverMember')
        .select(['serverMember.id', 'serverMember.userId', 'serverMember.sponsorId'])
        .where('serverMember.sponsorId', '=', p.memberId)
        .unionAll(
          db
            .selectFrom('serverMember')
            .innerJoin('below', 'below.id', 'serverMember.sponsorId')
            .select(['serverMember.id', 'serverMember.userId', 'serverMember.sponsorId']),
        ),
    )
    .selectFrom('below')
    .select(['below.userId', 'below.sponsorId']),
);

/** Finds the agents that a member created in the server, the agents that those created, and so on. */
export const agentsOf = (db: Reader, memberId: string) => db.all(agentsBelow({ memberId }));

/** Throws FORBIDDEN if the member is the server's creator and the caller, signed in or through a grant. */
export async function requireCreatorStays(
  { db, principal }: Pick<WriteCall, 'db' | 'principal'>,
  { serverId, userId }: RowOf<'serverMember'>,
): Promise<void> {
  if (!(principal.isSignedIn || principal.isGranted) || userId !== principal.userId) return;
  const { creatorId: serverCreatorId } = await load(db, 'server', serverId);
  requireCondition(principal, conditions.creatorStays, { userId, serverCreatorId });
}
