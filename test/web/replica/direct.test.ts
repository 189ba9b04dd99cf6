import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byActivity, meeting } from '../../../web/replica/direct.ts';
import type { Reading } from '../../../web/replica/reading.ts';
import { Replica } from '../../../web/replica/replica.ts';
import type { Api, Rows, ServerState } from '../../../web/replica/types.ts';

const SERVER = 'server';

/** A replica and `meet`, with lists of the requests that `meet` sends and of the counts that it doubts. */
function stage() {
  const replica = new Replica(() => {});
  const asked: string[] = [];
  const doubts: unknown[] = [];
  const api = () => ({
    channelById: async ({ channelId }: { channelId: string }) => {
      asked.push(channelId);
      if (channelId === 'hidden') throw new Error('refused');
      return { id: channelId, serverId: SERVER, kind: 'dm' };
    },
  });
  const reading = { doubt: (...spot: unknown[]) => doubts.push(spot) } as unknown as Reading;
  const meet = meeting({ api: api as unknown as Api, replica, reading });
  return { replica, asked, doubts, meet };
}

test('a direct message missing from the snapshot is loaded once, and its counts are requested', async () => {
  const { replica, asked, doubts, meet } = stage();
  await meet(SERVER, 'dm');
  assert.deepEqual(asked, [], 'nothing is known before the snapshot');
  replica.states.set(SERVER, {} as ServerState);
  await Promise.all([meet(SERVER, 'dm'), meet(SERVER, 'dm')]);
  await meet(SERVER, 'dm');
  assert.deepEqual([asked, doubts], [['dm'], [[SERVER, 'dm']]]);
  assert.equal(replica.row('channel', 'dm')?.kind, 'dm');
});

test('a channel that could not be loaded is requested again the next time', async () => {
  const { replica, asked, doubts, meet } = stage();
  replica.states.set(SERVER, {} as ServerState);
  for (let time = 0; time < 2; time++) await assert.rejects(meet(SERVER, 'hidden'), /refused/);
  assert.deepEqual([asked, doubts], [['hidden', 'hidden'], []]);
});

test('direct messages are sorted by their latest message, or by their own id if they have none', () => {
  const channels = ['1', '5', '7'].map((id) => ({ id }) as Rows['channel']);
  const latest = (id: string) => (id === '1' ? '6' : undefined);
  assert.deepEqual(
    byActivity(channels, latest).map(({ id }) => id),
    ['7', '1', '5'],
  );
});
