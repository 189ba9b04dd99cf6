import { useMemo, useState } from 'react';
import { api } from '../../api/index.ts';
import { useConversations, useServers } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { direct as t } from '../../strings/en/frame.ts';
import {
  Button,
  Empty,
  ErrorText,
  IconButton,
  List,
  Spinner,
  useNarrow,
  usePageTitle,
} from '../../ui/index.ts';
import { ChannelRow } from '../channel/index.ts';
import { newMessage } from '../direct/index.ts';
import { usePages } from '../settings/server/index.ts';
import { asMain } from './main.ts';

/** Direct messages per page. */
const STEP = 100;

/** The direct messages of all servers, latest activity first. */
export default function DirectPage() {
  const servers = useServers();
  const all = useConversations(useMemo(() => servers.map(({ id }) => id), [servers]));
  const [most, setMost] = useState(STEP);
  // Snapshots contain only the most recent conversations of each server.
  const pages = usePages(
    'direct',
    (cursor) => api('none').conversations({ limit: STEP, ...(cursor !== undefined && { cursor }) }),
    (channel) => ({ channel: [...channel] }),
  );
  const isPhone = useNarrow();
  usePageTitle(t.title);
  const more = () => {
    setMost(most + STEP);
    if (pages.hasMore) pages.more();
  };
  const rows = all.slice(0, most);
  return (
    <div className="server-page server-page-in-list" {...(isPhone && asMain)}>
      <nav className="channel-list" aria-label={t.title}>
        <div className="channel-list-parts">
          <div className="channel-list-head">
            <h1>{t.title}</h1>
            <IconButton icon="plus" size="small" label={t.start} onClick={() => newMessage()} />
          </div>
          <List className="channel-list-rows" label={t.title}>
            {rows.map((channel) => (
              <ChannelRow
                key={channel.id}
                channel={channel}
                isCurrent={false}
                about={servers.find(({ id }) => id === channel.serverId)}
              />
            ))}
          </List>
          {rows.length === 0 && !pages.isReading && <p className="channel-list-none">{t.none}</p>}
          {pages.isReading && <Spinner label={common.loading} />}
          {pages.error !== undefined && <ErrorText error={pages.error} onAgain={pages.more} />}
          {!pages.isReading && (pages.hasMore || all.length > most) && (
            <Button size="small" kind="quiet" onClick={more}>
              {common.more}
            </Button>
          )}
        </div>
      </nav>
      <main className="server-page-main" id={isPhone ? undefined : 'main'} tabIndex={-1}>
        <Empty icon="message-square" title={rows.length > 0 ? t.title : t.none} text={t.noneMore}>
          <Button kind="main" icon="plus" onClick={() => newMessage()}>
            {t.start}
          </Button>
        </Empty>
      </main>
    </div>
  );
}
