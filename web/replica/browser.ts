import { base } from '../api/base.ts';
import { noteFactor } from '../api/endings.ts';
import { databases, KEPT, nameOf } from './forget.ts';
import { type Kept, type KeptStore, keptOrInMemory } from './kept.ts';
import type { SessionOptions } from './session.ts';
import type { Schedule } from './subscriptions.ts';
import type { Port } from './tabs.ts';

const stores: readonly KeptStore[] = ['outbox', 'draft'];
/** Timeout for an animation frame: a page that is being hidden may never get one. */
const LONGEST_FRAME_MS = 200;
/**
 * Rendering gets at most 1/FREE_PARTS of the main thread's time, which keeps typing responsive.
 * The pause between two updates is at most LONGEST_PAUSE_MS, or TYPING_MS while the user types.
 */
const FREE_PARTS = 3;
const LONGEST_PAUSE_MS = 100;
/** A user who typed within this time is still typing: updates wait for the next key or the end of this time. */
const TYPING_MS = 250;

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Timeout in ms for opening the database: some browsers do not respond until they are restarted. */
const LONGEST_OPEN_MS = 2_000;

const late = (): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error('opening the database timed out')), LONGEST_OPEN_MS);
  });

/** Stores rows in IndexedDB, in one database per user. Opened on first use. */
function keptInBrowser(name: string): Kept {
  let opened: Promise<IDBDatabase> | undefined;
  let database: IDBDatabase | undefined;
  const open = (): Promise<IDBDatabase> => {
    const request = databases()?.open(name, 1);
    if (!request) return Promise.reject(new Error('IndexedDB is not available'));
    request.onupgradeneeded = () => {
      for (const store of stores) request.result.createObjectStore(store);
    };
    const asked = done(request);
    const opening = Promise.race([asked, late()]);
    // Attached before the callers' handlers, so requests run in the order they were made.
    opening.then(
      (here) => {
        // The user signed out, in this tab or another, and the database is being deleted.
        here.onversionchange = () => here.close();
        database = here;
      },
      // A database that opens after the timeout is not used. Left open, it would block its own deletion.
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
    // Committed explicitly: the transaction then completes even if the page closes before the request's
    // event.
    transaction.commit();
    // The row is stored only once the transaction is complete.
    const [result] = await Promise.all([done(request), ended]);
    return result;
  };
  /** Issues the request synchronously if the database is already open. */
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
 * Batches updates to at most one per frame, and fewer if frames are slow and changes never stop. Updates
 * run before the frame instead of in it, so the effects and scroll events of a change land in the same
 * frame and the page is not rendered twice.
 */
function beforeFrames(): Schedule {
  let isDrawing = false;
  /** The update that is waiting for the frame. */
  let next: (() => void) | undefined;
  /**
   * The earliest time for the next update and the time the frame began, both on the clock of `performance`,
   * and how long the work before the frame took. In ms.
   */
  let free = 0;
  let began = 0;
  let worked = 0;
  let fallback: ReturnType<typeof setTimeout>;
  const { port1, port2 } = new MessageChannel();
  /** The throttled update, and the time of the last key. */
  let waiting: { run: () => void; timer: ReturnType<typeof setTimeout> } | undefined;
  let typedAt = Number.NEGATIVE_INFINITY;
  function wait(run: () => void): void {
    const now = performance.now();
    // Right after a keystroke is the best moment: the next one is furthest away.
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
  // Lets other work queued for the key's frame run first.
  afterKey.port1.onmessage = () => void setTimeout(drawWaiting);
  const keyed = () => {
    typedAt = performance.now();
    // The message is delivered once the frame that shows the keystroke is painted.
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
    // The message is delivered once the frame is painted.
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

/** False on the first call for a user in this browser, which therefore has no data of the user yet. */
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

/** Everything a session in a page needs besides the API. `person` separates users who share a browser. */
export function browserAround(person: string): Omit<SessionOptions, 'api'> {
  const name = nameOf(person);
  return {
    async fetch(path, init) {
      const answer = await fetch(base + path, { ...init, credentials: 'same-origin', cache: 'no-store' });
      if (answer.status === 403) await noteFactor(answer.clone());
      return answer;
    },
    kept: keptOrInMemory(keptInBrowser(name)),
    hasKept: hasKept(person),
    // `navigator.locks` is missing on plain HTTP at a LAN address.
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
    isOffline: () => !navigator.onLine,
    leaving: listenTo(window, ['pagehide', 'blur']),
    schedule: beforeFrames(),
  };
}
