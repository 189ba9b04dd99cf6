import { DatabaseSync } from 'node:sqlite';
import { type Caller, presentSession } from '../server/src/access/authenticator.ts';
import { servicesOf } from '../server/src/app.ts';
import { limitsFrom } from '../server/src/limits/table.ts';
import { databaseFile } from '../server/src/node/data.ts';
import { performAct } from '../server/src/operations/act.ts';
import { operations } from '../server/src/resources/index.ts';
import { readingOf } from '../server/src/resources/reading/state.ts';
import { ServerStates } from '../server/src/resources/serverState/serverState.ts';
import { ask } from '../test/support/databases.ts';
import { latestIn } from './marks.ts';
import { median, quick, reportWithLoad } from './report.ts';
import { openStage, type Stage, withStage } from './stage.ts';

const CHANNELS = 500;
/** The number of messages: fewer on PostgreSQL, where it takes a long time to create the data. */
const messagesOn = (isOnPostgres: boolean) => (quick ? 50_000 : isOnPostgres ? 500_000 : 1_000_000);
const SAMPLES = 60;
const MARKS = quick ? 5_000 : 30_000;
const AT_ONCE = 64;
/** Goals: milliseconds to count all channels, even uncached; marks per second; bytes per marker. */
const GOAL = { ms: 10, marks: 5_000, bytes: 200 };

/** Sets up a stage with this many people. */
export const withReaders = (
  isOnPostgres: boolean,
  people: number,
  use: (stage: Stage) => Promise<void>,
): Promise<void> =>
  withStage(isOnPostgres, { channels: CHANNELS, messages: messagesOn(isOnPostgres), people }, use);

/** Counts unread messages in many channels, moves markers, and measures the size of the markers, on either engine. */
export const measureReading = (isOnPostgres: boolean): Promise<void> =>
  withReaders(isOnPostgres, 1, async (stage) => {
    await measureCounts(stage);
    await weigh(stage);
  });

/** Counts the first person's unread messages in this process, before and after their markers move. */
export async function measureCounts(stage: Stage): Promise<void> {
  const data = await openStage(stage);
  try {
    const { token } = stage.people[0] as Stage['people'][number];
    const { serverId } = stage.made.large;
    const services = servicesOf({ ...data, limits: limitsFrom({ '*': 0 }), logger: false } as never);
    const caller = await services.authenticator.authenticate(presentSession(token, serverId));
    const principal = { ...caller.principal, serverId };
    const first: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      const from = performance.now();
      await readingOf(data.db.read, new ServerStates(), principal);
      first.push(performance.now() - from);
    }
    const named = `unread counts of ${CHANNELS} channels, 100 or more unread in each, first query on a node`;
    reportWithLoad(named, median(first), ' ms', `≤ ${GOAL.ms} ms`, median(first) <= GOAL.ms);

    const states = new ServerStates();
    const counted = async (name: string, expected: (unread: number) => boolean) => {
      const times: number[] = [];
      for (let sample = 0; sample < SAMPLES; sample++) {
        const from = performance.now();
        const { rows } = await readingOf(data.db.read, states, principal);
        times.push(performance.now() - from);
        const channels: { channelId: string; unread: number }[] = JSON.parse(`[${rows.text}]`);
        const others = channels.filter(({ channelId }) => stage.channelIds.includes(channelId));
        if (others.length < CHANNELS || !others.every(({ unread }) => expected(unread)))
          throw new Error(`the counts are wrong: ${name}`);
      }
      const worst = times.toSorted((one, other) => one - other).at(-1) as number;
      const named = `unread counts of ${CHANNELS} channels, ${name}`;
      const detail = `, worst ${worst.toFixed(1)} ms`;
      reportWithLoad(named, median(times), ' ms', `≤ ${GOAL.ms} ms`, median(times) <= GOAL.ms, detail);
    };
    await counted('100 or more unread in each', (unread) => unread === 100);

    await measureMarks({ stage, data, services, caller });
    await counted('a few unread in each', (unread) => unread > 0 && unread < 100);
  } finally {
    await data.db.close();
  }
}

interface Marking {
  stage: Stage;
  data: Awaited<ReturnType<typeof openStage>>;
  services: ReturnType<typeof servicesOf>;
  caller: Caller;
}

/** Moves the first person's markers through the latest messages of all channels, and measures the rate. */
async function measureMarks({ stage, data, services, caller }: Marking): Promise<void> {
  const { token } = stage.people[0] as Stage['people'][number];
  const mark = operations.find(({ operation }) => operation === 'personRead');
  const from = { address: '127.0.0.1', device: null, token } as never;
  const latest = await Promise.all(
    stage.channelIds.map(async (channelId) => ({
      channelId,
      messages: await latestIn(data.db.read, channelId, 80),
    })),
  );
  let next = 0;
  const mover = async () => {
    while (next < MARKS) {
      const number = next++;
      const { channelId, messages } = latest[number % latest.length] as (typeof latest)[number];
      const messageId = messages[Math.floor(number / latest.length)] as string;
      const body = { marks: [{ channelId, messageId }] };
      await performAct(services, mark as never, caller, { body }, from);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, mover));
  const rate = MARKS / ((performance.now() - began) / 1000);
  reportWithLoad('marking as read, without HTTP', rate, ' a second', `≥ ${GOAL.marks}`, rate >= GOAL.marks);
}

async function bytesOf({ folder, database }: Stage): Promise<number> {
  if (database !== '') {
    const size = `select pg_total_relation_size('"channelReading"')::int as bytes`;
    return (await ask<{ bytes: number }>(database, size))[0]?.bytes as number;
  }
  const db = new DatabaseSync(databaseFile(folder));
  db.exec('pragma wal_checkpoint(truncate)');
  const { bytes } = db
    .prepare('select coalesce(sum(pgsize), 0) as bytes from dbstat where name = ?')
    .get('channelReading') as { bytes: number };
  db.close();
  return bytes;
}

/** Measures the bytes per marker, for many markers in random order. */
export async function weigh(stage: Stage): Promise<void> {
  const rows = 100_000;
  const before = await bytesOf(stage);
  if (stage.database === '') weighOnSqlite(databaseFile(stage.folder), rows);
  else
    await ask(
      stage.database,
      `insert into "channelReading" ("channelId", "userId", "messageId", "unreadAt")
      select (array(select gen_random_uuid() from generate_series(1, 500)))[1 + n % 500], gen_random_uuid(), gen_random_uuid(), 0
      from generate_series(1, ${rows}) as numbers(n)`,
    );
  const each = ((await bytesOf(stage)) - before) / rows;
  reportWithLoad('bytes per marker', each, '', `≤ ${GOAL.bytes}`, each <= GOAL.bytes);
}

function weighOnSqlite(file: string, rows: number): void {
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off; begin immediate');
  const insert =
    db.prepare(`insert or ignore into "channelReading" ("channelId", "userId", "messageId", "unreadAt")
    values (?, ?, ?, 0)`);
  const random = () => crypto.randomUUID();
  const channels = Array.from({ length: 500 }, random);
  for (let row = 0; row < rows; row++) insert.run(channels[row % 500] as string, random(), random());
  db.exec('commit');
  db.close();
}
