import { useMemo } from 'react';
import type { Records } from '../../api/records.ts';
import { Link } from '../../Link.tsx';
import { useServers, useUnread, useUnreads } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { direct, frame as t } from '../../strings/en/frame.ts';
import { upTo999 } from '../../strings/format.ts';
import { menuHandlers } from '../../ui/hold.ts';
import { Avatar, Icon, IconButton, isNarrow, List, useMenu } from '../../ui/index.ts';
import { Invitations } from '../invitation/index.tsx';
import { InboxButton } from '../notification/index.ts';
import { createServer, ServerMenu } from '../server/index.tsx';
import type { Myself } from '../session/index.ts';
import { lastChannel } from './lastPlace.ts';
import { MeMenu } from './MeMenu.tsx';
import './Rail.css';

interface RailProps {
  me: Myself;
  /** The open server. */
  serverId: string | undefined;
  /** True if the direct messages of all servers are open. */
  isDirect: boolean;
}

/** The user's servers, with their unread state. */
export function Rail({ me, serverId, isDirect }: RailProps) {
  const servers = useServers();
  return (
    <nav className="rail" aria-label={common.servers}>
      <List className="rail-servers" label={common.servers}>
        {servers.map((server) => (
          <RailServer key={server.id} server={server} isCurrent={server.id === serverId} />
        ))}
        <Invitations />
      </List>
      <IconButton icon="plus" label={common.createServer} onClick={createServer} />
      <span className="rail-space" />
      <DirectLink isCurrent={isDirect} />
      <InboxButton />
      <MeMenu me={me} />
    </nav>
  );
}

/** Opens the direct messages of all servers. */
function DirectLink({ isCurrent }: { isCurrent: boolean }) {
  const servers = useServers();
  const unreads = useUnreads(useMemo(() => servers.map(({ id }) => id), [servers]));
  const count = unreads.reduce((sum, { direct }) => sum + direct, 0);
  if (servers.length === 0) return null;
  return (
    <Link
      to={{ page: 'direct' }}
      className="rail-link"
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={direct.titleWith({ count })}
      data-tip={direct.title}
    >
      <Icon name="message-square" size={20} />
      {count > 0 && <span className="rail-mentions">{upTo999(count)}</span>}
    </Link>
  );
}

function RailServer({ server, isCurrent }: { server: Records['Server']; isCurrent: boolean }) {
  const { unread, mentions } = useUnread(server.id);
  const { id, name, icon } = server;
  const { anchor, open, close } = useMenu();
  const channelId = isNarrow() ? undefined : lastChannel(id);
  return (
    <li className="rail-server" onPointerEnter={ServerMenu.load} {...menuHandlers(open)}>
      <Link
        to={{ page: 'server', serverId: id, channelId }}
        className="rail-link"
        data-item
        draggable={false}
        aria-current={isCurrent ? 'page' : undefined}
        aria-label={
          mentions > 0
            ? t.serverMentions({ name, count: mentions })
            : unread > 0
              ? t.serverUnread({ name })
              : name
        }
        data-tip={name}
      >
        <Avatar id={id} name={name} src={icon} size={44} isServer />
        {mentions > 0 && <span className="rail-mentions">{upTo999(mentions)}</span>}
        {mentions === 0 && unread > 0 && <span className="rail-news" />}
      </Link>
      {anchor && <ServerMenu server={server} anchor={anchor} onClose={close} />}
    </li>
  );
}
