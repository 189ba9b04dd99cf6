import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { insert, q, update } from '../server/src/db/statements.ts';
import { type DataConfig, openData } from '../server/src/node/data.ts';
import { change } from '../server/src/resources/change.ts';
import { startPostgres } from '../test/support/postgresServer.ts';
import { type FlowServers, makeNeighbour } from './flowData.ts';
import { makeServer } from './made.ts';
import { GOAL, isServed, Neighbour, type Period, shown } from './neighbours.ts';
import type { Running } from './processes.ts';
import { keep, machine, optionOf, quick, say } from './report.ts';
import { seedSince } from './seed.ts';
import { startOn } from './stage.ts';

const DAY_MS = 24 * 60 * 60_000;
const MESSAGES = Number(optionOf('--messages') ?? (quick ? 50_000 : 1_000_000));
/** Seconds per measurement, before and during the deletions. */
const SECONDS = quick ? 10 : 40;

/**
 * Measures how retention affects another server, on either engine, while it deletes all messages of a channel. They
 * are 60 days old, and the channel's retention is 30 days.
 */
export async function measureRetention(isOnPostgres: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const server = isOnPostgres ? await startPostgres({ durable: true }) : undefined;
  const load = loadavg()[0]?.toFixed(1) ?? '';
  try {
    const place = { data: folder, database: (await server?.createDatabase()) ?? '', secretKey: '' };
    const data = await openData(place);
    const made = await makeServer(data);
    const neighbour = await change(data, (work) => makeNeighbour(work, made.user.id));
    await data.db.close();
    await seedSince(place, made.large, made.user.id, { amount: MESSAGES, from: Date.now() - 60 * DAY_MS });
    const node = await startOn({ folder, database: place.database });
    try {
      const figures = await measureBeside(node, place, { neighbour, ...made.large });
      keep(`Retention, ${isOnPostgres ? 'PostgreSQL' : 'SQLite'}`, linesOf(figures, load));
    } finally {
      await node.stop();
    }
  } finally {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Figures {
  alone: Period;
  beside: Period;
  perSecond: number;
  left: number;
}

async function measureBeside(
  node: Running,
  place: DataConfig,
  { neighbour, id, serverId }: { neighbour: FlowServers['neighbour']; id: string; serverId: string },
): Promise<Figures> {
  const other = new Neighbour(node, neighbour);
  const data = await openData(place);
  try {
    await other.measure(2);
    const alone = await other.measure(SECONDS);
    await data.db.write(async (tx) => {
      await tx.run(update('channel', id, { retentionDays: 30 }));
      await tx.run(insert('retention', { id, serverId, dueAt: 0 }));
    });
    const messages = q
      .selectFrom('message')
      .select((eb) => eb.fn.countAll<number>().as('amount'))
      .where('channelId', '=', id);
    const count = async () => Number((await data.db.read.first(messages))?.amount);
    // Upkeep starts within seconds.
    while ((await count()) === MESSAGES) await sleep(500);
    const [from, before] = [performance.now(), await count()];
    const beside = await other.measure(SECONDS);
    const left = await count();
    return { alone, beside, perSecond: (before - left) / ((performance.now() - from) / 1_000), left };
  } finally {
    other.leave();
    await data.db.close();
  }
}

function linesOf({ alone, beside, perSecond, left }: Figures, load: string): string[] {
  const isMet = isServed(alone, beside);
  const row = (kind: 'send' | 'read') => `| ${kind} | ${shown(alone[kind])} | ${shown(beside[kind])} |`;
  say(isMet ? 'met' : 'MISSED');
  return [
    `${machine}, load average ${load} before and ${loadavg()[0]?.toFixed(1)} after. ${MESSAGES.toLocaleString('en')} messages expire, at ${Math.round(perSecond)} a second; ${left.toLocaleString('en')} were left when the measurement ended. Another server sends 25 messages and reads 25 pages a second, for ${SECONDS} s each; p50 / p99 in ms.`,
    '',
    "| Other server's request | Alone | While messages expire |",
    '|---|---|---|',
    row('send'),
    row('read'),
    '',
    `Goal: the p99 of sends is at most ${GOAL.ratio} times as long, or ${GOAL.moreMs} ms longer: ${isMet ? 'met' : 'missed'}.`,
  ];
}
