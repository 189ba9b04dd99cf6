import { may, type Operation } from '../../may/index.ts';
import { navigate } from '../../routes.ts';
import { palette as t } from '../../strings/en/menus.ts';
import { iconOf } from '../channel/index.ts';
import { channelName } from '../direct/index.ts';
import { isMuted } from '../level/index.ts';
import { actionEntries } from './actions.ts';
import { channelEntries } from './channel.ts';
import type { AllFrom } from './from.ts';
import { personEntries } from './people.ts';
import type { Entry } from './rank.ts';
import { byNeed } from './recent.ts';
import { laterPages, ownPages, platformPages, serverPages } from './settings.ts';

/**
 * All entries in the palette: channels and servers that the user can see, loaded members, actions and
 * settings.
 */
export function entriesOf(from: AllFrom): Entry[] {
  const { session, route, isAdmin } = from;
  const { replica } = session;
  const here = 'serverId' in route ? route.serverId : undefined;
  const servers = [...replica.rows('server', 'all', '')].sort(
    (one, other) => Number(other.id === here) - Number(one.id === here),
  );
  const about = (name: string) => (servers.length > 1 ? t.inServer({ name }) : undefined);
  const mayIn = (serverId: string, operation: Operation): boolean => {
    const standing = replica.states.get(serverId)?.standing;
    return standing !== undefined && may(standing, operation, {}, {}).allowed;
  };
  const channel = route.page === 'server' ? replica.row('channel', route.channelId ?? '') : undefined;
  const channelsIn = (serverId: string) => {
    const direct = replica.rows('channel', 'direct', serverId);
    const rows = [...replica.rows('channel', 'serverId', serverId), ...direct].map((row) => {
      const reading = session.reading.channel(row.id);
      const muted = isMuted(reading, session.reading.server(serverId), Date.now());
      const unread = muted ? 0 : (reading?.unread ?? 0);
      const mentions = row.kind === 'dm' ? unread : (reading?.mentions ?? 0);
      return { ...row, unread, mentions };
    });
    return byNeed(rows, channel?.id);
  };
  return servers
    .flatMap(({ id: serverId, name }): Entry[] => [
      ...channelsIn(serverId).map(
        (row): Entry => ({
          id: row.id,
          kind: 'channel',
          icon: iconOf(row),
          name: channelName(session, row),
          about: about(name),
          run: () => navigate({ page: 'server', serverId, channelId: row.id }),
        }),
      ),
      ...personEntries(replica, serverId, about(name)),
      { id: serverId, kind: 'server', name, run: () => navigate({ page: 'server', serverId }) },
    ])
    .concat(
      channel ? channelEntries(session, channel) : [],
      actionEntries(from, servers, mayIn),
      servers.flatMap(serverPages),
      ownPages(),
      laterPages(),
      isAdmin ? platformPages() : [],
    );
}
