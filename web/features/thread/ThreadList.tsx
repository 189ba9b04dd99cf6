import { useEffect, useMemo } from 'react';
import { api, type Records } from '../../api/index.ts';
import { Link } from '../../Link.tsx';
import { useActions, useEpoch, useRows, useThreadReadings } from '../../replica/hooks.ts';
import { thread as t } from '../../strings/en/panels.ts';
import { ago, dateTime, upTo999 } from '../../strings/format.ts';
import { Badge, Empty, Icon, List } from '../../ui/index.ts';
import { More } from '../../ui/More.tsx';
import { usePages } from '../../ui/usePages.ts';
import { useIsBlocked } from '../block/index.ts';
import { firstLine } from '../markdown/index.ts';
import { useBeside, useLine } from '../member/index.ts';
import { useAnswered } from '../message/index.ts';
import './ThreadList.css';

type Thread = Records['Thread'];

/** Threads per page. One request loads their reading state. */
const PAGE = 30;

const lastAt = ({ lastReplyAt, createdAt }: Thread): number => lastReplyAt ?? createdAt;

/** The threads in a channel, by latest activity. */
export function ThreadList({ channel }: { channel: Records['Channel'] }) {
  const { id: channelId, serverId } = channel;
  const { load, readThreads } = useActions();
  const epoch = useEpoch(serverId);
  const pages = usePages(`${channelId} ${epoch}`, async (cursor) => {
    const page = await load(
      () =>
        api(serverId).threadsByChannel({
          channelId,
          limit: PAGE,
          expand: 'creator',
          ...(cursor !== undefined && { cursor }),
        }),
      (threads) => ({ thread: [...threads], user: Object.values(threads.expanded?.users ?? {}) }),
    );
    return page.nextCursor;
  });
  const held = useRows('thread', 'channelId', channelId);
  const threads = useMemo(() => [...held].sort((one, other) => lastAt(other) - lastAt(one)), [held]);
  const ids = threads.map(({ id }) => id);
  const readings = useThreadReadings(ids);
  const unknown = ids.filter((_, at) => readings[at] === undefined).slice(0, PAGE);
  const asked = unknown.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text represents the ids
  useEffect(() => {
    // If this fails, the threads appear as read until they are opened.
    if (asked !== '') readThreads(serverId, channelId, unknown).catch(() => undefined);
  }, [asked, serverId, channelId, readThreads]);

  if (threads.length === 0 && pages.isWhole)
    return <Empty icon="messages-square" title={t.none} text={t.noneMore} />;
  return (
    <>
      <List className="side-panel-list" label={t.threads} hasTypeahead={false}>
        {threads.map((thread, at) => (
          <ThreadRow key={thread.id} thread={thread} unread={readings[at]?.unread ?? 0} />
        ))}
      </List>
      <More pages={pages} />
    </>
  );
}

function ThreadRow({ thread, unread }: { thread: Thread; unread: number }) {
  const { id, serverId, channelId, locked, replyCount } = thread;
  const author = useBeside(serverId, thread.creatorId, t.somebody).name;
  const shown = useFirstWords(thread) || t.by({ name: author });
  return (
    <li className="thread-row">
      <Link
        className="thread-row-link"
        data-item
        to={{ page: 'server', serverId, channelId, threadId: id, panel: 'threads' }}
      >
        <span className={unread > 0 ? 'thread-row-name thread-row-unread' : 'thread-row-name'}>
          {locked && <Icon name="lock" size={14} />}
          <bdi className="ellipsis">{shown}</bdi>
        </span>
        {unread > 0 && (
          <Badge kind="count" label={t.unread({ count: unread })}>
            {upTo999(unread)}
          </Badge>
        )}
        <span className="small muted thread-row-more">
          <span>{t.replies({ count: replyCount })}</span>
          <time title={dateTime(lastAt(thread))}>{ago(lastAt(thread))}</time>
          <bdi>{author}</bdi>
        </span>
      </Link>
    </li>
  );
}

/**
 * The name of a thread, or else the first line or the files of its first message. Empty if there are none.
 */
function useFirstWords({ name, serverId, messageId }: Thread): string {
  const isNamed = name !== null || messageId === null;
  const first = useAnswered(serverId, messageId ?? '', !isNamed);
  const known = isNamed || typeof first === 'string' ? undefined : first;
  const isBlocked = useIsBlocked(known?.creatorId ?? '');
  const line = useLine(serverId, known);
  if (!known) return name ?? '';
  return isBlocked ? line : firstLine(known.content) || line;
}
