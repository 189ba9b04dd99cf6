import type { TestContext } from 'node:test';
import type { Viewer } from '../../server/src/access/visibility.ts';
import { type EventKind, EventTable } from '../../server/src/feed/eventKind.ts';
import { Feed } from '../../server/src/feed/feed.ts';
import type { Relay } from '../../server/src/feed/valkeyRelay.ts';
import type { Pulse } from '../../server/src/lib/pulse.ts';
import { EventLog } from './eventLog.ts';

const kind = (type: string, more: Partial<EventKind> = {}) =>
  ({ type, audience: 'member', log: 'server', live: undefined, ...more }) as EventKind;
const events = new EventTable([
  kind('pin.created'),
  kind('presence.updated', { live: 'plain' }),
  kind('typing.started', { live: 'indicator' }),
]);
export const seqsOf = (all: readonly { seq: number }[]) => all.map(({ seq }) => seq);

/** The callbacks that the feed registered with its pulse and relay, for the test to call. */
interface Hooks {
  poll(): void;
  isAwake(): boolean;
  wake(logIds: string[]): void;
  gap(): void;
}

/** The listeners that the feed registered with the relay, by topic. */
type Heard = Record<string, (all: object[]) => void>;

const pulseOf = (hooks: Hooks) =>
  ({
    active() {},
    stayAwakeWhile(isAwake: () => boolean) {
      hooks.isAwake = isAwake;
    },
    every(_ms: number, run: () => void) {
      hooks.poll = run;
      return () => {};
    },
  }) as unknown as Pulse;

const relayTo = (up: boolean, hooks: Hooks, { heard, sent }: { heard: Heard; sent: unknown[] }) =>
  ({
    up,
    tellWake: (logIds: string[]) => sent.push(logIds),
    tellLive: (news: object) => sent.push(news),
    tellOf: (topic: string, news: object) => sent.push([topic, news]),
    onWake(listener: (logIds: string[]) => void) {
      hooks.wake = listener;
    },
    onLive(listener: (news: unknown) => void) {
      heard.live = ([news]) => listener(news);
    },
    onNewsOf(topic: string, listener: (all: object[]) => void) {
      heard[topic] = listener;
    },
    onGap(listener: () => void) {
      hooks.gap = listener;
    },
  }) as unknown as Relay;

/** A feed whose clock and polls the test controls. If `up` is given, it has a relay to other nodes. */
export async function feedStage(t: TestContext, up?: boolean) {
  const log = await EventLog.open(t);
  const time = { now: 1_800_000_000_000, ms: 10_000 };
  t.mock.method(performance, 'now', () => time.ms);
  const hooks: Hooks = { poll() {}, isAwake: () => false, wake() {}, gap() {} };
  const heard: Heard = {};
  const sent: unknown[] = [];
  const deps = { now: () => time.now, randomBytes: (size: number) => Buffer.alloc(size, 7) };
  const feed = new Feed(
    log.db,
    deps as never,
    events,
    up === undefined ? undefined : relayTo(up, hooks, { heard, sent }),
    pulseOf(hooks),
  );
  t.after(() => feed.close());
  const viewer = { userId: 'user', serverId: log.id, roleIds: [], flags: new Set() } as unknown as Viewer;
  /** Opens a reader, and counts its notifications. */
  const follow = async (personId?: string) => {
    const reader = await feed.reader(log.id, {}, async () => viewer, personId);
    const told = { events: 0, lost: 0, live: [] as string[] };
    reader.onEvents = () => told.events++;
    reader.onLost = () => told.lost++;
    reader.tellLive = ({ type }) => told.live.push(type);
    return { reader, told, next: async () => seqsOf(await reader.next(99)) };
  };
  const settle = async () => {
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
    // The first poll writes the epoch.
    await log.db.write(async () => {});
    for (let turns = 0; turns < 30; turns++) await new Promise(setImmediate);
  };
  /** Lets time pass, polls if a poll is due, and returns whether it was. */
  const poll = async (ms = 1_000) => {
    time.ms += ms;
    time.now += ms;
    const place = t.mock.method(log.db, 'place');
    hooks.poll();
    await settle();
    place.mock.restore();
    return place.mock.callCount() > 0;
  };
  return { log, feed, time, hooks, heard, sent, viewer, follow, settle, poll };
}
