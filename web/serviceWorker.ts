/// <reference lib="webworker" />
import { isShell } from './shell.ts';

// Keeps the shell and the files that it has loaded, so that the client opens without a network. Answers of the API are never kept.
// Takes clicks on notifications to the message that they tell of.

/** The names of all files that a page of this build or of the one before may ask for. `build.js` writes them here. */
declare const FILES: readonly string[];
declare const self: ServiceWorkerGlobalScope;

const CACHE = 'palaver';
const FILES_PATH = '/web/';
/** All addresses of the client have the same shell: it is kept once, under this one. */
const SHELL = '/';

self.addEventListener('install', (event) => {
  event.waitUntil(Promise.all([keepShell(), self.skipWaiting()]));
});

/** A page tells which files it has loaded. */
self.addEventListener('message', (event) => {
  if (Array.isArray(event.data))
    event.waitUntil(Promise.all([keepFiles(event.data), keepShellOf(event.data)]));
});

/** The page that registers the worker was not loaded through it. */
async function keepShell(): Promise<void> {
  // A program that asks there gets JSON.
  const answer = await fetch(SHELL, { headers: { accept: 'text/html' } });
  if (answer.ok && !answer.redirected) await (await caches.open(CACHE)).put(SHELL, answer);
}

/**
 * Keeps the shell anew where the kept one begins with another script than the page: its language was changed, or the server upgraded, after
 * the shell was kept and before this worker saw pages come.
 */
async function keepShellOf(addresses: readonly unknown[]): Promise<void> {
  const main = addresses.find((each) => typeof each === 'string' && each.includes(`${FILES_PATH}main-`));
  if (main === undefined) return;
  const kept = await (await caches.open(CACHE)).match(SHELL);
  const text = (await kept?.text()) ?? '';
  if (!text.includes(new URL(String(main)).pathname)) await keepShell();
}

/** Keeps files of the client, which the browser itself has by now. */
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
  // The browser asks for the page while this worker starts. Firefox shows its own page of errors as soon as that fails, whatever the worker
  // answers: without a network nothing would open.
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
    if (isShell(pathname)) event.respondWith(shell(event));
  } else if (pathname.startsWith(FILES_PATH)) event.respondWith(file(event));
});

/** The shell of the server, or the one that was kept where the server cannot be reached. */
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

/** A file whose name has its digest: what was kept is what the server has. */
async function file(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(event.request);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.status === 200) event.waitUntil(cache.put(event.request, answer.clone()));
  return answer;
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openMessage(event.notification.data));
});

/** Shows a message in the window of the client that was looked at last, also one from before the worker, or in a new one if there is none. */
async function openMessage(message: { path: string }): Promise<void> {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const [window] = all.filter(({ url }) => isShell(new URL(url).pathname));
  if (!window) {
    await self.clients.openWindow(message.path);
    return;
  }
  window.postMessage({ clicked: message });
  // It goes there in any case, also where the browser keeps it behind others.
  await window.focus().catch(() => undefined);
}
