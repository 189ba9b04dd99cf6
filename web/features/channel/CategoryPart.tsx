import type { KeyboardEvent } from 'react';
import { useMay } from '../../may/index.ts';
import { channel as t } from '../../strings/en/frame.ts';
import { menuHandlers } from '../../ui/hold.ts';
import { Icon, IconButton, useMenu } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';
import { useUserId } from '../session/index.ts';
import { ChannelRow } from './ChannelRow.tsx';
import { useCollapsed } from './collapsed.ts';
import { reach } from './reach.ts';
import type { Section } from './sections.ts';

const CategoryMenu = late(() => import('./CategoryItems.tsx'));

interface CategoryPartProps {
  category: NonNullable<Section['category']>;
  channels: Section['channels'];
  /** The open channel. */
  channelId: string | undefined;
}

/** A category in the list: a button that collapses it, its menu, and its channels. */
export function CategoryPart({ category, channels, channelId }: CategoryPartProps) {
  const { id, serverId, name } = category;
  const mayChange = useMay(serverId, 'category update').allowed;
  const [isCollapsed, setCollapsed] = useCollapsed(useUserId(), id);
  const { anchor, open, close, trigger } = useMenu();
  function keyed(event: KeyboardEvent<HTMLElement>): void {
    const keys = ['ArrowRight', 'ArrowLeft'];
    if (getComputedStyle(event.currentTarget).direction === 'rtl') keys.reverse();
    const at = keys.indexOf(event.key);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setCollapsed(at === 1);
  }
  return (
    <li className="channel-category">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: reveals the menu; its button can be focused */}
      <div
        className="channel-item"
        {...(mayChange && { onPointerEnter: CategoryMenu.load, ...menuHandlers(open) })}
        onFocus={(event) => reach(event, 0)}
        onBlur={(event) => reach(event, -1)}
      >
        <button
          type="button"
          className="channel-row channel-category-name"
          data-item
          aria-expanded={!isCollapsed}
          onClick={() => setCollapsed(!isCollapsed)}
          onKeyDown={keyed}
        >
          <Icon name="chevron-down" size={14} />
          <bdi className="ellipsis">{name}</bdi>
        </button>
        {mayChange && (
          <IconButton
            {...trigger}
            className="channel-more"
            size="small"
            icon="ellipsis"
            label={t.moreOf({ name })}
            tabIndex={-1}
          />
        )}
        {anchor && <CategoryMenu category={category} anchor={anchor} onClose={close} />}
      </div>
      <ul className="channel-list-rows" aria-label={name}>
        {channels.map((channel) => (
          <ChannelRow
            key={channel.id}
            channel={channel}
            isCurrent={channel.id === channelId}
            isCollapsed={isCollapsed}
          />
        ))}
      </ul>
    </li>
  );
}
