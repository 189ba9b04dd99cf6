import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newSessionToken } from '../../server/src/access/credentials/session.ts';
import { hashPassword } from '../../server/src/accounts/password.ts';
import { Browser, PASSWORD } from '../support/account.ts';
import { dataOf, idsOf } from '../support/expect.ts';
import { openOldWorld } from '../support/oldSchema.ts';
import { createDeps, find } from '../support/sources.ts';
import type { Json } from '../support/world.ts';

// Upgrades an account, its session, its link and a file in a message from before passkeys, emails, the
// platform, read marks and pictures.

/** The last version of the schema without these features. */
const VERSION = 15;
const FAR_AHEAD = 8_000_000_000_000;

const { newId } = createDeps();
const [ada, bob, server, role, channel, file] = [newId(), newId(), newId(), newId(), newId(), newId()];
const members = { ada: newId(), bob: newId() };
/** Messages by bob, all sent after ada joined. */
const messages = [newId(), newId(), newId()] as [string, string, string];
const token = newSessionToken(randomBytes);
const linkDigest = hash('sha256', 'a link', 'hex');

const insert = (table: string, row: object): string => {
  const values = Object.values(row).map((value) =>
    typeof value === 'string' ? `'${value}'` : String(value),
  );
  return `insert into "${table}" (${Object.keys(row).map((name) => `"${name}"`)}) values (${values})`;
};
const row = (id: string) => ({ id, createdAt: 1, updatedAt: 1 });
const user = (id: string, name: string) =>
  insert('user', { ...row(id), username: name, name, type: 'person', platformAdmin: id === ada });
const flags = Object.fromEntries(
  [
    'canAdmin',
    'canEditChannel',
    'canEditServer',
    'canEditData',
    'canModerate',
    'canEditApp',
    'canViewData',
  ].map((flag) => [flag, flag === 'canAdmin']),
);
const shown = {
  ...{ id: file, name: 'harbour.txt', type: 'application/octet-stream', bytes: 700 },
  ...{ width: null, height: null, thumbhash: null, previews: [] },
};
const { previews, ...columns } = shown;

const world = await openOldWorld(VERSION, [
  user(ada, 'ada'),
  user(bob, 'bob'),
  insert('server', {
    ...row(server),
    name: 'Old',
    icon: 'https://example.com/a.png',
    private: false,
    creatorId: ada,
    memberCount: 2,
  }),
  insert('role', {
    ...row(role),
    serverId: server,
    name: 'Admins',
    isDefault: false,
    isCreatorRole: true,
    ...flags,
  }),
  ...Object.entries({ [ada]: members.ada, [bob]: members.bob }).map(([userId, id]) =>
    insert('serverMember', { ...row(id), serverId: server, userId }),
  ),
  insert('userRole', { ...row(newId()), serverId: server, userId: ada, roleId: role }),
  insert('channel', {
    ...{ ...row(channel), serverId: server, name: 'kept', nameKey: 'kept', private: false },
    ...{ readonly: false, position: 0, creatorId: ada, roleIds: '[]' },
  }),
  ...messages.map((id) =>
    insert('message', {
      ...{ ...row(id), serverId: server, type: 'person', channelId: channel, isThreadReply: false },
      ...{ creatorId: bob, content: 'Hello', deleted: false, pinned: false, reactions: '[]' },
      ...(id === messages[2] && { attachments: JSON.stringify([shown]) }),
    }),
  ),
  insert('attachment', {
    ...{ ...row(file), serverId: server, channelId: channel, messageId: messages[2], creatorId: bob },
    ...{ ...columns, previews: JSON.stringify(previews) },
  }),
  insert('fileUse', { serverId: server, bytes: 700 }),

  insert('person', { ...row(ada), email: 'ada@example.com', emailVerified: true }),
  insert('identity', {
    ...row(newId()),
    userId: ada,
    provider: 'credential',
    account: ada,
    password: await hashPassword('', PASSWORD),
  }),
  insert('session', {
    ...{ ...row(newId()), userId: ada, digest: hash('sha256', token, 'hex'), expiresAt: FAR_AHEAD },
    ...{ provenAt: 1, lastUsedAt: 1, device: 'An old browser' },
  }),
  insert('link', {
    ...row(newId()),
    purpose: 'password',
    userId: ada,
    digest: linkDigest,
    expiresAt: FAR_AHEAD,
  }),
]);

const browser = new Browser(world);
browser.cookie = `palaver=${token}`;
browser.place = server;

test('the account and its session continue to work, the session as a browser session', async () => {
  const me = dataOf(await browser.get('/me'));
  assert.deepEqual(
    [me.id, me.email, me.platformAdmin, me.isServerCreator],
    [ada, 'ada@example.com', true, true],
  );
  const [session] = dataOf(await browser.get('/sessions'));
  assert.deepEqual([session.device, session.isCurrent], ['An old browser', true]);
  const other = new Browser(world);
  for (const name of ['ada', 'ada@example.com'])
    assert.equal(dataOf(await other.post('/sign-in', { name, password: PASSWORD })).id, ada);
  assert.ok(await world.data.db.read.first(find('link', { digest: linkDigest })));
  const listed = dataOf(await other.get('/platform/users'));
  assert.equal(listed.find(({ id }: Json) => id === ada)?.suspendedAt, null);
});

test('messages since joining are unread, and can be marked as read from there', async () => {
  const reading = async (): Promise<Json> => {
    const { channels } = dataOf(await browser.get('/reading'));
    return channels.find(({ channelId }: Json) => channelId === channel);
  };
  assert.equal((await reading()).unread, 3);
  dataOf(await browser.post('/reading/marks', { marks: [{ channelId: channel, messageId: messages[0] }] }));
  assert.equal((await reading()).unread, 2);
});

test('messages keep their files and authors', async () => {
  const view = dataOf(await browser.get(`/channels/${channel}/view`));
  assert.deepEqual(idsOf(view.messages), messages);
  assert.deepEqual(view.messages[2].attachments, [shown]);
  const ofBob = dataOf(await browser.api.get(`/channels/${channel}/messages?creatorId=${bob}`));
  assert.deepEqual(idsOf(ofBob).sort(), [...messages].sort());
  assert.deepEqual(dataOf(await browser.api.get(`/channels/${channel}/messages?creatorId=${ada}`)), []);
});

test('a file is removed with its message, and a server can remove its picture', async () => {
  assert.equal((await world.data.db.read.first(find('personUse', { userId: bob })))?.bytes, 700);
  dataOf(await browser.api.delete(`/messages/${messages[2]}`));
  assert.equal((await world.data.db.read.first(find('fileUse', { serverId: server })))?.bytes, 0);
  assert.equal((await world.data.db.read.first(find('personUse', { userId: bob })))?.bytes, 0);
  assert.equal((await world.data.db.read.first(find('fileRemoval', { id: file })))?.dueAt, 0);
  assert.equal(dataOf(await browser.api.patch(`/servers/${server}`, { icon: null })).icon, null);
});
