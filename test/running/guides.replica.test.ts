// @run sqlite: tests over HTTP, which does not depend on the engine
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { idsOf } from '../support/expect.ts';
import { type OwnClient, ownClient } from '../support/guides.ts';
import type { Json } from '../support/world.ts';

// Gives the replica from the guide "Your own client in an evening" responses and events in orders that break a naive
// one.

let Replica: OwnClient['Replica'];
let follow: OwnClient['follow'];
let close: () => void;
before(async () => {
  ({ Replica, follow, close } = await ownClient());
});
after(() => close());

/** A replica of one server. The test determines the order of its snapshots and events. */
function replicaOf() {
  const replica = new Replica();
  const channel = { id: 'channel', serverId: 'server', private: true };
  const standing = { userId: 'user', roleIds: ['role'] };
  const snapshot = { server: { id: 'server' }, channels: [channel], roles: [], standing };
  const window = {
    messages: [{ id: 'm1', channelId: 'channel', serverId: 'server' }],
    before: null,
    after: null,
  };
  const view = (begun: number) => {
    replica.view('channel', { users: [], reactions: [], threads: [], pins: [], ...window }, begun);
    return replica.ranges.has('channel');
  };
  const role = (verb: string) =>
    replica.apply({ type: `userRole.${verb}`, serverId: 'server', data: { userId: 'user', roleId: 'role' } });
  return { replica, channel, snapshot, view, role };
}

test('a window requested before its channel arrived is discarded, because later events may be missing', () => {
  const { replica, channel, snapshot, view, role } = replicaOf();
  const before = replica.begin();
  replica.snapshot(snapshot, replica.begin());
  assert.equal(view(before), false, 'requested before the stream started');
  assert.equal(view(replica.begin()), true);
  assert.equal(role('deleted'), true);
  replica.snapshot({ ...snapshot, channels: [] }, replica.begin());
  const away = replica.begin();
  // The replica would not learn that this message is deleted while the member has no access to the channel.
  replica.apply({ type: 'message.created', serverId: 'server', data: { id: 'm2', channelId: 'channel' } });
  // The role is assigned, removed and assigned again, with a message in between. The channel is absent all the
  // time.
  for (const verb of ['created', 'deleted', 'created']) assert.equal(role(verb), true);
  replica.snapshot(snapshot, replica.begin());
  assert.equal(view(away), false, 'requested while the channel was missing');
  assert.equal(view(replica.begin()), true);
  assert.deepEqual(idsOf(replica.messages('channel')), ['m1'], 'nothing from the meantime');
  replica.apply({ type: 'sight', serverId: 'server', data: { channelId: 'channel' } });
  const lost = replica.begin();
  replica.apply({ type: 'channel.updated', serverId: 'server', data: { ...channel, private: false } });
  assert.equal(view(lost), false, 'requested before an event restored the channel');
  assert.equal(view(replica.begin()), true);
  replica.apply({ type: 'channel.updated', serverId: 'server', data: channel });
  assert.equal(replica.ranges.has('channel'), false, 'earlier events may be missing');
  assert.equal(view(replica.begin()), true);
});

/** The state of the guide's client after these streams, with the snapshot last. */
async function followed(
  streams: [event: string, data: Json][][],
): Promise<[servers: number, channels: number]> {
  const { replica, snapshot } = replicaOf();
  const over = new AbortController();
  let answer: (snapshot: Json) => void = () => {};
  await follow({
    replica,
    signal: over.signal,
    pause: 1,
    ask: () => new Promise((resolve) => (answer = resolve)),
    open: async () => {
      const blocks = streams.shift();
      if (!blocks) {
        answer(snapshot);
        over.abort();
      }
      const texts = blocks?.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      return new Response(texts?.join('') ?? '');
    },
  });
  return [replica.servers.size, replica.table('channel').size];
}

test('events and snapshots in flight when a server is left do not bring it back', async () => {
  const opening: [string, Json] = ['opening', { userId: 'user', cursors: { user: 'u1', server: 's1' } }];
  const data = { id: 'channel', serverId: 'server' };
  const event: [string, Json] = ['message', { type: 'channel.created', id: 's2', serverId: 'server', data }];
  assert.deepEqual(await followed([[opening]]), [1, 1]);
  assert.deepEqual(await followed([[opening, ['left', { serverId: 'server' }], event]]), [0, 0]);
  const without: [string, Json] = ['opening', { userId: 'user', cursors: { user: 'u1' } }];
  assert.deepEqual(await followed([[opening], [without]]), [0, 0]);
});

test('before the first snapshot, a role change drops events already delivered from private channels', () => {
  const { replica, channel, snapshot, view, role } = replicaOf();
  replica.apply({ type: 'channel.updated', serverId: 'server', data: channel });
  const begun = replica.begin();
  assert.equal(view(begun), true);
  for (const verb of ['deleted', 'created']) assert.equal(role(verb), true);
  replica.snapshot(snapshot, replica.begin());
  assert.equal(replica.ranges.has('channel'), false);
  assert.equal(view(begun), false);
  assert.equal(view(replica.begin()), true);
});
