// @run postgres: moves data between both engines
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { insert } from '../../server/src/db/statements.ts';
import { newRow } from '../../server/src/lib/deps.ts';
import { rowsIn } from '../support/backups.ts';
import { fill } from '../support/filled.ts';
import { Moves, rowsOf, sumsOf } from '../support/moves.ts';
import { gone } from '../support/process.ts';
import { seeded } from '../support/seeded.ts';
import type { Json, World } from '../support/world.ts';

const random = seeded();

/** The minimum number of kills, and the maximum if no kill has interrupted a copy yet. */
const KILLS = 6;
const MOST_KILLS = 40;
const MESSAGES = 4_000;

const moves = new Moves();
let folder: string;
let url: string;
/** The report of an uninterrupted move for each table, and its duration in milliseconds. */
let sums: Json;
let took: number;

before(async () => {
  folder = moves.folder();
  url = await moves.database();
  await moves.serving(folder, async (world) => {
    const { channelId, serverId } = await fill(world);
    await addMessages(world, channelId, serverId);
  });
  const start = performance.now();
  sums = sumsOf(await moves.move(folder, url));
  took = performance.now() - start;
});
after(() => moves.close());

async function addMessages(
  { data: { db, deps } }: World,
  channelId: string,
  serverId: string,
): Promise<void> {
  for (let number = 0; number < MESSAGES; number += 500) {
    await db.write(async (tx) => {
      for (let index = number; index < number + 500; index++) {
        const row = newRow(deps);
        await tx.run(
          insert('message', {
            ...row,
            serverId,
            type: 'person',
            channelId,
            isThreadReply: false,
            creatorId: row.id,
            content: `Message ${index} of many, with some words to be found`,
            deleted: false,
            editedAt: null,
            threadId: null,
            replyToId: null,
            pinned: false,
            reactions: index % 3 ? [] : [{ emoji: '👍', count: index }],
          }),
        );
        const event = {
          logId: serverId,
          seq: 100_000 + index,
          type: 'message.created',
          actorId: row.id,
          channelId,
        };
        await tx.run(insert('event', { ...event, at: row.createdAt, data: JSON.stringify(row) }));
      }
    }, serverId);
  }
}

/**
 * Runs the move, killing and restarting it at random times until it is done. Returns the last report and
 * the number of kills.
 */
async function moveUnderFire(
  from: string,
  to: string,
  kills: number,
): Promise<{ report: Json; killed: number }> {
  for (let killed = 0; ; killed++) {
    if (killed === kills) return { report: await moves.move(from, to), killed };
    const child = await moves.spawn(['migrate', '--from', from, '--to', to, '--json']);
    let output = '';
    child.stdout?.on('data', (text) => {
      output += text;
    });
    const end = gone(child);
    await Promise.race([end, sleep(random.next() * took)]);
    child.kill('SIGKILL');
    if ((await end) === 0) return { report: JSON.parse(output), killed };
  }
}

for (const [title, from, newTarget] of [
  ['to PostgreSQL', () => folder, () => moves.database()],
  ['to a folder', () => url, async () => moves.folder()],
] as const) {
  test(`a move ${title} that is killed ${KILLS} times loses nothing`, async () => {
    const before = rowsIn(folder);
    let kills = 0;
    let resumed = 0;
    while (kills < KILLS || (resumed === 0 && kills < MOST_KILLS)) {
      const to = await newTarget();
      const { report, killed } = await moveUnderFire(from(), to, Math.max(KILLS - kills, 1));
      assert.equal(report.ok, true);
      assert.deepEqual(sumsOf(report), sums);
      if (!to.startsWith('postgres')) assert.deepEqual(rowsOf(to), rowsOf(folder));
      if (report.copied < MESSAGES) resumed++;
      kills += killed;
    }
    assert.ok(resumed > 0, 'rows copied before a kill were not copied again');
    assert.deepEqual(rowsIn(folder), before, 'the source is unchanged');
  });
}
