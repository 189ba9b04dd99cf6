import { cursorIn } from './cursor.ts';
import { dataOf } from './expect.ts';
import type { Client, Json, World } from './world.ts';

/** The users in a scene, and the server and channels in which it creates records. */
interface Setting {
  world: World;
  owner: Json;
  server: Json;
  admin: Client;
  /** Default fields of new channels. */
  channels?: object;
  /** The channel in which the scene creates records. By default, each record gets a new channel. */
  place?: Json;
}

/**
 * A server with an admin key of its creator. Its methods create common records; `make` or the rows in
 * test/rows create all other records.
 */
export class Scene {
  readonly world: World;
  readonly owner: Json;
  readonly server: Json;
  readonly admin: Client;
  readonly #setting: Setting;

  constructor(setting: Setting) {
    this.world = setting.world;
    this.owner = setting.owner;
    this.server = setting.server;
    this.admin = setting.admin;
    this.#setting = setting;
  }

  static async open(world: World): Promise<Scene> {
    const owner = await world.user();
    const server = await world.server(owner);
    return new Scene({ world, owner, server, admin: await world.client(server, ['canAdmin'], owner) });
  }

  /** The same scene with some settings changed. */
  with(changes: Partial<Setting>): Scene {
    return new Scene({ ...this.#setting, ...changes });
  }

  /** Sends a POST, by default as the admin, and returns the record. */
  async make(path: string, body: object, client: Client = this.admin): Promise<Json> {
    return dataOf(await client.post(path, body), `POST ${path}`);
  }

  /** Sends a DELETE as the admin and returns the record. */
  async remove(path: string): Promise<Json> {
    return dataOf(await this.admin.delete(path), `DELETE ${path}`);
  }

  channel(fields: object = {}): Promise<Json> {
    const { channels } = this.#setting;
    return this.make('/channels', { name: this.world.unique('channel'), ...channels, ...fields });
  }

  category(fields: object = {}): Promise<Json> {
    return this.make('/categories', { name: this.world.unique('category'), ...fields });
  }

  /** Returns the scene's channel, or a new one. */
  async place(): Promise<Json> {
    return this.#setting.place ?? (await this.channel());
  }

  async message(
    fields: { channelId?: string; threadId?: string; replyToId?: string; content?: string } = {},
  ): Promise<Json> {
    const place = (fields.channelId ?? fields.threadId) ? {} : { channelId: (await this.place()).id };
    return this.make('/messages', { content: 'Hello', ...place, ...fields });
  }

  async thread(fields: { channelId?: string; messageId?: string; name?: string } = {}): Promise<Json> {
    const place = (fields.channelId ?? fields.messageId) ? {} : { messageId: (await this.message()).id };
    return this.make('/threads', { ...place, ...fields });
  }

  role(fields: object = {}): Promise<Json> {
    return this.make('/roles', { name: this.world.unique('role'), ...fields });
  }

  /** Creates a user and their membership. */
  async member(): Promise<Json> {
    return this.make('/server-members', { userId: (await this.world.user()).id });
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

  /** Creates a webhook, by default to an address at example.com. */
  webhook(fields: object = {}): Promise<Json> {
    return this.make('/webhooks', { url: 'https://example.com/palaver', ...fields });
  }

  /** The id of the latest event. */
  cursor(): Promise<string> {
    return cursorIn(this.world, this.server.id);
  }

  flow(): Promise<Json> {
    return this.world.flow(this.server);
  }
}
