import { useState } from 'react';
import { Link } from '../../Link.tsx';
import { useActions, useChannelUnread } from '../../replica/hooks.ts';
import type { Rows as AllRows } from '../../replica/types.ts';
import { common } from '../../strings/en/common.ts';
import { channelList as t } from '../../strings/en/menus.ts';
import { fold } from '../../ui/fold.ts';
import { Button, Dialog, Icon, TextField, toast } from '../../ui/index.ts';
import { Row, Rows } from '../settings/index.ts';
import { iconOf } from './iconOf.ts';
import { useChannelsInOrder } from './useSections.ts';

/** The maximum number of channels shown. Others can be found by searching. */
const SHOWN = 200;

/** Lists the channels that the user can see in a server, each with a button to join or leave it. */
export default function BrowseChannels({ serverId, onClose }: { serverId: string; onClose: () => void }) {
  const channels = useChannelsInOrder(serverId);
  const [text, setText] = useState('');
  const wanted = fold(text.trim().replace(/^#/, ''));
  const found = channels.filter(
    ({ name, description }) => fold(name).includes(wanted) || fold(description ?? '').includes(wanted),
  );
  return (
    <Dialog title={t.browse} onClose={onClose}>
      <TextField type="search" label={t.find} value={text} onText={setText} autoFocus />
      <Rows label={t.all} count={found.length} empty={{ icon: 'search', title: common.noResults }}>
        {found.slice(0, SHOWN).map((channel) => (
          <ChannelToJoin key={channel.id} channel={channel} onOpen={onClose} />
        ))}
      </Rows>
    </Dialog>
  );
}

function ChannelToJoin({ channel, onOpen }: { channel: AllRows['channel']; onOpen: () => void }) {
  const { id: channelId, serverId, name, description } = channel;
  const { setPlacement } = useActions();
  const hidden = useChannelUnread(channelId)?.hidden ?? false;
  const act = hidden ? t.join : t.leave;
  return (
    <Row
      mark={<Icon name={iconOf(channel)} />}
      title={
        <Link to={{ page: 'server', serverId, channelId }} onClick={onOpen}>
          {name}
        </Link>
      }
      note={description && <bdi>{description}</bdi>}
      actions={
        <Button
          size="small"
          kind={hidden ? 'main' : 'plain'}
          aria-label={`${act}: ${name}`}
          onClick={() => void setPlacement(serverId, { channelId, hidden: !hidden }).catch(toast.error)}
        >
          {act}
        </Button>
      }
    />
  );
}
