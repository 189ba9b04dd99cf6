import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realAround } from '../../../web/replica/around.ts';
import { Feed } from '../../../web/replica/feed.ts';
import { Replica } from '../../../web/replica/replica.ts';
import type { Json } from '../../support/world.ts';

// A window of messages is asked for before its channel is here, as by an address that names its server. Meanwhile the person loses
// sight of it, leaves, or comes back: the window has to be read again, for it may be older than what was missed.

const SERVER = 'server';

interface Asked {
  replica: Replica;
  /** True if the window is put once the snapshot is here. */
  isPut: () => boolean;
}

/** A replica of somebody in no channel yet, and a window that is under way. */
function asked(isPrivate: boolean): Asked {
  const replica = new Replica(() => {});
  const channel: Json = { id: 'channel', serverId: SERVER, private: isPrivate, roleIds: [] };
  const begun = replica.marks.begin();
  const rows: Json = {
    cursor: 'there',
    users: [],
    threads: [],
    reactions: [],
    pins: [],
    before: null,
    after: null,
  };
  const message: Json = { id: 'message', channelId: 'channel', serverId: SERVER, threadId: null };
  const isPut = () => {
    replica.reading(replica.marks.begin(), { channel: [channel as never] });
    const put = replica.view(begun, 'channel', { ...rows, messages: [message] } as never);
    assert.equal(
      replica.row('message', 'message') !== undefined,
      put,
      'its messages are here if it is of use',
    );
    return put;
  };
  return { replica, isPut };
}

/** A feed whose snapshots never come. */
function feedOf(replica: Replica): Feed {
  const nothing = () => {};
  const never = { serverSnapshot: () => new Promise(nothing) };
  const heard = { applied: nothing, read: nothing, missed: nothing, left: nothing, opened: nothing };
  return new Feed({ replica, around: realAround, api: () => never as never, ...heard });
}

const event = (type: string, data: Json): Json => ({ type, serverId: SERVER, data });

test('a window waits for its channel, and is put if nothing was missed meanwhile', () => {
  for (const isPrivate of [true, false]) {
    const { replica, isPut } = asked(isPrivate);
    replica.apply(event('message.created', { id: 'other', channelId: 'another', serverId: SERVER }));
    assert.equal(isPut(), true);
  }
});

test('a window is of no use if its server was left, or its events were missed, before its channel was here', () => {
  for (const isLeft of [true, false]) {
    const { replica, isPut } = asked(false);
    replica.drop(SERVER, isLeft);
    assert.equal(isPut(), false);
  }
});

test('a window is of no use if sight of its channel was lost before it was here', () => {
  const { replica, isPut } = asked(false);
  replica.apply(event('sight', { channelId: 'channel' }));
  assert.equal(isPut(), false);
});

test('a window of a private channel is of no use if a role may have hidden it; public ones are seen at all times', () => {
  for (const isPrivate of [true, false]) {
    const { replica, isPut } = asked(isPrivate);
    replica.apply(event('userRole.deleted', { id: 'holding', userId: 'user', roleId: 'role' }));
    assert.equal(isPut(), !isPrivate);
  }
});

test('a window is of no use if its channel was updated before it was here: it may have been private', () => {
  const { replica, isPut } = asked(false);
  replica.apply(event('channel.updated', { id: 'channel', serverId: SERVER, private: false, roleIds: [] }));
  assert.equal(isPut(), false);
});

test('a window is of no use if its server has begun since it was asked for: what happened until then is told by nobody', () => {
  const joined = { event: 'joined', data: { serverId: SERVER, cursor: 'later' } };
  const opening = { event: 'opening', data: { userId: 'user', cursors: { user: 'own', [SERVER]: 'later' } } };
  for (const block of [joined, opening]) {
    const { replica, isPut } = asked(false);
    const feed = feedOf(replica);
    feed.take({ event: 'opening', data: { userId: 'user', cursors: { user: 'own' } } });
    feed.take(block);
    assert.equal(isPut(), false, block.event);
  }
});

test('a window that was asked for before the page heard of anything is put only if it is of the place where its events begin', () => {
  for (const [cursor, isOfUse] of [
    ['there', true],
    ['elsewhere', false],
  ] as const) {
    const { replica, isPut } = asked(false);
    feedOf(replica).take({
      event: 'opening',
      data: { userId: 'user', cursors: { user: 'own', [SERVER]: cursor } },
    });
    assert.equal(isPut(), isOfUse, cursor);
  }
});
