import { setImmediate as turn } from 'node:timers/promises';
import type { Block } from '../../web/replica/stream.ts';
import { type Locks, type Port, Tabs } from '../../web/replica/tabs.ts';
import { FakeClock } from './fakeClock.ts';

/** Locks that are granted in the order of their requests, as in a browser. */
export class FakeLocks implements Locks {
  readonly #held = new Map<string, { end: () => void }>();
  readonly #waiting: { name: string; grant: () => void }[] = [];
  requests = 0;

  request(
    name: string,
    { steal, signal }: { steal?: boolean; signal?: AbortSignal },
    run: () => Promise<void>,
  ): Promise<unknown> {
    this.requests++;
    return new Promise((resolve, reject) => {
      const grant = () => {
        let isOver = false;
        const end = (settle: () => void) => () => {
          if (isOver) return;
          isOver = true;
          if (this.#held.get(name) === mine) this.#held.delete(name);
          settle();
          this.#next(name);
        };
        const mine = { end: end(() => reject(new DOMException('stolen', 'AbortError'))) };
        this.#held.set(name, mine);
        void run().then(end(() => resolve(undefined)));
      };
      if (steal) {
        const holder = this.#held.get(name);
        grant();
        holder?.end();
      } else if (this.#held.has(name)) {
        const waiting = { name, grant };
        this.#waiting.push(waiting);
        signal?.addEventListener('abort', () => {
          if (!this.#waiting.includes(waiting)) return;
          this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
          reject(signal.reason);
        });
      } else grant();
    });
  }

  #next(name: string): void {
    if (this.#held.has(name)) return;
    const index = this.#waiting.findIndex((one) => one.name === name);
    this.#waiting.splice(index, index === -1 ? 0 : 1)[0]?.grant();
  }
}

type Message = { kind: string; from: string; leader?: string; to?: string; block?: Block };
export const opening: Block = { event: 'opening', data: {} };
export const block = (event: string): Block => ({ event, data: {} });

/** A tab's port in the channel, which delivers messages to the other tabs, unless the tab is frozen. */
const portOf = (
  id: string,
  state: { isFrozen: boolean; isClosed: boolean; isLate: boolean },
  { ports, said }: { ports: Map<string, Port>; said: Message[] },
): Port => ({
  onmessage: null,
  postMessage(message) {
    if (state.isFrozen) return;
    said.push(message as Message);
    const deliver = () => {
      for (const [other, { onmessage }] of ports) if (other !== id) onmessage?.({ data: message });
    };
    if (state.isLate) setImmediate(deliver);
    else deliver();
  },
  close() {
    state.isClosed = true;
    ports.delete(id);
  },
});

/** A browser whose tabs share locks and a channel. */
export function tabsStage({ clock = new FakeClock(1_000_000) } = {}) {
  const locks = new FakeLocks();
  const ports = new Map<string, Port>();
  const said: Message[] = [];
  const kinds = () => said.splice(0).map(({ kind, from }) => `${from} ${kind}`);
  const open = (
    id: string,
    { isLocked = true, hasPort = true, ready = undefined as Promise<unknown> | undefined } = {},
  ) => {
    const known = new Set([id]);
    const log: string[] = [];
    const state = { isShown: true, isFrozen: false, isClosed: false, isLate: false, hasOpening: true };
    let seen: (() => void) | undefined;
    const port = portOf(id, state, { ports, said });
    if (hasPort) ports.set(id, port);
    const tabs = new Tabs({
      locks: isLocked ? locks : undefined,
      port: hasPort ? port : undefined,
      sight: {
        isShown: () => state.isShown,
        listen(listen) {
          seen = listen;
          return () => {
            seen = undefined;
          };
        },
      },
      around: clock,
      ready,
      id,
      met: (other) => !known.has(other) && Boolean(known.add(other)),
      lead: () => log.push('lead'),
      follow: () => log.push('follow'),
      take: ({ event }) => log.push(event),
      status: (status, nextAt) => log.push(nextAt === null ? status : `${status} ${nextAt}`),
      opening: () => (state.hasOpening ? opening : undefined),
    });
    const show = (isShown: boolean) => {
      state.isShown = isShown;
      seen?.();
    };
    return { tabs, state, port, show, log, took: () => log.splice(0), isWatched: () => seen !== undefined };
  };
  /** Opens a tab and starts it. */
  const started = async (id: string, options?: Parameters<typeof open>[1]) => {
    const tab = open(id, options);
    tab.tabs.start();
    await turn();
    return tab;
  };
  return { locks, clock, said, kinds, open, started };
}
