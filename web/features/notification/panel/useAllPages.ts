import { useRef, useState } from 'react';
import { api } from '../../../api/index.ts';
import { useActions } from '../../../replica/hooks.ts';
import { type Pages, usePages } from '../../../ui/usePages.ts';

const PAGE = 30;

/** How far the notifications of a server are read: from the end to this id; all of them for ''. */
interface Reach {
  cursor: string | undefined;
  from: string;
}

/** What `useAllPages` tells. */
interface AllPages {
  pages: Pages;
  /** The notifications from this id on are here, of all servers. */
  oldest: string;
  /** The beginnings of their messages, as they were read, by the ids of the messages: most were never opened on this device. */
  excerpts: ReadonlyMap<string, string>;
}

/** The beginning of a message, without a spoiler that does not end in it. */
function wordsOf(excerpt: string): string {
  const parts = excerpt.split('||');
  return parts.length % 2 === 0 ? parts.slice(0, -1).join('||') : excerpt;
}

/** Reads the notifications of several servers in pages, the latest first. */
export function useAllPages(serverIds: readonly string[]): AllPages {
  const { load } = useActions();
  const excerpts = useRef(new Map<string, string>());
  const reaches = useRef(new Map<string, Reach>());
  const [oldest, setOldest] = useState('~');
  const key = serverIds.join();
  const pages = usePages(key, async (_cursor, isFirst) => {
    if (isFirst) reaches.current = new Map();
    const known = reaches.current;
    // The server whose page ends latest holds the others up.
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
          ...(cursor !== undefined && { cursor }),
        }),
      (rows) => ({
        notification: rows.map(({ excerpt: _excerpt, ...row }) => row),
        user: Object.values(rows.expanded?.users ?? {}),
      }),
    );
    for (const { messageId, excerpt = '' } of page) excerpts.current.set(messageId, wordsOf(excerpt));
    const isWhole = page.nextCursor === null;
    known.set(serverId, {
      cursor: page.nextCursor ?? undefined,
      from: isWhole ? '' : (page.at(-1)?.id ?? ''),
    });
  }
  return { pages, oldest, excerpts: excerpts.current };
}
