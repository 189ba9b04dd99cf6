import assert from 'node:assert/strict';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { dataOf } from './expect.ts';
import { WebClient, withoutWorker } from './webClient.ts';
import type { Client, Json, WorldOptions } from './world.ts';

/** Two people in a server with two channels, and the web client windows in which they write. */
export class Composing {
  readonly client: WebClient;
  readonly ada: Json;
  readonly ben: Json;
  readonly server: Json;
  /** An API client for Ada, who created the server. */
  readonly api: Client;
  readonly general: Json;
  readonly other: Json;

  static async open(options: WorldOptions = {}): Promise<Composing> {
    const client = await WebClient.open(options);
    const { world } = client;
    const ada = await world.user({ username: 'ada', name: 'Ada Lovelace' });
    const ben = await world.user({ username: 'ben', name: 'Ben Okri' });
    const server = await world.server(ada, 'Writers');
    await world.member(server, ben);
    const api = await world.client(server, ['canAdmin'], ada);
    const channel = async (fields: object) =>
      dataOf(await api.post('/channels', { serverId: server.id, ...fields }));
    const [general, other] = [await channel({ name: 'general' }), await channel({ name: 'other' })];
    return new Composing({ client, ada, ben, server, api, general, other });
  }

  private constructor(parts: Omit<Composing, 'path' | 'window' | 'sent' | 'until' | 'channel' | 'close'>) {
    this.client = parts.client;
    this.ada = parts.ada;
    this.ben = parts.ben;
    this.server = parts.server;
    this.api = parts.api;
    this.general = parts.general;
    this.other = parts.other;
  }

  path = (channel: Json): string => `/s/${this.server.id}/c/${channel.id}`;

  /** Creates another channel. */
  channel = async (fields: object): Promise<Json> =>
    dataOf(await this.api.post('/channels', { serverId: this.server.id, ...fields }));

  /** A window with this channel open and the composer ready. */
  async window(user: Json, channel: Json, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.client.signedIn(user, this.path(channel), { ...withoutWorker, ...options });
    await fieldOf(page).waitFor();
    await page.locator('.timeline').waitFor();
    return page;
  }

  /** The texts of the messages that the server has in a channel, oldest first. */
  async sent(channel: Json): Promise<string[]> {
    const messages: Json[] = dataOf(await this.api.get(`/channels/${channel.id}/messages?limit=100`));
    return messages.map(({ content }) => content).reverse();
  }

  /** Waits until the channel has as many messages, and asserts that they have exactly these texts. */
  async until(channel: Json, contents: readonly string[], seconds = 15): Promise<void> {
    const end = Date.now() + seconds * 1_000;
    let found = await this.sent(channel);
    while (found.length < contents.length && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      found = await this.sent(channel);
    }
    assert.deepEqual(found, contents);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** Returns the channel's composer. */
export const fieldOf = (page: Page): Locator => page.locator('main .composer-field');

/** Types a message into the composer and presses Enter. */
export async function send(page: Page, text: string): Promise<void> {
  await fieldOf(page).fill(text);
  await page.keyboard.press('Enter');
}

/** Waits until the field has this text. */
export async function hasText(page: Page, text: string, seconds = 10): Promise<void> {
  const end = Date.now() + seconds * 1_000;
  while ((await fieldOf(page).inputValue()) !== text && Date.now() < end) await page.waitForTimeout(50);
  assert.equal(await fieldOf(page).inputValue(), text);
}
