import { useRef, useState } from 'react';
import type { Records } from '../../api/records.ts';
import { useRow, useSession } from '../../replica/hooks.ts';
import { search as t } from '../../strings/en/panels.ts';
import { Icon } from '../../ui/index.ts';
import { channelName, useChannelName } from '../direct/index.ts';
import { FilterForm } from './FilterForm.tsx';
import { type Filter, filters, type Query } from './query.ts';

interface ChipsProps {
  query: Query;
  channel: Records['Channel'];
  onChange: (query: Query) => void;
}

/** The label of a filter. */
const textOf = (filter: Filter, value: string): string =>
  filter === 'is' || filter === 'has' || filter === 'mentions'
    ? (t.kinds[value as keyof typeof t.kinds] ?? value)
    : t.chips[filter]({ value });

/** The filters of a search as chips, which can be removed and added. */
export function Chips({ query, channel, onChange }: ChipsProps) {
  const [isOpen, setOpen] = useState(false);
  const session = useSession();
  const name = useChannelName(channel);
  // A search in a direct message refers to it by its id.
  const direct = useRow('channel', query.in);
  const button = useRef<HTMLButtonElement>(null);
  const set = filters.filter((filter) => query[filter] !== undefined);
  const without = (filter: Filter) => onChange({ ...query, [filter]: undefined });
  return (
    <div className="search-chips">
      {set.map((filter) => {
        const value = query[filter] as string;
        const text = textOf(filter, filter === 'in' && direct ? channelName(session, direct) : value);
        return (
          <button
            key={filter}
            type="button"
            className="small muted search-chip search-chip-on"
            aria-label={t.remove({ filter: text })}
            onClick={() => without(filter)}
          >
            <bdi className="ellipsis">{text}</bdi>
            <Icon name="x" size={14} />
          </button>
        );
      })}
      {query.in === undefined && (
        <button
          type="button"
          className="small muted search-chip"
          onClick={() => onChange({ ...query, in: channel.kind === 'dm' ? channel.id : channel.name })}
        >
          <bdi className="ellipsis">{t.inHere({ channel: name })}</bdi>
        </button>
      )}
      <button
        ref={button}
        type="button"
        className="small muted search-chip"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <Icon name="list-filter" size={14} />
        {t.filters}
      </button>
      {isOpen && (
        <FilterForm
          anchor={button}
          query={query}
          serverId={channel.serverId}
          onChange={onChange}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
