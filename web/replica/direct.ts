import type { Reading } from './reading.ts';
import type { Replica } from './replica.ts';
import type { Api, Rows } from './types.ts';

/** Sorts direct messages by their latest message, or by creation if they have none, latest first. */
export function byActivity(
  channels: readonly Rows['channel'][],
  latest: Reading['latest'],
): readonly Rows['channel'][] {
  const at = new Map(channels.map(({ id }) => [id, latest(id) ?? id]));
  return channels.toSorted((one, other) =>
    (at.get(one.id) as string) > (at.get(other.id) as string) ? -1 : 1,
  );
}

interface MeetingAround {
  api: Api;
  replica: Replica;
  reading: Reading;
}

/**
 * Returns a function that loads the channel of a direct message that is missing from the snapshot, which
 * contains only the most recent ones. Concurrent calls share one request. Rejects with PalaverError if the
 * channel does not exist or the user cannot see it.
 */
export function meeting({ api, replica, reading }: MeetingAround) {
  const asked = new Map<string, Promise<void>>();
  const ask = async (serverId: string, channelId: string): Promise<void> => {
    await replica.read(
      () => api(serverId).channelById({ channelId }),
      (channel, begun) => replica.reading(begun, { channel: [channel] }),
    );
    reading.doubt(serverId, channelId);
  };
  return (serverId: string, channelId: string): Promise<void> => {
    // Until the snapshot has arrived, all channels are unknown.
    if (replica.row('channel', channelId) || !replica.states.has(serverId)) return Promise.resolve();
    const known = asked.get(channelId);
    if (known) return known;
    const answer = ask(serverId, channelId).finally(() => asked.delete(channelId));
    asked.set(channelId, answer);
    return answer;
  };
}
