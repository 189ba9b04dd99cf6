import { may, type Operation } from '../../may/index.ts';
import { navigate } from '../../routes.ts';
import { palette as t } from '../../strings/en/palette.ts';
import { actionEntries } from './actions.ts';
import type { From } from './from.ts';
import { personEntries } from './people.ts';
import type { Entry } from './rank.ts';

/** All that the palette finds: channels and servers that the person sees, people who are known here, actions, settings. */
export function entriesOf(from: From): Entry[] {
  const { replica } = from.session;
  const all = replica.rows('server', 'all', '');
  const servers = [...all].sort(
    (one, other) => Number(other.id === from.serverId) - Number(one.id === from.serverId),
  );
  const about = (name: string) => (servers.length > 1 ? t.inServer(name) : undefined);
  const mayIn = (serverId: string, operation: Operation): boolean => {
    const standing = replica.states.get(serverId)?.standing;
    return standing !== undefined && may(standing, operation, {}, {}).allowed;
  };
  return servers
    .flatMap(({ id: serverId, name }): Entry[] => [
      ...replica.rows('channel', 'serverId', serverId).map(
        ({ id, name: channel }): Entry => ({
          id,
          kind: 'channel',
          name: channel,
          about: about(name),
          run: () => navigate({ page: 'server', serverId, channelId: id }),
        }),
      ),
      ...personEntries(replica, serverId, about(name)),
      { id: serverId, kind: 'server', name, run: () => navigate({ page: 'server', serverId }) },
      {
        id: `settings-${serverId}`,
        kind: 'setting',
        name: t.settings.server,
        about: name,
        run: () => navigate({ page: 'serverSettings', serverId }),
      },
    ])
    .concat(actionEntries(from, servers, mayIn));
}
