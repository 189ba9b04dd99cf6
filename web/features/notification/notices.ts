import { onSignedOut } from '../../api/index.ts';
import type { LiveEvent } from '../../replica/types.ts';

/** The message that a browser notification is about, and its path. */
export interface ShownNotice {
  readonly id: string;
  readonly serverId: string;
  readonly channelId: string;
  /** Null for a message outside threads. */
  readonly threadId: string | null;
  readonly path: string;
  /** The id of a notification that reading or changing the message does not affect, such as a reminder. */
  readonly ownId?: string;
}

/** A visible notification, shown by the service worker or by this page. */
type Shown = Notification & { readonly data: ShownNotice };

/** True if a message no longer needs a notification, because it was read or deleted. */
type Over = (message: ShownNotice) => boolean;

/** Notifications shown by this page, without a service worker. */
const own = new Set<Shown>();
/** Messages whose notifications are about to be shown. */
const coming = new Set<ShownNotice>();
/**
 * The latest predicates. A queued notification must not be shown if its message was read or deleted
 * in the meantime.
 */
const lately: Over[] = [];
const KEPT = 100;
/** The tail of the queue of calls to the service worker's notifications. */
let asked: Promise<unknown> = Promise.resolve();

/** Serializes calls, because Chromium loses a notification that is shown while `getNotifications` runs. */
function inTurn<Result>(ask: () => Promise<Result>): Promise<Result> {
  const answer = asked.then(ask);
  asked = answer.catch(() => undefined);
  return answer;
}

/** The active service worker's registration, if there is one. */
async function worker(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return registration?.active ? registration : undefined;
}

/**
 * Shows one notification per message, unless the message was read or deleted in the meantime. The service
 * worker owns the notification: phones require this, and clicks work after the page is closed.
 * Without a worker, the page shows it, and a click calls `open`.
 */
export async function showNotice(
  title: string,
  message: ShownNotice,
  options: { body: string; icon?: string },
  open: (message: ShownNotice) => void,
): Promise<void> {
  const all: NotificationOptions = { ...options, tag: message.ownId ?? message.id, data: message };
  coming.add(message);
  try {
    const registration = await worker();
    await inTurn(async () => {
      if (isOver(message)) return;
      if (registration) await registration.showNotification(title, all);
      else showHere(title, all, message, open);
    });
  } finally {
    coming.delete(message);
  }
}

function showHere(
  title: string,
  all: NotificationOptions,
  message: ShownNotice,
  open: (message: ShownNotice) => void,
): void {
  const notice: Shown = new Notification(title, all);
  own.add(notice);
  notice.onclose = () => own.delete(notice);
  notice.onclick = () => {
    window.focus();
    notice.close();
    open(message);
  };
}

/**
 * Calls `open` with the message of a clicked notification, which the service worker forwards to this page.
 * Returns a function that unsubscribes.
 */
export function onNoticeClick(open: (message: ShownNotice) => void): () => void {
  const take = ({ data }: MessageEvent) => {
    if (data?.clicked) open(data.clicked);
  };
  navigator.serviceWorker?.addEventListener('message', take);
  return () => navigator.serviceWorker?.removeEventListener('message', take);
}

/** Closes notifications that an event makes obsolete: their message was read or deleted, or they were dismissed. */
export async function closeNoticesBy(event: LiveEvent): Promise<void> {
  const over = overBy(event);
  if (!over) return;
  remember(over);
  await closeNotices(over);
}

const isOver: Over = (message) => lately.some((over) => over(message));

function remember(over: Over): void {
  lately.push(over);
  if (lately.length > KEPT) lately.shift();
}

async function closeNotices(over: Over): Promise<void> {
  const registration = await worker();
  const shown = (await inTurn(async () => registration?.getNotifications())) ?? [];
  for (const notice of [...own, ...(shown as Shown[])]) if (notice.data && over(notice.data)) notice.close();
}

/** A predicate for the messages that an event marks as read or deletes; undefined for other events. */
function overBy(event: LiveEvent): Over | undefined {
  switch (event.type) {
    case 'mark.updated': {
      const { channelId, threadId, messageId } = event.data;
      return (told) =>
        !told.ownId && (told.threadId ?? told.channelId) === (threadId ?? channelId) && told.id <= messageId;
    }
    case 'reading.updated': {
      const { serverId, messageId } = event.data;
      return (told) => !told.ownId && told.serverId === serverId && told.id <= messageId;
    }
    case 'notification.updated':
    case 'notification.deleted': {
      const { id, messageId } = event.data;
      return (told) => (told.ownId ? told.ownId === id : told.id === messageId);
    }
    case 'message.deleted': {
      const { id } = event.data;
      return (told) => told.id === id;
    }
    default:
      return undefined;
  }
}

// The next user of this device must not see the previous user's notifications.
onSignedOut(() => {
  const left = new Set(coming);
  remember((message) => left.has(message));
  void closeNotices(() => true);
});
