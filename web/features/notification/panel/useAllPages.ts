import { useRef, useState } from 'react';
import { api } from '../../../api/index.ts';
import { useActions } from '../../../replica/hooks.ts';
import type { notification as t } from '../../../strings/en/frame.ts';
import { type Pages, usePages } from '../../../ui/usePages.ts';

const PAGE = 30;

/**
 * The loaded range of a server's notifications, from the newest down to the ID `from`. An empty `from`
 * means all of them.
 */
interface Reach {
  cursor: string | undefined;
  from: string;
}

/** The start of a message's text, or its files if it has none. */
export interface Excerpt {
  readonly content: string;
  readonly attachments?: readonly { name: string }[];
}

interface AllPages {
  pages: Pages;
  /** All notifications from this ID on are loaded, in every server. */
  oldest: string;
  /**
   * Excerpts of the messages by message ID, because most of the messages were never loaded on this device.
   */
  excerpts: ReadonlyMap<string, Excerpt>;
}

/** Which notifications to load: all, unread ones, those from direct messages, or those of one type. */
export type Kind = keyof typeof t.kinds;

function queryOf(kind: Kind) {
  if (kind === 'all') return {};
  if (kind === 'unread') return { unread: true };
  return kind === 'direct' ? { channelKind: 'dm' as const } : { type: kind };
}

/** Loads the notifications of several servers in pages, newest first. */
export function useAllPages(serverIds: readonly string[], kind: Kind): AllPages {
  const { load } = useActions();
  const excerpts = useRef(new Map<string, Excerpt>());
  const reaches = useRef(new Map<string, Reach>());
  const [oldest, setOldest] = useState('~');
  const key = `${kind} ${serverIds.join()}`;
  const pages = usePages(key, async (_cursor, isFirst) => {
    if (isFirst) reaches.current = new Map();
    const known = reaches.current;
    // Only loads the servers whose loaded range is shortest, because they limit what can be shown.
    const latest = [...known.values()].reduce((most, { from }) => (from > most ? from : most), '');
    const due = serverIds.filter(
      (id) => (known.get(id)?.from ?? '~') >= latest && known.get(id)?.from !== '',
    );
    await Promise.all(due.map((serverId) => read(serverId, known)));
    const now = [...known.values()].reduce((most, { from }) => (from > most ? from : most), '');
    setOldest(now);
    return now === '' ? null : now;
  });

  async function read(serverId: string, known: Map<string, Reach>): Promise<void> {
    const cursor = known.get(serverId)?.cursor;
    const page = await load(
      () =>
        api(serverId).latestNotifications({
          limit: PAGE,
          excerpts: true,
          expand: 'actor',
          ...queryOf(kind),
          ...(cursor !== undefined && { cursor }),
        }),
      (rows) => ({
        notification: rows.map(({ excerpt: _excerpt, files: _files, ...row }) => row),
        user: Object.values(rows.expanded?.users ?? {}),
      }),
    );
    for (const { messageId, excerpt = '', files = [] } of page)
      excerpts.current.set(messageId, {
        content: excerpt,
        attachments: files.map((name) => ({ name })),
      });
    const isWhole = page.nextCursor === null;
    known.set(serverId, {
      cursor: page.nextCursor ?? undefined,
      from: isWhole ? '' : (page.at(-1)?.id ?? ''),
    });
  }
  return { pages, oldest, excerpts: excerpts.current };
}
