import assert from 'node:assert/strict';
import { Browser } from './account.ts';
import { dataOf } from './expect.ts';
import { Scene } from './scene.ts';
import type { Client, Json, TestClock, World } from './world.ts';

/** A server with a reader. */
export interface ReadingStage {
  scene: Scene;
  /** The reader, and her browser in the server. */
  ada: Json;
  browser: Browser;
  /** Another member, who writes. */
  other: Client;
}

/** Creates the server and the reader, who joins before any message is sent. */
export async function openReading(world: World, clock: TestClock): Promise<ReadingStage> {
  const scene = await Scene.open(world);
  const ada = await world.user();
  clock.advance(10);
  await world.member(scene.server, ada);
  clock.advance(10);
  const browser = await Browser.of(world, ada, scene.server);
  return { scene, ada, browser, other: await world.client(scene.server, ['canEditData']) };
}

/** Sends messages, each at a later time. */
export async function say(
  clock: TestClock,
  by: Client,
  channelId: string,
  ...contents: string[]
): Promise<Json[]> {
  const sent: Json[] = [];
  for (const content of contents) {
    clock.advance(1);
    sent.push(dataOf(await by.post('/messages', { channelId, content })));
  }
  return sent;
}

export async function stateOf(browser: Browser, channelId: string): Promise<Json> {
  const { channels } = dataOf(await browser.get(`/reading?channelIds=${channelId}`));
  assert.equal(channels.length, 1);
  return channels[0];
}

/** The number of unread messages and mentions in a channel. */
export async function countsOf(browser: Browser, channelId: string): Promise<number[]> {
  const { unread, mentions } = await stateOf(browser, channelId);
  return [unread, mentions];
}

/** Marks channels and threads as read. */
export const read = (browser: Browser, ...marks: object[]) => browser.post('/reading/marks', { marks });
