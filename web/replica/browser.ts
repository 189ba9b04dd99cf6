import { databases, KEPT, nameOf } from './forget.ts';
import { type Kept, type KeptStore, keptOrInMemory } from './kept.ts';
import type { SessionOptions } from './session.ts';
import type { Schedule } from './subscriptions.ts';
import type { Port } from './tabs.ts';

const stores: readonly KeptStore[] = ['outbox', 'draft'];
/** A frame may never come, as in a page that is just being hidden. */
const LONGEST_FRAME_MS = 200;
/** Drawing what comes takes at most one part in so many of the time, so that keys find the page free; but nothing waits longer. */
const FREE_PARTS = 3;
const LONGEST_PAUSE_MS = 100;
/** Whoever has typed within this goes on typing: what comes meanwhile is drawn after the next key. */
const TYPING_MS = 250;

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Some browsers never answer who opens a database, until they are started anew: after this it is done without, in ms. */
const LONGEST_OPEN_MS = 2_000;

const late = (): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error('the database did not open')), LONGEST_OPEN_MS);
  });

/** Keeps rows in the browser's database, apart for each person. Opened at the first use. */
function keptInBrowser(name: string): Kept {
  let opened: Promise<IDBDatabase> | undefined;
  let database: IDBDatabase | undefined;
  const open = (): Promise<IDBDatabase> => {
    const request = databases()?.open(name, 1);
    if (!request) return Promise.reject(new Error('there is no database'));
    request.onupgradeneeded = () => {
      for (const store of stores) request.result.createObjectStore(store);
    };
    const asked = done(request);
    const opening = Promise.race([asked, late()]);
    // Before whoever waits for it goes on, so that what was asked for first is done first.
    opening.then(
      (here) => {
        // The person signs out, in this tab or in another.
        here.onversionchange = () => here.close();
        database = here;
      },
      // One that comes late is not used, and must not stand in the way of its end.
      () => asked.then((here) => here.close()).catch(() => undefined),
    );
    return opening;
  };
  const askNow = async <T>(
    of: (rows: IDBObjectStore) => IDBRequest<T>,
    transaction: IDBTransaction,
    store: KeptStore,
  ) => {
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const request = of(transaction.objectStore(store));
    // Nothing follows in it: the browser completes it also if the page ends before it hears of the request.
    transaction.commit();
    // Kept only once the transaction is complete.
    const [result] = await Promise.all([done(request), ended]);
    return result;
  };
  /** Once the database is open, what is asked for is on its way before this returns. */
  const ask = async <T>(
    store: KeptStore,
    mode: IDBTransactionMode,
    of: (rows: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> => {
    opened ??= open();
    const within = (here: IDBDatabase) => askNow(of, here.transaction(store, mode), store);
    return database ? within(database) : opened.then(within);
  };
  return {
    all: (store) => ask<unknown[]>(store, 'readonly', (rows) => rows.getAll()),
    async put(store, key, row) {
      await ask(store, 'readwrite', (rows) => rows.put(row, key));
      return true;
    },
    delete: async (store, key) => void (await ask(store, 'readwrite', (rows) => rows.delete(key))),
    isOpen: () => database !== undefined,
  };
}

/**
 * Soon, and at most once in a frame; where frames take long, and changes come all the time, several of them are drawn at once. It
 * runs before the frame, not in it: what follows from a change, such as its effects and the events of scrolling, is then in the same
 * frame, and the page is not drawn twice.
 */
function beforeFrames(): Schedule {
  let isDrawing = false;
  /** What waits for the frame. */
  let next: (() => void) | undefined;
  /** When the next may be drawn, and when the frame began, in ms of `performance`; and how long was worked before it. */
  let free = 0;
  let began = 0;
  let worked = 0;
  let fallback: ReturnType<typeof setTimeout>;
  const { port1, port2 } = new MessageChannel();
  /** What waits for its turn, and when the last key came. */
  let waiting: { run: () => void; timer: ReturnType<typeof setTimeout> } | undefined;
  let typedAt = Number.NEGATIVE_INFINITY;
  function wait(run: () => void): void {
    const now = performance.now();
    // Right after a key is the best time: the next one is farthest away.
    const pause = Math.max(0, now - typedAt < TYPING_MS ? typedAt + TYPING_MS - now : free - now);
    waiting = { run, timer: setTimeout(drawWaiting, pause) };
  }
  function drawWaiting(): void {
    if (!waiting) return;
    const { run, timer } = waiting;
    waiting = undefined;
    clearTimeout(timer);
    draw(run);
  }
  const afterKey = new MessageChannel();
  // What else waits for the frame with the key goes first.
  afterKey.port1.onmessage = () => void setTimeout(drawWaiting);
  const keyed = () => {
    typedAt = performance.now();
    // It comes once the frame with the key is drawn.
    requestAnimationFrame(() => afterKey.port2.postMessage(undefined));
  };
  addEventListener('keydown', keyed, { capture: true, passive: true });
  function draw(run: () => void): void {
    const now = performance.now();
    isDrawing = document.visibilityState === 'visible';
    run();
    worked = performance.now() - now;
    if (!isDrawing) return;
    requestAnimationFrame(inFrame);
    fallback = setTimeout(drawn, LONGEST_FRAME_MS);
  }
  function inFrame(): void {
    began = performance.now();
    // It comes once the frame is drawn.
    port2.postMessage(undefined);
  }
  function drawn(): void {
    clearTimeout(fallback);
    if (!isDrawing) return;
    isDrawing = false;
    const now = performance.now();
    free = now + Math.min(LONGEST_PAUSE_MS, (worked + now - began) * (FREE_PARTS - 1));
    if (next) wait(next);
    next = undefined;
  }
  port1.onmessage = drawn;
  return (run) => {
    if (isDrawing) next = run;
    else wait(run);
  };
}

const listenTo = (target: EventTarget, names: readonly string[]) => (listen: () => void) => {
  for (const name of names) target.addEventListener(name, listen);
  return () => {
    for (const name of names) target.removeEventListener(name, listen);
  };
};

/** False if this browser can have kept nothing of the person yet. From now on it may. */
function hasKept(person: string): boolean {
  const key = KEPT + person;
  try {
    const isKnown = localStorage.getItem(key) !== null;
    if (!isKnown) localStorage.setItem(key, '1');
    return isKnown;
  } catch {
    return true;
  }
}

/** All that a session in a page needs beside the API. `person` tells people apart who share a browser. */
export function browserAround(person: string): Omit<SessionOptions, 'api'> {
  const name = nameOf(person);
  return {
    fetch: (path, init) => fetch(path, { ...init, credentials: 'same-origin', cache: 'no-store' }),
    kept: keptOrInMemory(keptInBrowser(name)),
    hasKept: hasKept(person),
    // Both are missing on plain HTTP under an address of the local network.
    locks: navigator.locks && {
      request: (lock, options, run) => navigator.locks.request(`${lock}-${person}`, options, run),
    },
    port: typeof BroadcastChannel === 'undefined' ? undefined : (new BroadcastChannel(name) as Port),
    sight: {
      isShown: () => document.visibilityState === 'visible',
      listen: listenTo(document, ['visibilitychange']),
    },
    online: listenTo(window, ['online', 'pageshow', 'resume']),
    offline: listenTo(window, ['offline']),
    leaving: listenTo(window, ['pagehide', 'blur']),
    schedule: beforeFrames(),
  };
}
