import assert from 'node:assert/strict';
import { type Code, dataOf, statusOf } from './expect.ts';
import type { Recorded } from './recorded.ts';
import { Scene } from './scene.ts';
import type { Json, World } from './world.ts';

export interface Answered {
  status: number;
  type: string;
  text: string;
}

/** Posts to the URL of an incoming webhook as other software does. An object is sent as JSON. */
export async function postTo(
  world: World,
  path: string,
  body: string | object | undefined,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const sent = typeof body === 'object' ? JSON.stringify(body) : body;
  const answer = await fetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(sent !== undefined && { body: sent }),
  });
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
}

export function assertNotTaken({ status, type, text }: Answered, code: Code): void {
  assert.equal(status, statusOf[code], text);
  assert.match(type, /^application\/json/);
  assert.equal(JSON.parse(text).error.code, code);
}

/** An incoming webhook that posts into its own channel. */
export class Hook {
  readonly world: World;
  readonly scene: Scene;
  readonly channel: Json;
  readonly made: Json;

  private constructor(scene: Scene, channel: Json, made: Json) {
    this.world = scene.world;
    this.scene = scene;
    this.channel = channel;
    this.made = made;
  }

  static async open(world: World): Promise<Hook> {
    const scene = await Scene.open(world);
    const channel = await scene.channel();
    const made = await scene.webhook({
      direction: 'in',
      url: undefined,
      channelId: channel.id,
      name: 'Reports',
    });
    return new Hook(scene, channel, made);
  }

  /** Posts a body. If a suffix is given, it is appended to the URL. */
  post = (
    body: string | object | undefined,
    headers?: Record<string, string>,
    suffix = '',
  ): Promise<Answered> => postTo(this.world, this.made.path + suffix, body, headers);

  messages = async (limit = 100): Promise<Json[]> =>
    dataOf(await this.scene.admin.get(`/channels/${this.channel.id}/messages?limit=${limit}`));

  /** The id of the newest message, which shows whether one was posted in the meantime. */
  newest = async (): Promise<string | undefined> => (await this.messages(1))[0]?.id;

  /** Posts a body and returns the content of the resulting message. */
  async contentOf({ body, headers, suffix }: Pick<Recorded, 'body' | 'headers' | 'suffix'>): Promise<string> {
    const answer = await this.post(body, headers, suffix);
    assert.deepEqual(
      [answer.status, answer.text],
      suffix === '/discord' ? [204, ''] : [200, 'ok'],
      answer.text,
    );
    const [latest] = await this.messages(1);
    return latest.content;
  }
}
