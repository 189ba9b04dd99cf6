import { hash } from 'node:crypto';
import { loadavg } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDeps } from '../server/src/lib/deps.ts';
import { databaseFile } from '../server/src/node/data.ts';
import { ask } from '../test/support/databases.ts';
import type { Running } from './processes.ts';
import { keep, machine, median, quick, say } from './report.ts';
import { type Stage, startOn, withStage } from './stage.ts';

const AMOUNTS = { channels: 50, messages: 50_000, people: 2_000 };
const CONVERSATIONS = quick ? 10_000 : 100_000;
const SAMPLES = quick ? 20 : 100;
const BATCH_ROWS = 5_000;
/** The maximum time with direct messages, relative to the time without them. */
const GOAL = 1.5;

/** A node on a stage. */
interface Side {
  stage: Stage;
  node: Running;
}

/** Yields the rows for CONVERSATIONS direct messages between different pairs of members, each with one message. */
function* rowsOf({ made, people }: Stage) {
  const { newId } = createDeps();
  const { serverId } = made.large;
  let count = 0;
  for (let distance = 1; ; distance++) {
    for (const [at, { id }] of people.entries()) {
      if (count++ === CONVERSATIONS) return;
      const other = people[(at + distance) % people.length] as { id: string };
      const memberIds = [id, other.id].sort();
      const key = `\u0001${hash('sha256', memberIds.join(), 'hex')}`;
      yield { id: newId(), serverId, memberIds, key, messageId: newId() };
    }
  }
}

/** Adds the direct messages to a stage, directly in the tables. */
export async function addConversations(stage: Stage): Promise<void> {
  if (stage.database !== '') return addToPostgres(stage);
  const db = new DatabaseSync(databaseFile(stage.folder));
  db.exec('pragma synchronous = off; begin immediate');
  const channel = db.prepare(
    `insert into channel (id, "createdAt", "updatedAt", "serverId", name, "nameKey", private, readonly, position, "creatorId",
      "roleIds", kind, "memberIds") values (?, 1, 1, ?, '', ?, 1, 0, 0, ?, '[]', 'dm', ?)`,
  );
  const member = db.prepare(
    'insert into "channelMember" ("channelId", "userId", "serverId", "latestId") values (?, ?, ?, ?)',
  );
  const message = db.prepare(
    `insert into message (id, "createdAt", "updatedAt", "serverId", type, "channelId", "isThreadReply", "creatorId", content,
      deleted, pinned, reactions) values (?, 1, 1, ?, 'person', ?, 0, ?, 'a word between two people', 0, 0, '[]')`,
  );
  for (const { id, serverId, memberIds, key, messageId } of rowsOf(stage)) {
    channel.run(id, serverId, key, memberIds[0] as string, JSON.stringify(memberIds));
    for (const userId of memberIds) member.run(id, userId, serverId, messageId);
    message.run(messageId, serverId, id, memberIds[0] as string);
  }
  db.exec('commit');
  db.close();
}

async function addToPostgres({ database, ...stage }: Stage): Promise<void> {
  const rows = [...rowsOf({ database, ...stage })];
  for (let first = 0; first < rows.length; first += BATCH_ROWS) {
    const some = rows.slice(first, first + BATCH_ROWS);
    const columns = (of: (row: (typeof rows)[number]) => string) => some.map(of);
    await ask(
      database,
      `insert into channel (id, "createdAt", "updatedAt", "serverId", name, "nameKey", private, readonly, position, "creatorId",
        "roleIds", kind, "memberIds")
      select id, 1, 1, $1::uuid, '', key, true, false, 0, (members::jsonb ->> 0)::uuid, '[]', 'dm', members::jsonb
      from unnest($2::uuid[], $3::text[], $4::text[]) as rows(id, key, members)`,
      [
        stage.made.large.serverId,
        columns(({ id }) => id),
        columns(({ key }) => key),
        columns(({ memberIds }) => JSON.stringify(memberIds)),
      ],
    );
    for (const member of [0, 1])
      await ask(
        database,
        `insert into "channelMember" ("channelId", "userId", "serverId", "latestId")
        select "channelId", "userId", $1::uuid, latest
        from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as rows("channelId", "userId", latest)`,
        [
          stage.made.large.serverId,
          columns(({ id }) => id),
          columns(({ memberIds }) => memberIds[member] as string),
          columns(({ messageId }) => messageId),
        ],
      );
    await ask(
      database,
      `insert into message (id, "createdAt", "updatedAt", "serverId", type, "channelId", "isThreadReply", "creatorId", content,
        deleted, pinned, reactions)
      select id, 1, 1, $1::uuid, 'person', channel, false, creator, 'a word between two people', false, false, '[]'
      from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as rows(id, channel, creator)`,
      [
        stage.made.large.serverId,
        columns(({ messageId }) => messageId),
        columns(({ id }) => id),
        columns(({ memberIds }) => memberIds[0] as string),
      ],
    );
  }
  await ask(database, 'vacuum analyze');
}

/** Sends a request as a person or, with a `body`, as the owner. Returns the data and the time in ms. */
async function timed(
  { stage, node }: Side,
  { method = 'GET', path, token, body }: { method?: string; path: string; token: string; body?: object },
): Promise<{ ms: number; data: { id: string } }> {
  const started = performance.now();
  const answer = await fetch(`${node.url}/api${path}`, {
    method,
    headers: {
      cookie: `palaver=${token}`,
      'palaver-server': stage.made.large.serverId,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data } = (await answer.json()) as { data: { id: string } };
  const ms = performance.now() - started;
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(data)}`);
  return { ms, data };
}

/** The maximum number of unindexed messages on an idle node. Searches scan these messages. */
const FEW = 256;

/** Waits until a node has indexed the messages that were added directly. Searches trigger the indexing. */
async function indexed({ stage, node }: Side): Promise<void> {
  const path = `/api/v1/servers/${stage.made.large.serverId}/messages?q=haystack`;
  const until = performance.now() + 600_000;
  while ((await waitingIn(stage)) >= FEW) {
    if (performance.now() > until) throw new Error('the messages were not indexed within ten minutes');
    const answer = await fetch(node.url + path, { headers: { authorization: `Bearer ${stage.made.key}` } });
    await answer.arrayBuffer();
    await sleep(500);
  }
  // Autovacuum would also remove the dead entries from the queue's index, but only minutes later.
  if (stage.database !== '') await ask(stage.database, 'vacuum analyze');
}

/** The number of messages that a stage's database has not indexed. */
async function waitingIn({ database, folder }: Stage): Promise<number> {
  if (database !== '') {
    const [row] = await ask(database, 'select count(*)::int as waiting from "searchQueue"');
    return (row as { waiting: number }).waiting;
  }
  const db = new DatabaseSync(databaseFile(folder), { readOnly: true });
  const sql = 'select count(*) as waiting from message where ord > (select ord from "searchProgress")';
  const { waiting } = db.prepare(sql).get() as { waiting: number };
  db.close();
  return waiting;
}

/** The timed requests. Each gets a side and the sample's number, and returns its duration in ms. */
const requests: Record<string, (side: Side, number: number) => Promise<number>> = {
  'snapshot of a server': async (side, number) =>
    (await timed(side, { path: `/people/servers/${serverOf(side)}/snapshot`, token: tokenOf(side, number) }))
      .ms,
  'list of channels': async (side, number) =>
    (
      await timed(side, {
        path: `/v1/servers/${serverOf(side)}/channels?limit=100`,
        token: tokenOf(side, number),
      })
    ).ms,
  'search in a server': async (side, number) =>
    (
      await timed(side, {
        path: `/v1/servers/${serverOf(side)}/messages?q=${number % 2 === 0 ? 'rain' : 'people'}`,
        token: tokenOf(side, number),
      })
    ).ms,
  'creating an API key': async (side, number) =>
    (await timed(side, post('/v1/secrets', side, { kind: 'apiKey', name: `Key ${number}` }))).ms,
  'deleting a role': async (side, number) => {
    const { data } = await timed(side, post('/v1/roles', side, { name: `Role ${number}` }));
    const path = `/v1/roles/${data.id}`;
    return (await timed(side, { method: 'DELETE', path, token: side.stage.ownToken })).ms;
  },
  'sending a message': async (side, number) =>
    (
      await timed(
        side,
        post('/v1/messages', side, { channelId: side.stage.made.busy.id, content: `Message ${number}` }),
      )
    ).ms,
};

const post = (path: string, { stage }: Side, body: object) => ({
  method: 'POST',
  path,
  body,
  token: stage.ownToken,
});
const serverOf = ({ stage }: Side): string => stage.made.large.serverId;
const tokenOf = ({ stage }: Side, number: number): string =>
  (stage.people[number % stage.people.length] as { token: string }).token;

/** Compares a server with many direct messages with the same server without any, on either engine. */
export const measureConversations = (isOnPostgres: boolean): Promise<void> =>
  withStage(isOnPostgres, AMOUNTS, (without) =>
    withStage(isOnPostgres, AMOUNTS, async (within) => {
      await addConversations(within);
      say(`${CONVERSATIONS.toLocaleString('en')} direct messages`);
      const environment = { PALAVER_QUOTAS: '{"secrets":0}' };
      const nodes = [await startOn(without, environment), await startOn(within, environment)] as const;
      try {
        const [one, other] = [
          { stage: without, node: nodes[0] },
          { stage: within, node: nodes[1] },
        ];
        for (const side of [one, other]) await indexed(side);
        await compare(one, other, without.engine);
      } finally {
        await Promise.all(nodes.map((node) => node.stop()));
      }
    }),
  );

async function compare(without: Side, within: Side, engine: string): Promise<void> {
  const load = loadavg()[0]?.toFixed(1);
  const lines: string[] = [];
  for (const [name, request] of Object.entries(requests)) {
    const times: [number[], number[]] = [[], []];
    for (let number = -10; number < SAMPLES; number++) {
      const pair = [await request(without, number + 10), await request(within, number + 10)] as const;
      if (number < 0) continue;
      times[0].push(pair[0]);
      times[1].push(pair[1]);
    }
    const [one, other] = [median(times[0]), median(times[1])];
    const ratio = other / one;
    lines.push(
      `| ${name} | ${one.toFixed(1)} | ${other.toFixed(1)} | ${ratio.toFixed(2)} | ${ratio <= GOAL ? 'met' : 'missed'} |`,
    );
    say(lines.at(-1) as string);
  }
  keep(`Direct messages, ${engine}`, [
    `${machine}, ${engine}. A server with ${AMOUNTS.people.toLocaleString('en')} people and ${AMOUNTS.messages.toLocaleString('en')} messages in ${AMOUNTS.channels} channels, without and with ${CONVERSATIONS.toLocaleString('en')} direct messages: median of ${SAMPLES} requests, alternating, in ms. Load average ${load} before and ${loadavg()[0]?.toFixed(1)} after. Goal: at most ${GOAL} times as long.`,
    '',
    '| Request | Without | With | Ratio | |',
    '|---|---|---|---|---|',
    ...lines,
  ]);
}
