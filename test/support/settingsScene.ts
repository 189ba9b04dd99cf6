import type { BrowserContextOptions, Page } from 'playwright-core';
import { Scene } from './scene.ts';
import { WebClient, withoutWorker } from './webClient.ts';
import type { Json, WorldOptions } from './world.ts';

/** A server with members, and its settings in the web client. */
export class SettingsScene {
  readonly client: WebClient;
  readonly scene: Scene;

  static async open(options: WorldOptions = {}): Promise<SettingsScene> {
    const client = await WebClient.open(options);
    try {
      return new SettingsScene(client, await Scene.open(client.world));
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  private constructor(client: WebClient, scene: Scene) {
    this.client = client;
    this.scene = scene;
  }

  path(section: string): string {
    return `/s/${this.scene.server.id}/settings/${section}`;
  }

  /** Opens a window at a settings section, as this user or by default as the server's creator. */
  async at(
    section: string,
    user: Json = this.scene.owner,
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const page = await this.client.signedIn(user, this.path(section), { ...withoutWorker, ...options });
    await page.locator('.setting-title').waitFor();
    return page;
  }

  async member(name: string, ...roles: Json[]): Promise<Json> {
    const { world } = this.client;
    const user = await world.user({ name });
    await world.member(this.scene.server, user);
    for (const role of roles) await this.scene.make('/user-roles', { userId: user.id, roleId: role.id });
    return user;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
