import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../test/support/postgresServer.ts';
import { startValkey } from '../test/support/valkeyServer.ts';
import { type Made, makeServers } from './made.ts';
import type { Cost, Costs } from './model.ts';
import { commitsOf, cpuOfPostgres } from './postgresUse.ts';
import { cpuOf, type Running, startOnServerCore } from './processes.ts';
import { CONTENT, quick, say } from './report.ts';

const SERVERS = 100;
const STREAMS_PER_SERVER = 10;
const SECONDS = quick ? 3 : 15;
/** Messages per second while events are counted, low enough that nothing is saturated. */
const RATE = 100;
const MANY = 64;

/** Microseconds of CPU and the number of committed transactions, in total or in a period. */
interface Used extends Cost {
  far: number;
  transactions: number;
}

/**
 * Two nodes that share a PostgreSQL server and a Valkey server. Requests go to the near node; the far node has
 * streams.
 */
interface Stage {
  near: Running;
  far: Running;
  made: Made[];
  used(): Promise<Used>;
}

/**
 * Measures the cost of each kind of work for a node, PostgreSQL and Valkey in an installation with many
 * servers, and saves it to `costs.json` for `simulate.ts`.
 */
export async function measureCosts(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const postgres = await startPostgres({ durable: true });
  const valkey = await startValkey();
  try {
    const database = await postgres.createDatabase();
    const made = await makeServers({ data: folder, database }, SERVERS);
    const settings = {
      PALAVER_LIMITS: '{"*":1000000}',
      PALAVER_STREAMS_PER_USER: '10000',
      DATABASE_URL: database,
      REDIS_URL: valkey.url,
    };
    const start = () => startOnServerCore('server/bin/palaver.js', ['start', '--port', '0'], settings);
    const [near, far] = [await start(), await start()];
    const used = async (): Promise<Used> => ({
      node: near.cpu() * 1e6,
      far: far.cpu() * 1e6,
      database: (await cpuOfPostgres(database)) * 1e6,
      valkey: cpuOf(valkey.pid) * 1e6,
      transactions: await commitsOf(database),
    });
    const costs = await measureAll({ near, far, made, used });
    const text = `${JSON.stringify(costs, null, 2)}\n`;
    say(text);
    if (!quick) writeFileSync(join(import.meta.dirname, 'costs.json'), text);
    await near.stop();
    await far.stop();
  } finally {
    await valkey.stop();
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureAll(stage: Stage): Promise<Costs> {
  const { near, far, made } = stage;
  const [first] = made as [Made];
  await repeat(stage, MANY, 2, send);
  const idle = await during(stage, () => sleep(SECONDS * 1_000));
  // All sends go to one server, so they share transactions.
  const many = await repeat({ ...stage, made: [first] }, MANY, SECONDS, send);
  const single = await repeat(stage, 1, SECONDS, send);
  const page = await repeat(stage, MANY, SECONDS, (url, { key, busy }) =>
    answer(`${url}/channels/${busy.id}/messages`, key),
  );
  say(`Bytes of a page: ${await answer(`${near.url}/api/v1/channels/${first.busy.id}/messages`, first.key)}`);

  const unseen = await paced(stage);
  const before = far.memory();
  await openStreams(far, made, 1);
  const seen = await paced(stage);
  await openStreams(far, made, STREAMS_PER_SERVER - 1);
  const streams = SERVERS * STREAMS_PER_SERVER;
  const bytes = far.memory() - before;
  const resting = await during(stage, () => sleep(SECONDS * 1_000));
  const seenByMany = await paced(stage);

  const extra = single.transactions - many.transactions;
  const ofTransaction = (on: keyof Cost) => (single[on] - many[on]) / extra;
  const ofSend = (on: keyof Cost) => many[on] - ofTransaction(on) * many.transactions;
  const messages = RATE * SECONDS;
  const delivery =
    (seenByMany.far - seen.far - (resting.far - idle.far)) / messages / (STREAMS_PER_SERVER - 1);
  const streamSeconds = streams * SECONDS;
  return {
    send: cost(ofSend),
    transaction: cost(ofTransaction),
    page: cost((on) => page[on]),
    follow: {
      node: (seen.far - unseen.far) / messages - delivery,
      database: (seen.database - unseen.database) / messages,
      valkey: (seen.valkey - unseen.valkey) / messages,
    },
    delivery: cost((on) => (on === 'node' ? delivery : 0)),
    idleStream: {
      node: (resting.far - idle.far) / streamSeconds,
      database: (resting.database - idle.database) / streamSeconds,
      valkey: (resting.valkey - idle.valkey) / streamSeconds,
    },
    streamBytes: bytes / streams,
    commitMs: single.ms,
  };
}

/** Never negative: a difference below the noise becomes 0. */
const cost = (of: (on: keyof Cost) => number): Cost => ({
  node: Math.max(0, of('node')),
  database: Math.max(0, of('database')),
  valkey: Math.max(0, of('valkey')),
});

async function during({ used }: Stage, work: () => Promise<unknown>): Promise<Used> {
  const before = await used();
  await work();
  const after = await used();
  const names = Object.keys(after) as (keyof Used)[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as unknown as Used;
}

/**
 * The cost of one request, and its duration in milliseconds, while `clients` send requests sequentially, cycling
 * through the servers.
 */
async function repeat(
  stage: Stage,
  clients: number,
  seconds: number,
  ask: (url: string, made: Made) => Promise<unknown>,
): Promise<Used & { ms: number }> {
  let requests = 0;
  const until = performance.now() + seconds * 1_000;
  const client = async () => {
    while (performance.now() < until)
      await ask(`${stage.near.url}/api/v1`, stage.made[requests++ % stage.made.length] as Made);
  };
  const used = await during(stage, () => Promise.all(Array.from({ length: clients }, client)));
  const names = Object.keys(used) as (keyof Used)[];
  const each = Object.fromEntries(names.map((name) => [name, used[name] / requests])) as unknown as Used;
  return { ...each, ms: (seconds * 1_000 * clients) / requests };
}

/** The total cost while `RATE` messages per second were sent. */
const paced = (stage: Stage): Promise<Used> =>
  during(stage, async () => {
    const start = performance.now();
    const sent: Promise<unknown>[] = [];
    for (let index = 0; index < RATE * SECONDS; index++) {
      await sleep(Math.max(0, start + (index * 1_000) / RATE - performance.now()));
      sent.push(send(`${stage.near.url}/api/v1`, stage.made[index % SERVERS] as Made));
    }
    await Promise.all(sent);
    // Waits until the last event is delivered.
    await sleep(500);
  });

const send = (url: string, { key, busy }: Made): Promise<number> =>
  answer(`${url}/messages`, key, { channelId: busy.id, serverId: busy.serverId, content: CONTENT });

const agent = new Agent({ keepAlive: true, maxSockets: MANY });

/** The number of bytes in a response. Throws if the response is an error. */
function answer(url: string, key: string, body?: object): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
  const asked = request(url, { agent, method: body ? 'POST' : 'GET', headers }, (response) => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    response.on('end', () =>
      response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${url}: ${response.statusCode}`)),
    );
  });
  asked.on('error', reject);
  asked.end(body && JSON.stringify(body));
  return promise;
}

/** Opens streams for every server, and discards their events. */
async function openStreams({ url }: Running, made: Made[], perServer: number): Promise<void> {
  for (const { key } of made) {
    const streams = Array.from({ length: perServer }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
      const asked = request(`${url}/api/v1/events`, { agent: false, headers }, (response) => {
        response.resume();
        if (response.statusCode === 200) resolve();
        else reject(new Error(`a stream got ${response.statusCode}`));
      });
      asked.on('error', () => {});
      asked.end();
      return promise;
    });
    await Promise.all(streams);
  }
}
