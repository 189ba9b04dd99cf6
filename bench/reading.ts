import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { presentSession } from '../server/src/access/authenticator.ts';
import { servicesOf } from '../server/src/app.ts';
import { createMember } from '../server/src/cli/records/member.ts';
import { createUser } from '../server/src/cli/records/user.ts';
import { limitsFrom } from '../server/src/limits/table.ts';
import { change } from '../server/src/node/change.ts';
import { databaseFile, openData } from '../server/src/node/data.ts';
import { performAct } from '../server/src/operations/act.ts';
import { addChannel } from '../server/src/resources/channel.ts';
import { operations } from '../server/src/resources/index.ts';
import { readingOf } from '../server/src/resources/reading/state.ts';
import { addSession } from '../server/src/resources/session.ts';
import { makeServer } from './made.ts';
import { median, quick, report, say } from './report.ts';
import { seedMessages } from './seed.ts';

const CHANNELS = 500;
const MESSAGES = quick ? 50_000 : 1_000_000;
const SAMPLES = 60;
const MARKS = quick ? 5_000 : 30_000;
const AT_ONCE = 64;
/** Goals: milliseconds for the counts of all channels, marks in a second, bytes of a marker. */
const GOAL = { ms: 10, marks: 5_000, bytes: 200 };

/** Counts unread messages in many channels, moves markers, and weighs them, on the embedded engine. */
export async function measureReading(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const data = await openData({ data: folder });
  try {
    const { user, large } = await makeServer(data);
    const { serverId } = large;
    const reader = await change(data, async (work) => {
      const made = await createUser(work, { username: 'reader' });
      await createMember(work, { server: serverId, user: made.id });
      return made;
    });
    const ids: string[] = [];
    for (let number = 0; number < CHANNELS - 4; number++)
      ids.push(
        (
          await change(data, (work) =>
            addChannel(work, { serverId, name: `c${number}`, creatorId: user.id, roleIds: [] }),
          )
        ).id,
      );
    say(`Making ${MESSAGES.toLocaleString('en')} messages in ${ids.length} channels…`);
    const file = databaseFile(folder);
    for (const id of ids) seedMessages(file, { id, serverId }, user.id, Math.ceil(MESSAGES / ids.length));
    const { token } = await change(data, (work) => addSession(work, { userId: reader.id, device: null }));
    const services = servicesOf({ ...data, limits: limitsFrom({ '*': 0 }), logger: false } as never);
    const caller = await services.authenticator.authenticate(presentSession(token, serverId));
    const principal = { ...caller.principal, serverId };
    const counted = async (name: string) => {
      const times: number[] = [];
      for (let sample = 0; sample < SAMPLES; sample++) {
        const from = performance.now();
        await readingOf(data.db.read, principal);
        times.push(performance.now() - from);
      }
      const p99 = times.toSorted((one, other) => one - other).at(-1) as number;
      report(
        `counts of ${CHANNELS} channels, ${name}`,
        median(times),
        ' ms',
        `≤ ${GOAL.ms} ms`,
        median(times) <= GOAL.ms,
        `, worst ${p99.toFixed(1)} ms, load ${loadavg()[0]?.toFixed(1)}`,
      );
    };
    await counted('100 or more unread in each');

    const mark = operations.find(({ operation }) => operation === 'personRead');
    const from = { address: '127.0.0.1', device: null, token } as never;
    const db = new DatabaseSync(file, { readOnly: true });
    const places = ids.map((channelId) => ({
      channelId,
      messages: (
        db
          .prepare('select id from message where "channelId" = ? order by id desc limit 80')
          .all(channelId) as { id: string }[]
      ).map(({ id }) => id),
    }));
    db.close();
    let next = 0;
    const bytesBefore = bytesOf(file, 'channelReading');
    const mover = async () => {
      while (next < MARKS) {
        const number = next++;
        const { channelId, messages } = places[number % places.length] as (typeof places)[number];
        const messageId = messages[messages.length - 1 - Math.floor(number / places.length)] as string;
        const body = { marks: [{ channelId, messageId }] };
        await performAct(services, mark as never, caller, { body }, from);
      }
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: AT_ONCE }, mover));
    const rate = MARKS / ((performance.now() - began) / 1000);
    report(
      'marks, without HTTP',
      rate,
      ' a second',
      `≥ ${GOAL.marks}`,
      rate >= GOAL.marks,
      `, load ${loadavg()[0]?.toFixed(1)}`,
    );
    await counted('a few unread in each');
    await weigh(file, bytesBefore);
  } finally {
    await data.db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const bytesOf = (file: string, table: string): number => {
  const db = new DatabaseSync(file);
  db.exec('pragma wal_checkpoint(truncate)');
  const { bytes } = db
    .prepare('select coalesce(sum(pgsize), 0) as bytes from dbstat where name = ?')
    .get(table) as {
    bytes: number;
  };
  db.close();
  return bytes;
};

/** The bytes of a marker, with many in random order. */
async function weigh(file: string, before: number): Promise<void> {
  const rows = 100_000;
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
  const each = (bytesOf(file, 'channelReading') - before) / rows;
  report('bytes of a marker', each, '', `≤ ${GOAL.bytes}`, each <= GOAL.bytes);
}
