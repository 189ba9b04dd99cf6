import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Database, newDatabase } from './databases.ts';
import type { Flag } from './rules.ts';
import {
  change,
  createDeps,
  createFlow,
  createKey,
  createMember,
  createServer,
  createUser,
  type Data,
  type DataConfig,
  find,
  type RunningNode,
  startNode,
  tidy,
} from './sources.ts';
import { nodeOptionsOf, type WorldOptions } from './worldOptions.ts';

export { TestClock, type WorldOptions } from './worldOptions.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape
export type Json = any;

/** A response: its status, headers and parsed body. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
  /** `body.data`. */
  data: Json;
}

/** Calls the API with one key. */
export interface Client {
  key: string;
  /** The record of the client's key, as returned when it was created. */
  secret: Json;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** A Palaver server started for this test on a free port, with its data in a temporary folder or a new database. */
export class World {
  readonly node: RunningNode;
  readonly data: Data;
  readonly feed: RunningNode['feed'];
  readonly app: FastifyInstance;
  readonly url: string;
  readonly folder: string;
  readonly #database: Database;
  #isOwnFolder = true;
  #count = 0;

  private constructor(node: RunningNode, folder: string, database: Database) {
    this.node = node;
    this.data = node.data;
    this.feed = node.feed;
    this.app = node.app;
    this.url = node.url;
    this.folder = folder;
    this.#database = database;
  }

  static async open(options: WorldOptions = {}): Promise<World> {
    const { place, settings, clock } = options;
    const folder = place?.data ?? mkdtempSync(join(tmpdir(), 'palaver-'));
    const stays = { url: place?.database ?? '', drop: async () => {} };
    const database = place ? stays : await newDatabase('migrated', folder);
    const node = await startNode({
      ...nodeOptionsOf(options),
      data: { ...placeOf(folder, database), ...settings },
      deps: createDeps(clock?.now),
    });
    const world = new World(node, folder, database);
    world.#isOwnFolder = place === undefined;
    return world;
  }

  /** The world of a node in another process, whose data this process has opened as well. The caller closes both. */
  static beside(url: string, data: Data, { data: folder, database = '' }: DataConfig): World {
    const world = new World({ url, data } as RunningNode, folder, { url: database, drop: async () => {} });
    // Names end with a number, and the data may already contain names with small ones.
    world.#count = Date.now();
    return world;
  }

  async close(): Promise<void> {
    await this.node.close();
    await this.#database.drop();
    if (this.#isOwnFolder) rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs upkeep once, with events kept for 30 days. */
  tidy(): Promise<void> {
    return tidy({ ...this.data, feed: this.feed, eventDays: 30 });
  }

  /** The location of the data, for another process that opens it. */
  get place(): DataConfig {
    return placeOf(this.folder, this.#database);
  }

  /** A name that has not been used before. */
  unique(stem = 'name'): string {
    this.#count++;
    return `${stem}-${this.#count}`;
  }

  user(
    fields: { username?: string; name?: string; agent?: boolean; platformAdmin?: boolean } = {},
  ): Promise<Json> {
    return change(this.data, (work) => createUser(work, { username: this.unique('user'), ...fields }));
  }

  server(owner: Json, name = this.unique('server')): Promise<Json> {
    return change(this.data, (work) => createServer(work, { name, owner: owner.id }));
  }

  member(server: Json, user: Json): Promise<Json> {
    return change(this.data, (work) => createMember(work, { server: server.id, user: user.id }));
  }

  flow(server: Json, name = this.unique('flow')): Promise<Json> {
    return change(this.data, (work) =>
      createFlow(work, { server: server.id, name, trigger: '{"on":"manual"}', steps: '[]' }),
    );
  }

  /** A client with a new key in `server` that has exactly these flags. It acts as `user`, by default a new member. */
  async client(server: Json, flags: readonly Flag[] = [], user?: Json): Promise<Client> {
    const owner = user ?? (await this.user());
    const secret = await change(this.data, (work) =>
      createKey(work, { server: server.id, user: owner.id, flags: flags.join(',') }),
    );
    return { ...this.as(secret.key), secret };
  }

  async clientWithRole(server: Json, role: Json, user?: Json): Promise<Client> {
    const owner = user ?? (await this.user());
    const secret = await change(this.data, (work) =>
      createKey(work, { server: server.id, user: owner.id, role: role.id }),
    );
    return { ...this.as(secret.key), secret };
  }

  /** The server's default role, as stored. */
  defaultRole(server: Json): Promise<Json> {
    return this.data.db.read.first(find('role', { serverId: server.id, isDefault: true }));
  }

  /** A client with this key, valid or not. */
  as(key: string): Client {
    const call =
      (method: string) =>
      (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
        this.request(method, path, { body, headers: { authorization: `Bearer ${key}`, ...headers } });
    return {
      key,
      secret: undefined,
      get: (path, headers) => call('GET')(path, undefined, headers),
      post: call('POST'),
      patch: call('PATCH'),
      delete: call('DELETE'),
    };
  }

  /** Sends a request. `path` is under /api/v1 unless it starts with the server's address. */
  async request(
    method: string,
    path: string,
    {
      body,
      raw,
      headers = {},
    }: { body?: unknown; raw?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const url = path.startsWith('http') ? path : `${this.url}/api/v1${path}`;
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(url, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(payload !== undefined && { body: payload }),
    });
    const text = await response.text();
    const isLines = response.headers.get('content-type')?.startsWith('application/jsonl');
    const parsed = /^[{[]/.test(text) && !isLines ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body: parsed, data: parsed?.data };
  }
}

const placeOf = (data: string, { url }: Database): DataConfig => ({ data, database: url, secretKey: '' });

/** All records in a list, read page by page. */
export async function listAll(client: Pick<Client, 'get'>, path: string, limit = 100): Promise<Json[]> {
  const records: Json[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${next}`);
    records.push(...body.data);
    cursor = body.nextCursor;
  } while (cursor !== null);
  return records;
}
