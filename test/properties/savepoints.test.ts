import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { createDeps, insert, newRow, q, remove, type Tx } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

// Compares trees of savepoints in several writes of one batch with a model: a savepoint or write that throws
// is rolled back.

let world: World;
let server: Json;
before(async () => {
  world = await World.open();
  server = await world.server(await world.user());
});
after(() => world.close());

interface Emoji {
  does: 'react' | 'unreact';
  emoji: string;
}
interface Savepoint {
  does: 'savepoint';
  acts: Act[];
  throws: boolean;
}
/** One step of a write. A unique index rejects an existing reaction; notifications are never rejected. */
type Act = Emoji | Savepoint | { does: 'notify' | 'read' | 'clear' | 'hold' };

const emoji = fc.constantFrom('a', 'b', 'c');
const { act } = fc.letrec<{ act: Act }>((tie) => ({
  act: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('react', 'unreact'), emoji }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('notify', 'read', 'clear', 'hold') }) },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('savepoint'),
        acts: fc.array(tie('act'), { maxLength: 4 }),
        throws: fc.boolean(),
      }),
    },
  ) as fc.Arbitrary<Act>,
}));
const writes = fc.array(
  fc.record({ acts: fc.array(act, { maxLength: 5 }), throws: fc.constantFrom(false, false, true) }),
  { minLength: 1, maxLength: 4 },
);

/** The rows of one message. */
interface Rows {
  emoji: readonly string[];
  notifications: number;
}

class Failed extends Error {}

/** The rows after some steps. Throws `Failed` if a step throws. */
function expected(acts: readonly Act[], throws: boolean, rows: Rows): Rows {
  let now = rows;
  for (const act of acts) {
    if (act.does === 'react') {
      if (now.emoji.includes(act.emoji)) throw new Failed('refused');
      now = { ...now, emoji: [...now.emoji, act.emoji] };
    } else if (act.does === 'unreact') {
      now = { ...now, emoji: now.emoji.filter((one) => one !== act.emoji) };
    } else if (act.does === 'notify') now = { ...now, notifications: now.notifications + 1 };
    else if (act.does === 'clear') now = { ...now, notifications: 0 };
    else if (act.does === 'savepoint') {
      try {
        now = expected(act.acts, act.throws, now);
      } catch (error) {
        assert.ok(error instanceof Failed);
      }
    }
  }
  if (throws) throw new Failed('thrown');
  return now;
}

const deps = createDeps();

/** Runs the steps on the rows of a message. */
async function perform(tx: Tx, messageId: string, acts: readonly Act[], throws: boolean): Promise<void> {
  const place = { messageId, serverId: server.id, channelId: server.id, userId: server.creatorId };
  for (const act of acts) {
    if (act.does === 'react') {
      await tx.run(insert('reaction', { ...newRow(deps), ...place, emoji: act.emoji }));
    } else if (act.does === 'unreact') {
      await tx.run(remove('reaction', { messageId, userId: place.userId, emoji: act.emoji }));
    } else if (act.does === 'notify') {
      const row = { ...place, type: 'mention' as const, actorId: place.userId, readAt: null };
      await tx.run(insert('notification', { ...newRow(deps), ...row }));
    } else if (act.does === 'clear') {
      const { notifications } = await rowsOf(tx, messageId);
      const removed = await tx.count(remove('notification', { messageId }));
      assert.equal(removed, notifications);
    } else if (act.does === 'read') await rowsOf(tx, messageId);
    else if (act.does === 'hold') await tx.hold(messageId);
    else if (act.does === 'savepoint') {
      const caught = await tx
        .savepoint(() => perform(tx, messageId, act.acts, act.throws))
        .then(
          () => undefined,
          (error) => error,
        );
      if (caught instanceof assert.AssertionError) throw caught;
    }
  }
  if (throws) throw new Failed('thrown');
}

async function rowsOf(db: Pick<Tx, 'all'>, messageId: string): Promise<Rows> {
  const reactions = await db.all(
    q.selectFrom('reaction').select('emoji').where('messageId', '=', messageId).orderBy('emoji'),
  );
  const notifications = await db.all(
    q.selectFrom('notification').select('id').where('messageId', '=', messageId),
  );
  return { emoji: reactions.map(({ emoji }) => emoji), notifications: notifications.length };
}

test('a savepoint or write that throws is rolled back; everything else is committed', async () => {
  const { db } = world.data;
  await fc.assert(
    fc.asyncProperty(writes, async (all) => {
      const ids = all.map(() => newRow(deps).id);
      const outcomes = await Promise.allSettled(
        all.map(({ acts, throws }, index) =>
          db.write((tx) => perform(tx, ids[index] as string, acts, throws), server.id),
        ),
      );
      for (const [index, { acts, throws }] of all.entries()) {
        let rows: Rows | undefined;
        try {
          rows = expected(acts, throws, { emoji: [], notifications: 0 });
        } catch {
          // The write is rolled back.
        }
        const outcome = outcomes[index] as PromiseSettledResult<void>;
        assert.equal(outcome.status, rows ? 'fulfilled' : 'rejected', String(Object(outcome).reason));
        const { emoji, notifications } = rows ?? { emoji: [], notifications: 0 };
        const found = await rowsOf(db.read, ids[index] as string);
        assert.deepEqual(found, { emoji: emoji.toSorted(), notifications });
      }
    }),
    { numRuns: 150 },
  );
});
