import { Fragment, useMemo } from 'react';
import type { Records } from '../../api/records.ts';
import { useRow, useSession } from '../../replica/hooks.ts';
import { useRoute } from '../../routes.ts';
import { search as t } from '../../strings/en/panels.ts';
import { Icon, List, useNarrow } from '../../ui/index.ts';
import { iconOf } from '../channel/index.ts';
import { useChannelName } from '../direct/index.ts';
import { foundText, useEntities } from '../markdown/index.ts';
import { lineIn } from '../member/index.ts';
import { MessageCard } from '../message/card/index.tsx';
import { excerptOf } from './excerpt.ts';

interface ResultsProps {
  ids: readonly string[];
  /** The terms to highlight. */
  words: string;
  /** The whole query, which stays open when the user opens a result. */
  search: string;
}

/** The messages found, newest first. Consecutive messages from the same channel are grouped. */
export function Results({ ids, words, search }: ResultsProps) {
  const { replica } = useSession();
  const groups = useMemo(() => {
    const all: { channelId: string; first: string; ids: string[] }[] = [];
    for (const id of ids) {
      const channelId = replica.row('message', id)?.channelId;
      if (channelId === undefined) continue;
      const last = all.at(-1);
      if (last?.channelId === channelId) last.ids.push(id);
      else all.push({ channelId, first: id, ids: [id] });
    }
    return all;
  }, [ids, replica]);
  return groups.map((group) => (
    <Fragment key={group.first}>
      <ChannelName id={group.channelId} />
      <List className="search-results" label={t.results} hasTypeahead={false}>
        {group.ids.map((id) => (
          <Result key={id} id={id} words={words} search={search} />
        ))}
      </List>
    </Fragment>
  ));
}

function ChannelName({ id }: { id: string }) {
  const channel = useRow('channel', id);
  return channel ? <Name channel={channel} /> : null;
}

function Name({ channel }: { channel: Records['Channel'] }) {
  const name = useChannelName(channel);
  return (
    <h3 className="side-panel-group search-channel">
      <Icon name={iconOf(channel)} size={14} />
      <bdi className="ellipsis">{name}</bdi>
    </h3>
  );
}

function Result({ id, words, search }: { id: string; words: string; search: string }) {
  const session = useSession();
  const message = useRow('message', id);
  const route = useRoute();
  const isNarrow = useNarrow();
  // The message may have been deleted since, or its channel may no longer be visible.
  const channel = useRow('channel', message?.channelId);
  const content = message?.content ?? '';
  const entities = useEntities(content);
  // biome-ignore lint/correctness/useExhaustiveDependencies: entities change what the content means
  const pieces = useMemo(() => excerptOf(foundText(content), words), [content, words, entities]);
  if (!message || !channel || message.deleted) return null;
  const { serverId, channelId, threadId } = message;
  const here = { page: 'server', serverId, channelId } as const;
  const place = isNarrow ? here : ({ ...here, panel: 'search', words: search } as const);
  const isCurrent = route.page === 'server' && (route.messageId === id || route.replyId === id);
  return (
    <MessageCard
      message={message}
      to={threadId === null ? { ...place, messageId: id } : { ...place, threadId, replyId: id }}
      isCurrent={isCurrent}
    >
      <p className="search-excerpt" dir="auto">
        {threadId !== null && <span className="search-in-thread">{t.inThread}</span>}
        {pieces.map(({ at, text, isFound }) =>
          isFound ? <mark key={at}>{text}</mark> : <Fragment key={at}>{text}</Fragment>,
        )}
        {pieces.length === 0 && <em>{lineIn(session, serverId, message) || t.noText}</em>}
      </p>
    </MessageCard>
  );
}
