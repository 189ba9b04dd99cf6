import type { Page } from 'playwright-core';
import { Browser } from './account.ts';
import { dataOf } from './expect.ts';
import { type WebClient, withoutWorker } from './webClient.ts';
import type { Answer, Json } from './world.ts';

type Calls = Browser['api'];

/** Ada's server, in which Ben is a member. Both can use it in a browser and through the API. */
export class PanelScene {
  readonly client: WebClient;
  readonly server: Json;
  readonly channel: Json;
  readonly ada: Json;
  readonly ben: Json;
  readonly asAda: Calls;
  readonly asBen: Calls;

  static async open(
    client: WebClient,
    names = { ada: 'Ada Lovelace', ben: 'Ben Bitdiddle' },
  ): Promise<PanelScene> {
    const { world } = client;
    const ada = await world.user({ name: names.ada, username: world.unique('ada') });
    const ben = await world.user({ name: names.ben, username: world.unique('ben') });
    const server = await world.server(ada, world.unique('Harbour'));
    await world.member(server, ben);
    const [asAda, asBen] = await Promise.all(
      [ada, ben].map(async (user) => (await Browser.of(world, user, server)).api),
    );
    const channel = await made(
      (asAda as Calls).post('/channels', { serverId: server.id, name: world.unique('quay') }),
    );
    return new PanelScene({ client, server, channel, ada, ben, asAda, asBen } as PanelScene);
  }

  private constructor(fields: PanelScene) {
    ({
      client: this.client,
      server: this.server,
      channel: this.channel,
      ada: this.ada,
      ben: this.ben,
      asAda: this.asAda,
      asBen: this.asBen,
    } = fields);
  }

  /** The path of the channel, with an optional query string such as `?panel=pins`. */
  path(query = ''): string {
    return `/s/${this.server.id}/c/${this.channel.id}${query}`;
  }

  send(calls: Calls, content: string, more: Record<string, unknown> = {}): Promise<Json> {
    return made(calls.post('/messages', { channelId: this.channel.id, content, ...more }));
  }

  /** Opens a window for this user at the channel. */
  look(user: Json, query = '', options = {}): Promise<Page> {
    return this.client.signedIn(user, this.path(query), {
      ...withoutWorker,
      viewport: { width: 1280, height: 800 },
      ...options,
    });
  }
}

/** The record created by a request. */
export const made = async (answer: Promise<Answer>): Promise<Json> => dataOf(await answer);
