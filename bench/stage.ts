import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addSession } from '../server/src/accounts/session.ts';
import { createMember } from '../server/src/cli/records/member.ts';
import { createUser } from '../server/src/cli/records/user.ts';
import { fileChunk } from '../server/src/db/sqlite/authorIndex.ts';
import type { SqliteDb } from '../server/src/db/sqlite/index.ts';
import { type Data, databaseFile, openData } from '../server/src/node/data.ts';
import type { Work } from '../server/src/operations/work.ts';
import { change } from '../server/src/resources/change.ts';
import { addChannel } from '../server/src/resources/channel/change.ts';
import { ask } from '../test/support/databases.ts';
import { type PostgresServer, startPostgres } from '../test/support/postgresServer.ts';
import { inBatches, type Made, makeServer } from './made.ts';
import { type Running, startOnServerCore } from './processes.ts';
import { say } from './report.ts';
import { seedMessages } from './seed.ts';

/** The number of people created per transaction. */
const BATCH_PEOPLE = 200;

/** A member of the server, and the token of their session. */
export interface Person {
  id: string;
  token: string;
}

interface Amounts {
  channels: number;
  /** The total number of messages in all channels. */
  messages: number;
  people: number;
}

/**
 * A server with many channels full of messages, and members with sessions who have not read any of them, on either
 * engine.
 */
export interface Stage {
  /** `SQLite` or `PostgreSQL`. */
  engine: string;
  folder: string;
  /** The database URL; empty for the embedded engine. */
  database: string;
  made: Made;
  channelIds: string[];
  people: Person[];
  /** A session token for the user who sends with `made.key`. */
  ownToken: string;
}

/** Creates a stage and removes it at the end. */
export async function withStage(
  isOnPostgres: boolean,
  amounts: Amounts,
  use: (stage: Stage) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  let postgres: PostgresServer | undefined;
  try {
    postgres = isOnPostgres ? await startPostgres({ durable: true }) : undefined;
    const database = (await postgres?.createDatabase()) ?? '';
    const from = performance.now();
    const stage = await make({ folder, database, engine: isOnPostgres ? 'PostgreSQL' : 'SQLite' }, amounts);
    const { channels, messages, people } = amounts;
    const [inChannels, made, seconds] = [channels, messages, (performance.now() - from) / 1000];
    say(
      `${made.toLocaleString('en')} messages in ${inChannels} channels, ${people.toLocaleString('en')} people, in ${seconds.toFixed(0)} s`,
    );
    await use(stage);
  } finally {
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens a stage's data in this process. */
export const openStage = ({ folder, database }: Stage): Promise<Data> => openData({ data: folder, database });

/** Starts a node on a stage's data and the server's core. */
export const startOn = (
  { folder, database }: Pick<Stage, 'folder' | 'database'>,
  environment: Record<string, string> = {},
): Promise<Running> =>
  startOnServerCore('server/bin/palaver.js', ['start', '--data', folder, '--port', '0'], {
    PALAVER_LIMITS: '{"*":0}',
    ...(database && { DATABASE_URL: database }),
    ...environment,
  });

async function make(place: Pick<Stage, 'engine' | 'folder' | 'database'>, amounts: Amounts): Promise<Stage> {
  const data = await openData({ data: place.folder, database: place.database });
  try {
    const made = await makeServer(data);
    const { serverId } = made.large;
    const people = await inBatches(data, { amount: amounts.people, size: BATCH_PEOPLE }, (work, number) =>
      makePerson(work, serverId, number),
    );
    const channelIds = await change(data, async (work) => {
      const ids: string[] = [];
      for (let number = 0; number < amounts.channels; number++) {
        const named = { serverId, name: `c${number}`, creatorId: made.user.id, roleIds: [] };
        ids.push((await addChannel(work, named)).id);
      }
      return ids;
    });
    const own = await change(data, (work) => addSession(work, { userId: made.user.id, device: null }));
    await fill({ ...place, made, channelIds }, amounts.messages);
    if (place.database === '') await index(data);
    return { ...place, made, channelIds, people, ownToken: own.token };
  } finally {
    await data.db.close();
  }
}

/** Indexes all messages now, instead of while the engine is idle. */
async function index(data: Data): Promise<void> {
  const db = data.db as SqliteDb;
  await db.write(async () => {
    while (fileChunk(db.connection).more);
  });
  await db.indexer.settle();
}

/** Creates a member with a session. */
async function makePerson(work: Work, serverId: string, number: number): Promise<Person> {
  const { id } = await createUser(work, { username: `person${number}` });
  await createMember(work, { server: serverId, user: id });
  return { id, token: (await addSession(work, { userId: id, device: null })).token };
}

/**
 * Fills the channels with the same number of messages each. All members have them unread, because the
 * messages are newer than the memberships.
 */
async function fill(
  { folder, database, made, channelIds }: Pick<Stage, 'folder' | 'database' | 'made' | 'channelIds'>,
  messages: number,
): Promise<void> {
  const each = Math.ceil(messages / channelIds.length);
  const { serverId } = made.large;
  if (database === '') {
    const file = databaseFile(folder);
    for (const id of channelIds) seedMessages(file, { id, serverId }, made.user.id, each);
    return;
  }
  await ask(
    database,
    `insert into message (id, "createdAt", "updatedAt", "serverId", type, "channelId", "isThreadReply", "creatorId", content,
      deleted, pinned, reactions)
    select (lpad(to_hex(t), 12, '0') || '7000' || '8' || lpad(to_hex((place - 1) * $3 + n), 15, '0'))::uuid, t, t, $4::uuid, 'person',
      channel, false, $5::uuid, 'message number ' || n || ' of people who talk of rain', false, false, '[]'
    from unnest($2::uuid[]) with ordinality as channels(channel, place), generate_series(1, $3) as numbers(n), (select $1::bigint as t) as times
    order by place, n`,
    [Date.now(), channelIds, each, serverId, made.user.id],
  );
  await ask(database, 'vacuum analyze');
}
