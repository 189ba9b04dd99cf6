import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Data, type DataConfig, openData } from '../server/src/node/data.ts';
import { ask } from '../test/support/databases.ts';
import { startPostgres } from '../test/support/postgresServer.ts';
import { generate, type Load } from './load.ts';
import { type Made, makeServer } from './made.ts';
import { insertScript, PGBENCH_CLIENTS, pgbench, writeScript } from './pgbench.ts';
import { type Running, startOnServerCore } from './processes.ts';
import {
  CONTENT,
  inTurn,
  LARGE,
  median,
  perSecond,
  publish,
  ROUNDS,
  ratio,
  report,
  SECONDS,
  SMALL,
  say,
} from './report.ts';
import { seedMessages } from './seed.ts';

const unlimited = { PALAVER_LIMITS: '{"*":0}' };

/** Compares a node on PostgreSQL with pgbench, and its CPU time with that of a node on SQLite. */
export async function measurePostgres(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const server = await startPostgres({ durable: true });
  try {
    const database = await server.createDatabase();
    await measure(folder, database);
    const [row] = await ask<{ name: string }>(database, `select current_setting('server_version') as name`);
    publish('PostgreSQL', `PostgreSQL ${row?.name}, pgbench with ${PGBENCH_CLIENTS} clients`);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, database: string): Promise<void> {
  say(`Seeding ${LARGE.toLocaleString('en')} messages…`);
  const made = await makeIn({ data: folder, database }, async (made) => {
    for (const [channel, amount] of [
      [made.small, SMALL],
      [made.large, LARGE],
    ] as const) {
      await ask(database, seed(channel, made.user.id, amount));
    }
    await ask(database, 'vacuum analyze message');
  });
  const palaver = await startOnServerCore('server/bin/palaver.js', ['start', '--port', '0'], {
    ...unlimited,
    DATABASE_URL: database,
  });
  await compare(folder, database, palaver, made);
  await compareCpu(folder, palaver, made);
  await palaver.stop();
}

async function makeIn(place: DataConfig, use: (made: Made) => Promise<void>): Promise<Made> {
  const data: Data = await openData(place);
  try {
    const made = await makeServer(data);
    await use(made);
    return made;
  } finally {
    await data.db.close();
  }
}

/** The SQL that fills a channel with messages, one per millisecond, the latest dated now. */
const seed = (channel: Made['small'], creatorId: string, amount: number): string => `insert into message
  (id, "createdAt", "updatedAt", "serverId", type, "channelId", "isThreadReply", "creatorId", content, deleted, pinned, reactions)
  select (lpad(to_hex(t), 12, '0') || '7000' || '8' || lpad(to_hex(n), 15, '0'))::uuid, t, t, '${channel.serverId}', 'person',
    '${channel.id}', false, '${creatorId}', 'message number ' || n || ' of people who talk of rain', false, false, '[]'
  from (select n, (extract(epoch from now()) * 1000)::bigint - ${amount} + n as t from generate_series(1, ${amount}) as n) as numbered`;

const sending = (url: string, made: Made): Load => ({
  method: 'POST',
  url: `${url}/api/v1/messages`,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${made.key}` },
  body: JSON.stringify({ channelId: made.busy.id, serverId: made.busy.serverId, content: CONTENT }),
});

const reading = (url: string, made: Made, channel: Made['small']): Load => ({
  method: 'GET',
  url: `${url}/api/v1/channels/${channel.id}/messages`,
  headers: { authorization: `Bearer ${made.key}` },
});

async function compare(folder: string, database: string, palaver: Running, made: Made): Promise<void> {
  const insert = insertScript(folder, made.busy, made.user.id);
  const columns = `id, "createdAt", "updatedAt", "serverId", type, "channelId", "isThreadReply", "creatorId", content,
    deleted, "editedAt", "threadId", "replyToId", pinned, reactions`;
  const select = writeScript(
    folder,
    'select.sql',
    `select ${columns} from message where "channelId" = '${made.small.id}' order by id desc limit 50;`,
  );
  const compareWith = async (what: string, load: Load, script: string) => {
    const [ours, theirs] = await inTurn(
      (seconds) => generate(load, seconds),
      (seconds) => pgbench(database, script, seconds),
    );
    const value = ratio(ours, theirs);
    report(what, value, '', '≥ 0.50', value >= 0.5, ` (${perSecond(ours)}/s vs. ${perSecond(theirs)}/s)`);
    return ours;
  };
  const sends = await compareWith(
    "send: throughput relative to pgbench's insert",
    sending(palaver.url, made),
    insert,
  );
  say(`p99 of a send: ${median(sends.map(({ p99 }) => p99)).toFixed(1)} ms`);
  await compareWith(
    "page of 50: throughput relative to pgbench's select",
    reading(palaver.url, made, made.small),
    select,
  );

  const [deep, shallow] = await inTurn(
    (seconds) => generate(reading(palaver.url, made, made.large), seconds),
    (seconds) => generate(reading(palaver.url, made, made.small), seconds),
  );
  const depth = ratio(deep, shallow);
  const large = LARGE.toLocaleString('en');
  report(`page of 50 at ${large} messages: throughput relative to 10,000`, depth, '', '≥ 0.90', depth >= 0.9);
}

/** The node's CPU time per request on PostgreSQL, relative to SQLite, which runs inside the node. */
async function compareCpu(folder: string, palaver: Running, made: Made): Promise<void> {
  const own = await makeIn({ data: folder }, async ({ small, user }) =>
    seedMessages(join(folder, 'palaver.db'), small, user.id, SMALL),
  );
  const embedded = await startOnServerCore(
    'server/bin/palaver.js',
    ['start', '--data', folder, '--port', '0'],
    unlimited,
  );
  for (const [what, loads] of [
    // Pages are measured before sends, because the search index is updated later, when the node is idle, and would
    // disturb the measurement.
    ['page', [reading(palaver.url, made, made.small), reading(embedded.url, own, own.small)]],
    ['send', [sending(palaver.url, made), sending(embedded.url, own)]],
  ] as const) {
    const ratios: number[] = [];
    const ours: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const onPostgres = await cpuOf(palaver, loads[0]);
      ours.push(onPostgres);
      ratios.push(onPostgres / (await cpuOf(embedded, loads[1])));
    }
    const value = median(ratios);
    const detail = ` (${median(ours).toFixed(0)} µs)`;
    report(`node CPU per ${what}, relative to SQLite`, value, '', '≤ 1.50', value <= 1.5, detail);
  }
  await embedded.stop();
}

/** Microseconds of CPU per request. */
async function cpuOf(running: Running, load: Load): Promise<number> {
  await generate(load, 1);
  const before = running.cpu();
  const { rate } = await generate(load, SECONDS);
  return ((running.cpu() - before) * 1_000_000) / (rate * SECONDS);
}
