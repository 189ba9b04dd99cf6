import { type ReactNode, useState } from 'react';
import { imageUrl } from '../../api/base.ts';
import { useMay } from '../../may/index.ts';
import { useChannels, useServer } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { channel as t } from '../../strings/en/frame.ts';
import { Button, IconButton, List, useMenu } from '../../ui/index.ts';
import { ServerButton } from '../server/index.tsx';
import { CategoryPart } from './CategoryPart.tsx';
import { ListMenu } from './ChannelMenu.ts';
import { ChannelRow } from './ChannelRow.tsx';
import { DirectList } from './DirectList.tsx';
import { createChannel } from './dialog.tsx';
import { useOwnList } from './useSections.ts';
import './ChannelList.css';

interface ChannelListProps {
  serverId: string;
  channelId: string | undefined;
  /** Content below the channels. */
  foot?: ReactNode;
}

/** The server's name and menu, and below them the channels that the user can see. */
export function ChannelList({ serverId, channelId, foot }: ChannelListProps) {
  const { server } = useServer(serverId);
  const { favorites, sections } = useOwnList(serverId, channelId);
  const channels = useChannels(serverId);
  const mayCreate = useMay(serverId, 'channel insert').allowed;
  const menu = useMenu();
  const create = () => createChannel(serverId);
  return (
    <nav className="channel-list" aria-label={t.channels}>
      {server?.banner && <Banner key={server.banner} src={server.banner} />}
      {server && <ServerButton server={server} />}
      <div className="channel-list-parts">
        {favorites.length > 0 && (
          <>
            <div className="channel-list-head">
              <h2>{t.favorites}</h2>
            </div>
            <List className="channel-list-rows" label={t.favorites}>
              {favorites.map((channel) => (
                <ChannelRow key={channel.id} channel={channel} isCurrent={channel.id === channelId} />
              ))}
            </List>
          </>
        )}
        <div className="channel-list-head">
          <h2>{t.channels}</h2>
          <IconButton
            {...menu.trigger}
            icon="ellipsis"
            size="small"
            label={t.listOptions}
            onPointerEnter={ListMenu.load}
          />
          {menu.anchor && <ListMenu serverId={serverId} anchor={menu.anchor} onClose={menu.close} />}
          {mayCreate && <IconButton icon="plus" size="small" label={common.createChannel} onClick={create} />}
        </div>
        {channels.length === 0 && <None mayCreate={mayCreate} onCreate={create} />}
        <List className="channel-list-rows" label={t.channels}>
          {sections.map(({ category, channels }) =>
            category
              ? // An empty category is only shown to people who can add channels to it.
                (mayCreate || channels.length > 0) && (
                  <CategoryPart key={category.id} {...{ category, channels, channelId }} />
                )
              : channels.map((channel) => (
                  <ChannelRow key={channel.id} channel={channel} isCurrent={channel.id === channelId} />
                )),
          )}
        </List>
        <DirectList serverId={serverId} channelId={channelId} />
      </div>
      {foot}
    </nav>
  );
}

/** The banner of a server. It is removed if it fails to load. */
function Banner({ src }: { src: string }) {
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return null;
  return <img className="channel-list-banner" src={imageUrl(src)} alt="" onError={() => setFailed(true)} />;
}

const None = ({ mayCreate, onCreate }: { mayCreate: boolean; onCreate: () => void }) => (
  <div className="channel-list-none">
    <p>{mayCreate ? t.noneYet : t.none}</p>
    {mayCreate && (
      <Button size="small" kind="main" icon="plus" onClick={onCreate}>
        {common.createChannel}
      </Button>
    )}
  </div>
);
