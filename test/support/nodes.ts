import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { DataConfig } from '../../server/src/node/data.ts';
import { type PostgresServer, postgresBinaries, startPostgres } from './postgresServer.ts';
import { call, type Environment, type Outcome, type Running, Stage } from './process.ts';
import { testsUnless } from './skipping.ts';
import { unlimited } from './unlimited.ts';
import { startValkey, type ValkeyServer, valkeyBinary } from './valkeyServer.ts';
import type { Json } from './world.ts';

/** The reason to skip tests with several nodes; false if they can run. */
export const skip: string | false = !postgresBinaries()
  ? 'PostgreSQL is not installed'
  : !valkeyBinary() && 'no valkey-server or redis-server here';

/** node:test's `test` and hooks, for files with tests that need several nodes. */
export const { test, before, after } = testsUnless(skip);

/** The environment of a node whose clock is this many milliseconds ahead of the machine's. */
export const withClock = (ahead: number): Environment => ({
  NODE_OPTIONS: `--import=${import.meta.resolve('./shiftedClock.ts')}`,
  CLOCK_AHEAD: String(ahead),
});

/** Processes that always get the URL of their database, regardless of the suite's engine. */
class NodeStage extends Stage {
  override async place(data: string): Promise<DataConfig> {
    return { data, database: '', secretKey: '' };
  }
}

/**
 * Several nodes that share PostgreSQL and Valkey servers started for this test. The PostgreSQL server is durable, as
 * in production. `close` removes everything.
 */
export class Site {
  readonly postgres: PostgresServer;
  readonly valkey: ValkeyServer;
  /** The database of all nodes and commands, unless a call names another. */
  readonly database: string;
  /** The nodes started by `open`. A test that restarts a node replaces it here. */
  readonly nodes: Running[] = [];
  readonly #stage = new NodeStage();
  #turn = 0;
  /** The key from the first run, and the channel that the first run created. */
  key = '';
  channelId = '';

  private constructor(postgres: PostgresServer, valkey: ValkeyServer, database: string) {
    this.postgres = postgres;
    this.valkey = valkey;
    this.database = database;
  }

  /**
   * Starts nodes on an empty database, on the given ports or on any free ones. The first node starts before the
   * others, so it does the first run.
   */
  static async open(nodes: number, environment: Environment = {}, ports: number[] = []): Promise<Site> {
    const postgres = await startPostgres();
    let valkey: ValkeyServer | undefined;
    let site: Site | undefined;
    try {
      valkey = await startValkey();
      site = new Site(postgres, valkey, await postgres.createDatabase());
      if (nodes > 0) await site.#startAll(nodes, environment, ports);
      return site;
    } catch (error) {
      await (site ? site.close() : Promise.all([postgres.close(), valkey?.stop()]));
      throw error;
    }
  }

  async #startAll(count: number, environment: Environment, ports: number[]): Promise<void> {
    const first = await this.start(environment, ports[0]);
    this.key = first.key;
    this.channelId = first.channelId;
    const others = Array.from({ length: count - 1 }, (_, index) => this.start(environment, ports[index + 1]));
    this.nodes.push(first, ...(await Promise.all(others)));
  }

  /** For `listOf`: alternates between the nodes, page by page. */
  get inTurn(): { readonly url: string } {
    const next = () => this.at(this.#turn++);
    return {
      get url() {
        return next().url;
      },
    };
  }

  /** The node with this number, modulo the number of nodes. */
  at(number: number): Running {
    return this.nodes[number % this.nodes.length] as Running;
  }

  /** Starts a node without waiting until it listens. */
  spawn(environment: Environment = {}, port = 0): ReturnType<Stage['spawn']> {
    return this.#stage.spawn(['start', '--port', String(port)], this.#given(environment));
  }

  /** Starts one more node and waits until it listens. */
  async start(environment: Environment = {}, port = 0): Promise<Running> {
    return this.listening(await this.spawn(environment, port));
  }

  listening(child: Awaited<ReturnType<Stage['spawn']>>): Promise<Running> {
    return this.#stage.listening(child);
  }

  /** Runs a command on the shared data until it ends. */
  run(args: readonly string[], environment: Environment = {}): Promise<Outcome> {
    return this.#stage.run(args, this.#given(environment));
  }

  /** Creates a record as the admin from the first run, and returns it. */
  async make(path: string, body: object, node = 0): Promise<Json> {
    const answer = await call(this.at(node), 'POST', `/api/v1${path}`, { key: this.key, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  }

  /** Creates a key, by default for a new agent with the default role. */
  mint(fields: object = {}, node = 0): Promise<Json> {
    return this.make('/secrets', { kind: 'apiKey', name: 'Agent', ...fields }, node);
  }

  async close(): Promise<void> {
    await this.#stage.close();
    await this.valkey.stop();
    await this.postgres.close();
  }

  #given(environment: Environment): Environment {
    return {
      DATABASE_URL: this.database,
      REDIS_URL: this.valkey.url,
      PALAVER_DATA: this.#stage.folder(),
      ...unlimited,
      ...environment,
    };
  }
}

/** A node's response. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: Json;
}

/** A client that keeps one connection to each node open. */
export class KeptClient {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** Sends a request. Rejects if the response is incomplete. */
  call(
    { url }: { readonly url: string },
    method: string,
    path: string,
    body?: unknown,
    headers: Environment = {},
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const sent = request(url + path, {
      method,
      agent: this.#agent,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(payload !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        }),
        ...headers,
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (!response.complete) return reject(new Error('an incomplete response'));
        const { statusCode = 0, headers } = response;
        // A proxy may respond with its own page.
        const isJson = headers['content-type']?.startsWith('application/json');
        resolve({ status: statusCode, headers, text, body: isJson ? JSON.parse(text) : undefined });
      });
    });
    sent.end(payload);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}
