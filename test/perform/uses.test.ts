import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Session } from '../../server/src/access/credentials/session.ts';
import { type LastUse, sessionUse } from '../../server/src/access/lastUse.ts';
import { SESSION_MS } from '../../server/src/db/tables/session.ts';
import { Browser } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { addSession, change, find, remove } from '../support/sources.ts';
import { TestClock, World } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60_000;

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

async function newSession(): Promise<Session> {
  const { id: userId } = await world.user();
  const { session } = await change(world.data, (work) => addSession(work, { userId, device: null }));
  return {
    kind: 'session',
    id: session.id,
    endsAt: Number.MAX_SAFE_INTEGER,
    expiresAt: session.expiresAt,
    madeAt: null,
    provenAt: clock.at,
    hasSecondFactor: false,
  };
}

const rowOf = async ({ id }: Session) => {
  const row = await world.data.db.read.first(find('session', { id }));
  return row && { usedAt: row.lastUsedAt, expiresAt: row.expiresAt };
};

test('uses of many sessions are stored in one write, which extends the sessions that are due and ignores ended ones', async () => {
  const old = await newSession();
  clock.advance(2 * DAY_MS);
  const fresh = await newSession();
  const ended = await newSession();
  const start = clock.at;
  let works = 0;
  const write = (work: never) => {
    works++;
    return world.data.db.write(work);
  };
  const uses: LastUse<Session> = sessionUse({ write } as never, () => clock.at);
  await change(world.data, ({ db }) => db.run(remove('session', { id: ended.id })));
  clock.advance(1_000);
  for (const session of [old, fresh, ended]) uses.note(session);
  assert.deepEqual(await rowOf(fresh), { usedAt: start, expiresAt: fresh.expiresAt });
  await uses.write();
  assert.equal(works, 1);
  assert.deepEqual(await rowOf(old), { usedAt: clock.at, expiresAt: clock.at + SESSION_MS });
  assert.deepEqual(await rowOf(fresh), { usedAt: clock.at, expiresAt: fresh.expiresAt });
  assert.equal(await rowOf(ended), undefined);

  clock.advance(59_999);
  uses.note(fresh);
  await uses.write();
  assert.equal(works, 1, 'at most once a minute');
});

test('a use that failed to be written is queued again', async () => {
  const session = await newSession();
  let fails = true;
  const write = (work: never) =>
    fails ? Promise.reject(new Error('the disk is full')) : world.data.db.write(work);
  const uses = sessionUse({ write } as never, () => clock.at);
  clock.advance(1_000);
  uses.note(session);
  await uses.write();
  fails = false;
  uses.note(session);
  await uses.write();
  assert.equal((await rowOf(session))?.usedAt, clock.at);
});

test('a later use is written after an earlier one whose write is pending', async () => {
  const session = await newSession();
  const held = Promise.withResolvers<void>();
  let works = 0;
  const write = async (work: never) => {
    if (works++ === 0) await held.promise;
    return world.data.db.write(work);
  };
  const uses = sessionUse({ write } as never, () => clock.at);
  clock.advance(1_000);
  uses.note(session);
  const written = [uses.write()];
  clock.advance(60_000);
  uses.note(session);
  written.push(uses.write());
  held.resolve();
  await Promise.all(written);
  assert.equal(works, 2);
  assert.equal((await rowOf(session))?.usedAt, clock.at);
});

test('a node that stops writes the queued uses', async () => {
  const own = await World.open({ clock, limits: { '*': 0 } });
  try {
    const user = await own.user();
    const browser = await Browser.of(own, user);
    clock.advance(1_000);
    dataOf(await browser.get('/me'));
    await own.node.app.close();
    const [row] = await own.data.db.read.all(find('session', { userId: user.id }));
    assert.equal(row?.lastUsedAt, clock.at);
  } finally {
    await own.close();
  }
});
