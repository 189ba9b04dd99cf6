import { q } from '../../server/src/db/statements.ts';
import type { Json, World } from './world.ts';

const MOST = 1_000;

type Channels = readonly { channelId: string; unread: number; mentions: number }[];
/** The counts of channels, for comparison. */
export const countsIn = (channels: Channels) =>
  channels.map(({ channelId, unread, mentions }) => [channelId, unread, mentions]);

export interface Expected {
  roleIds: string[];
  channelIds: string[];
  counts: unknown[];
}

/** The opening data that a person should get, computed from all rows, independently of the server's logic. */
export async function expectedFor(
  { data }: Pick<World, 'data'>,
  serverId: string,
  userId: string,
): Promise<Expected> {
  const { read } = data.db;
  const all = async (table: 'channel' | 'role' | 'message'): Promise<Json[]> =>
    (await read.all(q.selectFrom(table).selectAll().where('serverId', '=', serverId))) as Json[];
  const [channels, roles, messages] = [await all('channel'), await all('role'), await all('message')];
  const [server] = await read.all(q.selectFrom('server').selectAll().where('id', '=', serverId));
  const own = await read.all(q.selectFrom('userRole').selectAll().where('userId', '=', userId));
  const held = roles.filter(({ id }) => own.some(({ roleId }) => roleId === id));
  const seesAll = server?.creatorId === userId || held.some(({ canAdmin }) => canAdmin);
  const seen = channels.filter(
    (channel) =>
      seesAll || !channel.private || held.some(({ id }) => (channel.roleIds as string[]).includes(id)),
  );
  const of = <T extends 'channelReading' | 'serverReading' | 'serverMember' | 'notification'>(table: T) =>
    read.all(
      q
        .selectFrom(table as 'notification')
        .selectAll()
        .where('userId', '=', userId),
    ) as Promise<Json[]>;
  const marks = await of('channelReading');
  const inServer = (rows: Json[]): Json | undefined => rows.find((row) => row.serverId === serverId);
  const whole = inServer(await of('serverReading'));
  const member = inServer(await of('serverMember'));
  const notifications = await of('notification');
  const swept = new Set((await read.all(q.selectFrom('sweep').select('id'))).map(({ id }) => id));
  const shown = messages.filter(({ threadId }) => threadId === null || !swept.has(threadId));
  const byId = new Map(shown.map((message) => [message.id, message]));
  const countsOf = ({ id: channelId }: Json) => {
    const mark = marks.find((one) => one.channelId === channelId);
    const isMarkedLater = mark?.messageId && (mark.unreadAt ?? 0) > (whole?.readAt ?? 0);
    const places = isMarkedLater ? [mark.messageId] : [mark?.messageId, whole?.messageId, member?.id];
    const marker = places.filter(Boolean).sort().at(-1);
    const isAfter = (id: string) => id > marker;
    const fresh = shown.filter((one) => one.channelId === channelId && isAfter(one.id));
    const mentions = notifications.filter(
      (one) =>
        one.channelId === channelId &&
        one.type === 'mention' &&
        one.readAt === null &&
        isAfter(one.messageId) &&
        byId.has(one.messageId),
    );
    const unread = fresh.filter(({ creatorId }) => creatorId !== userId).length;
    return [channelId, Math.min(MOST, unread), Math.min(MOST, mentions.length)];
  };
  const byPosition = (one: Json, other: Json) =>
    one.position - other.position || (one.id < other.id ? -1 : 1);
  return {
    roleIds: held.map(({ id }) => id).sort(),
    channelIds: seen.toSorted(byPosition).map(({ id }) => id),
    counts: seen.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(countsOf),
  };
}
