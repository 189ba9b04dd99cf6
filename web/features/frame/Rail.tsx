import { useState } from 'react';
import type { Records } from '../../api/records.ts';
import { Link } from '../../Link.tsx';
import { useServers, useUnread } from '../../replica/hooks.ts';
import { frame as t } from '../../strings/en/frame.ts';
import { Avatar, IconButton, isNarrow, List } from '../../ui/index.ts';
import { InboxButton } from '../notification/index.ts';
import { CreateServer } from '../server/index.ts';
import type { Myself } from '../session/index.ts';
import { lastChannel } from './lastPlace.ts';
import { MeMenu } from './MeMenu.tsx';
import './Rail.css';

/** The person's servers, one below the other, with what is new in each. */
export function Rail({ me, serverId }: { me: Myself; serverId: string | undefined }) {
  const servers = useServers();
  const [isCreating, setCreating] = useState(false);
  return (
    <nav className="rail" aria-label={t.servers}>
      <List className="rail-servers" label={t.servers}>
        {servers.map((server) => (
          <RailServer key={server.id} server={server} isCurrent={server.id === serverId} />
        ))}
      </List>
      <IconButton icon="plus" label={t.createServer} onClick={() => setCreating(true)} />
      <span className="rail-space" />
      <InboxButton />
      <MeMenu me={me} />
      {isCreating && <CreateServer onClose={() => setCreating(false)} />}
    </nav>
  );
}

function RailServer({ server, isCurrent }: { server: Records['Server']; isCurrent: boolean }) {
  const { unread, mentions } = useUnread(server.id);
  const { id, name, icon } = server;
  const channelId = isNarrow() ? undefined : lastChannel(id);
  return (
    <li className="rail-server">
      <Link
        to={{ page: 'server', serverId: id, channelId }}
        className="rail-link"
        data-item
        aria-current={isCurrent ? 'page' : undefined}
        aria-label={t.serverWith(name, unread, mentions)}
        data-tip={name}
      >
        <Avatar id={id} name={name} src={icon} size={44} isServer />
        {mentions > 0 && <span className="rail-mentions">{t.upTo99(mentions)}</span>}
        {mentions === 0 && unread > 0 && <span className="rail-news" />}
      </Link>
    </li>
  );
}
