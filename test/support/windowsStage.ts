import { setImmediate as turn } from 'node:timers/promises';
import { Lines } from '../../web/replica/lines.ts';
import { Replica } from '../../web/replica/replica.ts';
import { Subscriptions } from '../../web/replica/subscriptions.ts';
import type { Api } from '../../web/replica/types.ts';
import { Windows } from '../../web/replica/windows.ts';
import { FakeClock } from './fakeClock.ts';
import type { Json } from './world.ts';

const view = { cursor: '', users: [], threads: [], reactions: [], pins: [], before: null, after: null };

/** Windows of a server with the channel `channel`, whose requests the test answers. */
export function windowsStage() {
  const clock = new FakeClock();
  const subscriptions = new Subscriptions(queueMicrotask);
  const changed = (key: string) => subscriptions.changed(key);
  const replica = new Replica(changed);
  const lines = new Lines(replica, changed, () => false);
  replica.followers = {
    messagePut: (row) => lines.add(row),
    messageTaken: (row) => lines.remove(row),
    placeTaken: (id) => lines.drop(id),
  };
  const requests: Json[] = [];
  const ask = (kind: string, serverId: string) => (input: Json) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    const channelId = kind === 'channel' ? input.id : 'channel';
    const inThread = kind === 'thread' ? { thread: { id: input.id, channelId, serverId: 'server' } } : {};
    const threadId = kind === 'thread' ? input.id : null;
    requests.push({
      ...{ kind, serverId, input },
      /** Responds with these messages. */
      answer: async (ids: string[], rest: Json = {}) => {
        const messages = ids.map((id) => ({ id, channelId, threadId, serverId: 'server' }));
        resolve({ ...view, ...inThread, messages, ...rest });
        await turn();
      },
      refuse: async (status?: number) => {
        reject(Object.assign(new Error('refused'), { status }));
        await turn();
      },
    });
    return promise;
  };
  const api = (serverId: string) => ({
    channelView: ask('channel', serverId),
    threadView: ask('thread', serverId),
  });
  const windows = new Windows({
    ...{ replica, lines, around: clock, api: api as unknown as Api },
    subscribe: (key, listen) => subscriptions.subscribe(key, listen),
    next: (key) => subscriptions.next(key),
  });
  /** A channel becomes visible. */
  const appear = async (id: string) => {
    const begun = replica.marks.begin();
    replica.reading(begun, { channel: [{ id, serverId: 'server', private: false } as never] });
    replica.marks.end(begun);
    await turn();
  };
  const requested = async (): Promise<Json[]> => {
    await turn();
    return requests.splice(0);
  };
  const line = (id = 'channel') => lines.get(id)?.ids.join(' ');
  return { windows, replica, lines, clock, appear, requested, line };
}

/** The stage once the channel is open and shows its last messages. */
export async function openChannel(ids = ['k', 'l', 'm'], rest: Json = { before: 'k' }) {
  const stage = windowsStage();
  await stage.appear('channel');
  void stage.windows.open('channel');
  await (await stage.requested())[0]?.answer(ids, rest);
  return stage;
}
