import { setImmediate as turn } from 'node:timers/promises';
import { type Kept, keptInMemory } from '../../web/replica/kept.ts';
import { Outbox, type OutboxAround } from '../../web/replica/outbox.ts';
import { Replica } from '../../web/replica/replica.ts';
import type { Api, LiveEvent, OutboxRow } from '../../web/replica/types.ts';
import { FakeClock } from './fakeClock.ts';
import type { Json } from './world.ts';

/** A request that sends a message. */
interface Sent {
  body: Json;
  key: string;
  signal: AbortSignal;
  /** Responds with a message, which the replica then has unless `isMissing` is set. */
  accept(message?: Json): Promise<void>;
  refuse(status: number): Promise<void>;
}

interface Options extends Partial<Pick<OutboxAround, 'tab' | 'isLost'>> {
  kept?: Kept;
  clock?: FakeClock;
  /** True if the replica does not store a message from its response. */
  isMissing?: boolean;
}

/** An outbox on a fake clock, whose requests the test answers. */
export function outboxStage({ kept = keptInMemory(), clock = new FakeClock(1e12), ...given }: Options = {}) {
  const replica = new Replica(() => {});
  replica.userId = 'me';
  const [requests, changes, arrived]: [Sent[], string[], string[]] = [[], [], []];
  let answers = 0;
  const messageSend = (
    body: Json,
    { idempotencyKey, signal }: { idempotencyKey: string; signal: AbortSignal },
  ) => {
    const { promise, resolve, reject } = Promise.withResolvers<Json>();
    requests.push({
      ...{ body, key: idempotencyKey, signal },
      accept: async (message = {}) => {
        resolve({ id: `message-${++answers}`, ...body, ...message });
        await turn();
      },
      refuse: async (status) => {
        reject(Object.assign(new Error('failed'), { code: `CODE_${status}`, status }));
        await turn();
      },
    });
    return promise;
  };
  const outbox = new Outbox({
    ...{ kept, replica, around: clock, api: (() => ({ messageSend })) as unknown as Api },
    ...({ tab: given.tab, isLost: given.isLost, changed: (key: string) => changes.push(key) } as Pick<
      OutboxAround,
      'changed'
    >),
    arrived: ({ key }, message, begun) => {
      arrived.push(key);
      if (!given.isMissing) replica.reading(begun, { message: [{ threadId: null, ...message } as never] });
    },
  });
  const send = (content: string, place: Json = {}) =>
    outbox.send({ serverId: 'server', channelId: 'channel', attachmentIds: [], content, ...place });
  /** An event with a message that the user created, unless `data` says otherwise. */
  const event = (content: string, data: Json = {}) =>
    outbox.apply({
      type: 'message.created',
      data: { id: 'elsewhere', creatorId: 'me', channelId: 'channel', threadId: null, content, ...data },
    } as unknown as LiveEvent);
  const shown = (placeId = 'channel') =>
    outbox.at(placeId).map(({ content, state }) => `${content} ${state}`);
  const stored = async () =>
    ((await kept.all('outbox')) as (OutboxRow & { state?: string })[]).map(({ content }) => content);
  /** The requests since the last call. */
  const asked = () => requests.splice(0);
  return { ...{ outbox, replica, clock, kept, changes, arrived }, send, event, shown, stored, asked };
}
