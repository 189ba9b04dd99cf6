import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { reads } from '../support/operations.ts';
import { Scene } from '../support/scene.ts';
import { type Json, listAll, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  for (const list of lists) list.at = await list.prepare();
});
after(() => world.close());

const ROWS = 7;

interface List {
  name: string;
  /** Makes what the list hangs on and gives the list's path. */
  prepare(): Promise<string>;
  /** Adds one row, and gives its id as the list shows it. */
  add(at: string): Promise<string>;
  /** Takes a row away; absent where nobody can. */
  drop?(id: string): Promise<unknown>;
  at: string;
}

/** The rows that lists were given: only these are taken away again. */
const added = new Set<string>();

async function add(list: List): Promise<void> {
  added.add(await list.add(list.at));
}

const idIn = (path: string): string => path.split('/')[2] as string;
const gone = async (path: string): Promise<Json> => dataOf(await scene.admin.delete(path), path);
const inServer = (name: string) => async () => `/servers/${scene.server.id}/${name}`;
const pinOf = new Map<string, string>();
const messageOf = new Map<string, string>();

const tables: Omit<List, 'at'>[] = [
  {
    name: 'serverMembers',
    prepare: inServer('members'),
    add: async () => (await scene.member()).id,
    drop: (id) => gone(`/server-members/${id}`),
  },
  {
    name: 'userServers',
    prepare: async () => '/servers',
    async add() {
      const server = await world.server(await world.user());
      await world.member(server, scene.owner);
      return server.id;
    },
  },
  {
    name: 'searchJoinableServers',
    prepare: async () => '/servers/joinable',
    add: async () => (await world.server(await world.user())).id,
    drop: async (id) => dataOf(await scene.admin.post('/server-members', { serverId: id })),
  },
  {
    name: 'channelsByServer',
    prepare: inServer('channels'),
    add: async () => (await scene.channel()).id,
    drop: (id) => gone(`/channels/${id}`),
  },
  {
    name: 'channelMessages',
    prepare: async () => `/channels/${(await scene.channel()).id}/messages`,
    add: async (at) => (await scene.message({ channelId: idIn(at) })).id,
    drop: (id) => gone(`/messages/${id}`),
  },
  {
    name: 'pinnedMessagesPage',
    prepare: async () => `/channels/${(await scene.channel()).id}/pins`,
    async add(at) {
      const { id } = await scene.message({ channelId: idIn(at) });
      pinOf.set(id, (await scene.pin(id)).id);
      return id;
    },
    drop: (id) => gone(`/pins/${pinOf.get(id)}`),
  },
  {
    name: 'threadsByMessageId',
    prepare: async () => `/messages/${(await scene.message()).id}/threads`,
    add: async (at) => (await scene.thread({ messageId: idIn(at) })).id,
    drop: (id) => gone(`/threads/${id}`),
  },
  {
    name: 'invitesByServer',
    prepare: inServer('invites'),
    add: async () => (await scene.invite()).id,
    drop: (id) => gone(`/invites/${id}`),
  },
  {
    name: 'appInstallsByServer',
    prepare: inServer('app-installs'),
    add: async () => (await scene.install()).id,
    drop: (id) => gone(`/app-installs/${id}`),
  },
  {
    name: 'flowsByServer',
    prepare: inServer('flows'),
    add: async () => (await scene.flow()).id,
  },
  {
    name: 'latestNotifications',
    prepare: async () => '/notifications',
    async add() {
      const author = await world.client(scene.server, ['canEditData']);
      const { id: channelId } = await scene.channel();
      const content = `@${scene.owner.username}`;
      const { id } = await scene.make('/messages', { channelId, content }, author);
      const [newest] = dataOf(await scene.admin.get('/notifications?limit=1'));
      messageOf.set(newest.id, id);
      return newest.id;
    },
    drop: (id) => gone(`/messages/${messageOf.get(id)}`),
  },
];
const lists: List[] = tables.map((list) => ({ ...list, at: '' }));

test('the table names every list', () => {
  const specified = reads.filter(({ list }) => list).map(({ name }) => name);
  assert.deepEqual(lists.map(({ name }) => name).sort(), specified.sort());
});

for (const list of lists) {
  test(`${list.name}: pages of any size make up the whole, and Link leads to the next`, async () => {
    for (let row = 0; row < ROWS; row++) await add(list);
    const whole = await scene.admin.get(`${list.at}?limit=100`);
    assert.equal(whole.body.nextCursor, null);
    assert.equal(whole.headers.get('link'), null);
    const expected = idsOf(dataOf(whole));
    assert.ok(expected.length >= ROWS);
    assert.equal(new Set(expected).size, expected.length);
    for (const limit of [1, 3, expected.length, 99]) {
      assert.deepEqual(idsOf(await listAll(scene.admin, list.at, limit)), expected, `limit=${limit}`);
    }
    const exact = await scene.admin.get(`${list.at}?limit=${expected.length}`);
    assert.equal(exact.body.nextCursor, null, 'a page that ends the list has no next');

    const linked: string[] = [];
    let next: string | undefined = `${world.url}/api/v1${list.at}?limit=3`;
    while (next) {
      const page = await scene.admin.get(next);
      linked.push(...idsOf(dataOf(page)));
      assert.ok(page.data.length <= 3);
      const link = page.headers.get('link');
      assert.equal(link === null, page.body.nextCursor === null);
      const [, target] = /^<([^>]+)>; rel="next"$/.exec(link ?? '') ?? [];
      assert.equal(target === undefined, link === null, `${link}`);
      next = target && new URL(target, `${world.url}/api/v1${list.at}`).href;
    }
    assert.deepEqual(linked, expected);
  });

  test(`${list.name}: a cursor that is altered or of another list is refused`, async () => {
    const { nextCursor } = (await scene.admin.get(`${list.at}?limit=2`)).body;
    assert.equal(typeof nextCursor, 'string');
    const alteredAt = (place: number) =>
      `${nextCursor.slice(0, place)}${nextCursor[place] === 'A' ? 'B' : 'A'}${nextCursor.slice(place + 1)}`;
    const altered = [
      alteredAt(Math.floor(nextCursor.length / 2)),
      `${nextCursor}A`,
      nextCursor.slice(0, -1),
      nextCursor.slice(4),
      alteredAt(0),
      'none',
      '0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90',
      Buffer.from('["a"]').toString('base64url'),
    ];
    for (const cursor of altered) {
      assertRefused(await scene.admin.get(`${list.at}?cursor=${cursor}`), 'INVALID_REQUEST', cursor);
    }
    for (const other of lists.filter(({ name }) => name !== list.name)) {
      const answer = await scene.admin.get(`${other.at}?cursor=${nextCursor}`);
      assertRefused(answer, 'INVALID_REQUEST', other.name, 'cursor');
    }
    dataOf(await scene.admin.get(`${list.at}?cursor=${nextCursor}`), 'with another limit');
    dataOf(
      await scene.admin.get(`${list.at}?unknown=1&cursor=${nextCursor}`),
      'unknown parameters are ignored',
    );
  });

  test(`${list.name}: rows that stand still are neither skipped nor repeated while others come and go`, async () => {
    const { drop } = list;
    for (let row = 0; row < 4; row++) await add(list);
    const start = idsOf(await listAll(scene.admin, list.at));
    // Rows that go while the list is walked: some before the place where it stands, some behind it.
    const leaving = drop ? start.filter((id, index) => index % 3 === 1 && added.has(id)) : [];
    const still = start.filter((id) => !leaving.includes(id));
    const seen: string[] = [];
    let cursor: string | null = null;
    let turn = 0;
    do {
      const next: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await scene.admin.get(`${list.at}?limit=2${next}`);
      seen.push(...idsOf(body.data));
      cursor = body.nextCursor;
      const leaver = turn % 2 === 0 ? leaving.shift() : leaving.pop();
      if (leaver) await drop?.(leaver);
      if (turn++ < 4) await add(list);
    } while (cursor !== null);
    assert.equal(new Set(seen).size, seen.length, 'no row twice');
    assert.deepEqual(
      seen.filter((id) => still.includes(id)),
      still,
    );
  });
}

test('a page has 50 records if limit is left out, and 100 at most', async () => {
  const { id: channelId } = await scene.channel();
  for (let sent = 0; sent < 101; sent++) await scene.message({ channelId });
  const path = `/channels/${channelId}/messages`;
  assert.equal(dataOf(await scene.admin.get(path)).length, 50);
  assert.equal(dataOf(await scene.admin.get(`${path}?limit=100`)).length, 100);
  assertRefused(await scene.admin.get(`${path}?limit=101`), 'INVALID_REQUEST', '', 'limit');
});

test('a cursor belongs to the filters of its list', async () => {
  const { id: channelId } = await scene.channel();
  for (let sent = 0; sent < 4; sent++) await scene.message({ channelId, content: 'word' });
  const path = `/channels/${channelId}/messages`;
  const { nextCursor } = (await scene.admin.get(`${path}?limit=2&q=word`)).body;
  dataOf(await scene.admin.get(`${path}?limit=2&q=word&cursor=${nextCursor}`));
  for (const filter of ['', '&q=words', '&q=word&order=asc', '&q=word&isThreadReply=false', '&type=person']) {
    const answer = await scene.admin.get(`${path}?cursor=${nextCursor}${filter}`);
    assertRefused(answer, 'INVALID_REQUEST', filter, 'cursor');
  }
  const other = await scene.channel();
  const elsewhere = await scene.admin.get(`/channels/${other.id}/messages?q=word&cursor=${nextCursor}`);
  assertRefused(elsewhere, 'INVALID_REQUEST', 'of another channel', 'cursor');
});

test('channels are listed by position', async () => {
  const own = await Scene.open(world);
  const last = await own.channel({ position: 9 });
  const first = await own.channel({ position: 0 });
  const middle = await own.channel({ position: 4 });
  const path = `/servers/${own.server.id}/channels`;
  assert.deepEqual(idsOf(await listAll(own.admin, path, 1)), [first.id, middle.id, last.id]);
  dataOf(await own.admin.patch(`/channels/${last.id}`, { position: 2 }));
  assert.deepEqual(idsOf(await listAll(own.admin, path, 1)), [first.id, last.id, middle.id]);
});
