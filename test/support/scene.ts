import { insert } from '../../server/src/db/statements.ts';
import { newRow } from '../../server/src/lib/deps.ts';
import { cursorIn } from './cursor.ts';
import { dataOf } from './expect.ts';
import type { Client, Json, World } from './world.ts';

/** A server with an administrator's key that acts as its creator, and the making of whatever a test needs in it. */
export class Scene {
  readonly world: World;
  readonly owner: Json;
  readonly server: Json;
  readonly admin: Client;

  private constructor(world: World, owner: Json, server: Json, admin: Client) {
    this.world = world;
    this.owner = owner;
    this.server = server;
    this.admin = admin;
  }

  static async open(world: World): Promise<Scene> {
    const owner = await world.user();
    const server = await world.server(owner);
    return new Scene(world, owner, server, await world.client(server, ['canAdmin'], owner));
  }

  /** What a POST of the administrator makes. */
  async make(path: string, body: object, client: Client = this.admin): Promise<Json> {
    return dataOf(await client.post(path, body), `POST ${path}`);
  }

  channel(fields: object = {}): Promise<Json> {
    return this.make('/channels', { name: this.world.unique('channel'), ...fields });
  }

  async message(
    fields: { channelId?: string; threadId?: string; replyToId?: string; content?: string } = {},
  ): Promise<Json> {
    const place = (fields.channelId ?? fields.threadId) ? {} : { channelId: (await this.channel()).id };
    return this.make('/messages', { content: 'Hello', ...place, ...fields });
  }

  async thread(fields: { channelId?: string; messageId?: string; name?: string } = {}): Promise<Json> {
    const place = (fields.channelId ?? fields.messageId) ? {} : { messageId: (await this.message()).id };
    return this.make('/threads', { ...place, ...fields });
  }

  async pin(messageId?: string): Promise<Json> {
    return this.make('/pins', { messageId: messageId ?? (await this.message()).id });
  }

  async reaction(messageId?: string): Promise<Json> {
    return this.make('/reactions', { messageId: messageId ?? (await this.message()).id, emoji: '👍' });
  }

  role(fields: object = {}): Promise<Json> {
    return this.make('/roles', { name: this.world.unique('role'), ...fields });
  }

  /** A new user's membership. */
  async member(): Promise<Json> {
    return this.make('/server-members', { userId: (await this.world.user()).id });
  }

  async userRole(): Promise<Json> {
    return this.make('/user-roles', { userId: (await this.member()).userId, roleId: (await this.role()).id });
  }

  invite(fields: object = {}): Promise<Json> {
    return this.make('/invites', fields);
  }

  app(fields: object = {}): Promise<Json> {
    return this.make('/apps', { name: this.world.unique('app'), ...fields });
  }

  async submitted(): Promise<Json> {
    return this.make('/apps/submit', { id: (await this.app()).id });
  }

  async install(appId?: string): Promise<Json> {
    return this.make('/app-installs', { appId: appId ?? (await this.app()).id });
  }

  secret(fields: object = {}): Promise<Json> {
    return this.make('/secrets', { kind: 'apiKey', name: this.world.unique('secret'), ...fields });
  }

  indicator(fields: object = {}): Promise<Json> {
    return this.make('/indicators', { type: 'typing', ...fields });
  }

  /** A webhook that sends to where nobody is, unless told otherwise. */
  webhook(fields: object = {}): Promise<Json> {
    return this.make('/webhooks', { url: 'https://example.com/palaver', ...fields });
  }

  /** A new webhook's id, with an attempt that stands in its list. */
  async delivery(): Promise<{ id: string }> {
    const { id } = await this.webhook();
    const { db, deps } = this.world.data;
    const attempt = { eventId: 'one', type: 'message.created', attempt: 1, status: 200, error: null, ms: 5 };
    await db.write((tx) =>
      tx.run(insert('webhookDelivery', { ...newRow(deps), webhookId: id, ...attempt, nextAt: null })),
    );
    return { id };
  }

  /** The id of the latest event. */
  cursor(): Promise<string> {
    return cursorIn(this.world, this.server.id);
  }

  flow(): Promise<Json> {
    return this.world.flow(this.server);
  }
}
