import { after, afterEach } from 'node:test';
import type { Dispatcher } from '../../server/src/webhooks/dispatcher.ts';
import { until } from './process.ts';
import { Receiver } from './receiver.ts';
import { Scene } from './scene.ts';
import { type Json, TestClock, World, type WorldOptions } from './world.ts';

/** A world that sends webhooks, with a test clock and a receiver. */
export class Post {
  readonly clock: TestClock;
  readonly world: World;
  readonly scene: Scene;
  readonly receiver: Receiver;
  readonly webhooks: Dispatcher;

  private constructor(clock: TestClock, world: World, scene: Scene, receiver: Receiver) {
    this.clock = clock;
    this.world = world;
    this.scene = scene;
    this.receiver = receiver;
    this.webhooks = world.node.webhooks as Dispatcher;
  }

  static async open(webhooks: WorldOptions['webhooks'] = {}): Promise<Post> {
    const clock = new TestClock();
    const world = await World.open({ clock, privateWebhooks: true, webhooks });
    return new Post(clock, world, await Scene.open(world), await Receiver.open());
  }

  /** A post that all tests in a file share. Webhooks and requests left by one test are removed before the next. */
  static async shared(): Promise<Post> {
    const post = await Post.open();
    afterEach(() => post.clear());
    after(() => post.close());
    return post;
  }

  /** Creates a webhook that sends to the receiver, by default messages. */
  webhook(fields: object = {}): Promise<Json> {
    return this.scene.webhook({ url: this.receiver.url, types: ['message.created'], ...fields });
  }

  /** Sends messages with these contents, in order. */
  async say(channelId: string, ...contents: string[]): Promise<void> {
    for (const content of contents) await this.scene.message({ channelId, content });
  }

  /** A webhook's attempts, latest first. */
  async attempts({ id }: Json): Promise<Json[]> {
    return (await this.scene.admin.get(`/webhooks/${id}/deliveries`)).data;
  }

  /** A webhook's attempts, once there are `count`. */
  async settled(webhook: Json, count: number): Promise<Json[]> {
    await until(async () => (await this.attempts(webhook)).length >= count, 10_000, 5);
    return this.attempts(webhook);
  }

  /** Removes all webhooks and the requests to the receiver, because unanswered requests would delay later ones. */
  async clear(): Promise<void> {
    const { data } = await this.scene.admin.get(`/servers/${this.scene.server.id}/webhooks?limit=100`);
    for (const { id } of data) await this.scene.admin.delete(`/webhooks/${id}`);
    this.receiver.clear();
  }

  /** Reads the webhook. */
  async now({ id }: Json): Promise<Json> {
    const { data } = await this.scene.admin.get(`/servers/${this.scene.server.id}/webhooks?limit=100`);
    return data.find((webhook: Json) => webhook.id === id);
  }

  /** Advances the clock by `ms` milliseconds and runs the retries that are due. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.webhooks.poll();
  }

  async close(): Promise<void> {
    await this.webhooks.stop();
    await this.receiver.close();
    await this.world.close();
  }
}
