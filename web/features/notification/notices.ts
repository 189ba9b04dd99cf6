import { onSignedOut } from '../../api/index.ts';
import type { LiveEvent } from '../../replica/types.ts';

/** A message of which the browser tells, and the path to it. */
export interface ShownNotice {
  readonly id: string;
  readonly serverId: string;
  readonly channelId: string;
  /** Null for a message of the channel itself. */
  readonly threadId: string | null;
  readonly path: string;
}

/** A notification that is shown, by the worker or by this page. */
type Shown = Notification & { readonly data: ShownNotice };

/** Tells whether nobody has to be told of a message any more. */
type Over = (message: ShownNotice) => boolean;

/** Those of this page, where there is no worker. */
const own = new Set<Shown>();
/** Messages of which the browser is being told. */
const coming = new Set<ShownNotice>();
/** Why messages are over, lately: a notification waits for its turn, and its message may be over by then. */
const lately: Over[] = [];
const KEPT = 100;
/** The end of what the worker's notifications have been asked for so far. */
let asked: Promise<unknown> = Promise.resolve();

/** One after the other: Chromium loses a notification that it is asked to show while it is asked which there are. */
function inTurn<Result>(ask: () => Promise<Result>): Promise<Result> {
  const answer = asked.then(ask);
  asked = answer.catch(() => undefined);
  return answer;
}

/** The worker, if the browser has taken it. */
async function worker(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return registration?.active ? registration : undefined;
}

/**
 * Shows a notification, one for each message, unless the message was read or deleted meanwhile. The service worker holds it: so it works on a
 * phone, and can be clicked when the page is gone. Without a worker the page shows it, and `open` is called for a click.
 */
export async function showNotice(
  title: string,
  message: ShownNotice,
  options: { body: string; icon?: string },
  open: (message: ShownNotice) => void,
): Promise<void> {
  const all: NotificationOptions = { ...options, tag: message.id, data: message };
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

/** Shows it by this page. */
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

/** Calls `open` with the message whose notification was clicked, and that the worker has brought to this page. Returns what ends it. */
export function onNoticeClick(open: (message: ShownNotice) => void): () => void {
  const take = ({ data }: MessageEvent) => {
    if (data?.clicked) open(data.clicked);
  };
  navigator.serviceWorker?.addEventListener('message', take);
  return () => navigator.serviceWorker?.removeEventListener('message', take);
}

/** Closes the notifications of what was read on another device, or deleted. */
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

/** Tells which messages are over by an event; undefined for an event by which none is. */
function overBy(event: LiveEvent): Over | undefined {
  switch (event.type) {
    case 'mark.updated': {
      const { channelId, threadId, messageId } = event.data;
      return (told) => (told.threadId ?? told.channelId) === (threadId ?? channelId) && told.id <= messageId;
    }
    case 'reading.updated': {
      const { serverId, messageId } = event.data;
      return (told) => told.serverId === serverId && told.id <= messageId;
    }
    case 'notification.updated':
    case 'notification.deleted': {
      const { messageId } = event.data;
      return (told) => told.id === messageId;
    }
    case 'message.deleted': {
      const { id } = event.data;
      return (told) => told.id === id;
    }
    default:
      return undefined;
  }
}

// Nothing that a person was told of stays on the screen of the next.
onSignedOut(() => {
  const left = new Set(coming);
  remember((message) => left.has(message));
  void closeNotices(() => true);
});
