import { may } from '../../may/index.ts';
import type { Session } from '../../replica/index.ts';
import { forward as t } from '../../strings/en/menus.ts';
import { channelName, placeName } from '../direct/index.ts';
import { directWith } from '../member/index.ts';

/** A possible destination for a forwarded message. */
export interface Target {
  /** The id of the channel, thread or person. */
  id: string;
  name: string;
  /** Distinguishes destinations with the same name. */
  about?: string;
  /** Resolves with the destination. Rejects with PalaverError. */
  reach(): Promise<{ serverId: string; channelId: string; threadId?: string }>;
}

/**
 * The channels and direct messages in which the user may write, and their loaded threads that have a name and are
 * not locked. Those in `serverId` come first.
 */
export function placesOf(session: Session, serverId: string): Target[] {
  const { replica } = session;
  const servers = [...replica.rows('server', 'all', '')].sort(
    (one, other) => Number(other.id === serverId) - Number(one.id === serverId),
  );
  return servers.flatMap(({ id, name: serverName }) => {
    const standing = replica.states.get(id)?.standing;
    const channels = [...replica.rows('channel', 'serverId', id), ...replica.rows('channel', 'direct', id)];
    const about = servers.length > 1 ? { about: serverName } : {};
    return channels
      .filter((channel) => standing && may(standing, 'message insert', { channel }, {}).allowed)
      .flatMap((channel): Target[] => {
        const place = { serverId: id, channelId: channel.id };
        const name = placeName(channel, channelName(session, channel));
        const threads = replica
          .rows('thread', 'channelId', channel.id)
          .filter(({ name, locked }) => name && !locked);
        return [
          { id: channel.id, name, ...about, reach: async () => place },
          ...threads.map(
            (thread): Target => ({
              id: thread.id,
              name: thread.name ?? '',
              about: t.thread({ name }),
              reach: async () => ({ ...place, threadId: thread.id }),
            }),
          ),
        ];
      });
  });
}

/** A member of a server as a destination. `reach` starts a direct message with them if there is none. */
export const personTarget = (
  session: Session,
  serverId: string,
  { id, name, username }: { id: string; name: string; username: string },
): Target => ({
  id,
  name,
  about: `@${username} · ${t.person}`,
  reach: async () => ({ serverId, channelId: await directWith(session, serverId, [id]) }),
});
