import type { RowOf } from '../../db/schema.ts';
import { find, findPart, prepare, q, update } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { reach } from '../message/reach.ts';
import { addNotification, removeNotificationsOf } from '../notification.ts';
import { isMember } from '../serverMember/join.ts';

/** Minimum interval between two failure notifications for a flow. */
const NOTICE_MS = 60 * 60_000;
/** Maximum number of a flow's notifications to remove at once. */
const MAX_REPLACED = 100;

type Flow = Pick<RowOf<'flow'>, 'id' | 'serverId' | 'makerId' | 'userId'>;

/** Channels that everybody can see come first. */
const firstChannel = prepare((p: { serverId: string }) =>
  q
    .selectFrom('channel')
    .select('id')
    .where('serverId', '=', p.serverId)
    .where('kind', '=', 'channel')
    .orderBy('private')
    .orderBy('position')
    .orderBy('id')
    .limit(1),
);

/** Notifies the maker of a flow about a failed run, unless they were notified within the last hour. */
export async function noticeFailure(
  work: Work,
  { id: failedRunId, flowId }: Pick<RowOf<'flowRun'>, 'id' | 'flowId'>,
): Promise<void> {
  const { db, now } = work;
  const [flow, state] = [
    await db.first(find('flow', { id: flowId })),
    await db.first(find('flowState', { id: flowId })),
  ];
  if (!flow || !state || now - (state.notifiedAt ?? -NOTICE_MS) < NOTICE_MS) return;
  await db.run(update('flowState', flowId, { failedRunId }));
  await notice(work, flow);
}

/**
 * Notifies the member who is responsible for a flow that it failed or was turned off. If they left, notifies
 * the server's creator. `leaving` is the user who leaves the server in this write. Replaces the flow's
 * earlier notifications.
 */
export async function notice(work: Work, flow: Flow, leaving?: string): Promise<void> {
  const { db, now } = work;
  const { id: messageId, serverId, userId: agentId } = flow;
  const userId = await recipientOf(work, flow, leaving);
  const channel = await db.first(firstChannel({ serverId }));
  if (userId === undefined || !channel || agentId === null) return;
  await withdrawNotices(work, messageId);
  await db.run(update('flowState', messageId, { notifiedAt: now }));
  const about = { userId, serverId, actorId: agentId, channelId: channel.id, messageId };
  await reach(work, [await addNotification(work, { ...about, type: 'flow' })]);
}

async function recipientOf(
  { db }: Work,
  { serverId, makerId }: Flow,
  leaving: string | undefined,
): Promise<string | undefined> {
  const isThere = async (userId: string) => userId !== leaving && (await isMember(db, serverId, userId));
  if (makerId !== null && (await isThere(makerId))) return makerId;
  const server = await db.first(findPart('server', serverId, ['creatorId']));
  return server && (await isThere(server.creatorId)) ? server.creatorId : undefined;
}

/** Removes the notifications for a flow. */
export const withdrawNotices = (work: Work, messageId: string): Promise<void> =>
  removeNotificationsOf(work, { type: 'flow', messageId }, MAX_REPLACED);
