import { sql } from 'kysely';
import type { TableName } from '../../server/src/db/schema.ts';
import { addMembers, addMessages } from './crowds.ts';
import { fillLog } from './log.ts';
import { addManyChannels } from './manyChannels.ts';
import type { Recording } from './plans.ts';
import type { Scene } from './scene.ts';
import { q } from './sources.ts';
import type { World } from './world.ts';

const CHANNELS = 20;
const MESSAGES_PER_CHANNEL = 400;
const MEMBERS = 1_500;
/** Direct messages in each server. */
const CONVERSATIONS = 500;
const CONVERSATIONS_OF_ONE = 20;
const EVENTS = 3_000;
/** People with notifications, and with markers in every channel and thread. */
const READERS = 300;

/** Inserts the rows of a select directly into a table. */
const copyInto = (world: World, table: TableName, columns: readonly string[], select: string) =>
  world.data.db.write((tx) =>
    tx.run(
      q
        .insertInto(table)
        .columns(columns as never)
        .expression(sql.raw(select) as never),
    ),
  );

const readers = `(select id, row_number() over (order by id) - 1 as place from "user" order by id limit ${READERS})`;

/**
 * Fills the tables that grow with use, so reading all of one is never the cheapest plan. Bulk inserts that
 * nodes never make are wrapped in `without`, except for members and messages.
 */
export async function fillLargeTables(
  world: World,
  scenes: readonly Scene[],
  without: Recording['without'],
): Promise<void> {
  for (const scene of scenes) {
    await addMembers(world, scene.server.id, MEMBERS);
    for (let number = 0; number < CHANNELS; number++) {
      const channel = await scene.channel();
      await scene.thread({ channelId: channel.id });
      await addMessages(world, channel, scene.owner.id, MESSAGES_PER_CHANNEL);
    }
    await without(() => fillLog(world, scene.server.id, EVENTS, 100));
  }
  await without(() => copyRows(world));
  for (const { server } of scenes) {
    const [one, other, third] = [await world.user(), await world.user(), await world.user()];
    for (const [amount, ids] of [
      [CONVERSATIONS, [one.id, other.id]],
      [CONVERSATIONS_OF_ONE, [third.id, one.id]],
    ] as const)
      await without(() => addManyChannels(world, server, amount, ids).then(() => {}));
  }
}

async function copyRows(world: World): Promise<void> {
  const never = '0';
  await copyInto(
    world,
    'channelReading',
    ['channelId', 'userId', 'unreadAt'],
    `select channel.id, reader.id, ${never} from channel cross join ${readers} as reader`,
  );
  await copyInto(
    world,
    'threadReading',
    ['threadId', 'userId', 'serverId', 'unreadAt'],
    `select thread.id, reader.id, "serverId", ${never} from thread cross join ${readers} as reader`,
  );
  await copyInto(
    world,
    'serverReading',
    ['serverId', 'userId', 'readAt'],
    `select "serverId", "userId", ${never} from "serverMember"`,
  );
  await copyInto(
    world,
    'messageVersion',
    ['id', 'messageId', 'at', 'userId', 'content'],
    'select id, id, "createdAt", "creatorId", content from message',
  );
  const notification = ['userId', 'serverId', 'type', 'actorId', 'channelId', 'messageId'];
  await copyInto(
    world,
    'notification',
    ['id', 'createdAt', 'updatedAt', ...notification],
    `select sent.id, "createdAt", "updatedAt", reader.id, "serverId", 'mention', "creatorId", "channelId", sent.id
      from (select *, row_number() over (order by id) % ${READERS} as place from message) as sent
      inner join ${readers} as reader on reader.place = sent.place`,
  );
}

/**
 * Makes rows large. Without statistics, PostgreSQL estimates the number of rows from the size of the table.
 */
const longError = 'x'.repeat(1_000);

/** The messages, each with its number and the first message of its group of ten. */
const tens = `(select *, first_value(id) over (partition by n / 10 order by id) as first
  from (select *, row_number() over (order by id) - 1 as n from message) as numbered) as one`;

/** Adds a flow for every ten messages, and a run for every message. One run in ten is waiting. */
export async function copyFlows(world: World): Promise<void> {
  const row = ['id', 'createdAt', 'updatedAt'];
  const times = '"createdAt", "createdAt"';
  await copyInto(
    world,
    'flow',
    [...row, 'serverId', 'name', 'enabled', 'kind', 'triggeredBy', 'creatorId', 'userId', 'waitsForEvents'],
    `select id, ${times}, "serverId", 'Flow', true, 'flow', case when n % 20 = 0 then 'event' else 'schedule' end,
      "creatorId", id, n % 20 = 0 from ${tens} where id = first`,
  );
  await copyInto(
    world,
    'flowState',
    ['id', 'serverId', 'cursor', 'seq'],
    `select id, "serverId", id, 1 from ${tens} where id = first`,
  );
  await copyInto(
    world,
    'flowRun',
    [
      ...row,
      ...['flowId', 'serverId', 'cause', 'triggeredBy', 'status', 'attempt', 'executed', 'depth', 'isLate'],
      ...['actorId', 'error', 'endedAt'],
    ],
    `select id, ${times}, first, "serverId", id, 'event', case when n % 10 = 0 then 'waiting' else 'done' end,
      0, 0, 0, false, "creatorId", '${longError}', case when n % 10 = 0 then null else "createdAt" end from ${tens}`,
  );
  await copyInto(
    world,
    'flowStep',
    [...row, 'runId', 'position', 'name', 'type', 'status', 'attempts'],
    `select id, ${times}, id, '0', 'first', 'wait', 'done', 1 from message`,
  );
  await copyInto(
    world,
    'flowWait',
    ['id', 'flowId', 'serverId', 'type', 'isRead', 'cursor', 'seq', 'needed'],
    `select id, first, "serverId", 'message.created', n % 20 = 0, id, n, 1 from ${tens} where n % 10 = 0`,
  );
  await copyInto(
    world,
    'timer',
    [...row, 'kind', 'serverId', 'dueAt', 'attempts'],
    `select id, ${times}, 'flowRun', "serverId", "createdAt" + 10000000000, 0 from ${tens} where n % 10 = 0`,
  );
}
