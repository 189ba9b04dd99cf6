import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { Browser } from '../support/account.ts';
import { Choice } from '../support/choice.ts';
import { dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

// Compares random sends, deletes and marks with a model that looks at every message.

const STEPS = 45;
const RUNS = 6;

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

interface Sent {
  id: string;
  channelId: string;
  threadId: string | null;
  isOwn: boolean;
  isMention: boolean;
}

/** The state that a person should see after all events so far. */
class Model {
  sent: Sent[] = [];
  readonly markers = new Map<string, { messageId: string; unreadAt: number }>();
  whole = { messageId: '', readAt: 0 };

  of = (channelId: string): Sent[] => this.sent.filter((one) => one.channelId === channelId);

  placeIn(channelId: string): string {
    const { messageId, unreadAt } = this.markers.get(channelId) ?? { messageId: '', unreadAt: 0 };
    if (unreadAt > this.whole.readAt) return messageId;
    return messageId > this.whole.messageId ? messageId : this.whole.messageId;
  }

  countsIn(channelId: string): number[] {
    const fresh = this.of(channelId).filter(({ id, isOwn }) => !isOwn && id > this.placeIn(channelId));
    return [fresh.length, fresh.filter(({ isMention }) => isMention).length].map((count) =>
      Math.min(1_000, count),
    );
  }

  read(channelId: string, messageId: string, seen: number): void {
    const known = this.markers.get(channelId) ?? { messageId: '', unreadAt: 0 };
    if (seen < known.unreadAt || messageId <= this.placeIn(channelId)) return;
    this.markers.set(channelId, { ...known, messageId });
  }
}

class Story {
  readonly model = new Model();
  readonly scene: Scene;
  readonly browser: Browser;
  readonly own: Client;
  readonly other: Client;
  readonly username: string;
  channels: string[] = [];
  threads: { id: string; channelId: string }[] = [];

  constructor(scene: Scene, user: Json, browser: Browser, clients: { own: Client; other: Client }) {
    this.scene = scene;
    this.username = user.username;
    this.browser = browser;
    this.own = clients.own;
    this.other = clients.other;
  }

  static async open(): Promise<Story> {
    const scene = await Scene.open(world);
    const user = await world.user();
    await world.member(scene.server, user);
    clock.advance(10);
    const clients = {
      own: await world.client(scene.server, ['canEditData'], user),
      other: await world.client(scene.server, ['canEditData']),
    };
    const story = new Story(scene, user, await Browser.of(world, user, scene.server), clients);
    for (let number = 0; number < 3; number++) story.channels.push((await scene.channel()).id);
    return story;
  }

  async say(choice: Choice, times: number, isOwn = choice.number(4) === 0): Promise<void> {
    const thread = choice.number(3) === 0 ? choice.of(this.threads) : undefined;
    const channelId = thread?.channelId ?? choice.of(this.channels);
    const isMention = !isOwn && choice.number(3) === 0;
    const content = isMention ? `Hello @${this.username}` : 'Hello';
    for (let number = 0; number < times; number++) {
      clock.advance(1);
      const place = thread ? { threadId: thread.id } : { channelId };
      const by = isOwn ? this.own : this.other;
      const { id } = dataOf(await by.post('/messages', { ...place, content }));
      this.model.sent.push({ id, channelId, threadId: thread?.id ?? null, isOwn, isMention });
    }
  }

  async step(choice: Choice): Promise<void> {
    const { model, scene, browser } = this;
    const message = choice.of(model.sent);
    clock.advance(1);
    switch (choice.number(14)) {
      case 0: {
        const channelId = choice.of(this.channels);
        this.threads.push({ id: (await scene.thread({ channelId })).id, channelId });
        return;
      }
      case 1: {
        if (!message) return;
        dataOf(await scene.admin.delete(`/messages/${message.id}`));
        model.sent = model.sent.filter(({ id }) => id !== message.id);
        return;
      }
      case 2: {
        const thread = choice.of(this.threads);
        if (!thread) return;
        dataOf(await scene.admin.delete(`/threads/${thread.id}`));
        this.threads = this.threads.filter((one) => one !== thread);
        model.sent = model.sent.filter(({ threadId }) => threadId !== thread.id);
        return;
      }
      case 3: {
        if (!message) return;
        const { channelId } = message;
        const body = { channelId, messageId: message.id };
        const { messageId, unreadAt } = dataOf(await browser.post('/reading/unread', body));
        model.markers.set(channelId, { messageId, unreadAt });
        return;
      }
      case 4: {
        const { servers } = dataOf(await browser.post('/reading/all', { serverId: scene.server.id }));
        model.whole = { messageId: servers[0].messageId, readAt: clock.now() };
        return;
      }
      case 5: {
        dataOf(await browser.post('/notifications/read', {}));
        for (const one of model.sent) one.isMention = false;
        return;
      }
      case 6:
        return void (await world.tidy());
      case 7:
        return this.say(choice, 45, false);
      case 8:
      case 9:
      case 10: {
        if (!message) return;
        const { id: messageId, channelId } = message;
        const seen = choice.flag() ? (model.markers.get(channelId)?.unreadAt ?? 0) : 0;
        dataOf(await browser.post('/reading/marks', { marks: [{ channelId, messageId, unreadAt: seen }] }));
        return model.read(channelId, messageId, seen);
      }
      default:
        return this.say(choice, 1 + choice.number(4));
    }
  }

  async assertAsModel(): Promise<void> {
    const { channels } = dataOf(await this.browser.get('/reading'));
    const given = channels
      .filter(({ channelId }: Json) => this.channels.includes(channelId))
      .map(({ channelId, unread, mentions }: Json) => [channelId, unread, mentions]);
    const expected = [...this.channels].sort().map((id) => [id, ...this.model.countsIn(id)]);
    assert.deepEqual(given, expected);
  }
}

test('unread messages and mentions equal a count of all messages', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1_000_000), { minLength: 60, maxLength: 200 }), async (numbers) => {
      const story = await Story.open();
      const choice = new Choice(numbers);
      for (let step = 0; step < STEPS; step++) {
        await story.step(choice);
        await story.assertAsModel();
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
