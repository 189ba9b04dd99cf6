import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser, invited } from './account.ts';
import { dataOf } from './expect.ts';
import { until } from './process.ts';
import { Scene } from './scene.ts';
import { type Json, TestClock, World } from './world.ts';
import type { WorldOptions } from './worldOptions.ts';

export interface Person {
  user: Json;
  browser: Browser;
}

/** A server whose members export their data. */
export class ExportScene {
  readonly clock: TestClock;
  readonly world: World;
  readonly scene: Scene;
  /** The folder to which archives are saved. */
  readonly folder: string;
  readonly #owner: Browser;
  #number = 0;

  private constructor(given: {
    clock: TestClock;
    world: World;
    scene: Scene;
    folder: string;
    owner: Browser;
  }) {
    this.clock = given.clock;
    this.world = given.world;
    this.scene = given.scene;
    this.folder = given.folder;
    this.#owner = given.owner;
  }

  static async open(options: WorldOptions = {}): Promise<ExportScene> {
    const clock = new TestClock();
    const folder = await mkdtemp(join(tmpdir(), 'palaver-person-'));
    const world = await World.open({ clock, limits: { '*': 0 }, timers: true, ...options });
    const scene = await Scene.open(world);
    const owner = await Browser.of(world, scene.owner, scene.server);
    return new ExportScene({ clock, world, scene, folder, owner });
  }

  async close(): Promise<void> {
    await this.world.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Returns a person with an account, who is a member of the server. */
  async member(): Promise<Person> {
    const user = await this.world.user();
    const browser = await Browser.claimed(this.world, user);
    await invited(this.#owner, browser, user.id);
    browser.place = this.scene.server.id;
    return { user, browser };
  }

  /** A complete export. */
  async exported({ browser }: Person): Promise<Json> {
    const { id } = dataOf(await browser.post('/exports'));
    let found: Json = {};
    await until(async () => {
      await this.world.node.clock?.look();
      found = dataOf(await browser.get(`/exports/${id}`));
      return found.state !== 'running';
    });
    assert.equal(found.state, 'done');
    return found;
  }

  download({ browser }: Person, id: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.world.url}/api/people/exports/${id}/content`, {
      headers: { 'palaver-server': 'none', cookie: browser.cookie, ...headers },
    });
  }

  async saved(person: Person, id: string): Promise<{ path: string; bytes: Buffer }> {
    const path = join(this.folder, `${this.#number++}.zip`);
    const bytes = Buffer.from(await (await this.download(person, id)).arrayBuffer());
    writeFileSync(path, bytes);
    return { path, bytes };
  }
}

export const say = async ({ browser }: Person, channelId: string, content: string, more: object = {}) =>
  dataOf(await browser.api.post('/messages', { channelId, content, ...more }));
