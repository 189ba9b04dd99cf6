import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFile, openData } from '../server/src/node/data.ts';
import { change } from '../server/src/resources/change.ts';
import { type FlowServers, makeNeighbour } from './flowData.ts';
import { makeServer } from './made.ts';
import { GOAL, isServed, Neighbour, type Period, shown } from './neighbours.ts';
import type { Running } from './processes.ts';
import { keep, machine, optionOf, quick, say } from './report.ts';
import { seedMessages } from './seed.ts';
import { startOn } from './stage.ts';

const DAY_MS = 24 * 60 * 60_000;
const MESSAGES = Number(optionOf('--messages') ?? (quick ? 50_000 : 1_000_000));
/** Seconds per measurement, before and during the deletions. */
const SECONDS = quick ? 10 : 40;

/**
 * Measures how retention affects another server: 1,000,000 messages, all 60 days old, of which none may be older
 * than 30 days.
 */
export async function measureRetention(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  try {
    const data = await openData({ data: folder });
    const made = await makeServer(data);
    const neighbour = await change(data, (work) => makeNeighbour(work, made.user.id));
    await data.db.close();
    seedMessages(databaseFile(folder), made.large, made.user.id, MESSAGES, Date.now() - 60 * DAY_MS);
    const node = await startOn({ folder, database: '' });
    try {
      await measureBeside(node, folder, { neighbour, ...made.large });
    } finally {
      await node.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureBeside(
  node: Running,
  folder: string,
  { neighbour, id, serverId }: { neighbour: FlowServers['neighbour']; id: string; serverId: string },
): Promise<void> {
  const other = new Neighbour(node, neighbour);
  try {
    await other.measure(2);
    const alone = await other.measure(SECONDS);
    const db = new DatabaseSync(databaseFile(folder));
    db.exec('pragma busy_timeout = 10000');
    db.prepare('update channel set "retentionDays" = 30 where id = ?').run(id);
    const due = 'insert or replace into retention (id, "serverId", "dueAt") values (?, ?, 0)';
    db.prepare(due).run(id, serverId);
    const count = () =>
      Number(db.prepare('select count(*) as n from message where "channelId" = ?').get(id)?.n);
    // Upkeep starts within seconds.
    while (count() === MESSAGES) await sleep(500);
    const [from, before] = [performance.now(), count()];
    const beside = await other.measure(SECONDS);
    const left = count();
    db.close();
    const perSecond = (before - left) / ((performance.now() - from) / 1_000);
    keep('Retention', linesOf(alone, beside, { perSecond, left }));
  } finally {
    other.leave();
  }
}

function linesOf(
  alone: Period,
  beside: Period,
  { perSecond, left }: { perSecond: number; left: number },
): string[] {
  const isMet = isServed(alone, beside);
  const row = (kind: 'send' | 'read') => `| ${kind} | ${shown(alone[kind])} | ${shown(beside[kind])} |`;
  say(isMet ? 'met' : 'MISSED');
  return [
    `${machine}, load average ${loadavg()[0]?.toFixed(1)}. ${MESSAGES.toLocaleString('en')} messages expire, at ${Math.round(perSecond)} a second; ${left.toLocaleString('en')} were left when the measurement ended. Another server sends 25 messages and reads 25 pages a second, for ${SECONDS} s each; p50 / p99 in ms.`,
    '',
    '| Request of the other server | Alone | While messages expire |',
    '|---|---|---|',
    row('send'),
    row('read'),
    '',
    `Goal: the p99 of sends is at most ${GOAL.ratio} times as long, or ${GOAL.moreMs} ms longer: ${isMet ? 'met' : 'missed'}.`,
  ];
}
