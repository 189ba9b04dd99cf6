import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realAround } from '../../../web/replica/around.ts';
import { Feed } from '../../../web/replica/feed.ts';
import { Replica } from '../../../web/replica/replica.ts';
import type { Json } from '../../support/world.ts';

// A window of messages is requested before its channel is loaded, as by a URL that names its server. If the
// person loses access, leaves, or returns in the meantime, the window has to be read again, because it may be older
// than missed events.

const SERVER = 'server';

interface Asked {
  replica: Replica;
  /** True if the window is applied once the snapshot arrives. */
  isPut: () => boolean;
}

/** The replica of somebody without channels, and a pending window. */
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
      'its messages exist if and only if it was applied',
    );
    return put;
  };
  return { replica, isPut };
}

/** A feed whose snapshots never arrive. */
function feedOf(replica: Replica): Feed {
  const nothing = () => {};
  const never = { serverSnapshot: () => new Promise(nothing) };
  const heard = { applied: nothing, read: nothing, missed: nothing, left: nothing, opened: nothing };
  return new Feed({ replica, around: realAround, api: () => never as never, ...heard });
}

const event = (type: string, data: Json): Json => ({ type, serverId: SERVER, data });

test('a window waits for its channel and is applied if nothing was missed in the meantime', () => {
  for (const isPrivate of [true, false]) {
    const { replica, isPut } = asked(isPrivate);
    replica.apply(event('message.created', { id: 'other', channelId: 'another', serverId: SERVER }));
    assert.equal(isPut(), true);
  }
});

test('a window is discarded if its server was left, or its events were missed, before its channel arrived', () => {
  for (const isLeft of [true, false]) {
    const { replica, isPut } = asked(false);
    replica.drop(SERVER, isLeft);
    assert.equal(isPut(), false);
  }
});

test('a window is discarded if access to its channel was lost before it arrived', () => {
  const { replica, isPut } = asked(false);
  replica.apply(event('sight', { channelId: 'channel' }));
  assert.equal(isPut(), false);
});

test('a window of a private channel is discarded if a role may have hidden it; public channels are always visible', () => {
  for (const isPrivate of [true, false]) {
    const { replica, isPut } = asked(isPrivate);
    replica.apply(event('userRole.deleted', { id: 'holding', userId: 'user', roleId: 'role' }));
    assert.equal(isPut(), !isPrivate);
  }
});

test('a window is discarded if its channel was updated before it arrived, since it may have been private', () => {
  const { replica, isPut } = asked(false);
  replica.apply(event('channel.updated', { id: 'channel', serverId: SERVER, private: false, roleIds: [] }));
  assert.equal(isPut(), false);
});

test('a window is discarded if its server started after the request: earlier events are not delivered', () => {
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

test('a window requested before the first event is applied only if it belongs to the position where the events start', () => {
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
