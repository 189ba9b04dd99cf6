import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { prepare, q } from '../db/statements.ts';
import type { Work } from '../operations/work.ts';
import type { ChannelFacts } from './message/load.ts';
import { viewers } from './message/notify.ts';
import { reach } from './message/reach.ts';
import { addNotification, removeNotificationsOf } from './notification.ts';

/** Maximum moderators that a report notifies. Moderators who have had the role longest come first. */
const MAX_MODERATORS = 50;

const moderators = prepare((p: { serverId: string }) =>
  q
    .selectFrom('role')
    .innerJoin('userRole', 'userRole.roleId', 'role.id')
    .select('userRole.userId')
    .where('role.serverId', '=', p.serverId)
    .where((eb) => eb.or([eb('role.canModerate', '=', true), eb('role.canAdmin', '=', true)]))
    .groupBy('userRole.userId')
    .orderBy((eb) => eb.fn.min('userRole.createdAt'))
    .orderBy('userRole.userId')
    .limit(MAX_MODERATORS),
);

const firstChannel = prepare((p: { serverId: string }) =>
  q
    .selectFrom('channel')
    .selectAll()
    .where('serverId', '=', p.serverId)
    .where('kind', '=', 'channel')
    .where('private', '=', false)
    .orderBy('position')
    .orderBy('id')
    .limit(1),
);

/** The moderators to notify of a report, and the channel for their notifications. */
export interface ReportNotice {
  userIds: string[];
  channelId: string;
}

/**
 * Returns the moderators to notify of a report: those who can see the channel of the message, except the
 * message's author and the reporter. They must not learn the id of a direct message, so notifications about
 * one contain the first channel that everybody can see. If there is no such channel, nobody is notified. Call
 * this before any change.
 */
export async function reportNotice(
  db: Reader,
  channel: ChannelFacts,
  { authorId, creatorId }: Pick<RowOf<'report'>, 'authorId' | 'creatorId'>,
): Promise<ReportNotice | undefined> {
  const { serverId } = channel;
  const [found, place] = await Promise.all([
    db.all(moderators({ serverId })),
    channel.memberIds ? db.first(firstChannel({ serverId })) : channel,
  ]);
  const others = found
    .map(({ userId }) => userId)
    .filter((userId) => userId !== authorId && userId !== creatorId);
  if (!place || others.length === 0) return undefined;
  return { userIds: await viewers(db, place, others, creatorId), channelId: place.id };
}

/** Notifies moderators of a report. */
export async function notifyModerators(
  work: Work,
  notice: ReportNotice | undefined,
  { id: messageId, serverId, creatorId: actorId }: RowOf<'report'>,
): Promise<void> {
  if (!notice) return;
  const { userIds, channelId } = notice;
  const about = { serverId, type: 'report' as const, actorId, channelId, messageId };
  const ids: string[] = [];
  for (const userId of userIds) ids.push(await addNotification(work, { userId, ...about }));
  await reach(work, ids);
}

/** Withdraws the notifications for a report that was closed or erased. */
export async function withdrawReport(work: Work, { id: messageId }: RowOf<'report'>): Promise<void> {
  await removeNotificationsOf(work, { type: 'report', messageId }, MAX_MODERATORS);
}
