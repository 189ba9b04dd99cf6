import { useRef, useState } from 'react';
import { api } from '../../../api/index.ts';
import { useActions } from '../../../replica/hooks.ts';
import { type Pages, usePages } from '../../panel/parts/index.ts';

const PAGE = 30;

/** How far the notifications of a server are read: from the end to this id; all of them for ''. */
interface Reach {
  cursor: string | undefined;
  from: string;
}

/**
 * Reads the notifications of several servers in pages, the latest first. Those up to `oldest` are here of all of them.
 */
export function useAllPages(serverIds: readonly string[]): { pages: Pages; oldest: string } {
  const { load } = useActions();
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
          expand: 'actor',
          ...(cursor !== undefined && { cursor }),
        }),
      (rows) => ({ notification: [...rows], user: Object.values(rows.expanded?.users ?? {}) }),
    );
    const isWhole = page.nextCursor === null;
    known.set(serverId, {
      cursor: page.nextCursor ?? undefined,
      from: isWhole ? '' : (page.at(-1)?.id ?? ''),
    });
  }
  return { pages, oldest };
}
