import { useState } from 'react';
import type { Records } from '../../../api/records.ts';
import { useMay } from '../../../may/index.ts';
import { useChannels } from '../../../replica/hooks.ts';
import { channelSettings as t } from '../../../strings/en/channelSettings.ts';
import { Button, toast } from '../../../ui/index.ts';
import { Closed, nothingFound, Page, Rows, useFind } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { ChannelDialog } from '../index.ts';
import { ChannelRow } from './ChannelRow.tsx';
import { DeleteChannel } from './DeleteChannel.tsx';
import { useDrag } from './useDrag.ts';
import { useOrder } from './useOrder.ts';

/** The channel that is changed or deleted. */
interface Asking {
  act: 'edit' | 'delete';
  channelId: string;
}

/** The channels of a server: their order, and who sees them. */
export default function Channels({ serverId }: SectionProps) {
  const may = useMay(serverId, 'channel update');
  const order = useOrder(serverId, useChannels(serverId));
  const textsOf = ({ name, description }: Records['Channel']) => [name, description];
  const found = useFind(t.find, order.channels, textsOf);
  const placeOf = (id: string | undefined) => order.channels.findIndex((channel) => channel.id === id);
  const drag = useDrag((from, to) => order.move(placeOf(from), placeOf(to), true));
  const [asking, setAsking] = useState<Asking | 'new'>();
  const [news, setNews] = useState('');
  const asked =
    typeof asking === 'object' ? order.channels.find(({ id }) => id === asking.channelId) : undefined;
  const close = () => setAsking(undefined);

  function step(from: number, by: number): void {
    const to = Math.min(Math.max(from + by, 0), order.channels.length - 1);
    const channel = order.channels[from];
    if (!channel || to === from) return;
    order.move(from, to);
    setNews(t.movedTo(channel.name, to + 1, order.channels.length));
  }

  return (
    <Page
      title={t.title}
      lead={may.allowed ? t.lead : t.leadClosed}
      action={
        may.allowed && (
          <Button kind="main" icon="plus" onClick={() => setAsking('new')}>
            {t.create}
          </Button>
        )
      }
    >
      <Closed permission={may} what={t.closed} />
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
              mark={
                drag.from === undefined || drag.to !== channel.id
                  ? undefined
                  : placeOf(drag.to) > placeOf(drag.from)
                    ? 'after'
                    : 'before'
              }
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
      {asking === 'new' && (
        <ChannelDialog serverId={serverId} onDone={({ name }) => said(t.made(name))} onClose={close} />
      )}
      {asked && typeof asking === 'object' && asking.act === 'edit' && (
        <ChannelDialog serverId={serverId} channel={asked} onDone={() => said(t.saved)} onClose={close} />
      )}
      {asked && typeof asking === 'object' && asking.act === 'delete' && (
        <DeleteChannel channel={asked} onClose={close} />
      )}
    </Page>
  );
}

const said = (text: string) => void toast.show(text, { kind: 'good' });
