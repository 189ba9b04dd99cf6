import { sql } from 'kysely';
import type { TableName } from '../../server/src/db/schema.ts';
import { addMembers, addMessages } from './crowds.ts';
import { fillLog } from './log.ts';
import type { Recording } from './plans.ts';
import type { Scene } from './scene.ts';
import { q } from './sources.ts';
import type { World } from './world.ts';

const CHANNELS = 20;
const MESSAGES_PER_CHANNEL = 400;
const MEMBERS = 1_500;
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
 * Fills the tables that grow with use, so that reading all of one is never the cheapest plan. Its own statements run in
 * `without`.
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
