/// <reference lib="webworker" />
import { pathInSite } from './api/base.ts';
import { isShell } from './shell.ts';

// Caches the HTML shell and the files that pages load, so the client opens offline. API responses are never
// cached. Shows the notifications that the server pushes. A click on a notification opens its message.

/**
 * The names of all files that a page from this build or the previous one may request. Inserted by
 * `build.js`.
 */
declare const FILES: readonly string[];
declare const self: ServiceWorkerGlobalScope;

/** The path that the server is served under; empty for the root. */
const BASE = new URL(self.registration.scope).pathname.slice(0, -1);
/** Each installation on this host has its own cache. */
const CACHE = `palaver${BASE}`;
const FILES_PATH = `${BASE}/web/`;
/** All pages share one shell, cached under this path. */
const SHELL = `${BASE}/`;

const isPage = (pathname: string): boolean => isShell(pathInSite(pathname, BASE) ?? '');

self.addEventListener('install', (event) => {
  event.waitUntil(Promise.all([keepShell(), self.skipWaiting()]));
});

/** Pages report which files they have loaded. */
self.addEventListener('message', (event) => {
  if (Array.isArray(event.data))
    event.waitUntil(Promise.all([keepFiles(event.data), keepShellOf(event.data)]));
});

/** Caches the shell, because the page that registers the worker was not loaded through it. */
async function keepShell(): Promise<void> {
  // Without this header, the server returns JSON.
  const answer = await fetch(SHELL, { headers: { accept: 'text/html' } });
  if (answer.ok && !answer.redirected) await (await caches.open(CACHE)).put(SHELL, answer);
}

/**
 * Updates the cached shell if its main script differs from the page's, which means that the language or the
 * server's version changed after the shell was cached and before this worker handled a page.
 */
async function keepShellOf(addresses: readonly unknown[]): Promise<void> {
  const main = addresses.find((each) => typeof each === 'string' && each.includes(`${FILES_PATH}main-`));
  if (main === undefined) return;
  const kept = await (await caches.open(CACHE)).match(SHELL);
  const text = (await kept?.text()) ?? '';
  if (!text.includes(new URL(String(main)).pathname)) await keepShell();
}

/** Caches the client's files, which are in the browser's HTTP cache by now. */
async function keepFiles(addresses: readonly unknown[]): Promise<void> {
  const known = new Set(FILES.map((name) => new URL(FILES_PATH + name, self.location.origin).href));
  const cache = await caches.open(CACHE);
  for (const address of addresses)
    if (typeof address === 'string' && known.has(address) && !(await cache.match(address)))
      await cache.add(address).catch(() => undefined);
}

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});

const isFirefox = (): boolean => navigator.userAgent.includes('Firefox/');

async function takeOver(): Promise<void> {
  // With navigation preload, the page's request starts while this worker starts. Firefox shows its own error
  // page as soon as that request fails, regardless of what the worker returns, so the client would not open
  // offline.
  const { navigationPreload } = self.registration;
  await (isFirefox() ? navigationPreload?.disable() : navigationPreload?.enable());
  const cache = await caches.open(CACHE);
  const known = new Set(FILES.map((name) => FILES_PATH + name));
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(FILES_PATH) && !known.has(pathname)) await cache.delete(request);
  }
  await self.clients.claim();
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (isPage(pathname)) event.respondWith(shell(event));
  } else if (pathname.startsWith(FILES_PATH)) event.respondWith(file(event));
});

/** The server's shell, or the cached one if the server is unreachable. */
async function shell(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const answer: Response = (await event.preloadResponse) ?? (await fetch(event.request));
    if (answer.ok && !answer.redirected) event.waitUntil(cache.put(SHELL, answer.clone()));
    return answer;
  } catch (error) {
    const kept = await cache.match(SHELL);
    if (kept) return kept;
    throw error;
  }
}

/** A file with a content hash in its name, whose cached copy is never stale. */
async function file(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(event.request);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.status === 200) event.waitUntil(cache.put(event.request, answer.clone()));
  return answer;
}

/** A push from the server (`server/src/push/payload.ts`). */
type Pushed =
  | {
      type: 'message';
      title: string;
      body: string;
      id: string;
      serverId: string;
      channelId: string;
      threadId: string | null;
      path: string;
    }
  | { type: 'read'; channelId: string; id: string };

/** The tail of the queue of pushes. */
let last: Promise<unknown> = Promise.resolve();

// Handles pushes one after the other, because Chromium loses a notification that is shown while
// `getNotifications` runs.
self.addEventListener('push', (event) => {
  const pushed = pushedIn(event);
  const taken = last.then(() => take(pushed));
  last = taken.catch(() => undefined);
  event.waitUntil(taken);
});

/** Undefined for an unknown push, which a later version of the server may send. */
function pushedIn({ data }: PushEvent): Pushed | undefined {
  try {
    return data?.json();
  } catch {
    return undefined;
  }
}

/**
 * Shows a notification for each push, because Safari revokes subscriptions after silent pushes, and Chromium
 * shows its own notice. The notification replaces the previous one of the channel. A `read` push is silent:
 * in Firefox, which allows that, it closes the notifications of read messages.
 */
async function take(pushed: Pushed | undefined): Promise<void> {
  const shown = await self.registration.getNotifications();
  if (pushed?.type === 'read') {
    const { channelId, id } = pushed;
    const isRead = ({ data }: Notification) => data?.channelId === channelId && data.id <= id;
    if (isFirefox()) for (const notification of shown.filter(isRead)) notification.close();
    return;
  }
  if (pushed?.type !== 'message') return self.registration.showNotification('Palaver', { tag: 'palaver' });
  const { title, body, id, serverId, channelId, threadId, path } = pushed;
  // An open page may have shown the message already. The same tag replaces its notification.
  const own = shown.find(({ data }) => data?.id === id);
  const data = { id, serverId, channelId, threadId, path: BASE + path };
  const tag = own?.tag ?? channelId;
  // TypeScript's library lacks `renotify`.
  const options = { body, tag, data, renotify: own === undefined } as NotificationOptions;
  await self.registration.showNotification(title, options);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openMessage(event.notification.data));
});

/**
 * Opens a message in the most recently focused window, even one older than the worker, or in a new window.
 */
async function openMessage(message: { path: string } | null): Promise<void> {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const [window] = all.filter(({ url }) => isPage(new URL(url).pathname));
  if (!window) {
    await self.clients.openWindow(message?.path ?? SHELL);
    return;
  }
  if (message) window.postMessage({ clicked: message });
  // Navigates even if the browser refuses to focus the window.
  await window.focus().catch(() => undefined);
}
