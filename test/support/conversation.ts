import assert from 'node:assert/strict';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { WebClient, withoutWorker } from './webClient.ts';
import type { Client, Json } from './world.ts';

/** A channel with two people and an agent, and their browser windows. */
export class Talk {
  readonly client: WebClient;
  readonly server: Json;
  readonly channel: Json;
  readonly ada: Json;
  readonly ben: Json;
  readonly bot: Json;
  readonly as: Readonly<Record<'ada' | 'ben' | 'bot', Client>>;

  static async open(client?: WebClient): Promise<Talk> {
    const web = client ?? (await WebClient.open());
    const { world } = web;
    const ada = await world.user({ name: 'Ada Lovelace' });
    const ben = await world.user({ name: 'Ben Okri' });
    const bot = await world.user({ name: 'Deploy Bot', agent: true });
    const server = await world.server(ada, 'Harbour');
    for (const user of [ben, bot]) await world.member(server, user);
    const flags = ['canEditData', 'canModerate', 'canEditChannel'] as const;
    const as = {
      ada: await world.client(server, flags, ada),
      ben: await world.client(server, ['canEditData'], ben),
      bot: await world.client(server, ['canEditData'], bot),
    };
    const { data: channel } = await as.ada.post('/channels', {
      serverId: server.id,
      name: world.unique('talk'),
    });
    assert.ok(channel?.id);
    return new Talk(web, { server, channel, ada, ben, bot, as });
  }

  private constructor(
    client: WebClient,
    all: Pick<Talk, 'server' | 'channel' | 'ada' | 'ben' | 'bot' | 'as'>,
  ) {
    this.client = client;
    ({
      server: this.server,
      channel: this.channel,
      ada: this.ada,
      ben: this.ben,
      bot: this.bot,
      as: this.as,
    } = all);
  }

  /** The URL path of the channel, or of a message in it. */
  path(messageId?: string): string {
    const path = `/s/${this.server.id}/c/${this.channel.id}`;
    return messageId === undefined ? path : `${path}/m/${messageId}`;
  }

  /** Sends a message and returns its record. */
  async say(who: 'ada' | 'ben' | 'bot', content: string, more: Json = {}): Promise<Json> {
    const { data, body } = await this.as[who].post('/messages', {
      channelId: this.channel.id,
      content,
      ...more,
    });
    assert.ok(data, JSON.stringify(body));
    return data;
  }

  /** Marks everything as read, so the channel opens at its end. */
  async readAll(who: 'ada' | 'ben'): Promise<void> {
    const { Browser } = await import('./account.ts');
    const browser = await Browser.of(this.client.world, this[who], this.server);
    const answer = await browser.post('/reading/all', { serverId: this.server.id });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }

  /** Opens the channel, or a message in it, as one of the users, and waits for the messages. */
  async look(
    who: 'ada' | 'ben',
    { messageId, ...options }: { messageId?: string } & BrowserContextOptions = {},
  ): Promise<Page> {
    const page = await this.client.signedIn(this[who], this.path(messageId), {
      ...withoutWorker,
      ...options,
    });
    await page.locator('[data-message], .timeline-beginning').first().waitFor();
    return page;
  }
}

export const rowOf = (page: Page, { id }: { id: string }): Locator => page.locator(`[data-message="${id}"]`);

/** The distance of a row from the top of the list, in px; undefined if it is not rendered. */
export const topOf = (page: Page, id: string): Promise<number | undefined> =>
  page.evaluate<number | undefined>(`(() => {
    const row = document.querySelector('[data-message="${id}"]');
    const box = document.querySelector('.timeline-scroller');
    return row && box ? row.getBoundingClientRect().top - box.getBoundingClientRect().top : undefined;
  })()`);

/** Like `topOf`, but waits until the row has not moved for ten frames. */
export async function restingTop(page: Page, id: string): Promise<number | undefined> {
  let top = await topOf(page, id);
  for (let same = 0; same < 10; ) {
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))');
    const next = await topOf(page, id);
    same = next === top ? same + 1 : 0;
    top = next;
  }
  return top;
}

/** The first row in view, and its distance from the top. */
export const firstInView = (page: Page): Promise<{ id: string; top: number }> =>
  page.evaluate(`(() => {
    const box = document.querySelector('.timeline-scroller').getBoundingClientRect();
    const row = [...document.querySelectorAll('[data-message]')].find((one) => one.getBoundingClientRect().bottom > box.top + 1);
    return { id: row.dataset.message, top: row.getBoundingClientRect().top - box.top };
  })()`);

/** The id of the message that has the focus. */
export const focusedMessage = (page: Page) =>
  page.evaluate<string | undefined>('document.activeElement.dataset.message');

/** Cancels an edit of the focused message, and then edits it. */
export async function editByKeyboard(page: Page, message: Json): Promise<void> {
  await page.keyboard.press('e');
  const field = page.getByLabel('Edit message');
  await field.waitFor();
  assert.equal(await field.inputValue(), message.content);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  assert.equal(await focusedMessage(page), message.id);
  await page.keyboard.press('e');
  await page.keyboard.type(', changed');
  await page.keyboard.press('Enter');
}

/** Deletes a message, and confirms it. */
export async function deleteByKeyboard(page: Page, message: Json): Promise<void> {
  await rowOf(page, message).focus();
  await rowOf(page, message).locator('.message-actions').waitFor();
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete message?' });
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
}
