import { useState } from 'react';
import { useMay } from '../../../may/index.ts';
import { common } from '../../../strings/en/common.ts';
import { categorySettings, channelSettings as t } from '../../../strings/en/serverSettings.ts';
import { Button, toast } from '../../../ui/index.ts';
import { Closed, Create, nothingFound, Page, Rows, useFind } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { CategoryDialog, DeleteCategory } from '../CategoryDialog.tsx';
import { ChannelDialog } from '../index.ts';
import { besides, categoryAt, type Item, isChannel } from './arrangement.ts';
import { ChannelRow } from './ChannelRow.tsx';
import { DeleteChannel } from './DeleteChannel.tsx';
import { type MovableProps, MovableRow } from './MovableRow.tsx';
import { useDrag } from './useDrag.ts';
import { useOrder } from './useOrder.ts';

/** The channel or category being edited or deleted. */
interface Asking {
  act: 'edit' | 'delete';
  id: string;
}

const textsOf = (item: Item) => [item.name, isChannel(item) ? item.description : null];

/** A server's channels: their order and categories, and who can see them. */
export default function Channels({ serverId }: SectionProps) {
  const may = useMay(serverId, 'channel update');
  const order = useOrder(serverId);
  const found = useFind(t.find, order.items, textsOf);
  const indexOf = (id: string | undefined) => order.items.findIndex((item) => item.id === id);
  const drag = useDrag((from, to) => order.move(indexOf(from), indexOf(to), true));
  const [asking, setAsking] = useState<Asking | 'channel' | 'category'>();
  const [news, setNews] = useState('');

  /** The side of this row on which the dragged row would be dropped. */
  function markOf(id: string): 'before' | 'after' | undefined {
    if (drag.from === undefined || drag.to !== id) return undefined;
    return indexOf(drag.to) > indexOf(drag.from) ? 'after' : 'before';
  }

  function step(item: Item, by: number): void {
    const { items } = order;
    const from = items.indexOf(item);
    const to = isChannel(item) && Math.abs(by) === 1 ? from + by : stepped(items, item, by);
    if (to === from || to < 0 || to >= items.length) return;
    const next = order.move(from, to);
    const now = next.find(({ id }) => id === item.id) ?? item;
    const others = besides(next, now);
    const moved = { name: item.name, place: others.indexOf(now) + 1, count: others.length };
    const category = isChannel(now) ? categoryAt(next, next.indexOf(now)) : undefined;
    setNews(category ? t.movedInto({ ...moved, category: category.name }) : t.movedTo(moved));
  }

  return (
    <Page
      title={t.title}
      lead={may.allowed ? t.lead : t.leadClosed}
      action={
        may.allowed && (
          <>
            <Button icon="folder-plus" onClick={() => setAsking('category')}>
              {categorySettings.create}
            </Button>
            <Create label={t.create} onClick={() => setAsking('channel')} />
          </>
        )
      }
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
          {found.rows.map((item) => (
            <ItemRow
              key={item.id}
              item={item}
              isClosed={!may.allowed}
              isAlone={found.isSearched}
              isDragged={drag.from === item.id}
              mark={markOf(item.id)}
              onHandleDown={(event) => drag.start(event, item.id)}
              onStep={(by) => step(item, by)}
              onAsk={(act) => setAsking({ act, id: item.id })}
            />
          ))}
        </Rows>
      </div>
      <p className="only-read" role="status">
        {news}
      </p>
      <AskedDialog {...{ serverId, asking }} items={order.items} onClose={() => setAsking(undefined)} />
    </Page>
  );
}

/** A row's index after it has moved by `by` rows among those that it can move past. */
function stepped(items: readonly Item[], item: Item, by: number): number {
  const others = besides(items, item);
  const to = Math.min(Math.max(others.indexOf(item) + by, 0), others.length - 1);
  return items.indexOf(others[to] as Item);
}

const ItemRow = ({ item, ...movable }: { item: Item } & MovableProps) =>
  isChannel(item) ? (
    <ChannelRow channel={item} {...movable} />
  ) : (
    <MovableRow
      {...movable}
      id={item.id}
      name={item.name}
      icon="folder"
      className="setting-category-row"
      edit={categorySettings.renameNamed({ name: item.name })}
      deletion={categorySettings.delete}
    />
  );

interface AskedDialogProps {
  serverId: string;
  asking: Asking | 'channel' | 'category' | undefined;
  items: readonly Item[];
  onClose: () => void;
}

/** The open dialog. It closes if the channel or category that it is about is deleted. */
function AskedDialog({ serverId, asking, items, onClose }: AskedDialogProps) {
  if (asking === 'channel')
    return (
      <ChannelDialog serverId={serverId} onDone={({ name }) => said(t.made({ name }))} onClose={onClose} />
    );
  if (asking === 'category') return <CategoryDialog {...{ serverId, onClose }} />;
  const item = items.find(({ id }) => id === asking?.id);
  if (!asking || !item) return null;
  const isEdit = asking.act === 'edit';
  if (!isChannel(item))
    return isEdit ? (
      <CategoryDialog {...{ serverId, onClose }} category={item} />
    ) : (
      <DeleteCategory category={item} onClose={onClose} />
    );
  return isEdit ? (
    <ChannelDialog {...{ serverId, onClose }} channel={item} onDone={() => said(t.saved)} />
  ) : (
    <DeleteChannel channel={item} onClose={onClose} />
  );
}

const said = (text: string) => void toast.show(text, { kind: 'good' });
