import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Replica } from '../../../web/replica/replica.ts';
import type { ServerState } from '../../../web/replica/types.ts';
import type { Json } from '../../support/world.ts';

const SERVER = 'server';
const CHANNEL = { id: 'channel', serverId: SERVER, private: false };
const ME = { id: 'me', name: 'Me' };

/** A replica with a channel in which the user `me` has roles, and the keys that have changed since. */
function stage() {
  const changes: string[] = [];
  const lists: string[] = [];
  const replica = new Replica((key) => changes.push(key));
  replica.followers = {
    messagePut: ({ id }) => lists.push(`put ${id}`),
    messageTaken: ({ id }) => lists.push(`taken ${id}`),
    placeTaken: (id) => lists.push(`dropped ${id}`),
  };
  const standing = { userId: ME.id, roleIds: ['role'], isServerCreator: false };
  replica.states.set(SERVER, { standing, user: ME } as unknown as ServerState);
  const put = (rows: Json) => {
    const begun = replica.marks.begin();
    replica.reading(begun, rows);
    replica.marks.end(begun);
  };
  put({ channel: [CHANNEL] });
  changes.length = 0;
  const apply = (type: string, data: Json): boolean =>
    replica.apply({ type, serverId: SERVER, data: { serverId: SERVER, ...data } } as never);
  const has = (nouns: Json) =>
    Object.entries(nouns).filter(([noun, id]) => replica.row(noun as 'message', id as string));
  return { replica, changes, lists, put, apply, has };
}

const inside = { channelId: 'channel', serverId: SERVER };
/** A message with a thread, a reaction and a pin, and a reply in the thread. */
const contents = {
  thread: [{ id: 'thread', messageId: 'message', ...inside }],
  message: [
    { id: 'message', threadId: null, ...inside },
    { id: 'reply', threadId: 'thread', ...inside },
  ],
  reaction: [{ id: 'reaction', messageId: 'message', ...inside }],
  pin: [{ id: 'pin', messageId: 'message', ...inside }],
};
const all = { thread: 'thread', message: 'message', reaction: 'reaction', pin: 'pin' };

test("an event about the user's own membership updates the user's state", () => {
  const { replica, changes, apply } = stage();
  const user = { ...ME, name: 'Renamed' };
  apply('serverMember.updated', { id: 'other', userId: 'you', user: { id: 'you' }, roleIds: [] });
  assert.deepEqual(replica.states.get(SERVER)?.user, ME);
  assert.ok(!changes.includes('state:server') && replica.row('user', 'you'));
  apply('serverMember.updated', { id: 'own', userId: ME.id, user, roleIds: [] });
  assert.deepEqual(replica.states.get(SERVER)?.user, user);
  assert.ok(changes.includes('state:server'));
  apply('serverMember.deleted', { id: 'own', userId: ME.id, user: ME, roleIds: [] });
  assert.deepEqual(replica.states.get(SERVER)?.user, user, 'leaving does not');
});

test("the user's own reactions are stored, and those of others are only counted in the message", () => {
  const { replica, apply, has } = stage();
  apply('reaction.created', { id: 'own', userId: ME.id, messageId: 'message' });
  apply('reaction.created', { id: 'other', userId: 'you', messageId: 'message' });
  assert.deepEqual(
    replica.all('reaction').map(({ id }) => id),
    ['own'],
  );
  apply('reaction.deleted', { id: 'own', userId: ME.id, messageId: 'message' });
  assert.deepEqual(has({ reaction: 'own' }), []);
});

test('a deleted message takes its reactions and pins with it, and lists are notified once', () => {
  const { put, apply, has, lists } = stage();
  put(contents);
  for (let time = 0; time < 2; time++) apply('message.deleted', { id: 'message', ...inside });
  assert.deepEqual(has(all), [['thread', 'thread']]);
  assert.deepEqual(lists, ['taken message']);
});

test('a forgotten message takes its reactions and pins with it, and may come back', () => {
  const { replica, put, has } = stage();
  put(contents);
  const begun = replica.marks.begin();
  replica.forget('message');
  assert.deepEqual(has(all), [['thread', 'thread']]);
  replica.reading(begun, contents as never);
  assert.deepEqual(has(all), Object.entries(all));
});

test('a deleted or hidden channel and its threads lose their contents', () => {
  for (const [type, data] of [
    ['channel.deleted', CHANNEL],
    ['channel.updated', { ...CHANNEL, private: true }],
    ['sight', { channelId: 'channel' }],
  ] as const) {
    const { put, apply, has, lists } = stage();
    put(contents);
    apply(type, data);
    assert.deepEqual(has({ ...all, message: 'reply' }), [], type);
    assert.deepEqual(lists.toSorted(), ['dropped channel', 'dropped thread', 'taken message', 'taken reply']);
    assert.deepEqual(has({ channel: 'channel' }).length, type === 'channel.updated' ? 1 : 0, type);
  }
});

test('an update that may follow a hidden moment drops the contents of its channel, except of direct messages', () => {
  for (const [old, changed, isDropped] of [
    [{}, { name: 'new' }, false],
    [{}, { updatedAt: 2 }, true],
    [{ private: true }, { private: false, name: 'new' }, true],
    [{ kind: 'dm' }, { updatedAt: 2 }, false],
  ] as const) {
    const { put, apply, has } = stage();
    const channel = { ...CHANNEL, kind: 'text', updatedAt: 1, ...old };
    put({ channel: [channel], ...contents });
    apply('channel.updated', { ...channel, ...changed });
    assert.deepEqual(has({ message: 'message' }).length, isDropped ? 0 : 1, JSON.stringify([old, changed]));
  }
});

test('the snapshot has to be read again if the sight of the user may have changed', () => {
  const { replica, apply, has, put } = stage();
  put({ channel: [{ id: 'hidden', serverId: SERVER, private: true }], ...contents });
  assert.equal(apply('role.updated', { id: 'other' }), false);
  assert.equal(apply('server.updated', { id: SERVER, creatorId: 'you' }), false);
  assert.equal(apply('userRole.created', { id: 'holding', userId: 'you', roleId: 'role' }), false);
  put({ message: [{ id: 'secret', channelId: 'hidden', serverId: SERVER, threadId: null }] });
  assert.deepEqual(has({ message: 'secret', thread: 'thread' }).length, 2);
  assert.equal(apply('role.updated', { id: 'role' }), true);
  assert.equal(apply('server.updated', { id: SERVER, creatorId: ME.id }), true, 'the user owns it now');
  assert.deepEqual(has({ message: 'secret', thread: 'thread', channel: 'hidden' }), [
    ['thread', 'thread'],
    ['channel', 'hidden'],
  ]);
  assert.equal(apply('sight', { channelId: null }), true);
  assert.deepEqual(
    replica.all('channel').map(({ id }) => id),
    ['channel'],
    'private channels are removed until the snapshot arrives',
  );
});

test('a server that was left is removed, and one whose events were missed keeps what snapshots replace', () => {
  for (const isLeft of [true, false]) {
    const { replica, changes, put, has } = stage();
    put({ server: [{ id: SERVER }, { id: 'other' }], role: [{ id: 'role', serverId: SERVER }], ...contents });
    put({ channel: [{ id: 'elsewhere', serverId: 'other' }] });
    const begun = replica.marks.begin();
    changes.length = 0;
    replica.drop(SERVER, isLeft);
    const kept = has({ ...all, server: SERVER, channel: 'channel', role: 'role' }).map(([noun]) => noun);
    assert.deepEqual(kept, isLeft ? [] : ['server', 'channel', 'role']);
    assert.deepEqual(has({ server: 'other', channel: 'elsewhere' }).length, 2, 'other servers stay');
    assert.deepEqual([replica.states.has(SERVER), replica.epoch(SERVER)], [!isLeft, 1]);
    assert.deepEqual([changes.includes('epoch:server'), changes.includes('state:server')], [true, isLeft]);
    replica.reading(begun, { message: contents.message, role: [{ id: 'late', serverId: SERVER }] } as never);
    assert.deepEqual(has({ message: 'message', role: 'late' }), [], 'reads from before are ignored');
  }
});

test('a snapshot replaces the rows of its server, except direct messages and rows that changed during the read', () => {
  const { replica, changes, put, apply, has } = stage();
  const dm = { id: 'dm', serverId: SERVER, kind: 'dm', private: false };
  const row = (id: string) => ({ id, serverId: SERVER });
  put({ channel: [dm, row('gone')], role: [row('role'), row('old')], emoji: [row('emoji')], category: [] });
  const begun = replica.marks.begin();
  apply('role.created', row('new'));
  apply('channel.deleted', row('deleted'));
  changes.length = 0;
  replica.snapshot(begun, {
    ...{ server: row(SERVER), user: ME, standing: { userId: ME.id, roleIds: [] }, cursor: '', reading: {} },
    ...{
      channels: [CHANNEL, row('deleted')],
      categories: [row('category')],
      emoji: [],
      roles: [row('role')],
    },
    conversations: [{ ...dm, id: 'recent', latestMessageId: 'message' }],
  } as never);
  const ids = (noun: 'channel' | 'role' | 'emoji' | 'category') => replica.all(noun).map(({ id }) => id);
  assert.deepEqual(ids('channel').sort(), ['channel', 'dm', 'recent']);
  assert.deepEqual([ids('role').sort(), ids('emoji'), ids('category')], [['new', 'role'], [], ['category']]);
  assert.deepEqual(has({ user: ME.id }).length, 1);
  assert.ok(changes.includes('state:server'));
  assert.ok(!('latestMessageId' in (replica.row('channel', 'recent') as object)));
  assert.deepEqual(replica.channelIds(SERVER).toSorted(), ['channel', 'dm', 'recent']);
});

test('a window of a thread is stored even if its first message was deleted', () => {
  for (const message of [null, contents.message[0]]) {
    const { replica, has } = stage();
    const window = { thread: contents.thread[0], message, messages: [contents.message[1]], users: [ME] };
    const rest = {
      cursor: '',
      before: null,
      after: null,
      reactions: [{ id: 'r', messageId: 'reply' }],
      pins: [],
    };
    assert.ok(replica.view(replica.marks.begin(), 'channel', { ...window, ...rest } as never));
    assert.deepEqual(has({ thread: 'thread', message: 'reply', user: ME.id }).length, 3);
    assert.equal(replica.count('message'), message ? 2 : 1);
    assert.deepEqual(replica.all('reaction'), [
      { id: 'r', messageId: 'reply', serverId: SERVER, channelId: 'channel', userId: ME.id },
    ]);
  }
});

test('a window of a thread is discarded if the thread has been deleted since any read in flight', () => {
  for (const isEarlier of [true, false]) {
    const { replica, apply } = stage();
    const early = replica.marks.begin();
    apply('thread.deleted', { id: 'thread', channelId: 'channel' });
    const rows = { messages: [contents.message[1]], users: [], reactions: [], pins: [] };
    const view = {
      thread: contents.thread[0],
      message: null,
      ...rows,
      cursor: '',
      before: null,
      after: null,
    };
    const begun = isEarlier ? early : replica.marks.begin();
    assert.equal(replica.view(begun, 'channel', view as never), false);
    assert.deepEqual([replica.count('thread'), replica.count('message')], [0, 0]);
  }
});

test('a read stores its response, and ends even if it fails', async () => {
  const { replica } = stage();
  const stored: unknown[] = [];
  const put = (answer: unknown) => stored.push([answer, replica.marks.isReading]);
  assert.equal(await replica.read(async () => 'answer', put), 'answer');
  await assert.rejects(
    replica.read(() => Promise.reject(new Error('failed')), put),
    /failed/,
  );
  assert.deepEqual([stored, replica.marks.isReading], [[['answer', true]], false]);
});
