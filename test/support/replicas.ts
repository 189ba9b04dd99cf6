import { setTimeout as sleep } from 'node:timers/promises';
import { keptInMemory } from '../../web/replica/kept.ts';
import { type Session, type SessionOptions, startSession } from '../../web/replica/session.ts';
import type { Api, ReplicaCalls } from '../../web/replica/types.ts';
import { Browser } from './account.ts';
import { Scene } from './scene.ts';
import type { Json, World } from './world.ts';

type Call = (input?: Json, options?: { idempotencyKey?: string; signal?: AbortSignal }) => Promise<Json>;

const query = (input: Json): string => {
  const text = new URLSearchParams(input).toString();
  return text === '' ? '' : `?${text}`;
};

/** Maps each call that a replica makes to a method, path and body. */
const routes: Record<string, (input: Json) => [method: string, path: string, body?: Json]> = {
  serverSnapshot: ({ id }) => ['GET', `/api/people/servers/${id}/snapshot`],
  channelView: ({ id, ...rest }) => ['GET', `/api/people/channels/${id}/view${query(rest)}`],
  threadView: ({ id, ...rest }) => ['GET', `/api/people/threads/${id}/view${query(rest)}`],
  latestNotifications: (input) => ['GET', `/api/v1/notifications${query(input)}`],
  notificationsRead: (input) => ['POST', '/api/people/notifications/read', input],
  notificationsClear: (input) => ['POST', '/api/people/notifications/clear', input],
  personReading: (input) => ['GET', `/api/people/reading${query(input)}`],
  personRead: (input) => ['POST', '/api/people/reading/marks', input],
  personUnread: (input) => ['POST', '/api/people/reading/unread', input],
  personReadAll: (input) => ['POST', '/api/people/reading/all', input],
  personChannel: (input) => ['PATCH', '/api/people/reading/channel', input],
  personLevel: (input) => ['PATCH', '/api/people/reading/level', input],
  draftSave: (input) => ['POST', '/api/people/drafts', input],
  presences: (input) => ['GET', `/api/people/presence${query(input)}`],
  indicatorInsert: (input) => ['POST', '/api/v1/indicators', input],
  messageSend: (input) => ['POST', '/api/v1/messages', input],
};

/** A slow and faulty network between a replica and its server. */
export class Network {
  readonly browser: Browser;
  /** The delay of the next response in milliseconds. */
  lateness: () => number = () => 0;
  /**
   * Called before a request is sent, and after its response has arrived. Throws to lose the request or the response.
   */
  fault: (name: string, when: 'request' | 'answer') => void = () => {};
  /** The number of calls in flight. */
  underWay = 0;
  /** The names of all calls so far. */
  readonly calls: string[] = [];
  #cut = new AbortController();

  constructor(browser: Browser) {
    this.browser = browser;
  }

  get url(): string {
    return this.browser.world.url;
  }

  /** Breaks all open streams. */
  cut(): void {
    this.#cut.abort();
    this.#cut = new AbortController();
  }

  /** Like the global `fetch`, but with the browser's cookie. */
  fetch: SessionOptions['fetch'] = (path, { headers, signal }) =>
    fetch(`${this.url}${path}`, {
      headers: { ...headers, cookie: this.browser.cookie },
      signal: AbortSignal.any([signal, this.#cut.signal]),
    });

  api: Api = (serverId) => {
    const calls = Object.entries(routes).map(([name, route]): [string, Call] => [
      name,
      (input = {}, options = {}) => this.#ask(serverId, name, route(input), options),
    ]);
    const ask = () => this.#ask(serverId, 'ownServers', ['GET', '/api/people/servers?limit=100'], {});
    const ownServers = async function* () {
      yield* await ask();
    };
    return { ...Object.fromEntries(calls), ownServers } as unknown as ReplicaCalls;
  };

  async #ask(
    serverId: string,
    name: string,
    [method, path, body]: [string, string, Json?],
    { idempotencyKey, signal }: { idempotencyKey?: string; signal?: AbortSignal },
  ): Promise<Json> {
    this.underWay++;
    this.calls.push(name);
    try {
      this.fault(name, 'request');
      const answer = await fetch(`${this.url}${path}`, {
        method,
        signal,
        headers: {
          'palaver-server': serverId,
          cookie: this.browser.cookie,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const { data, error, nextCursor } = (await answer.json()) as Json;
      await sleep(this.lateness());
      this.fault(name, 'answer');
      if (error) throw Object.assign(new Error(error.message), { ...error, status: answer.status });
      return nextCursor === undefined ? data : Object.assign(data, { nextCursor });
    } finally {
      this.underWay--;
    }
  }
}

/** A client session, as in a browser tab, on a simulated network. */
export function tabOf(network: Network, options: Partial<SessionOptions> = {}): Session {
  return startSession({ api: network.api, fetch: network.fetch, kept: keptInMemory(), ...options });
}

/** A channel with a message, a member who can see it, and the member's browser. */
export async function channelOf(world: World) {
  const scene = await Scene.open(world);
  const user = await world.user();
  const member = await world.member(scene.server, user);
  const channel = await scene.channel();
  const message = await scene.message({ channelId: channel.id });
  const browser = await Browser.of(world, user);
  return { scene, member, channel, message, browser, network: new Network(browser) };
}

export type { Session };
