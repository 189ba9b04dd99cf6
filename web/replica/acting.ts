import type { Actions } from './actions.ts';
import { meeting } from './direct.ts';
import type { Drafts } from './drafts.ts';
import type { Live } from './live.ts';
import type { Marking } from './marking.ts';
import type { Outbox } from './outbox.ts';
import type { Reading } from './reading.ts';
import type { Replica } from './replica.ts';
import type { Api, TimelineRef } from './types.ts';
import { idOf, type Windows } from './windows.ts';

export interface ActingAround {
  replica: Replica;
  reading: Reading;
  drafts: Drafts;
  live: Live;
  outbox: Outbox;
  api: Api;
  windows: Windows;
  marking: Marking;
  hurry(serverId: string): void;
  reconnect(): void;
}

const targetOf = (place: TimelineRef) => (typeof place === 'string' ? { channelId: place } : { ...place });

/** A session's actions. */
export function actionsOf(of: ActingAround): Actions {
  const { replica, reading, drafts, live, outbox, api, windows, hurry, reconnect } = of;
  const whereIs = (place: TimelineRef) => {
    const where = windows.whereIs(place);
    if (!where) throw new Error('unknown channel or thread: it was never opened');
    return where;
  };
  const readThreads = async (serverId: string, channelId: string, threadIds: readonly string[]) => {
    const input = { channelIds: channelId, threadIds: threadIds.join() };
    await replica.read(
      () => api(serverId).personReading(input),
      (answer, begun) => reading.threads(begun, channelId, answer),
    );
  };

  return {
    openServer: hurry,
    meet: meeting({ api, replica, reading }),
    openChannel: (channelId, options) => windows.open(channelId, options),
    prefetch(channelId) {
      const { unread = 0, messageId } = reading.channel(channelId) ?? {};
      windows.prefetch(channelId, unread > 0 ? messageId : undefined);
    },
    async openThread(threadId, options) {
      await windows.open({ threadId }, options);
      const where = windows.whereIs({ threadId });
      if (!where || reading.thread(threadId)) return;
      await readThreads(where.serverId, where.channelId, [threadId]);
    },
    close: (place) => windows.close(place),
    older: (place) => windows.older(place),
    newer: (place) => windows.newer(place),
    jump: (place, messageId) => windows.open(place, { around: messageId }),
    toPresent: (place) => windows.toPresent(place),

    async send({ attachmentIds = [], ...message }) {
      const key = await outbox.send({ ...message, attachmentIds });
      live.sent(message.threadId ?? message.channelId);
      // The outbox has stored the message and can restore it, so the draft can be deleted.
      drafts.save(message, '');
      return key;
    },
    retry: (key) => outbox.retry(key),
    discard: (key) => outbox.discard(key),

    ...readingActions(of, whereIs),
    ...notificationActions(of),

    saveDraft: (place, content, replyToId) => drafts.save(whereIs(place), content, replyToId),
    type(place) {
      live.tell(whereIs(place).serverId, targetOf(place));
    },
    watchPresence: (serverId, userIds) => live.watch(serverId, userIds),
    readThreads,
    load: (ask, rowsOf) =>
      replica.read(ask, (answer, begun) => {
        replica.reading(begun, rowsOf(answer));
      }),
    reconnect,
  };
}

type WhereIs = (place: TimelineRef) => { serverId: string; channelId: string };

function readingActions({ reading, api, marking }: ActingAround, whereIs: WhereIs) {
  return {
    markRead: (place, messageId, seenAt) => marking.read(whereIs(place), messageId, seenAt),
    attend: (place, isBefore, seenAt) => marking.attend(idOf(place), isBefore, seenAt),
    readChannel: async (channelId) => marking.readAll(whereIs(channelId).serverId, channelId),
    async markUnread(place, messageId) {
      const id = idOf(place);
      marking.forget(id);
      const { serverId } = whereIs(place);
      try {
        const mark = await api(serverId).personUnread({ ...targetOf(place), messageId });
        // The server ignores read marks made during the request.
        marking.forget(id);
        reading.mark(mark);
      } finally {
        reading.told(id);
      }
    },
    async readAll(serverId) {
      marking.flush();
      const { servers } = await api(serverId ?? 'none').personReadAll(
        serverId === undefined ? {} : { serverId },
      );
      for (const server of servers) reading.readUpTo(server);
    },
    async setLevel(serverId, wish) {
      reading.level(await api(serverId).personLevel(wish));
    },
    async setPlacement(serverId, change) {
      reading.place(await api(serverId).personChannel(change));
    },
  } satisfies Partial<Actions>;
}

function notificationActions({ replica, reading, api }: ActingAround) {
  /** Per server: the cursor of the next page, and the epoch it belongs to. A new epoch makes the cursor stale. */
  const nextPages = new Map<string, { cursor: string | null; epoch: number }>();

  /**
   * Repeats a request until its response has `isWhole: true`: one request changes only a limited number of
   * notifications.
   */
  const untilWhole = async (ask: () => PromiseLike<{ isWhole: boolean }>) => {
    while (!(await ask()).isWhole);
  };

  return {
    async moreNotifications(serverId) {
      const epoch = replica.epoch(serverId);
      const next = nextPages.get(serverId);
      // If rows were dropped since the last page, start again from the latest.
      const cursor = next?.epoch === epoch ? next.cursor : undefined;
      if (cursor === null) return false;
      const page = await replica.read(
        () => api(serverId).latestNotifications(cursor === undefined ? {} : { cursor }),
        (rows, begun) => {
          if (replica.epoch(serverId) === epoch) replica.reading(begun, { notification: [...rows] });
        },
      );
      if (replica.epoch(serverId) !== epoch) return true;
      nextPages.set(serverId, { cursor: page.nextCursor, epoch });
      return page.nextCursor !== null;
    },
    async readNotifications(serverId, ids) {
      const input = ids === undefined ? {} : { ids: [...ids] };
      await untilWhole(() => api(serverId).notificationsRead(input));
      reading.doubt(serverId, null);
    },
    async clearNotifications(serverId, ids) {
      const input = ids === undefined ? {} : { ids: [...ids] };
      await untilWhole(() => api(serverId).notificationsClear(input));
      reading.doubt(serverId, null);
    },
  } satisfies Partial<Actions>;
}
