import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { q } from '../../server/src/db/statements.ts';
import { latestPosition } from '../../server/src/feed/positions.ts';
import { readingIn } from '../../server/src/resources/reading/state.ts';
import { ServerStates } from '../../server/src/resources/serverState/serverState.ts';
import { membershipIn, principalOf } from '../../server/src/resources/snapshot/standing.ts';
import { Browser } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { countsIn, type Expected, expectedFor } from '../support/openingModel.ts';
import { Scene } from '../support/scene.ts';
import { seeded } from '../support/seeded.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Compares responses from caches with all rows of the database, after each step of random histories: for people with
// different permissions, on this node and on another one that reads only occasionally.

const HISTORIES = 3;
const STEPS = 60;
/** The share of steps after which the other node reads. */
const LOOKS_ELSEWHERE = 0.3;

const random = seeded();
let world: World;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
});
after(() => world.close());

interface Person {
  user: Json;
  browser: Browser;
  client: Pick<Client, 'post'>;
  isMember: boolean;
}

class History {
  readonly scene: Scene;
  readonly elsewhere = new ServerStates();
  people: Person[] = [];
  roles: Json[] = [];
  channels: Json[] = [];
  threads: Json[] = [];
  messages: Json[] = [];

  constructor(scene: Scene) {
    this.scene = scene;
  }

  static async open(): Promise<History> {
    const history = new History(await Scene.open(world));
    const { scene } = history;
    for (let number = 0; number < 2; number++) history.roles.push(await scene.role());
    history.roles.push(await scene.role({ canAdmin: true }));
    history.channels.push(await scene.channel());
    for (let number = 0; number < 4; number++) {
      const user = await world.user();
      await world.member(scene.server, user);
      const browser = await Browser.of(world, user, scene.server);
      history.people.push({ user, browser, client: browser.api, isMember: true });
    }
    return history;
  }

  #some<T>(list: readonly T[]): T[] {
    return list.filter(() => random.chance(0.4));
  }

  async #say(): Promise<void> {
    const by = random.pick([
      this.scene.admin,
      ...this.people.filter((one) => one.isMember).map((one) => one.client),
    ]);
    const thread = random.chance(0.3) && this.threads.length > 0 ? random.pick(this.threads) : undefined;
    if (!thread && this.channels.length === 0) return;
    const place = thread ? { threadId: thread.id } : { channelId: random.pick(this.channels).id };
    const { user } = random.pick(this.people);
    const content = random.chance(0.4) ? `Hello @${user.username}` : 'Hello';
    const times = random.chance(0.1) ? 70 : 1 + random.below(3);
    for (let time = 0; time < times; time++) {
      const answer = await by.post('/messages', { ...place, content });
      // Not everybody sees every channel.
      if (answer.status !== 200) return;
      this.messages.push(dataOf(answer));
    }
  }

  async #changeChannels(): Promise<void> {
    const { scene } = this;
    const roleIds = this.#some(this.roles).map(({ id }) => id);
    const channel = this.channels.length > 0 ? random.pick(this.channels) : undefined;
    const fields = random.pick([
      { private: true, roleIds },
      { private: false, roleIds },
      { roleIds },
      { position: random.below(5) },
      { description: `about ${random.below(100)}` },
    ]);
    if (!channel || random.chance(0.3)) {
      this.channels.push(await scene.channel(random.chance(0.6) ? { private: true, roleIds } : {}));
    } else if (random.chance(0.15)) {
      await scene.remove(`/channels/${channel.id}`);
      this.channels = this.channels.filter((one) => one !== channel);
      this.threads = this.threads.filter(({ channelId }) => channelId !== channel.id);
      this.messages = this.messages.filter(({ channelId }) => channelId !== channel.id);
    } else dataOf(await scene.admin.patch(`/channels/${channel.id}`, fields));
  }

  async #changeRights(): Promise<void> {
    const { scene } = this;
    const person = random.pick(this.people);
    const { id: userId } = person.user;
    const role = random.pick(this.roles);
    switch (random.below(5)) {
      case 0:
        if (this.roles.length < 5) this.roles.push(await scene.role({ canAdmin: random.chance(0.3) }));
        return;
      case 1:
        dataOf(await scene.admin.patch(`/roles/${role.id}`, { canAdmin: random.chance(0.4) }));
        return;
      case 2:
        if (this.roles.length < 3) return;
        await scene.remove(`/roles/${role.id}`);
        this.roles = this.roles.filter((one) => one !== role);
        return;
      case 3: {
        const list = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members?limit=100`));
        const member = list.find((one: Json) => one.userId === userId);
        if (!person.isMember) await world.member(scene.server, person.user);
        else if (random.chance(0.3)) await scene.remove(`/server-members/${member.id}`);
        else return;
        person.isMember = !person.isMember;
        return;
      }
      default: {
        if (!person.isMember) return;
        const given = await q
          .selectFrom('userRole')
          .selectAll()
          .where('userId', '=', userId)
          .where('roleId', '=', role.id);
        const [has] = await world.data.db.read.all(given);
        if (has) await scene.remove(`/user-roles/${has.id}`);
        else await scene.make('/user-roles', { userId, roleId: role.id });
      }
    }
  }

  async #read(): Promise<void> {
    const { browser, isMember } = random.pick(this.people);
    if (!isMember || this.messages.length === 0) return;
    const { channelId, id: messageId } = random.pick(this.messages);
    // The server refuses requests about channels that the person cannot see.
    switch (random.below(5)) {
      case 0:
        await browser.post('/reading/unread', { channelId, messageId });
        return;
      case 1:
        await browser.post('/reading/all', { serverId: this.scene.server.id });
        return;
      case 2:
        await browser.post('/notifications/read', {});
        return;
      case 3:
        await browser.send('PATCH', '/reading/level', {
          channelId,
          level: random.pick(['all', 'nothing', null]),
        });
        return;
      default:
        await browser.post('/reading/marks', { marks: [{ channelId, messageId }] });
    }
  }

  /** The client may repeat a request whose connection was closed, and then finds nothing left to delete. */
  async #remove(path: string): Promise<void> {
    const { status } = await this.scene.admin.delete(path);
    assert.ok(status === 200 || status === 404, `${path}: ${status}`);
  }

  async #removeMessages(): Promise<void> {
    const kind = random.pick(['sweep', 'thread', 'message', 'message']);
    if (kind === 'sweep') await world.tidy();
    if (kind === 'thread' && this.threads.length > 0) {
      const thread = random.pick(this.threads);
      await this.#remove(`/threads/${thread.id}`);
      this.threads = this.threads.filter((one) => one !== thread);
      this.messages = this.messages.filter(({ threadId }) => threadId !== thread.id);
    }
    if (kind === 'message' && this.messages.length > 0) {
      const message = random.pick(this.messages);
      await this.#remove(`/messages/${message.id}`);
      this.messages = this.messages.filter((one) => one !== message);
    }
  }

  async step(): Promise<void> {
    const kind = random.below(12);
    if (kind < 4) return this.#say();
    if (kind < 6) return this.#changeChannels();
    if (kind < 8) return this.#changeRights();
    if (kind < 10) return this.#read();
    if (kind < 11) return this.#removeMessages();
    if (this.channels.length === 0) return;
    this.threads.push(await this.scene.thread({ channelId: random.pick(this.channels).id }));
  }

  /** Compares what each person gets with all rows. */
  async check(): Promise<void> {
    const { id: serverId } = this.scene.server;
    for (const { user, browser, isMember } of this.people) {
      const answer = await browser.get(`/servers/${serverId}/snapshot`);
      if (!isMember) {
        assert.equal(answer.status, 403);
        continue;
      }
      const { channels, roles, reading, standing } = dataOf(answer);
      const expected = await expectedFor(world, serverId, user.id);
      assert.deepEqual(standing.roleIds.toSorted(), expected.roleIds);
      assert.deepEqual(
        channels.map(({ id }: Json) => id),
        expected.channelIds,
      );
      const listed = await browser.api.get(`/servers/${serverId}/channels?limit=100`);
      assert.deepEqual(channels, dataOf(listed));
      assert.deepEqual(roles, dataOf(await browser.api.get(`/servers/${serverId}/roles?limit=100`)));
      const readingNow = dataOf(await browser.get('/reading'));
      for (const state of [reading, readingNow]) assert.deepEqual(countsIn(state.channels), expected.counts);
      if (random.chance(LOOKS_ELSEWHERE)) await this.#checkElsewhere(user.id, expected);
    }
  }

  async #checkElsewhere(userId: string, expected: Expected): Promise<void> {
    const { read: db } = world.data.db;
    const { id: serverId } = this.scene.server;
    const state = await this.elsewhere.at(db, serverId, await latestPosition(db, serverId));
    const rows = await state.rows(db);
    const viewer = principalOf(await membershipIn(db, serverId, userId), rows.roles);
    const { channels, channelIds } = rows.sightOf(viewer);
    assert.deepEqual(
      channels.map(({ id }) => id),
      expected.channelIds,
      'on another node',
    );
    const found = await readingIn({ db, viewer, state, channelIds, isWhole: random.chance(0.5) });
    const counted = JSON.parse(`[${found.rows.text}]`);
    assert.deepEqual(countsIn(counted), expected.counts, 'on another node');
  }
}

test('snapshots and counts from caches equal those from all rows, after any history', async () => {
  for (let run = 0; run < HISTORIES; run++) {
    const history = await History.open();
    for (let step = 0; step < STEPS; step++) {
      await history.step();
      await history.check();
    }
  }
});
