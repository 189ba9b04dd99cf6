import { useState } from 'react';
import type { Records } from '../../../api/records.ts';
import { useMay } from '../../../may/index.ts';
import { useChannels } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { channelSettings as t } from '../../../strings/en/serverSettings.ts';
import { toast } from '../../../ui/index.ts';
import { Closed, Create, nothingFound, Page, Rows, useFind } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { ChannelDialog } from '../index.ts';
import { ChannelRow } from './ChannelRow.tsx';
import { DeleteChannel } from './DeleteChannel.tsx';
import { useDrag } from './useDrag.ts';
import { useOrder } from './useOrder.ts';

type Channel = Records['Channel'];

/** The channel being edited or deleted. */
interface Asking {
  act: 'edit' | 'delete';
  channelId: string;
}

const textsOf = ({ name, description }: Channel) => [name, description];

/** The channels of a server: their order, and who can see them. */
export default function Channels({ serverId }: SectionProps) {
  const may = useMay(serverId, 'channel update');
  const order = useOrder(serverId, useChannels(serverId));
  const found = useFind(t.find, order.channels, textsOf);
  const indexOf = (id: string | undefined) => order.channels.findIndex((channel) => channel.id === id);
  const drag = useDrag((from, to) => order.move(indexOf(from), indexOf(to), true));
  const [asking, setAsking] = useState<Asking | 'new'>();
  const [news, setNews] = useState('');

  /** The side of this row on which the dragged row would be dropped. */
  function markOf(id: string): 'before' | 'after' | undefined {
    if (drag.from === undefined || drag.to !== id) return undefined;
    return indexOf(drag.to) > indexOf(drag.from) ? 'after' : 'before';
  }

  function step(from: number, by: number): void {
    const to = Math.min(Math.max(from + by, 0), order.channels.length - 1);
    const channel = order.channels[from];
    if (!channel || to === from) return;
    order.move(from, to);
    setNews(t.movedTo({ name: channel.name, place: to + 1, count: order.channels.length }));
  }

  return (
    <Page
      title={t.title}
      lead={may.allowed ? t.lead : t.leadClosed}
      action={may.allowed && <Create label={t.create} onClick={() => setAsking('new')} />}
    >
      <Closed permission={may} what={common.viewOnly} />
      {found.field}
      <div ref={drag.list}>
        <Rows
          label={t.title}
          rest={found.rest}
          count={found.rows.length}
          empty={found.isSearched ? nothingFound() : { icon: 'hash', title: t.none, text: t.noneMore }}
        >
          {found.rows.map((channel) => (
            <ChannelRow
              key={channel.id}
              channel={channel}
              isClosed={!may.allowed}
              isAlone={found.isSearched}
              isDragged={drag.from === channel.id}
              mark={markOf(channel.id)}
              onGrip={(event) => drag.start(event, channel.id)}
              onStep={(by) => step(order.channels.indexOf(channel), by)}
              onAsk={(act) => setAsking({ act, channelId: channel.id })}
            />
          ))}
        </Rows>
      </div>
      <p className="only-read" role="status">
        {news}
      </p>
      <AskedDialog {...{ serverId, asking }} channels={order.channels} onClose={() => setAsking(undefined)} />
    </Page>
  );
}

interface AskedDialogProps {
  serverId: string;
  asking: Asking | 'new' | undefined;
  channels: readonly Channel[];
  onClose: () => void;
}

/** The open dialog. It closes if its channel is deleted. */
function AskedDialog({ serverId, asking, channels, onClose }: AskedDialogProps) {
  if (asking === 'new')
    return (
      <ChannelDialog serverId={serverId} onDone={({ name }) => said(t.made({ name }))} onClose={onClose} />
    );
  const channel = channels.find(({ id }) => id === asking?.channelId);
  if (!asking || !channel) return null;
  return asking.act === 'edit' ? (
    <ChannelDialog {...{ serverId, channel, onClose }} onDone={() => said(t.saved)} />
  ) : (
    <DeleteChannel channel={channel} onClose={onClose} />
  );
}

const said = (text: string) => void toast.show(text, { kind: 'good' });
