import { conditions, requireCondition } from '../../access/conditions.ts';
import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { findPart, update } from '../../db/statements.ts';
import { ApiError } from '../../errors.ts';
import type { Work } from '../../operations/work.ts';
import { touched } from '../common.ts';
import type { ShownActions } from '../message/blocks/blocks.ts';
import type { Decision } from '../message/blocks/elements.ts';
import { storedBlocks } from '../message/blocks/stored.ts';
import { messageEvents, toMessage } from '../message/messageRecord.ts';
import { recordAct } from '../recordAct.ts';
import { approvalEvents } from './interactionRecord.ts';

/** An approval, which is an actions block with deciders. */
export type Approval = ShownActions & { deciders: NonNullable<ShownActions['deciders']> };

/** The effect of a person's decision. */
type Place =
  /** The person has already made the same decision. */
  | { repeats: Decision }
  /** The roles for which this person is the first to decide. */
  | { roleIds: string[] };

/** Creates the error for a decision that comes too late. It names the user who made the given decision. */
async function decided(db: Reader, { id, userId }: Decision): Promise<ApiError> {
  const user = await db.first(findPart('user', userId, ['name', 'username']));
  const name = user ? user.name || user.username : 'somebody';
  return new ApiError('ALREADY_EXISTS', `${name} has already decided`, [{ id, userId }]);
}

/**
 * Returns the effect of the principal's decision. Throws FORBIDDEN for a principal who is not a decider, and
 * ALREADY_EXISTS once the approval is decided, the person has given another answer, or others have decided
 * for all of their roles.
 */
export async function placeOf(
  db: Reader,
  principal: Principal,
  { deciders, decisions = [], decidedAt }: Approval,
  actionId: string,
): Promise<Place> {
  const { userId } = principal;
  const { userIds = [], roleIds = [] } = deciders;
  const own = roleIds.filter((id) => principal.roleIds.includes(id));
  const isNamed = userIds.includes(userId);
  requireCondition(principal, conditions.decides, { isDecider: isNamed || own.length > 0 });
  const before = decisions.find((decision) => decision.userId === userId);
  if (before?.actionId === actionId) return { repeats: before };
  const [first] = decisions;
  if (decidedAt !== undefined && first) throw await decided(db, first);
  if (before) throw await decided(db, before);
  const open = own.filter((id) => !decisions.some((decision) => decision.roleIds?.includes(id)));
  const ofRole = decisions.find((decision) => own.some((id) => decision.roleIds?.includes(id)));
  if (!isNamed && open.length === 0 && ofRole) throw await decided(db, ofRole);
  return { roleIds: open };
}

/** Whether these decisions satisfy an approval's rule. */
function isMet(
  { userIds = [], roleIds = [], rule = 'first', count = 1 }: Approval['deciders'],
  all: readonly Decision[],
): boolean {
  if (rule === 'first') return all.length >= count;
  return (
    userIds.every((id) => all.some(({ userId }) => userId === id)) &&
    roleIds.every((id) => all.some((decision) => decision.roleIds?.includes(id)))
  );
}

/** Adds a decision to a message's approval, and records it in the audit log. */
export async function decide(
  work: Work,
  message: RowOf<'message'>,
  approval: Approval,
  decision: Decision,
  isDirect: boolean,
): Promise<void> {
  const { db, emit, now } = work;
  const decisions = [...(approval.decisions ?? []), decision];
  const block: ShownActions = {
    ...approval,
    decisions,
    ...(isMet(approval.deciders, decisions) && { decidedAt: now }),
  };
  const blocks = storedBlocks(message).map((one) => (one.id === approval.id ? block : one));
  const set = { blocks, updatedAt: touched(message, now) };
  await db.run(update('message', message.id, set));
  await emit(messageEvents.updated, toMessage({ ...message, ...set }));
  const { id, serverId, channelId } = message;
  const { userId, actionId } = decision;
  const about = {
    id: decision.id,
    serverId,
    channelId,
    messageId: id,
    blockId: approval.id,
    actionId,
    userId,
  };
  await emit(approvalEvents.decided, { ...about, createdAt: now, updatedAt: now });
  await recordAct(work, 'approval decide', {
    id: decision.id,
    server: serverId,
    message: isDirect ? null : id,
  });
}
